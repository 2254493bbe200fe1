//! How fast messages are read while they come in, and when the first component is there:
//! `cargo run --release -p forestage-a2ui --example stream_speed`.

use std::time::{Duration, Instant};

use forestage_a2ui::stream::{Piece, Stream};
use serde_json::{Value, json};

fn main() {
    for components in [100, 1_000, 10_000, 100_000] {
        let message = message(components);
        let text = message.to_string();
        let in_string = json!({ "a2ui_json": format!("[{text}]") }).to_string();
        show("a message", &text, components);
        show("in a string", &in_string, components);
        let began = Instant::now();
        let value: Value = serde_json::from_str(&text).expect("it is JSON");
        println!(
            "{:>12} {:>9} bytes  {:>6.1} MB/s",
            "serde_json",
            text.len(),
            rate(text.len(), began.elapsed())
        );
        drop(value);
    }
}

fn message(components: usize) -> Value {
    let list: Vec<_> = (0..components)
        .map(|number| match number % 3 {
            0 => json!({ "id": format!("text-{number}"), "component": "Text", "text": { "path": format!("/items/{number}/title") }, "variant": "h2" }),
            1 => json!({ "id": format!("row-{number}"), "component": "Row", "children": ["a", "b", "c"], "justify": "spaceBetween", "weight": 1 }),
            _ => json!({ "id": format!("button-{number}"), "component": "Button", "child": "label", "action": { "event": { "name": "submit", "context": { "name": { "path": "/form/name" }, "note": "A sentence of a usual length stands here." } } } }),
        })
        .collect();
    json!({ "version": "v0.9", "updateComponents": { "surfaceId": "main", "components": list } })
}

fn show(name: &str, text: &str, components: usize) {
    for size in [16, 64, 4096, text.len()] {
        let (all, first) = (0..5).map(|_| run(text, size, components)).min().expect("five runs");
        let chunk = if size == text.len() { "whole".to_owned() } else { size.to_string() };
        println!(
            "{name:>12} {:>9} bytes by {chunk:>5}: {:>6.1} MB/s, first component after {first:?}",
            text.len(),
            rate(text.len(), all),
        );
    }
}

fn run(text: &str, size: usize, components: usize) -> (Duration, Duration) {
    let (mut stream, mut found, mut first) = (Stream::default(), 0, None);
    let began = Instant::now();
    for at in (0..text.len()).step_by(size) {
        let pieces = stream.push(&text[at..text.len().min(at + size)]);
        found += pieces.iter().filter(|piece| matches!(piece, Piece::Component { .. })).count();
        if found > 0 {
            first.get_or_insert_with(|| began.elapsed());
        }
    }
    let all = began.elapsed();
    assert_eq!((found, stream.finish().repair_count), (components, 0));
    (all, first.unwrap_or(all))
}

fn rate(bytes: usize, time: Duration) -> f64 {
    bytes as f64 / time.as_secs_f64() / 1e6
}
