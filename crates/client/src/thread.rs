//! One thread of a Forestage server: its events, its views, and what can be done to it.

use bytes::Bytes;
use forestage_protocol::{
    Warning, enforce,
    id::{MessageId, RunId, ThreadId},
    message::Message,
};
use futures_util::stream::BoxStream;
use reqwest::{Method, Url, header::CONTENT_TYPE};
use serde_json::{Value, json};

use crate::{
    client::{Client, NOTHING},
    error::ClientError,
    follow::{After, Follow},
    http::append,
    record::{AnnotationRecord, Page, RunRecord, ThreadRecord, list},
};

/// A thread of a Forestage server.
#[derive(Clone, Debug)]
pub struct ThreadClient {
    client: Client,
    thread_id: ThreadId,
}

/// Where a branch begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BranchPoint {
    /// Behind this run.
    Run(RunId),
    /// Behind this message.
    Message(MessageId),
}

impl ThreadClient {
    pub(crate) fn new(client: Client, thread_id: ThreadId) -> Self {
        Self { client, thread_id }
    }

    /// Its id.
    #[must_use]
    pub fn id(&self) -> &ThreadId {
        &self.thread_id
    }

    /// Follows the thread for ever, through all its runs and any number of connections.
    pub async fn follow(&self, after: After) -> Result<Follow, ClientError> {
        Follow::open(&self.client, &self.thread_id, after, true).await
    }

    /// Reads the thread up to its present end.
    pub async fn replay(&self, after: After) -> Result<Follow, ClientError> {
        Follow::open(&self.client, &self.thread_id, after, false).await
    }

    /// Its whole log as JSON lines, one event on each, in pieces as they arrive. The bytes are the server's;
    /// nothing is verified.
    pub async fn export(&self) -> Result<BoxStream<'static, Result<Bytes, ClientError>>, ClientError> {
        let mut url = self.url(&["events"])?;
        url.query_pairs_mut().extend_pairs([("format", "jsonl"), ("after", "start"), ("live", "false")]);
        self.client.http().download(url).await
    }

    /// Makes it of a recording: JSON lines of whole runs, as an [`export`](Self::export) has them. There must be no such
    /// thread yet; it goes on with this agent.
    pub async fn import(&self, agent: &str, lines: Vec<u8>) -> Result<ThreadRecord, ClientError> {
        let mut url = self.url(&["import"])?;
        append(&mut url, "agent", Some(agent));
        let http = self.client.http();
        let request = http.request(Method::POST, url).header(CONTENT_TYPE, "application/x-ndjson");
        let mut response = http.send(request.body(lines)).await?;
        let bytes = http.read(&mut response, usize::MAX).await?;
        serde_json::from_slice(&bytes).map_err(|error| ClientError::Unreadable(error.to_string()))
    }

    /// What the server says about it.
    pub async fn get(&self) -> Result<ThreadRecord, ClientError> {
        self.client.http().json(Method::GET, self.url(&[])?, NOTHING).await
    }

    /// Its messages.
    pub async fn messages(&self) -> Result<Vec<Message>, ClientError> {
        let mut answer: Value =
            self.client.http().json(Method::GET, self.url(&["messages"])?, NOTHING).await?;
        read_messages(list(&mut answer, "messages")?)
    }

    /// Its state.
    pub async fn state(&self) -> Result<Value, ClientError> {
        let answer: Value = self.client.http().json(Method::GET, self.url(&["state"])?, NOTHING).await?;
        Ok(bare_state(answer))
    }

    /// Its runs.
    pub async fn runs(&self) -> Result<Vec<RunRecord>, ClientError> {
        Ok(self.client.page(self.url(&["runs"])?, "runs").await?.items)
    }

    /// Asks the server to stop a run, or to withdraw the questions that one waits for. Everybody who follows sees it end
    /// as cancelled. Says whether there was anything to stop.
    pub async fn cancel(&self, run_id: &RunId) -> Result<bool, ClientError> {
        let url = self.url(&["runs", run_id, "cancel"])?;
        let answer: Value = self.client.http().json(Method::POST, url, NOTHING).await?;
        Ok(answer["cancelled"] != false)
    }

    /// Gives it a title.
    pub async fn rename(&self, title: &str) -> Result<(), ClientError> {
        self.change(&json!({ "title": title })).await
    }

    /// Puts it away, or takes it back out.
    pub async fn archive(&self, archived: bool) -> Result<(), ClientError> {
        self.change(&json!({ "archived": archived })).await
    }

    /// Has its answers held back from now on until somebody has looked at them, or not any more.
    pub async fn review(&self, review: bool) -> Result<(), ClientError> {
        self.change(&json!({ "review": review })).await
    }

    /// Removes it and everything in it.
    pub async fn delete(&self) -> Result<(), ClientError> {
        self.client.http().exchange(Method::DELETE, self.url(&[])?, NOTHING).await.map(drop)
    }

    /// Makes a new thread that begins as a copy of this one, up to a point.
    pub async fn branch(&self, at: &BranchPoint) -> Result<ThreadRecord, ClientError> {
        let body = match at {
            BranchPoint::Run(run_id) => json!({ "runId": run_id }),
            BranchPoint::Message(message_id) => json!({ "messageId": message_id }),
        };
        self.client.http().json(Method::POST, self.url(&["branches"])?, Some(&body)).await
    }

    /// Puts a note on it; the note is the server's to understand.
    pub async fn annotate(&self, annotation: &Value) -> Result<AnnotationRecord, ClientError> {
        self.client.http().json(Method::POST, self.url(&["annotations"])?, Some(annotation)).await
    }

    /// The notes on it.
    pub async fn annotations(&self) -> Result<Vec<AnnotationRecord>, ClientError> {
        let page: Page<_> = self.client.page(self.url(&["annotations"])?, "annotations").await?;
        Ok(page.items)
    }

    async fn change(&self, change: &Value) -> Result<(), ClientError> {
        self.client.http().exchange(Method::PATCH, self.url(&[])?, Some(change)).await.map(drop)
    }

    fn url(&self, segments: &[&str]) -> Result<Url, ClientError> {
        let segments: Vec<&str> = ["threads", &self.thread_id].iter().chain(segments).copied().collect();
        self.client.url(&segments)
    }
}

