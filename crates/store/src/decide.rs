//! Decisions that are recorded on their own, before a run carries them in.

use bytes::Bytes;
use forestage_protocol::id::{InterruptId, ThreadId};

use crate::{Answer, Decision, InterruptRecord, NewAudit, Rule, Vote};

/// What somebody decides about an interrupt. Whether they may is not the store's question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decide {
    /// The thread.
    pub thread_id: ThreadId,
    /// The interrupt.
    pub interrupt_id: InterruptId,
    /// `resolved`, `cancelled` or `expired`.
    pub status: String,
    /// What was said, as JSON.
    pub json: Bytes,
    /// Who said it.
    pub by: String,
    /// When, in milliseconds since 1970.
    pub at: i64,
    /// Whether this is one of the [`needs`](InterruptRecord::needs) agreements; otherwise it decides at once.
    pub vote: bool,
    /// What the audit trail has to say of it.
    pub audit: Vec<NewAudit>,
    /// The rules that come with it.
    pub rules: Vec<Rule>,
}

/// What became of a decision, with the record as it is now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decided {
    /// It decided the interrupt.
    Decided(InterruptRecord),
    /// It counts, and more people have to agree.
    Counted(InterruptRecord),
    /// The interrupt was decided before, or the same person has agreed before. Nothing was recorded.
    Already(InterruptRecord),
    /// The thread has no such interrupt. Nothing was recorded.
    Unknown,
}

impl InterruptRecord {
    /// What a decision makes of this record.
    pub(crate) fn decided(mut self, decide: &Decide) -> Decided {
        let repeated = decide.vote && self.votes.iter().any(|vote| vote.by == decide.by);
        if self.decision.is_some() || repeated {
            return Decided::Already(self);
        }
        if decide.vote {
            self.votes.push(Vote { by: decide.by.clone(), at: decide.at, json: decide.json.clone() });
            if self.votes.len() < self.needs as usize {
                return Decided::Counted(self);
            }
        }
        self.decision = Some(decide.decision());
        Decided::Decided(self)
    }
}

impl Decision {
    /// Whether it waits for a run that carries this answer in.
    pub(crate) fn waits_for(&self, answer: &Answer) -> bool {
        self.run_id.is_none() && self.status == answer.status && self.json == answer.json
    }
}

impl Decide {
    fn decision(&self) -> Decision {
        Decision {
            status: self.status.clone(),
            json: self.json.clone(),
            by: self.by.clone(),
            at: self.at,
            run_id: None,
        }
    }
}
