//! The inbox: what waits for a person, on all threads they may see.

mod follow;
mod verdict;

use forestage_protocol::id::{InterruptId, ThreadId};
use reqwest::{Method, Url};

pub use self::{
    follow::{Inbox, InboxEvent},
    verdict::{Approval, DecideError, DecideErrorKind, Effect, GoesOn, Remember, Ruling, Verdict},
};
use crate::{
    client::{Client, NOTHING},
    error::ClientError,
    http::append,
    record::{InterruptRecord, Page},
};

/// Which questions to list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InboxQuery {
    /// Of one thread only.
    pub thread_id: Option<ThreadId>,
    /// Of one agent only.
    pub agent: Option<String>,
    /// With one of these risks only: `low`, `medium`, `high`, `critical`.
    pub risks: Vec<String>,
    /// Decided ones, too.
    pub decided: bool,
    /// How many at most.
    pub limit: Option<usize>,
    /// The [`Page::next`] of the page before.
    pub after: Option<String>,
}

impl InboxQuery {
    fn write(&self, url: &mut Url) {
        append(url, "thread", self.thread_id.as_deref());
        append(url, "agent", self.agent.as_deref());
        append(url, "risk", Some(self.risks.join(",").as_str()).filter(|risks| !risks.is_empty()));
        append(url, "decided", self.decided.then_some("true"));
        append(url, "limit", self.limit.map(|limit| limit.to_string()).as_deref());
        append(url, "after", self.after.as_deref());
    }
}

impl Client {
    /// The questions that wait, the oldest first: those of the caller's threads, and those that name a role of theirs.
    pub async fn inbox(&self, query: &InboxQuery) -> Result<Page<InterruptRecord>, ClientError> {
        let mut url = self.url(&["interrupts"])?;
        query.write(&mut url);
        self.page(url, "interrupts").await
    }

    /// Follows the inbox over any number of connections: what waits now, and what becomes of it. The query may name
    /// thread, agent and risks.
    pub async fn follow_inbox(&self, query: &InboxQuery) -> Result<Inbox, ClientError> {
        let mut url = self.url(&["interrupts"])?;
        query.write(&mut url);
        append(&mut url, "follow", Some("true"));
        Inbox::open(self, url).await
    }

    /// One question, decided or not. The thread has to be named where the same id is on several.
    pub async fn interrupt(
        &self,
        interrupt_id: &InterruptId,
        thread_id: Option<&ThreadId>,
    ) -> Result<InterruptRecord, ClientError> {
        let url = self.interrupt_url(interrupt_id, thread_id)?;
        self.http().json(Method::GET, url, NOTHING).await
    }

    /// Decides a question. The first decision counts; the same one again is no mistake, so this may be repeated.
    pub async fn decide(
        &self,
        interrupt_id: &InterruptId,
        verdict: impl Into<Verdict>,
    ) -> Result<Ruling, DecideError> {
        let verdict = verdict.into();
        let url = self.interrupt_url(interrupt_id, verdict.thread_id())?;
        Ok(self.http().json(Method::POST, url, Some(&verdict)).await?)
    }

    fn interrupt_url(
        &self,
        interrupt_id: &InterruptId,
        thread_id: Option<&ThreadId>,
    ) -> Result<Url, ClientError> {
        let mut url = self.url(&["interrupts", interrupt_id])?;
        append(&mut url, "thread", thread_id.map(|id| id.as_str()));
        Ok(url)
    }
}
