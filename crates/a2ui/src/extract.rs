//! Finding the view in a text that is complete.

use serde_json::Value;

use crate::block::{Block, OPENING, block};

/// What a text came to.
#[derive(Clone, Debug, PartialEq)]
pub struct Extracted {
    /// What a person sees.
    pub text: String,
    /// What the first block holds, if it holds a JSON object. Whether that is a view, [`View::read`](crate::v1::View::read) says.
    pub view: Option<Value>,
}

/// Takes fenced blocks out of a text. The first one wins. A text without a block is returned as it is; where a block
/// was taken out, the rest is trimmed. A block whose content is no JSON is taken out all the same and gives no view.
#[must_use]
pub fn extract(text: &str) -> Extracted {
    let (mut kept, mut views) = (String::new(), Vec::new());
    let mut rest = text;
    while let Some(at) = rest.find(OPENING) {
        match block(&rest[at..], true) {
            Block::Whole(length, view) => {
                kept.push_str(&rest[..at]);
                views.push(view);
                rest = &rest[at + length..];
            }
            Block::Open | Block::NotOne => {
                let behind = at + OPENING.len();
                kept.push_str(&rest[..behind]);
                rest = &rest[behind..];
            }
        }
    }
    kept.push_str(rest);
    match views.is_empty() {
        true => Extracted { text: kept, view: None },
        false => Extracted { text: kept.trim().to_owned(), view: views.swap_remove(0) },
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[track_caller]
    fn check(text: &str, visible: &str, view: Option<Value>) {
        assert_eq!(extract(text), Extracted { text: visible.to_owned(), view }, "{text:?}");
    }

    #[test]
    fn a_text_without_a_block_stays_as_it_is() {
        for text in [
            "",
            "  spaces  ",
            "```json\n{}\n```",
            "```a2ui",
            "```a2ui\n{\"a\":1}",
            "a2ui {}",
            "``` a2ui\n{}\n```",
        ] {
            check(text, text, None);
        }
    }

    #[test]
    fn a_block_is_taken_out_and_the_rest_is_trimmed() {
        check(" Here.\n\n```a2ui\n{\"a\": 1}\n```\n", "Here.", Some(json!({ "a": 1 })));
        check("```a2ui {\"a\": 1}```", "", Some(json!({ "a": 1 })));
        check("a\n```a2ui{}```\nb", "a\n\nb", Some(json!({})));
    }

    #[test]
    fn the_first_block_wins_and_no_block_is_shown() {
        check("x```a2ui{\"n\":1}```y```a2ui{\"n\":2}```z", "xyz", Some(json!({ "n": 1 })));
        check("```a2ui{n}``````a2ui{\"n\":2}```", "", None);
    }

    #[test]
    fn what_is_no_json_is_taken_out_and_gives_no_view() {
        check("So:\n```a2ui\n{ \"kind\": }\n```", "So:", None);
        check("So:\n```a2ui\n{\"a\":1} and more }\n```", "So:", None);
        let deep = format!("```a2ui\n{}1{}\n```", "{\"a\":".repeat(200), "}".repeat(200));
        check(&deep, "", None);
    }

    #[test]
    fn only_an_object_counts() {
        for text in ["```a2ui\n[1]\n```", "```a2ui\n\"text\"\n```", "```a2ui\nnull\n```"] {
            check(text, text, None);
        }
    }

    #[test]
    fn a_fence_inside_of_a_text_of_the_view_does_not_end_it() {
        check("```a2ui\n{\"text\":\"}\\n``` {}```\"}\n```!", "!", Some(json!({ "text": "}\n``` {}```" })));
    }
}
