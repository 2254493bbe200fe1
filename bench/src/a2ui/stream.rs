//! Arguments of a call, read while they come in.

use std::hint::black_box;

use forestage_a2ui::stream::{Piece, Stream};

use super::material::payload;
use crate::race::{Contender, Task};

/// So many bytes come at a time, about a few tokens.
pub(super) const PIECE: usize = 16;

pub(super) const SMALL: &str = "ours, 10 kB";
pub(super) const LARGE: &str = "ours, 1 MB";

pub(super) fn task() -> Task<'static> {
    let lane = |name, components| {
        let text = payload(components).0.to_string();
        Contender::new(name, text.len(), move || {
            let mut stream = Stream::default();
            let mut pieces = 0;
            for piece in cut(&text) {
                pieces += stream.push(black_box(piece)).len();
            }
            assert!(black_box(pieces) >= components && !stream.finish().is_truncated);
        })
    };
    let contenders = vec![
        lane(SMALL, 60),
        lane("ours, 100 kB", 600),
        lane(LARGE, 6_600),
        peer("crate ag-ui-a2ui, 10 kB", 60),
        peer("crate ag-ui-a2ui, 100 kB", 600),
    ];
    Task { key: "stream", title: "read in pieces", contenders }
}

/// The peer reads blocks in text, so it gets one. Its checks are off, as ours are a matter of the checker.
fn peer(name: &'static str, components: usize) -> Contender<'static> {
    let text = payload(components).0.to_string();
    let block = format!("<a2ui-json>{text}</a2ui-json>");
    let parser = ag_ui_a2ui::toolkit::StreamParser::new(ag_ui_a2ui::Catalog::basic()).without_validation();
    Contender::new(name, text.len(), move || {
        let mut parser = parser.clone();
        let mut parts = 0;
        for piece in cut(&block) {
            parts += parser.process_chunk(black_box(piece)).expect("reads").len();
        }
        assert!(black_box(parts) > 0);
    })
}

/// The text is plain, so every byte is a place to cut.
fn cut(text: &str) -> impl Iterator<Item = &str> {
    (0..text.len()).step_by(PIECE).map(move |at| &text[at..(at + PIECE).min(text.len())])
}

/// How far the text has come when its first component is released.
pub(super) fn first_release(text: &str) -> String {
    let mut stream = Stream::default();
    for (at, byte) in text.char_indices() {
        let pieces = stream.push(&text[at..at + byte.len_utf8()]);
        if pieces.iter().any(|piece| matches!(piece, Piece::Component { .. })) {
            let length = text.len();
            return format!(
                "the first component is released at byte {} of {length}, its closing `{byte}`",
                at + 1
            );
        }
    }
    "no component was released before the end".to_owned()
}
