//! Decisions about questions: the one way to them, whatever the door.
//!
//! ```text
//!  asked ──> decided ──> carried
//!  a run     first one    a run begins with it,
//!  ends      wins         on any process
//! ```
//!
//! An answer that comes with a run (`resume`) is decided and carried by the commit with which that run begins. One that
//! comes through the inbox, or because the time is over, is recorded on its own; when the last question of a thread is
//! decided, [`carry`](Stage::carry) begins the run. Upkeep does the same for whatever a dead process left behind.

mod audit;
mod carry;
mod check;
mod expire;
mod patience;
mod secret;
mod terms;
mod withdraw;

use std::sync::Arc;

use forestage_protocol::{
    id::{InterruptId, ThreadId},
    interrupt::{Interrupt, ResumeEntry, ResumeStatus},
    json::Json,
};
use forestage_store::{Decide, Decided, InterruptQuery, InterruptRecord, Viewer};

use self::carry::recorded;
pub(crate) use self::{
    audit::{asked, carried, decided, imported, refused, rule_added, seeded, withheld},
    check::{approves, check, is_same, question, rule},
    expire::start as start_expiry,
    patience::Patience,
    secret::{has_secrets, is_cut, redacted},
    terms::Terms,
    withdraw::{calls as withdrawn_calls, result as withdrawn_result},
};
use crate::{Stage, clock, error::Refusal, id::check_id, run::Started};

/// Where it comes from what the server does by itself.
const SERVER: &str = "server";

/// Who decides, and from where.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Decider {
    /// Who.
    pub user: String,
    /// The roles they have.
    pub roles: Vec<String>,
    /// Where it comes from, for the record: `http 127.0.0.1`, `resume`.
    pub origin: String,
}

impl Decider {
    /// Nobody: the server itself.
    pub(crate) fn server(name: &str) -> Self {
        Self { user: name.to_owned(), roles: Vec::new(), origin: SERVER.to_owned() }
    }

    /// Whether it is the server itself.
    pub(crate) fn is_server(&self) -> bool {
        self.origin == SERVER
    }

    /// As the store knows them.
    #[must_use]
    pub fn viewer(&self) -> Viewer {
        Viewer { user: self.user.clone(), roles: self.roles.clone() }
    }
}

/// What somebody decides.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// Whether they answer, or withdraw the question.
    pub status: ResumeStatus,
    /// What they say.
    pub payload: Option<Json>,
}

impl Verdict {
    /// An answer.
    pub fn resolved(payload: impl Into<Json>) -> Self {
        Self { status: ResumeStatus::Resolved, payload: Some(payload.into()) }
    }

    /// No answer.
    #[must_use]
    pub fn cancelled() -> Self {
        Self { status: ResumeStatus::Cancelled, payload: None }
    }
}

/// What became of a decision.
#[derive(Clone, Debug)]
pub struct Ruling {
    /// The question as it stands now.
    pub record: InterruptRecord,
    /// What the decision did.
    pub effect: Effect,
    /// The run that goes on with the answers, if this was the last one.
    pub run: Option<Started>,
}

/// What a decision did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// The question is decided.
    Decided,
    /// It counts, and more people have to agree.
    Counted {
        /// How many have.
        votes: u32,
        /// How many have to.
        needs: u32,
    },
    /// The same person has decided the same before.
    Repeated,
}

impl Stage {
    /// Decides the newest question with this id that the decider may see. The first decision counts; the same one again
    /// is no mistake. Whatever is refused is in the audit trail too.
    pub async fn decide(
        self: &Arc<Self>,
        who: &Decider,
        id: &InterruptId,
        verdict: Verdict,
    ) -> Result<Ruling, Refusal> {
        check_id(id, "interruptId")?;
        let record = self.store.interrupt(id.clone(), who.viewer()).await?;
        self.decide_record(who, id, record, verdict).await
    }

    /// The same for a question of one thread.
    pub async fn decide_on(
        self: &Arc<Self>,
        who: &Decider,
        thread_id: &ThreadId,
        id: &InterruptId,
        verdict: Verdict,
    ) -> Result<Ruling, Refusal> {
        check_id(thread_id, "threadId")?;
        check_id(id, "interruptId")?;
        let query = InterruptQuery {
            thread_id: Some(thread_id.clone()),
            decided: true,
            limit: i32::MAX as usize,
            ..InterruptQuery::of(who.viewer())
        };
        let records = self.store.interrupts(query).await?;
        let record = records.into_iter().find(|record| record.id == *id);
        self.decide_record(who, id, record, verdict).await
    }

    async fn decide_record(
        self: &Arc<Self>,
        who: &Decider,
        id: &InterruptId,
        record: Option<InterruptRecord>,
        verdict: Verdict,
    ) -> Result<Ruling, Refusal> {
        let Some(record) = record else {
            let refusal = Refusal::not_found("unknown_interrupt", format!("there is no question `{id}`"));
            self.note_refused(who, &who.user, None, Some(id), &refusal).await;
            return Err(refusal);
        };
        let (owner, thread_id) = (record.owner.clone(), record.thread_id.clone());
        let ruled = self.rule(who, record, verdict).await;
        if let Err(refusal) = &ruled {
            self.note_refused(who, &owner, Some(&thread_id), Some(id), refusal).await;
        }
        ruled
    }

