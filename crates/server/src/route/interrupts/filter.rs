//! Which interrupts are wanted, and reading them page by page.

use std::sync::Arc;

use forestage_protocol::id::{InterruptId, ThreadId};
use forestage_store::{InterruptQuery, InterruptRecord, Store, StoreError, Viewer};
use serde::Deserialize;

use super::{news::News, shown::risk_of};
use crate::{error::ApiError, route::shortened};

/// A list never has more.
const MAX_PAGE: usize = 1000;

/// So many are read from the store at a time.
const BATCH: usize = 500;

/// The risks that there are.
const RISKS: [&str; 4] = ["low", "medium", "high", "critical"];

/// What may stand in the address of the list.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct ListQuery {
    thread: Option<ThreadId>,
    agent: Option<String>,
    /// One risk, or several with commas between them.
    risk: Option<String>,
    /// Those that were decided, too.
    #[serde(default)]
    pub(super) decided: bool,
    limit: Option<usize>,
    after: Option<String>,
    /// An event stream instead of a list.
    #[serde(default)]
    pub(super) follow: bool,
}

impl ListQuery {
    pub(super) fn filter(&self, viewer: Viewer) -> Result<Filter, ApiError> {
        let risks = self.risk.as_deref().map(|risks| risks.split(',').map(str::to_owned).collect());
        let risks: Vec<String> = risks.unwrap_or_default();
        if let Some(unknown) = risks.iter().find(|risk| !RISKS.contains(&risk.as_str())) {
            let error = ApiError::bad_request("invalid_query", format!("`{unknown}` is not a risk"));
            return Err(error
                .at("risk")
                .hint("low, medium, high or critical; several with commas between them"));
        }
        Ok(Filter { viewer, thread_id: self.thread.clone(), agent: self.agent.clone(), risks })
    }

    /// Who follows gets all that waits, so there is nothing to page through.
    pub(super) fn check_follow(&self) -> Result<(), ApiError> {
        let name = match self {
            Self { decided: true, .. } => "decided",
            Self { limit: Some(_), .. } => "limit",
            Self { after: Some(_), .. } => "after",
            _ => return Ok(()),
        };
        Err(ApiError::bad_request("invalid_query", format!("`{name}` does not go with `follow`")).at(name))
    }

    pub(super) fn limit(&self) -> usize {
        self.limit.unwrap_or(100).clamp(1, MAX_PAGE)
    }

    pub(super) fn place(&self) -> Result<Option<Place>, ApiError> {
        self.after.as_deref().map(parse_place).transpose()
    }
}

/// A place in the list.
pub(super) type Place = (i64, ThreadId, InterruptId);

/// The length of the thread's id says where it ends, since ids may hold anything.
fn write_place((time, thread, interrupt): &Place) -> String {
    format!("{time:x}.{}.{thread}{interrupt}", thread.len())
}

fn parse_place(text: &str) -> Result<Place, ApiError> {
    let parts = || {
        let (time, rest) = text.split_once('.')?;
        let (length, ids) = rest.split_once('.')?;
        let (thread, interrupt) = ids.split_at_checked(length.parse().ok()?)?;
        Some((i64::from_str_radix(time, 16).ok()?, thread.into(), interrupt.into()))
    };
    parts().ok_or_else(|| {
        ApiError::bad_request("invalid_cursor", format!("`{}` is not a cursor of this list", shortened(text)))
    })
}

/// Which interrupts somebody wants to see.
#[derive(Clone, Debug)]
pub(super) struct Filter {
    viewer: Viewer,
    thread_id: Option<ThreadId>,
    agent: Option<String>,
    risks: Vec<String>,
}

impl Filter {
    pub(super) fn new(viewer: Viewer, thread_id: Option<ThreadId>) -> Self {
        Self { viewer, thread_id, agent: None, risks: Vec::new() }
    }

    pub(super) fn viewer(&self) -> &Viewer {
        &self.viewer
    }

    /// At most so many, and the cursor of the next page if there is one.
    pub(super) async fn page(
        &self,
        store: &Arc<dyn Store>,
        decided: bool,
        mut after: Option<Place>,
        limit: usize,
    ) -> Result<(Vec<InterruptRecord>, Option<String>), StoreError> {
        let mut found: Vec<InterruptRecord> = Vec::new();
        let batch_size = limit.saturating_add(1).min(BATCH);
        loop {
            let query = InterruptQuery {
                viewer: self.viewer.clone(),
                thread_id: self.thread_id.clone(),
                decided,
                limit: batch_size,
                after: after.clone(),
            };
            let batch = store.interrupts(query).await?;
            let is_last = batch.len() < batch_size;
            after = batch.last().map(InterruptRecord::place).or(after);
            found.extend(batch.into_iter().filter(|record| self.wants(record)));
            if found.len() > limit {
                found.truncate(limit);
                let next = found.last().map(|record| write_place(&record.place()));
                return Ok((found, next));
            }
            if is_last {
                return Ok((found, None));
            }
        }
    }

    /// All of them.
    pub(super) async fn all(
        &self,
        store: &Arc<dyn Store>,
        decided: bool,
    ) -> Result<Vec<InterruptRecord>, StoreError> {
        Ok(self.page(store, decided, None, usize::MAX).await?.0)
    }

    fn wants(&self, record: &InterruptRecord) -> bool {
        self.is_for(record, || risk_of(record))
    }

    /// Whether news of what the viewer may see is wanted.
    pub(super) fn admits(&self, news: &News) -> bool {
        let record = news.record();
        self.thread_id.as_ref().is_none_or(|thread| *thread == record.thread_id)
            && self.is_for(record, || news.risk().map(str::to_owned))
    }

    fn is_for(&self, record: &InterruptRecord, risk: impl FnOnce() -> Option<String>) -> bool {
        self.agent.as_ref().is_none_or(|agent| *agent == record.agent)
            && (self.risks.is_empty() || risk().is_some_and(|risk| self.risks.contains(&risk)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_read_as_it_was_written_whatever_the_ids() {
        for (thread, interrupt) in [("t1", "q"), ("", ""), ("a.b.c", ".."), ("ü", "ß.1")] {
            let place = (17, thread.into(), interrupt.into());
            assert_eq!(parse_place(&write_place(&place)).ok(), Some(place));
        }
        for text in ["", "1", "1.2", "x.1.ab", "1.9.ab", "1.1.üx"] {
            assert!(parse_place(text).is_err(), "{text}");
        }
    }
}
