//! Whole streams through a reader and a view. A stream read to a cut and on from there, in JSON, fares as the
//! stream read whole; so does a view rebuilt from its messages and its state. What was delivered is delivered
//! again as it is. A compacted stream has the view of the original, verifies if the original does, and is as
//! compact as it gets.

#![no_main]

use forestage_fuzz::stream::Program;
use forestage_protocol::{
    apply::{RunEnd, ThreadView},
    chunks::Expander,
    compact::compact,
    event::Event,
    message::Message,
    pipeline::{Reader, StreamError},
    verify::Verifier,
};
use libfuzzer_sys::fuzz_target;
use serde_json::Value;

fuzz_target!(|program: Program| {
    let Program { events, cut } = program;
    let (before, after) = events.split_at(cut);
    let mut whole = Fold::default();
    before.iter().for_each(|event| whole.read(event));
    let mut resumed = whole.clone();
    let mut rebuilt = whole.view.clone();
    rebuilt = ThreadView::new(rebuilt.messages().cloned().collect(), rebuilt.state().clone());
    let delivered = whole.delivered.len();
    after.iter().for_each(|event| whole.read(event));
    after.iter().for_each(|event| resumed.read_json(&event.to_json()));
    whole.finish();
    resumed.finish();
    assert_eq!(resumed.outcome(), whole.outcome(), "read on from a cut");
    fold(&mut rebuilt, &whole.delivered[delivered..]);
    assert_eq!(messages(&rebuilt), messages(&whole.view), "a rebuilt view");
    assert_eq!(rebuilt.state(), whole.view.state());
    is_delivered_again(&whole.delivered);
    is_compacted(events);
    is_compacted(whole.delivered);
});

/// A reader with a view behind it, and everything it said.
#[derive(Clone, Default)]
struct Fold {
    reader: Reader,
    view: ThreadView,
    delivered: Vec<Event>,
    error: Option<StreamError>,
}

type Outcome<'a> = (&'a [Event], &'a Option<StreamError>, View<'a>);
type View<'a> = (Vec<&'a Message>, &'a Value, Option<&'a RunEnd>);

impl Fold {
    fn read(&mut self, event: &Event) {
        self.step(|reader, deliver| reader.read(event.clone(), &mut { deliver }));
    }

    fn read_json(&mut self, text: &str) {
        self.step(|reader, deliver| reader.read_json(text, deliver));
    }

    fn step(&mut self, read: impl FnOnce(&mut Reader, &mut dyn FnMut(Event)) -> Result<(), StreamError>) {
        if self.error.is_some() {
            return;
        }
        let (view, delivered) = (&mut self.view, &mut self.delivered);
        let mut deliver = |event: Event| {
            view.apply(&event);
            delivered.push(event);
        };
        self.error = read(&mut self.reader, &mut deliver).err();
        assert_eq!(self.error.is_some(), self.reader.has_failed());
    }

    fn finish(&mut self) {
        if self.error.is_none() {
            self.error = self.reader.finish().err();
        }
    }

    fn outcome(&self) -> Outcome<'_> {
        (&self.delivered, &self.error, seen(&self.view))
    }
}

fn seen(view: &ThreadView) -> View<'_> {
    (messages(view), view.state(), view.end())
}

fn messages(view: &ThreadView) -> Vec<&Message> {
    view.messages().collect()
}

fn fold(view: &mut ThreadView, events: &[Event]) {
    events.iter().for_each(|event| drop(view.apply(event)));
}

fn view_of(events: &[Event]) -> ThreadView {
    let mut view = ThreadView::default();
    fold(&mut view, events);
    view
}

fn is_delivered_again(delivered: &[Event]) {
    let mut again = Fold::default();
    delivered.iter().for_each(|event| again.read(event));
    assert_eq!(again.error, None, "what was delivered is legal");
    assert_eq!(again.delivered, delivered);
}

fn is_compacted(events: Vec<Event>) {
    let Some(expanded) = expand(&events) else {
        assert!(compact(events).is_err(), "what cannot be expanded cannot be compacted");
        return;
    };
    let compacted = compact(events).expect("what can be expanded can be compacted");
    assert!(compacted.len() <= expanded.len());
    let (view, original) = (view_of(&compacted), view_of(&expanded));
    assert_eq!(seen(&view), seen(&original), "a compacted stream has the same view");
    if is_legal(&expanded) {
        assert!(is_legal(&compacted), "a compacted stream verifies: {compacted:?}");
    }
    assert_eq!(compact(compacted.clone()).as_ref(), Ok(&compacted), "compaction is done once");
}

fn expand(events: &[Event]) -> Option<Vec<Event>> {
    let (mut expander, mut out) = (Expander::default(), Vec::new());
    for event in events {
        expander.expand(event.clone(), &mut out).ok()?;
    }
    Some(out)
}

fn is_legal(events: &[Event]) -> bool {
    let mut verifier = Verifier::default();
    events.iter().all(|event| verifier.check(event).is_ok())
}