    async fn rule(
        self: &Arc<Self>,
        who: &Decider,
        record: InterruptRecord,
        verdict: Verdict,
    ) -> Result<Ruling, Refusal> {
        let question = question(&record)?;
        let Verdict { status, payload } = verdict;
        let entry = ResumeEntry { payload, ..ResumeEntry::new(record.id.clone(), status) };
        if let Some(decision) = &record.decision {
            let same = decision.by == who.user && is_same(&redacted(&question, &entry), decision);
            return self.repeated(record, same).await;
        }
        check(&record, &question, &entry, who, "payload")?;
        self.is_at_head(&record).await?;
        if has_secrets(&question) {
            return self.hand_over(who, record, entry).await;
        }
        let decided = self.store.decide(self.decide_of(who, &record, &question, &entry)).await?;
        self.after(who, &entry, decided).await
    }

    /// One of several people agrees, or one of them says no. The record is decided after the last of them.
    pub(crate) async fn agree(
        &self,
        who: &Decider,
        record: &InterruptRecord,
        entry: &ResumeEntry,
    ) -> Result<InterruptRecord, Refusal> {
        let question = question(record)?;
        match self.store.decide(self.decide_of(who, record, &question, entry)).await? {
            Decided::Decided(record) => Ok(record),
            Decided::Counted(record) => Err(check::more_needed(&record)),
            Decided::Already(record) if record.decision.is_some() => Err(check::already_decided(&record)),
            Decided::Already(record) => Err(check::voted_already(&record)),
            Decided::Unknown => Err(Refusal::not_found("unknown_interrupt", "the question is gone")),
        }
    }

    /// What is asked of the store.
    fn decide_of(
        &self,
        who: &Decider,
        record: &InterruptRecord,
        question: &Interrupt,
        entry: &ResumeEntry,
    ) -> Decide {
        let at = clock::now();
        let vote = record.needs > 1 && approves(entry);
        let rule = rule(who, record, question, entry, at);
        let added = rule.as_ref().map(|rule| rule_added(who, record, rule));
        Decide {
            thread_id: record.thread_id.clone(),
            interrupt_id: record.id.clone(),
            status: entry.status.as_str().to_owned(),
            json: serde_json::to_vec(entry).unwrap_or_default().into(),
            by: who.user.clone(),
            at,
            vote,
            audit: [decided(who, record, question, entry, at)].into_iter().chain(added).collect(),
            rules: rule.into_iter().collect(),
        }
    }

    async fn after(
        self: &Arc<Self>,
        who: &Decider,
        entry: &ResumeEntry,
        decided: Decided,
    ) -> Result<Ruling, Refusal> {
        match decided {
            Decided::Decided(record) => {
                let run = self.carry(&record.thread_id).await;
                Ok(Ruling { record, effect: Effect::Decided, run })
            }
            Decided::Counted(record) => {
                let votes = u32::try_from(record.votes.len()).unwrap_or(u32::MAX);
                let effect = Effect::Counted { votes, needs: record.needs };
                Ok(Ruling { record, effect, run: None })
            }
            Decided::Already(record) => match &record.decision {
                None => Err(check::voted_already(&record)),
                Some(decision) => {
                    let same = decision.by == who.user && is_same(entry, decision);
                    self.repeated(record, same).await
                }
            },
            Decided::Unknown => {
                Err(Refusal::not_found("unknown_interrupt", "the question is gone with its thread"))
            }
        }
    }

    /// A decision that was made before. If the run that was to go on with it was lost, it is begun again.
    async fn repeated(self: &Arc<Self>, record: InterruptRecord, same: bool) -> Result<Ruling, Refusal> {
        if !same {
            return Err(check::already_decided(&record));
        }
        let run = self.carry(&record.thread_id).await;
        Ok(Ruling { record, effect: Effect::Repeated, run })
    }

    /// A question on a branch that was left does not wait any more.
    async fn is_at_head(&self, record: &InterruptRecord) -> Result<(), Refusal> {
        let thread = self.store.thread(record.thread_id.clone()).await?;
        if thread.is_some_and(|thread| thread.head.as_ref() == Some(&record.run_id)) {
            return Ok(());
        }
        let text = format!("the thread has gone on without an answer to `{}`", record.id);
        Err(Refusal::conflict("abandoned_interrupt", text))
    }

    /// Puts a refusal on record. That it cannot be is no reason to hide it.
    pub(crate) async fn note_refused(
        &self,
        who: &Decider,
        owner: &str,
        thread_id: Option<&ThreadId>,
        id: Option<&InterruptId>,
        refusal: &Refusal,
    ) {
        if refusal.kind == crate::error::RefusalKind::Unavailable {
            return;
        }
        if let Err(error) = self.store.audit(refused(who, owner, thread_id, id, refusal)).await {
            tracing::warn!(%error, "a refusal could not be put on record");
        }
    }
}
