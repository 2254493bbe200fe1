//! Calls of tools that come from outside, into a run that is under way.
//!
//! An agent that stands in front of another one opens a mailbox; whoever that is calls the tools of the agent through
//! [`Stage::call_tool`], and the agent makes each call its own, under the same rules as any other.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
};

use forestage_protocol::id::{RunId, ThreadId};
use serde_json::Value;
use tokio::sync::{mpsc, oneshot};

use crate::{
    RunContext, Stage, Used,
    context::lock,
    error::{Refusal, Stop},
};

/// So many calls wait for an agent that is slow to take them.
const WAITING: usize = 16;

type Key = (ThreadId, RunId);

/// The mailboxes of runs under way.
#[derive(Debug, Default)]
pub(crate) struct Mailboxes(Mutex<HashMap<Key, Mailbox>>);

#[derive(Clone, Debug)]
struct Mailbox {
    agent: String,
    calls: mpsc::Sender<OutsideCall>,
}

/// A call that somebody outside wants to be made.
#[derive(Debug)]
pub struct OutsideCall {
    /// The tool.
    pub name: String,
    /// Its arguments.
    pub arguments: Value,
    /// The same for the same call, if it is asked for again.
    pub key: Option<String>,
    answer: oneshot::Sender<Result<Used, Refusal>>,
}

impl OutsideCall {
    /// Tells what came of it.
    pub fn answer(self, used: Used) {
        // Whoever asked may be gone.
        let _ = self.answer.send(Ok(used));
    }

    /// Tells why nothing came of it: the run stops here.
    pub fn stopped(self, stop: &Stop) {
        let refusal = match stop {
            Stop::Asked => {
                let text =
                    format!("a person decides whether `{}` is called, and the run goes on then", self.name);
                Refusal::conflict("approval_pending", text)
                    .hint("the agent is called again when it is decided; make the same calls then")
            }
            other => Refusal::conflict("run_over", format!("the run stops: {other}")),
        };
        let _ = self.answer.send(Err(refusal));
    }

    /// Tells that it cannot be made as it is.
    pub fn refuse(self, code: &'static str, message: &str) {
        let _ = self.answer.send(Err(Refusal::invalid(code, message)));
    }
}

/// The calls that come in from outside. The mailbox is closed when this is dropped.
#[derive(Debug)]
pub struct Calls {
    key: Key,
    boxes: Arc<Mailboxes>,
    calls: mpsc::Receiver<OutsideCall>,
}

impl Calls {
    /// The next call.
    pub async fn next(&mut self) -> Option<OutsideCall> {
        self.calls.recv().await
    }
}

impl Drop for Calls {
    fn drop(&mut self) {
        lock(&self.boxes.0).remove(&self.key);
    }
}

impl RunContext {
    /// Takes calls from outside for as long as the value lives.
    #[must_use]
    pub fn take_calls(&self) -> Calls {
        let (sender, calls) = mpsc::channel(WAITING);
        let key = (self.thread_id().clone(), self.run_id().clone());
        let mailbox = Mailbox { agent: self.agent().to_owned(), calls: sender };
        lock(&self.core.mailboxes.0).insert(key.clone(), mailbox);
        Calls { key, boxes: self.core.mailboxes.clone(), calls }
    }
}

impl Stage {
    /// Has a tool called in a run that is under way, on behalf of its agent. What comes of it is on the thread's log as
    /// any other call is.
    pub async fn call_tool(
        &self,
        agent: &str,
        (thread_id, run_id): (&ThreadId, &RunId),
        (name, arguments): (&str, Value),
        key: Option<String>,
    ) -> Result<Used, Refusal> {
        let over = || {
            let text = format!("no run `{run_id}` of agent `{agent}` is under way on thread `{thread_id}`");
            Refusal::not_found("unknown_run", text)
        };
        let found = lock(&self.mailboxes.0).get(&(thread_id.clone(), run_id.clone())).cloned();
        let mailbox = found.filter(|mailbox| mailbox.agent == agent).ok_or_else(over)?;
        let (answer, answered) = oneshot::channel();
        let call = OutsideCall { name: name.to_owned(), arguments, key, answer };
        mailbox.calls.send(call).await.map_err(|_| over())?;
        answered.await.unwrap_or_else(|_| Err(over()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn whoever_asks_for_a_call_is_told_what_came_of_it() {
        let (answer, told) = oneshot::channel();
        let call = OutsideCall { name: "pay".to_owned(), arguments: Value::Null, key: None, answer };
        call.answer(Ok("paid".to_owned()));
        assert!(matches!(told.await, Ok(Ok(Ok(text))) if text == "paid"));
    }
}
