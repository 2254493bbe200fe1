//! A shorter log with the same view.
//!
//! Deltas of one item become one, chunks become start, content and end, states and activities fold into their
//! snapshot, and messages that a run start repeats are left out. For every stream that can be expanded:
//!
//! - `apply(compact(s)) == apply(s)`: messages, state and the end of the last run;
//! - if `s` verifies, `compact(s)` verifies;
//! - `compact(compact(s)) == compact(s)`;
//! - owners, provider events, run boundaries and the order in which messages appear stay.
//!
//! What goes: the timestamps of all but the first delta of a row, patches that could not be applied, and
//! states that another state of the same owner replaces within the run.

mod activity;
mod content;
mod families;
mod history;
mod state;

use self::{activity::Activities, content::Contents, families::SharedIds, history::History, state::State};
use crate::{chunks::Expander, event::Event, verify::Violation};

/// Compacts a stream. Fails where chunks cannot be expanded; the order is not verified otherwise.
pub fn compact(events: impl IntoIterator<Item = Event>) -> Result<Vec<Event>, Violation> {
    let mut expander = Expander::default();
    let mut expanded = Vec::new();
    for event in events {
        expander.expand(event, &mut expanded)?;
    }
    let mut compactor = Compactor::new(SharedIds::of(&expanded));
    for event in expanded {
        compactor.take(event);
    }
    Ok(compactor.finish())
}

/// The output under way. A slot is empty where its event was folded into another.
#[derive(Debug)]
struct Compactor {
    out: Vec<Option<Event>>,
    history: History,
    contents: Contents,
    state: State,
    activities: Activities,
}

impl Compactor {
    fn new(shared: SharedIds) -> Self {
        let (contents, activities) = (Contents::new(shared.clone()), Activities::new(shared));
        Self { out: Vec::new(), history: History::default(), contents, state: State::default(), activities }
    }

    fn take(&mut self, mut event: Event) {
        if let Event::RunStarted(started) = &mut event {
            self.history.forget_known(started);
        }
        if self.history.is_replaced_by(&event) {
            // Calls that the message carried are gone, and deltas of one may find it elsewhere from here on.
            self.contents.settle();
        }
        let effective = self.history.note(&event);
        match event {
            event @ (Event::TextMessageStart(_)
            | Event::TextMessageContent(_)
            | Event::TextMessageEnd(_)
            | Event::ToolCallStart(_)
            | Event::ToolCallArgs(_)
            | Event::ToolCallEnd(_)
            | Event::ReasoningMessageStart(_)
            | Event::ReasoningMessageContent(_)
            | Event::ReasoningMessageEnd(_)) => self.contents.take(event, effective, &mut self.out),
            Event::StateSnapshot(event) => self.state.replace(event, &mut self.out),
            Event::StateDelta(event) => self.state.patch(event, &mut self.out),
            Event::ActivitySnapshot(event) => self.activities.set(event, &mut self.out),
            Event::ActivityDelta(event) => self.activities.patch(event, &mut self.out),
            event @ (Event::RunStarted(_) | Event::RunFinished(_) | Event::RunError(_)) => {
                self.settle();
                self.state.settle(&mut self.out);
                self.out.push(Some(event));
            }
            event @ Event::MessagesSnapshot(_) => {
                self.settle();
                self.out.push(Some(event));
            }
            event @ (Event::ToolCallResult(_)
            | Event::ReasoningStart(_)
            | Event::ReasoningEnd(_)
            | Event::ReasoningEncryptedValue(_)
            | Event::StepStarted(_)
            | Event::StepFinished(_)
            | Event::SubagentStarted(_)
            | Event::SubagentFinished(_)
            | Event::SubagentError(_)
            | Event::Raw(_)
            | Event::Custom(_)
            | Event::TextMessageChunk(_)
            | Event::ToolCallChunk(_)
            | Event::ReasoningMessageChunk(_)) => self.out.push(Some(event)),
        }
    }

    /// Nothing may move across a restated conversation or the boundary of a run.
    fn settle(&mut self) {
        self.contents.settle();
        self.activities.settle();
    }

    fn finish(mut self) -> Vec<Event> {
        self.state.settle(&mut self.out);
        self.out.into_iter().flatten().collect()
    }
}

/// Where an event went in the output.
type Position = usize;

fn push(out: &mut Vec<Option<Event>>, event: impl Into<Event>) -> Position {
    out.push(Some(event.into()));
    out.len() - 1
}
