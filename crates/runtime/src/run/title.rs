//! Titles that agents offer for their conversations, with a `CUSTOM` event `forestage.title`.
//!
//! An offer counts only on a thread without a title: what a person has called it stays.

use std::sync::Arc;

use forestage_protocol::{
    event::{Custom, Event},
    id::ThreadId,
};
use forestage_store::{Store, StoreError, ThreadChange};
use serde_json::Value;

use crate::clock;

/// The name of the event. Its value is the title, or has it as `title`.
pub(crate) const TITLE: &str = "forestage.title";

/// A title has no more characters.
const MAX_CHARACTERS: usize = 120;

/// The title that is offered last among these events.
pub(super) fn offered(events: &[Event]) -> Option<String> {
    events.iter().rev().find_map(|event| match event {
        Event::Custom(custom) if custom.name == TITLE => title_of(custom),
        _ => None,
    })
}

fn title_of(custom: &Custom) -> Option<String> {
    let value = custom.value.to_value().ok()?;
    let title = match &value {
        Value::String(title) => title,
        other => other.get("title")?.as_str()?,
    };
    let title: Vec<_> = title.split_whitespace().collect();
    let title: String =
        title.join(" ").chars().filter(|sign| !sign.is_control()).take(MAX_CHARACTERS).collect();
    (!title.is_empty()).then_some(title)
}

/// Gives the thread its title, unless it has one.
pub(super) async fn give(
    store: &Arc<dyn Store>,
    thread_id: &ThreadId,
    title: String,
) -> Result<(), StoreError> {
    let thread = store.thread(thread_id.clone()).await?;
    if thread.is_none_or(|thread| thread.title.is_some()) {
        return Ok(());
    }
    let change = ThreadChange { title: Some(Some(title)), now: clock::now(), ..ThreadChange::default() };
    store.update_thread(thread_id.clone(), change).await.map(drop)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_title_is_one_line_of_text_and_the_last_offer_counts() {
        let event = |name: &str, value: Value| Event::from(Custom::new(name, value));
        let check =
            |events: &[Event], expected: Option<&str>| assert_eq!(offered(events).as_deref(), expected);
        check(&[event(TITLE, json!("  A weekend\n by the sea "))], Some("A weekend by the sea"));
        check(
            &[event(TITLE, json!({ "title": "One" })), event(TITLE, json!("Two")), event("x", json!("no"))],
            Some("Two"),
        );
        check(&[event(TITLE, json!(" ")), event(TITLE, json!(7))], None);
        check(&[], None);
    }
}
