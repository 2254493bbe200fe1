//! An event as JSON text. One that reads strictly is written on one line, as serde_json would write it, and
//! reads back equal; the enforcing level reads it too, as the same event and without a word. What serde_json
//! reads as an event, strict reading reads as the same event.

#![no_main]

use forestage_protocol::{
    compat::Boundary,
    enforce::{self, enforce},
    event::{AnyEvent, Event},
};
use libfuzzer_sys::{Corpus, fuzz_target};

fuzz_target!(|text: &str| -> Corpus {
    let any = serde_json::from_str::<AnyEvent>(text);
    let read = Event::from_json(text);
    if let Ok(event) = serde_json::from_str::<Event>(text) {
        assert_eq!(read.as_ref(), Ok(&event), "both readers agree");
    }
    let Ok(event) = read else {
        return if any.is_ok() { Corpus::Keep } else { Corpus::Reject };
    };
    any.expect("what reads strictly reads at all");
    comes_back(&event);
    is_enforced(text, &event);
    Corpus::Keep
});

fn comes_back(event: &Event) {
    let written = event.to_json();
    assert_eq!(serde_json::to_string(event).ok().as_ref(), Some(&written), "both writers agree");
    assert!(!written.contains(['\n', '\r']), "on one line: {written}");
    let again = Event::from_json(&written).unwrap_or_else(|fault| panic!("{fault}: {written}"));
    assert_eq!(&again, event);
    assert_eq!(again.to_json(), written);
    let any: AnyEvent = serde_json::from_str(&written).expect("an event reads at all");
    assert_eq!(any, AnyEvent::Known(Box::new(again)));
}

fn is_enforced(text: &str, event: &Event) {
    // Opaque JSON may be deeper, or its numbers larger, than a tree holds; it never becomes one.
    let Ok(mut tree) = enforce::tree(text) else { return };
    // serde_json obeys this member name wherever it meets it, in a tree more often than in text.
    if text.contains("$serde_json::private::RawValue") {
        return;
    }
    let mut warnings = Vec::new();
    Boundary::default().upgrade(&mut tree, 0, &mut warnings);
    let enforced = enforce(tree, &mut warnings);
    assert_eq!(enforced.as_ref().map(Option::as_ref), Ok(Some(event)));
    assert_eq!(warnings, []);
}
