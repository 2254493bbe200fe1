//! What the events of the stream carry.

use serde_json::{Value, json};

use super::random::Random;

const WORDS: &[&str] = &[
    "the",
    " forest",
    " stage",
    " is",
    " where",
    " every",
    " event",
    " of",
    " a",
    " run",
    " becomes",
    " visible",
    " to",
    " people",
    " who",
    " follow",
    " it",
    " later",
    " or",
    " live",
    ",",
    ".",
    " and",
    " therefore",
    " naïve",
    " größer",
    " →",
    " \"so",
    " it\"",
    "\n\n",
    "\n- ",
    " `code`",
];

/// A piece of prose, about 12 bytes as a model streams it, now and then with something to escape.
pub(super) fn words(random: &mut Random) -> String {
    let mut text = String::new();
    while text.len() < 9 {
        text.push_str(random.pick(WORDS));
    }
    text
}

/// The arguments of a call, cut into pieces.
pub(super) fn arguments(random: &mut Random, pieces: usize) -> Vec<String> {
    let question: String = (0..5).map(|_| words(random)).collect();
    let text =
        json!({"query": question, "limit": random.below(20), "tags": ["a", "b"], "exact": true}).to_string();
    let characters: Vec<char> = text.chars().collect();
    let size = characters.len().div_ceil(pieces);
    let mut cut: Vec<String> = characters.chunks(size).map(|piece| piece.iter().collect()).collect();
    cut.resize(pieces, String::new());
    cut
}

/// What a tool answers: a JSON text of about 400 bytes in a string.
pub(super) fn result(random: &mut Random) -> String {
    let hits: Vec<Value> = (0..3)
        .map(|rank| json!({"rank": rank, "id": random.uuid(), "title": words(random), "score": 0.25 + rank as f64}))
        .collect();
    json!({"status": "ok", "hits": hits, "total": random.below(1000)}).to_string()
}

/// A state of about 0.9 kB.
pub(super) fn state(random: &mut Random) -> Value {
    let items: Vec<Value> = (0..6)
        .map(|index| json!({"id": random.uuid(), "title": words(random), "done": index % 2 == 0, "weight": index}))
        .collect();
    json!({
        "user": {"name": "Ada", "locale": "de-AT", "level": 3},
        "progress": {"done": 0, "total": 6, "ratio": 0.5, "note": null},
        "items": items,
        "log": ["opened", "read"],
        "settings": {"theme": "dark", "sound": false, "hints": {"max": 3, "left": 2}},
    })
}

/// A change of that state.
pub(super) fn patch(random: &mut Random) -> Value {
    let item = random.below(6);
    json!([
        {"op": "replace", "path": "/progress/done", "value": random.below(7)},
        {"op": "replace", "path": format!("/items/{item}/done"), "value": true},
        {"op": "add", "path": "/log/-", "value": words(random)},
    ])
}

pub(super) fn custom(random: &mut Random) -> Value {
    json!({
        "type": "CUSTOM", "name": "app:progress",
        "value": {"phase": "retrieval", "percent": random.below(100), "label": words(random), "ids": [random.uuid()]},
    })
}

/// An event of a model provider, passed through.
pub(super) fn raw(random: &mut Random) -> Value {
    json!({
        "type": "RAW",
        "event": {
            "id": format!("chatcmpl-{}", random.uuid()), "object": "chat.completion.chunk", "created": 1_794_000_000,
            "choices": [{"index": 0, "delta": {"content": words(random)}, "finish_reason": null}],
        },
        "source": "provider",
    })
}

pub(super) fn metadata(random: &mut Random) -> Value {
    json!({"trace": random.uuid(), "attempt": random.below(3), "app": {"tenant": "t-7"}})
}
