//! Messages of A2UI between tags in what a model says: `<a2ui-json>[…]</a2ui-json>`.

const OPENING: &str = "<a2ui-json>";

const CLOSING: &str = "</a2ui-json>";

/// What may be let go of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TaggedPiece {
    /// Text for a person. Never empty, and never a part of what stands between tags.
    Text(String),
    /// What stands between two tags, as it is written. A [`stream`](crate::stream) reads it, mistakes included.
    Payload(String),
}

/// Holds back what may be the beginning of a tag, and everything between two tags.
///
/// ```
/// use forestage_a2ui::{Tagged, TaggedPiece::{Payload, Text}};
///
/// let mut tagged = Tagged::default();
/// assert_eq!(tagged.push("Look <a2"), [Text("Look ".to_owned())]);
/// assert_eq!(tagged.push("ui-json>[]</a2ui-"), []);
/// assert_eq!(tagged.push("json>!"), [Payload("[]".to_owned()), Text("!".to_owned())]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Tagged {
    /// What is not decided yet. It begins with the opening tag, or is what may become one.
    held: String,
    /// Everything before this place has no closing tag in it.
    looked: usize,
}

impl Tagged {
    /// Whether a piece is text and nothing else, and nothing is held back before it.
    #[must_use]
    pub fn passes(&self, delta: &str) -> bool {
        self.held.is_empty() && !delta.contains('<')
    }

    /// Takes the next piece of a text and returns what may be shown or drawn now.
    pub fn push(&mut self, delta: &str) -> Vec<TaggedPiece> {
        let mut pieces = Vec::new();
        if self.passes(delta) {
            add(&mut pieces, delta);
            return pieces;
        }
        self.held.push_str(delta);
        while let Some(at) = self.held.find(OPENING) {
            add(&mut pieces, &self.held[..at]);
            self.held.drain(..at);
            let from = self.looked.max(OPENING.len()).min(self.held.len());
            let Some(end) = self.held[from..].find(CLOSING).map(|end| from + end) else {
                self.looked = boundary(&self.held, self.held.len().saturating_sub(CLOSING.len()));
                return pieces;
            };
            pieces.push(TaggedPiece::Payload(self.held[OPENING.len()..end].trim().to_owned()));
            self.held.drain(..end + CLOSING.len());
            self.looked = 0;
        }
        let shown = self.held.len() - beginning(&self.held);
        add(&mut pieces, &self.held[..shown]);
        self.held.drain(..shown);
        pieces
    }

    /// The text is over. What was cut off between two tags is a payload; what was no tag is text.
    pub fn finish(&mut self) -> Vec<TaggedPiece> {
        let held = std::mem::take(self).held;
        let mut pieces = Vec::new();
        match held.strip_prefix(OPENING).map(str::trim) {
            Some(payload) if payload.starts_with(['[', '{']) => {
                pieces.push(TaggedPiece::Payload(payload.to_owned()));
            }
            _ => add(&mut pieces, &held),
        }
        pieces
    }
}

/// Text that follows text is one piece.
fn add(pieces: &mut Vec<TaggedPiece>, text: &str) {
    match pieces.last_mut() {
        _ if text.is_empty() => {}
        Some(TaggedPiece::Text(before)) => before.push_str(text),
        _ => pieces.push(TaggedPiece::Text(text.to_owned())),
    }
}

/// How many bytes at the end of a text may become an opening tag.
fn beginning(text: &str) -> usize {
    (1..OPENING.len()).rev().find(|length| text.ends_with(&OPENING[..*length])).unwrap_or(0)
}

/// The last place before this one, or this one, where a character begins.
fn boundary(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn scan<'t>(parts: impl IntoIterator<Item = &'t str>) -> Vec<TaggedPiece> {
        let mut tagged = Tagged::default();
        let mut pieces = Vec::new();
        let mut take = |new: Vec<TaggedPiece>| {
            for piece in new {
                match piece {
                    TaggedPiece::Text(text) => add(&mut pieces, &text),
                    payload => pieces.push(payload),
                }
            }
        };
        parts.into_iter().for_each(|part| take(tagged.push(part)));
        take(tagged.finish());
        pieces
    }

    fn text(text: &str) -> TaggedPiece {
        TaggedPiece::Text(text.to_owned())
    }

    fn payload(text: &str) -> TaggedPiece {
        TaggedPiece::Payload(text.to_owned())
    }

    #[test]
    fn what_stands_between_tags_is_never_text() {
        let said = "Hi <b> <a2ui-json>\n[{\"é\":1}]\n</a2ui-json> and <a2ui-json>{}</a2ui-json>";
        let expected = [text("Hi <b> "), payload("[{\"é\":1}]"), text(" and "), payload("{}")];
        assert_eq!(scan([said]), expected);
        let letters: Vec<_> =
            said.char_indices().map(|(at, letter)| &said[at..at + letter.len_utf8()]).collect();
        assert_eq!(scan(letters), expected);
    }

    #[test]
    fn what_is_cut_off_is_a_payload_if_it_looks_like_one() {
        assert_eq!(scan(["<a2ui-json>[{\"a\":"]), [payload("[{\"a\":")]);
        assert_eq!(scan(["say <a2ui-json> for that"]), [text("say <a2ui-json> for that")]);
        assert_eq!(scan(["a <a2ui-js"]), [text("a <a2ui-js")]);
    }

    proptest! {
        #[test]
        fn any_cut_says_what_the_whole_says(parts in prop::collection::vec(
            prop::sample::select(vec!["<", "a2ui-json>", "<a2ui-json>", "</a2ui-json>", "</", "é", "[", "x", "{}", " "]), 0..20,
        )) {
            prop_assert_eq!(scan(parts.iter().copied()), scan([parts.concat().as_str()]));
        }
    }
}
