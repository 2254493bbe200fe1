//! The fenced block that holds a view.

use serde_json::{Deserializer, Value, error::Category};

/// How a block begins.
pub(crate) const OPENING: &str = "```a2ui";

const CLOSING: &str = "```";

/// What stands behind an opening.
#[derive(Debug, PartialEq)]
pub(crate) enum Block {
    /// A block of so many bytes, the fences included, with its view if it holds an object that can be read.
    Whole(usize, Option<Value>),
    /// It may become one.
    Open,
    /// It is text like any other.
    NotOne,
}

/// Looks at a text that begins with [`OPENING`]. `is_all` says that nothing more comes.
pub(crate) fn block(text: &str, is_all: bool) -> Block {
    let inside = text[OPENING.len()..].trim_start();
    if inside.is_empty() && !is_all {
        return Block::Open;
    }
    if !inside.starts_with('{') {
        return Block::NotOne;
    }
    let start = text.len() - inside.len();
    match whole_object(inside) {
        Object::Closed(length, view) => Block::Whole(start + length, Some(view)),
        Object::Unclosed if !is_all => Block::Open,
        Object::Unclosed | Object::Broken => match closed_anyhow(inside) {
            Some(length) => Block::Whole(start + length, None),
            None if is_all => Block::NotOne,
            None => Block::Open,
        },
    }
}

enum Object {
    /// It ends, and so does the block behind it.
    Closed(usize, Value),
    /// It may go on.
    Unclosed,
    /// It is no JSON, or something else than the end of the block follows.
    Broken,
}

fn whole_object(inside: &str) -> Object {
    let mut values = Deserializer::from_str(inside).into_iter::<Value>();
    match values.next() {
        Some(Ok(view)) => {
            let end = values.byte_offset();
            let rest = inside[end..].trim_start();
            if rest.starts_with(CLOSING) {
                Object::Closed(inside.len() - rest.len() + CLOSING.len(), view)
            } else if CLOSING.starts_with(rest) {
                Object::Unclosed
            } else {
                Object::Broken
            }
        }
        Some(Err(error)) if error.classify() == Category::Eof => Object::Unclosed,
        Some(Err(_)) | None => Object::Broken,
    }
}

/// The end of a block whose content cannot be read: the first brace with the closing fence behind it.
fn closed_anyhow(inside: &str) -> Option<usize> {
    inside.match_indices('}').find_map(|(at, _)| {
        let rest = inside[at + 1..].trim_start();
        rest.starts_with(CLOSING).then(|| inside.len() - rest.len() + CLOSING.len())
    })
}
