//! Progress of a call, told to people as an activity, not more often than they can read.

use std::time::Duration;

use forestage_runtime::tool::{Invocation, Progress};
use rmcp::model::{ProgressNotificationParam, ProgressToken};
use serde_json::{Map, Value, json};
use tokio::{
    sync::broadcast,
    time::{Instant, sleep_until},
};

use super::server::Connection;

/// The shortest time between two changes that people see.
const EVERY: Duration = Duration::from_millis(250);

/// Tells how far a call is.
pub(super) struct Teller {
    shown: Progress,
    heard: broadcast::Receiver<ProgressNotificationParam>,
    content: Map<String, Value>,
    /// Whether there is something that people have not seen.
    has_news: bool,
    next: Instant,
}

impl Teller {
    /// Listens from now on, so that nothing is missed of a call that is not sent yet.
    pub(super) fn new(call: &Invocation, tool: &str, connection: &Connection) -> Self {
        let content = json!({ "tool": tool, "toolCallId": call.tool_call_id, "status": "running" });
        Self {
            shown: call.progress.clone(),
            heard: connection.progress.subscribe(),
            content: content.as_object().cloned().unwrap_or_default(),
            has_news: false,
            next: Instant::now(),
        }
    }

    /// Hears what is next about a call, or shows what was heard. May be dropped at any time.
    pub(super) async fn hear(&mut self, token: &ProgressToken) {
        tokio::select! {
            heard = self.heard.recv() => match heard {
                Ok(told) if told.progress_token == *token => self.take(told),
                // The words of others, or too many to keep: the next will do.
                _ => {}
            },
            () = sleep_until(self.next), if self.has_news => self.show().await,
        }
    }

    fn take(&mut self, told: ProgressNotificationParam) {
        self.has_news = true;
        self.content.insert("progress".to_owned(), told.progress.into());
        let rest = [("total", told.total.map(Value::from)), ("message", told.message.map(Value::from))];
        for (name, value) in rest {
            match value {
                Some(value) => drop(self.content.insert(name.to_owned(), value)),
                None => drop(self.content.remove(name)),
            }
        }
    }

    async fn show(&mut self) {
        (self.has_news, self.next) = (false, Instant::now() + EVERY);
        self.shown.show(self.content.clone()).await;
    }

    /// Tells how it ended, where anything was told.
    pub(super) async fn end(&mut self, is_done: bool) {
        if self.content.contains_key("progress") {
            let status = if is_done { "done" } else { "failed" };
            self.content.insert("status".to_owned(), status.into());
            self.show().await;
        }
    }
}
