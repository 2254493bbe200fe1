//! Views and messages in what a model says. Cut anywhere, the same text is shown and the same is found; a text without an
//! opening stays as it is.

#![no_main]

use forestage_a2ui::{Piece, Scanner, Tagged, TaggedPiece, extract};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|parts: Vec<&str>| {
    let text = parts.concat();
    let whole = extract(&text);
    if !text.contains("```a2ui") {
        assert_eq!(whole.text, text, "nothing to take out");
    }
    let mut scanner = Scanner::default();
    let mut pieces: Vec<_> = parts.iter().flat_map(|part| scanner.push(part)).collect();
    pieces.extend(scanner.finish());
    let (mut shown, mut view) = (String::new(), None);
    for piece in pieces {
        match piece {
            Piece::Text(text) => shown.push_str(&text),
            Piece::View(found) => assert!(view.replace(found).is_none(), "only the first block is a view"),
        }
    }
    assert_eq!(shown.trim(), whole.text.trim(), "cut anywhere, the same text");
    assert_eq!(view, whole.view, "cut anywhere, the same view");
    assert_eq!(tagged(&parts), tagged(&[&text]), "cut anywhere, the same payloads");
});

/// What is shown, and what stands between tags.
fn tagged(parts: &[&str]) -> (String, Vec<String>) {
    let mut tagged = Tagged::default();
    let mut pieces: Vec<_> = parts.iter().flat_map(|part| tagged.push(part)).collect();
    pieces.extend(tagged.finish());
    let (mut shown, mut payloads) = (String::new(), Vec::new());
    for piece in pieces {
        match piece {
            TaggedPiece::Text(text) => shown.push_str(&text),
            TaggedPiece::Payload(payload) => payloads.push(payload),
        }
    }
    (shown, payloads)
}
