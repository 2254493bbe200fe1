//! Finding the view in a text that still comes in.

use serde_json::Value;

use crate::block::{Block, OPENING, block};

/// What may be let go of.
#[derive(Clone, Debug, PartialEq)]
pub enum Piece {
    /// Text for a person. Never empty, and never a part of a block.
    Text(String),
    /// What a block holds, if it is a JSON object. Only the first block of a text gives one.
    View(Value),
}

/// Holds back what may be the beginning of a block until it is known.
///
/// The pieces together say what [`extract`](crate::extract()) says of the whole text, except that space in front of the
/// first word, which has been let go of long before, is not trimmed.
///
/// ```
/// use forestage_a2ui::{Piece, Scanner};
///
/// let mut scanner = Scanner::default();
/// assert_eq!(scanner.push("Look: ``"), [Piece::Text("Look:".to_owned())]);
/// assert_eq!(scanner.push("`rust"), [Piece::Text(" ```rust".to_owned())]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Scanner {
    /// What is not decided yet. It begins with space, with an opening, or with what may become one.
    held: String,
    /// Everything before this place has no closing fence in it.
    looked: usize,
    /// Whether a block was taken out.
    found: bool,
}

impl Scanner {
    /// Takes the next piece of a text and returns what may be shown now.
    pub fn push(&mut self, delta: &str) -> Vec<Piece> {
        self.held.push_str(delta);
        self.decide(false)
    }

    /// The text is over: what turned out to be no block is let go of.
    pub fn finish(&mut self) -> Vec<Piece> {
        let mut pieces = self.decide(true);
        let rest = std::mem::take(&mut self.held);
        if !self.found && !rest.is_empty() {
            add(&mut pieces, &rest);
        }
        *self = Self::default();
        pieces
    }

    fn decide(&mut self, is_all: bool) -> Vec<Piece> {
        let mut pieces = Vec::new();
        while let Some(at) = self.held.find(OPENING) {
            let decided = match self.may_end(at, is_all) {
                true => block(&self.held[at..], is_all),
                false => Block::Open,
            };
            match decided {
                Block::Open => {
                    self.release(at, &mut pieces);
                    return pieces;
                }
                Block::Whole(length, view) => {
                    let first = !std::mem::replace(&mut self.found, true);
                    self.held.replace_range(at..at + length, "");
                    self.release(at, &mut pieces);
                    pieces.extend(view.filter(|_| first).map(Piece::View));
                }
                Block::NotOne => self.release(at + OPENING.len(), &mut pieces),
            }
            self.looked = 0;
        }
        let end = if is_all { self.held.len() } else { self.held.len() - beginning(&self.held) };
        self.release(end, &mut pieces);
        pieces
    }

    /// Whether it is worth looking at the block again: it has just begun, or a fence has come in.
    fn may_end(&mut self, at: usize, is_all: bool) -> bool {
        let inside = at + OPENING.len();
        let from = self.looked.max(inside);
        let begins = self.held[inside..].trim_start();
        let is_one = begins.is_empty() || begins.starts_with('{');
        let has_fence = self.held.as_bytes()[from..].windows(3).any(|window| window == b"```");
        self.looked = self.held.len().saturating_sub(2).max(inside);
        is_all || !is_one || has_fence
    }

    /// Lets go of so many bytes, except of space at their end: a block may follow, and then it is trimmed.
    fn release(&mut self, bytes: usize, pieces: &mut Vec<Piece>) {
        let shown = self.held[..bytes].trim_end().len();
        if shown > 0 {
            let rest = self.held.split_off(shown);
            add(pieces, &std::mem::replace(&mut self.held, rest));
            self.looked = self.looked.saturating_sub(shown);
        }
    }
}

/// Text that follows text is one piece.
fn add(pieces: &mut Vec<Piece>, text: &str) {
    match pieces.last_mut() {
        Some(Piece::Text(before)) => before.push_str(text),
        _ => pieces.push(Piece::Text(text.to_owned())),
    }
}

/// How many bytes at the end of a text may become an opening.
fn beginning(text: &str) -> usize {
    (1..OPENING.len()).rev().find(|length| text.ends_with(&OPENING[..*length])).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;
    use crate::extract;

    fn scan(pieces: &[&str]) -> Vec<Vec<Piece>> {
        let mut scanner = Scanner::default();
        let mut out: Vec<_> = pieces.iter().map(|piece| scanner.push(piece)).collect();
        out.push(scanner.finish());
        out
    }

    fn text(text: &str) -> Piece {
        Piece::Text(text.to_owned())
    }

    #[test]
    fn text_goes_through_at_once() {
        assert_eq!(scan(&["Hello", " there"]), [vec![text("Hello")], vec![text(" there")], vec![]]);
    }

    #[test]
    fn a_block_is_never_shown_whatever_the_cut() {
        let said = "Here it is:\n\n```a2ui\n{\"a\":\"}```\"}\n```\nDone.";
        for cut in (0..=said.len()).filter(|cut| said.is_char_boundary(*cut)) {
            let pieces: Vec<_> = scan(&[&said[..cut], &said[cut..]]).concat();
            assert!(pieces.contains(&Piece::View(json!({ "a": "}```" }))), "{cut}: {pieces:?}");
            assert_eq!(visible(&pieces), "Here it is:\n\n\nDone.", "{cut}");
        }
    }

    #[test]
    fn what_turns_out_to_be_no_block_is_let_go_of() {
        assert_eq!(scan(&["a ``", "` b"]), [vec![text("a")], vec![text(" ``` b")], vec![]]);
        assert_eq!(scan(&["```a2ui", "\n[1]"]), [vec![], vec![text("```a2ui\n[1]")], vec![]]);
        let unfinished = "```a2ui\n{\"kind\":";
        assert_eq!(scan(&[unfinished]), [vec![], vec![text(unfinished)]]);
    }

    #[test]
    fn a_second_block_gives_no_view() {
        let pieces = scan(&["```a2ui{\"n\":1}```", "x", "```a2ui{\"n\":2}```"]).concat();
        assert_eq!(pieces, [Piece::View(json!({ "n": 1 })), text("x")]);
    }

    fn visible(pieces: &[Piece]) -> String {
        let texts = pieces.iter().filter_map(|piece| match piece {
            Piece::Text(text) => Some(text.as_str()),
            Piece::View(_) => None,
        });
        texts.collect()
    }

    proptest! {
        #[test]
        fn any_cut_says_what_the_whole_says(parts in prop::collection::vec(
            prop::sample::select(vec![
                "`", "``", "```", "a2ui", "```a2ui", " ", "\n", "{", "}", "{}", "{\"a\":", "\"}\"", "1", "é", "word", "[",
            ]), 0..24,
        )) {
            let whole = extract(&parts.concat());
            let pieces = scan(&parts).concat();
            let view = pieces.iter().find_map(|piece| match piece {
                Piece::View(view) => Some(view.clone()),
                Piece::Text(_) => None,
            });
            let shown = visible(&pieces);
            prop_assert_eq!(shown.trim(), whole.text.trim());
            prop_assert_eq!(view, whole.view);
        }
    }
}
