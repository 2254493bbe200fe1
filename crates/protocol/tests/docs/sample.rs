//! The shortest event of each kind, made from its shape, to see what becomes of it.

use forestage_protocol::{
    chunks::Expander,
    event::Event,
    wire::{Shape, Struct},
};
use serde_json::{Value, json};

/// Every string of a sample, ids included.
const TEXT: &str = "x";

/// The shortest event of a kind.
pub(crate) fn event(known: &'static Struct) -> Event {
    read(&value(&Shape::Struct(known)))
}

/// Whose lanes an event closes, where the parent agent and a subagent have an item open.
pub(crate) fn closes(known: &'static Struct) -> Vec<&'static str> {
    let mut expander = Expander::default();
    let mut out = Vec::new();
    let mut take = |event: Event| expander.expand(event, &mut out).expect("legal");
    take(read(&json!({"type": "TEXT_MESSAGE_CHUNK", "messageId": "m1"})));
    take(read(&json!({"type": "TEXT_MESSAGE_CHUNK", "messageId": "m2", "subagentRunId": TEXT})));
    take(event(known));
    // The last one is the event itself, which may be an end.
    let ends = out[..out.len() - 1].iter().filter_map(|event| match event {
        Event::TextMessageEnd(end) if end.subagent_run_id.is_some() => Some("subagent"),
        Event::TextMessageEnd(_) => Some("parent"),
        _ => None,
    });
    ends.collect()
}

fn read(event: &Value) -> Event {
    Event::from_json(&event.to_string()).expect("a legal event")
}

/// The shortest value of a shape.
fn value(shape: &Shape) -> Value {
    match shape {
        Shape::Any | Shape::Present | Shape::Integer { .. } => json!(1),
        Shape::Object => json!({}),
        Shape::Text | Shape::TextOrParts(_) => json!(TEXT),
        Shape::Pointer => json!(""),
        Shape::Bool => json!(true),
        Shape::Name(names) => json!(names.members[0]),
        Shape::List { item, min } => (0..*min).map(|_| value(item)).collect(),
        Shape::Struct(known) => object(known),
        Shape::Union(union) => object(union.members[0]),
        Shape::Operation => json!({"op": "remove", "path": ""}),
    }
}

fn object(known: &Struct) -> Value {
    let tag = known.tag.into_iter().map(|(key, tag)| (key.to_owned(), json!(tag)));
    let required = known.all_fields().filter(|field| field.required);
    tag.chain(required.map(|field| (field.name.to_owned(), value(&field.shape)))).collect()
}
