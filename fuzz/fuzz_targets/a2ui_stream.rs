//! What a model writes while it still writes. Cut anywhere, the same pieces and the same report; a text that is JSON needs
//! no repair of its form; whatever comes, there is an end.

#![no_main]

use forestage_a2ui::stream::{Piece, Report, Stream, read};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (u16, u16, &str)| {
    let (first, second, text) = input;
    let whole = read(text);
    let (pieces, report) = pushed(cut(text, first, second));
    assert_eq!(pieces, whole.0, "cut anywhere, the same pieces");
    assert_eq!(report, whole.1, "and the same repairs");
    if whole.1.repair_count == 0 && !whole.1.is_truncated && !text.trim().is_empty() && whole.0.len() == 1 {
        // One message and nothing wrong with it: the text is JSON, be it one value behind the other.
        let values = serde_json::Deserializer::from_str(text).into_iter::<serde_json::Value>();
        assert!(
            values.into_iter().all(|value| value.is_ok() || is_too_deep(text)),
            "no repair, so it is JSON"
        );
    }
});

fn pushed(parts: [&str; 3]) -> (Vec<Piece>, Report) {
    let mut stream = Stream::default();
    let pieces = parts.into_iter().flat_map(|part| stream.push(part)).collect();
    (pieces, stream.finish())
}

fn cut(text: &str, first: u16, second: u16) -> [&str; 3] {
    let at = |place: u16| {
        let mut at = usize::from(place) % (text.len() + 1);
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        at
    };
    let (one, other) = (at(first).min(at(second)), at(first).max(at(second)));
    [&text[..one], &text[one..other], &text[other..]]
}

/// Where serde_json gives up before we do.
fn is_too_deep(text: &str) -> bool {
    text.bytes().filter(|byte| matches!(byte, b'[' | b'{')).count() >= 128
}
