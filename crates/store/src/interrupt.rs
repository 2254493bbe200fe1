//! Interrupts: what a run asks a person, and what the person said.
//!
//! ```text
//!  asked ──────────> decided ──────────> carried
//!  a run ends        decide, or          a run begins with it
//!                    a run begins
//! ```
//!
//! A run opens them with its end, by the append that records it: a question is never without its run. A decision
//! may be recorded on its own ([`Decide`](crate::Decide)), or by the append of the run that carries it in.

use bytes::Bytes;
use forestage_protocol::id::{InterruptId, RunId, ThreadId};

/// An interrupt that a run opens by ending. Asking again under an id of the same thread replaces the older record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewInterrupt {
    /// Its id, unique on its thread.
    pub id: InterruptId,
    /// When it is too late to answer, in milliseconds since 1970.
    pub expires_at: Option<i64>,
    /// The role that may decide it; without one, the owner of the thread may.
    pub role: Option<String>,
    /// How many different people have to agree.
    pub needs: u32,
    /// The interrupt as JSON; the store does not look inside.
    pub json: Bytes,
    /// What only those see who may decide, such as a draft that is held back; the store does not look inside.
    pub private: Bytes,
}

impl NewInterrupt {
    /// A question to the owner of the thread, which one answer decides and which does not expire.
    pub fn new(id: impl Into<InterruptId>, json: impl Into<Bytes>) -> Self {
        Self {
            id: id.into(),
            expires_at: None,
            role: None,
            needs: 1,
            json: json.into(),
            private: Bytes::new(),
        }
    }
}

/// An answer that a run carries in: to a pending interrupt, or the decision that is recorded for it already.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Which one.
    pub interrupt_id: InterruptId,
    /// `resolved`, `cancelled` or `expired`.
    pub status: String,
    /// What was said, as JSON.
    pub json: Bytes,
    /// Who said it.
    pub by: String,
}

/// An interrupt, as kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InterruptRecord {
    /// Its id, unique on its thread.
    pub id: InterruptId,
    /// The thread.
    pub thread_id: ThreadId,
    /// The run that asks.
    pub run_id: RunId,
    /// The agent of that run.
    pub agent: String,
    /// Who the thread belongs to.
    pub owner: String,
    /// The role that may decide it; without one, the owner may.
    pub role: Option<String>,
    /// How many different people have to agree.
    pub needs: u32,
    /// The interrupt as JSON.
    pub json: Bytes,
    /// What only those see who [may decide](Self::may_decide). The store gives it to whoever asks.
    pub private: Bytes,
    /// When it was opened, in milliseconds since 1970.
    pub opened_at: i64,
    /// When it is too late to answer.
    pub expires_at: Option<i64>,
    /// Who has agreed so far, in the order they did.
    pub votes: Vec<Vote>,
    /// What was decided, if it has been.
    pub decision: Option<Decision>,
}

impl InterruptRecord {
    /// Its place in a list, for [`InterruptQuery::after`].
    #[must_use]
    pub fn place(&self) -> (i64, ThreadId, InterruptId) {
        (self.opened_at, self.thread_id.clone(), self.id.clone())
    }

    /// Whether somebody may see it: as the owner of the thread, or by the role it names.
    #[must_use]
    pub fn may_see(&self, viewer: &Viewer) -> bool {
        self.owner == viewer.user || self.role.as_ref().is_some_and(|role| viewer.roles.contains(role))
    }

    /// Whether somebody may decide it: who has the role it names, or if it names none, the owner of the thread.
    #[must_use]
    pub fn may_decide(&self, viewer: &Viewer) -> bool {
        match &self.role {
            Some(role) => viewer.has_role(role),
            None => self.owner == viewer.user,
        }
    }
}

/// Somebody's agreement, where more than one may be needed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vote {
    /// Who agreed.
    pub by: String,
    /// When, in milliseconds since 1970.
    pub at: i64,
    /// What was said, as JSON.
    pub json: Bytes,
}

/// What became of an interrupt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// `resolved`, `cancelled` or `expired`.
    pub status: String,
    /// What was said, as JSON.
    pub json: Bytes,
    /// Who said it.
    pub by: String,
    /// When, in milliseconds since 1970.
    pub at: i64,
    /// The run that carried it in, once one has.
    pub run_id: Option<RunId>,
}

/// Who looks at interrupts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Viewer {
    /// The user: all that is asked on threads of this owner is seen.
    pub user: String,
    /// The roles: all that names one of them is seen, whoever the thread belongs to.
    pub roles: Vec<String>,
}

impl Viewer {
    /// The role of somebody who stands for everybody: the one user of a server that only this machine can reach.
    pub const EVERY_ROLE: &'static str = "*";

    /// Whether they have a role, or all of them.
    #[must_use]
    pub fn has_role(&self, role: &str) -> bool {
        self.roles.iter().any(|held| held == role || held == Self::EVERY_ROLE)
    }
}

impl From<&str> for Viewer {
    /// A user without roles.
    fn from(user: &str) -> Self {
        Self { user: user.to_owned(), roles: Vec::new() }
    }
}

/// Which interrupts to list. They come with the one that was opened first first.
///
/// A pending one is listed while its run is the head of its thread; others are on a branch that was left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InterruptQuery {
    /// For whom; a store lists nothing that this viewer may not see.
    pub viewer: Viewer,
    /// Of one thread only.
    pub thread_id: Option<ThreadId>,
    /// Decided ones too.
    pub decided: bool,
    /// At most so many.
    pub limit: usize,
    /// From behind this [place](InterruptRecord::place).
    pub after: Option<(i64, ThreadId, InterruptId)>,
}

impl InterruptQuery {
    /// What waits for somebody.
    #[must_use]
    pub fn of(viewer: impl Into<Viewer>) -> Self {
        Self { viewer: viewer.into(), thread_id: None, decided: false, limit: 100, after: None }
    }
}
