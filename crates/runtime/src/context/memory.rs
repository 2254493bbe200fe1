//! What an agent remembers of a conversation, beside what was said in it.
//!
//! It stands in the log like everything else, so it is there after a restart and on other machines, a branch has what was
//! remembered up to where it begins, and it is gone when the thread is.

use forestage_protocol::event::{Custom, Event};
use serde_json::{Map, Value, json};

use super::{RunContext, lock};
use crate::error::Stop;

/// The name of the custom event that says what is to be remembered.
pub(crate) const MEMORY: &str = "forestage.memory";

/// What is remembered, by name.
pub(crate) type Memory = Map<String, Value>;

/// Takes an event of the log. What is null is forgotten.
pub(crate) fn note(memory: &mut Memory, event: &Event) {
    let Event::Custom(Custom { name, value, .. }) = event else { return };
    if name != MEMORY {
        return;
    }
    let noted = value.to_value().unwrap_or_default();
    let Some(name) = noted["name"].as_str() else { return };
    match &noted["value"] {
        Value::Null => drop(memory.remove(name)),
        value => drop(memory.insert(name.to_owned(), value.clone())),
    }
}

impl RunContext {
    /// What was remembered of this conversation under a name, by this run or an earlier one.
    #[must_use]
    pub fn remembered(&self, name: &str) -> Option<Value> {
        lock(&self.core.memory).get(name).cloned()
    }

    /// Remembers something for later runs of this conversation, in place of what was remembered under the name; null
    /// forgets. Whoever follows the thread may read it. It is for what can be made again at a price, such as a summary,
    /// and for what has to be known of somebody elsewhere.
    pub async fn remember(&self, name: &str, value: &Value) -> Result<(), Stop> {
        // Nothing is said on the way back to a question, and it was remembered then.
        if self.is_muted() || self.remembered(name).unwrap_or_default() == *value {
            return Ok(());
        }
        let event = Custom::new(MEMORY, json!({ "name": name, "value": value }));
        note(&mut lock(&self.core.memory), &event.clone().into());
        self.emit(Custom { subagent_run_id: self.tag.clone(), ..event }).await
    }
}