/// Reads messages as everything else that comes from outside: what is unknown goes, what is malformed fails.
fn read_messages(values: Vec<Value>) -> Result<Vec<Message>, ClientError> {
    let mut warnings: Vec<Warning> = Vec::new();
    let messages = values.into_iter().enumerate().map(|(index, value)| {
        enforce::enforce_as(value, &mut warnings)
            .map_err(|fault| ClientError::Unreadable(format!("messages[{index}]{}: {fault}", fault.path)))
    });
    messages.filter_map(Result::transpose).collect()
}

/// The state is sent in an envelope, so that more can be said beside it; a state alone is understood, too.
fn bare_state(mut answer: Value) -> Value {
    const ENVELOPE: [&str; 4] = ["state", "head", "cursor", "threadId"];
    match &mut answer {
        Value::Object(members)
            if members.contains_key("state")
                && members.keys().all(|name| ENVELOPE.contains(&name.as_str())) =>
        {
            members.get_mut("state").map(Value::take).unwrap_or_default()
        }
        _ => answer,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_is_taken_out_of_its_envelope() {
        for (answer, state) in [
            (json!({ "state": { "a": 1 }, "head": "r", "cursor": "1.2" }), json!({ "a": 1 })),
            (json!({ "state": null }), json!(null)),
            (json!({ "a": 1, "state": 2 }), json!({ "a": 1, "state": 2 })),
            (json!([]), json!([])),
        ] {
            assert_eq!(bare_state(answer), state);
        }
    }

    #[test]
    fn a_malformed_message_is_named() {
        let good = json!({ "role": "user", "id": "m", "content": "Hi", "mood": "new" });
        assert_eq!(read_messages(vec![good.clone()]).expect("readable").len(), 1);
        let error = read_messages(vec![good, json!({ "role": "user", "id": 7, "content": "Hi" })]);
        assert!(error.expect_err("malformed").to_string().contains("messages[1]/id"));
    }
}
