//! The audit trail, and the rules that people made.

use bytes::Bytes;
use forestage_protocol::id::{InterruptId, ThreadId};
use futures_util::stream::BoxStream;
use reqwest::{Method, Url};

use crate::{
    client::{Client, NOTHING},
    error::ClientError,
    http::append,
    record::{AuditRecord, Page, RuleRecord},
};

/// Which entries of the audit trail to read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AuditQuery {
    /// About one thread only.
    pub thread_id: Option<ThreadId>,
    /// About questions with this id only.
    pub interrupt_id: Option<InterruptId>,
    /// Behind this number, such as the [`Page::next`] of the page before.
    pub after: Option<String>,
    /// How many at most.
    pub limit: Option<usize>,
}

impl AuditQuery {
    fn write(&self, url: &mut Url) {
        append(url, "thread", self.thread_id.as_deref());
        append(url, "interrupt", self.interrupt_id.as_deref());
        append(url, "after", self.after.as_deref());
        append(url, "limit", self.limit.map(|limit| limit.to_string()).as_deref());
    }
}

impl Client {
    /// What was asked, decided and refused on the caller's threads; on all for those who look after them.
    pub async fn audit(&self, query: &AuditQuery) -> Result<Page<AuditRecord>, ClientError> {
        let mut url = self.url(&["audit"])?;
        query.write(&mut url);
        self.page(url, "entries").await
    }

    /// The same up to the present end as JSON lines, in pieces as they arrive. The bytes are the server's.
    pub async fn export_audit(
        &self,
        query: &AuditQuery,
    ) -> Result<BoxStream<'static, Result<Bytes, ClientError>>, ClientError> {
        let mut url = self.url(&["audit"])?;
        query.write(&mut url);
        append(&mut url, "format", Some("jsonl"));
        self.http().download(url).await
    }

    /// What the caller has allowed once and for all.
    pub async fn rules(&self) -> Result<Vec<RuleRecord>, ClientError> {
        Ok(self.page(self.url(&["rules"])?, "rules").await?.items)
    }

    /// Takes such a rule back: the next call asks again.
    pub async fn delete_rule(&self, id: &str) -> Result<(), ClientError> {
        self.http().exchange(Method::DELETE, self.url(&["rules", id])?, NOTHING).await.map(drop)
    }
}
