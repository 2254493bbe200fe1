//! JSON Pointer. A text is read exactly if RFC 6901 allows it, prints as it was, is made of its tokens, and
//! finds what serde_json finds. Any tokens make a pointer that has them.

#![no_main]

use forestage_protocol::patch::Pointer;
use libfuzzer_sys::fuzz_target;
use serde_json::{Value, json};

fuzz_target!(|text: &str| {
    let tokens: Vec<&str> = text.split('\0').collect();
    let made = Pointer::from_tokens(&tokens);
    assert!(made.tokens().eq(tokens.iter().copied()), "a pointer has the tokens it was made of");
    assert_eq!(Pointer::parse(made.as_str()), Ok(made));

    let parsed = Pointer::parse(text);
    assert_eq!(parsed.is_ok(), is_pointer(text));
    let Ok(pointer) = parsed else { return };
    assert_eq!(pointer.to_string(), text);
    assert_eq!(Pointer::from_tokens(pointer.tokens()), pointer);
    let quoted = json!(pointer);
    assert_eq!(serde_json::from_value::<Pointer>(quoted).ok().as_ref(), Some(&pointer));
    let document = document();
    assert_eq!(pointer.resolve(&document), document.pointer(text));
});

/// `^(/([^/~]|~[01])*)*$`
fn is_pointer(text: &str) -> bool {
    let escapes = |token: &str| token.split('~').skip(1).all(|rest| rest.starts_with(['0', '1']));
    text.is_empty() || text.strip_prefix('/').is_some_and(|tokens| tokens.split('/').all(escapes))
}

fn document() -> Value {
    json!({
        "a": {"b": [0, {"c": null}, [1, 2]], "": "empty", "0": false},
        "~": {"/": 1, "~1": 2},
        "m~n": [[], {}],
        "": {"": {"-": 3}},
    })
}
