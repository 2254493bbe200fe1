//! Branches: every run follows another, and a branch is the way from a run back to the first.

use std::collections::HashMap;

use forestage_protocol::id::RunId;
use forestage_store::RunRecord;

/// The runs that lead to one run, first first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Chain(pub(crate) Vec<RunRecord>);

impl Chain {
    /// The way to `head`, among all runs of a thread. Nothing if there is no such run.
    pub(crate) fn to(head: &RunId, runs: &[RunRecord]) -> Option<Self> {
        let by_id: HashMap<&RunId, &RunRecord> = runs.iter().map(|run| (&run.run_id, run)).collect();
        let mut chain = vec![(*by_id.get(head)?).clone()];
        while let Some(parent) = chain.last().and_then(|run| run.parent.as_ref()) {
            // A parent is always older, so this comes to an end.
            chain.push((*by_id.get(parent)?).clone());
        }
        chain.reverse();
        Some(Self(chain))
    }

    pub(crate) fn head(&self) -> Option<&RunRecord> {
        self.0.last()
    }
}
