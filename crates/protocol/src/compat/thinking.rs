//! `THINKING_*`, which became `REASONING_*` and gained ids.

use serde_json::{Map, Value};

use super::retired;
use crate::{id::RunId, notice::Warning};

/// The ids given to the open span and the open message.
#[derive(Clone, Debug, Default)]
pub(super) struct Thinking {
    span: Option<String>,
    message: Option<String>,
    run: Option<RunId>,
}

impl Thinking {
    pub(super) fn enter_run(&mut self, run_id: &RunId) {
        *self = Self { run: Some(run_id.clone()), ..Self::default() };
    }

    pub(super) fn upgrade(
        &mut self,
        event: &mut Map<String, Value>,
        index: usize,
        warnings: &mut Vec<Warning>,
    ) {
        let Some(old) = event.get("type").and_then(Value::as_str) else {
            return;
        };
        let (new, id) = match old {
            "THINKING_START" => ("REASONING_START", self.open_span(index)),
            "THINKING_TEXT_MESSAGE_START" => ("REASONING_MESSAGE_START", self.open_message(index)),
            "THINKING_TEXT_MESSAGE_CONTENT" => (
                "REASONING_MESSAGE_CONTENT",
                self.message.clone().unwrap_or_else(|| self.orphan(index, warnings)),
            ),
            "THINKING_TEXT_MESSAGE_END" => {
                ("REASONING_MESSAGE_END", self.message.take().unwrap_or_else(|| self.orphan(index, warnings)))
            }
            "THINKING_END" => {
                ("REASONING_END", self.span.take().unwrap_or_else(|| self.orphan(index, warnings)))
            }
            _ => return,
        };
        warnings.push(retired("/type", format!("read the retired {old} as {new}")));
        self.rewrite(event, new, id, warnings);
    }

    fn rewrite(&self, event: &mut Map<String, Value>, new: &str, id: String, warnings: &mut Vec<Warning>) {
        if new == "REASONING_START"
            && let Some(title) = event.shift_remove("title")
        {
            let message = format!("dropped the title {title} of THINKING_START: reasoning has none");
            warnings.push(retired("/title", message));
        }
        if new == "REASONING_MESSAGE_START" {
            event.insert("role".to_owned(), "reasoning".into());
        }
        event.insert("type".to_owned(), new.into());
        event.insert("messageId".to_owned(), id.into());
    }

    fn open_span(&mut self, index: usize) -> String {
        let id = self.mint(index);
        self.span = Some(id.clone());
        id
    }

    fn open_message(&mut self, index: usize) -> String {
        let id = self.mint(index);
        self.message = Some(id.clone());
        id
    }

    /// A continuation that nothing opened: the id is made up, and verification will refuse it.
    fn orphan(&self, index: usize, warnings: &mut Vec<Warning>) -> String {
        let id = self.mint(index);
        warnings.push(Warning::new("retired_shape", format!("made up the id `{id}`: nothing was open")));
        id
    }

    /// Unique on the thread, because run ids are; and the same every time the stream is read.
    fn mint(&self, index: usize) -> String {
        format!("{}:thinking:{index}", self.run.as_deref().unwrap_or("run"))
    }
}
