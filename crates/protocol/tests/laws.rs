//! Laws that hold for every stream.

mod support;

use forestage_protocol::{
    apply::ThreadView,
    chunks::Expander,
    codec::{
        Encoded,
        proto::{self, Decoded},
        sse,
    },
    compact::compact,
    event::Event,
    verify::{Verifier, Violation},
};
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig { cases: 1024, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_producer_keeps_to_the_rules(events in support::stream()) {
        prop_assert_eq!(verify(&expand(events)), Ok(()));
    }

    #[test]
    fn an_encoded_event_is_one_line_of_an_event_stream(events in support::stream()) {
        for event in events {
            let encoded = Encoded::new(&event);
            prop_assert_eq!(encoded.sse(Some("1")), sse::frame(event.to_json().as_bytes(), Some("1")));
        }
    }

    #[test]
    fn compacting_keeps_the_view(events in support::stream()) {
        let compacted = compact(events.clone()).expect("chunks expand");
        prop_assert_eq!(view(&compacted), view(&expand(events)));
    }

    #[test]
    fn a_compacted_stream_verifies(events in support::stream()) {
        prop_assert_eq!(verify(&compact(events).expect("chunks expand")), Ok(()));
    }

    #[test]
    fn compacting_twice_changes_nothing(events in support::stream()) {
        let once = compact(events).expect("chunks expand");
        let twice = compact(once.clone()).expect("no chunks are left");
        prop_assert_eq!(once, twice);
    }

    #[test]
    fn a_compacted_stream_is_no_longer(events in support::stream()) {
        let expanded = expand(events.clone()).len();
        prop_assert!(compact(events).expect("chunks expand").len() <= expanded);
    }

    #[test]
    fn compacting_keeps_every_event_of_a_provider(events in support::stream()) {
        let mut before = provider_events(&expand(events.clone()));
        let mut after = provider_events(&compact(events).expect("chunks expand"));
        before.sort();
        after.sort();
        prop_assert_eq!(before, after);
    }

    #[test]
    fn a_prefix_and_the_rest_make_the_whole(events in support::stream(), cut in any::<prop::sample::Index>()) {
        let events = expand(events);
        let (prefix, rest) = events.split_at(cut.index(events.len() + 1));
        let mut in_two = ThreadView::default();
        prefix.iter().for_each(|event| { in_two.apply(event); });
        let mut in_two = in_two.clone();
        rest.iter().for_each(|event| { in_two.apply(event); });
        prop_assert_eq!(shown(&in_two), view(&events));
    }

    #[test]
    fn json_reads_back_as_the_same_event(events in support::stream()) {
        for event in events {
            prop_assert_eq!(Event::from_json(&event.to_json()), Ok(event));
        }
    }

    #[test]
    fn members_may_come_in_any_order(events in support::stream()) {
        for event in events {
            let mut object: serde_json::Map<String, serde_json::Value> =
                serde_json::from_str(&event.to_json()).expect("an object");
            object.sort_keys();
            let text = serde_json::to_string(&object).expect("prints");
            prop_assert_eq!(Event::from_json(&text), Ok(event));
        }
    }

    #[test]
    fn protobuf_reads_back_as_the_same_event(events in support::stream()) {
        for event in events {
            let mut bytes = Vec::new();
            proto::encode(&event, &mut bytes);
            prop_assert_eq!(proto::decode(&bytes), Ok(Decoded::Event(Box::new(event), Vec::new())));
        }
    }
}

fn expand(events: Vec<Event>) -> Vec<Event> {
    let (mut expander, mut out) = (Expander::default(), Vec::new());
    for event in events {
        expander.expand(event, &mut out).expect("the producer writes legal chunks");
    }
    out
}

fn verify(events: &[Event]) -> Result<(), Violation> {
    let mut verifier = Verifier::default();
    events.iter().try_for_each(|event| verifier.check(event))
}

fn provider_events(events: &[Event]) -> Vec<String> {
    events
        .iter()
        .filter_map(|event| event.base().raw_event.as_ref())
        .map(|raw| raw.get().to_owned())
        .collect()
}

fn view(events: &[Event]) -> String {
    let mut view = ThreadView::default();
    for event in events {
        view.apply(event);
    }
    shown(&view)
}

/// Everything a person could see, as one text.
fn shown(view: &ThreadView) -> String {
    let messages: Vec<_> = view.messages().collect();
    let shown = serde_json::json!({"messages": messages, "state": view.state(), "end": view.end()});
    serde_json::to_string_pretty(&shown).expect("prints")
}
