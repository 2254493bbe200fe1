//! What a server says about agents, threads, runs and questions.
//!
//! These are facts to show, not a protocol: a server may say more than it did yesterday. So a record keeps
//! everything as it came and offers names for what is always there.

use forestage_protocol::id::{InterruptId, RunId, ThreadId};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::error::ClientError;

/// Declares records: a map with accessors. The first member that is there counts.
macro_rules! records {
    ($($(#[doc = $doc:literal])* $name:ident {
        $($(#[doc = $field_doc:literal])* $field:ident: $kind:ty = $($key:literal)|+,)*
    })*) => {$(
        $(#[doc = $doc])*
        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(Map<String, Value>);

        impl $name {
            $(
                $(#[doc = $field_doc])*
                #[must_use]
                pub fn $field(&self) -> Option<$kind> {
                    [$($key),+].iter().find_map(|key| self.0.get(*key)?.as_str()).map(Into::into)
                }
            )*

            /// Everything, as it came.
            #[must_use]
            pub fn members(&self) -> &Map<String, Value> {
                &self.0
            }
        }

        impl From<Map<String, Value>> for $name {
            fn from(members: Map<String, Value>) -> Self {
                Self(members)
            }
        }
    )*};
}

records! {
    /// An agent.
    AgentRecord {
        /// The name it is run by.
        name: &str = "name" | "id" | "agent",
        /// What people call it.
        title: &str = "title",
        /// What it is for.
        description: &str = "description",
        /// The heading that it is listed under.
        group: &str = "group",
    }

    /// A thread.
    ThreadRecord {
        /// The thread.
        thread_id: ThreadId = "threadId" | "id",
        /// What it is called.
        title: &str = "title",
        /// Whether something is going on: `idle`, `running`, `waiting`, `failed`.
        status: &str = "status",
        /// The agent that ran last.
        agent: &str = "agent",
    }

    /// A run.
    RunRecord {
        /// The run.
        run_id: RunId = "runId" | "id",
        /// The agent that ran.
        agent: &str = "agent",
        /// How it ended; nothing while it is open.
        end: &str = "end" | "outcome",
    }

    /// A question that waits for an answer.
    InterruptRecord {
        /// The question.
        interrupt_id: InterruptId = "interruptId" | "id",
        /// Where it was asked.
        thread_id: ThreadId = "threadId",
        /// The run that ended on it.
        run_id: RunId = "runId",
        /// The agent that asks.
        agent: &str = "agent",
        /// Who the thread belongs to.
        owner: &str = "owner",
        /// The role that may decide it; without one, the owner may.
        role: &str = "role",
        /// How risky it is: `low`, `medium`, `high`, `critical`.
        risk: &str = "risk",
    }

    /// What somebody has allowed once and for all.
    RuleRecord {
        /// The rule.
        id: &str = "id",
        /// For which agent.
        agent: &str = "agent",
        /// For which tool.
        tool: &str = "tool",
        /// Up to which risk.
        risk: &str = "risk",
        /// On one thread only.
        thread_id: ThreadId = "threadId",
        /// Who made it.
        by: &str = "by",
    }

    /// An entry of the audit trail.
    AuditRecord {
        /// What happened.
        kind: &str = "kind",
        /// Who did it.
        actor: &str = "actor",
        /// From where.
        origin: &str = "origin",
        /// The thread.
        thread_id: ThreadId = "threadId",
        /// The question.
        interrupt_id: InterruptId = "interruptId",
        /// The details: JSON, in a text.
        details: &str = "json",
        /// The seal, in hexadecimal.
        hash: &str = "hash",
    }

    /// A note on a thread, a run or a message.
    AnnotationRecord {
        /// The note.
        id: &str = "id",
        /// What kind of note.
        kind: &str = "kind" | "metaType",
    }
}

impl InterruptRecord {
    /// The question itself, as the agent asked it.
    #[must_use]
    pub fn interrupt(&self) -> &Map<String, Value> {
        // A server that sends it bare is understood, too.
        self.0.get("interrupt").and_then(Value::as_object).unwrap_or(&self.0)
    }

    /// Why it is asked.
    #[must_use]
    pub fn reason(&self) -> Option<&str> {
        self.interrupt().get("reason")?.as_str()
    }

    /// What to show.
    #[must_use]
    pub fn message(&self) -> Option<&str> {
        self.interrupt().get("message")?.as_str()
    }

    /// A fact that the asker gave about it, such as `tool` or `arguments`.
    #[must_use]
    pub fn fact(&self, name: &str) -> Option<&Value> {
        self.interrupt().get("metadata")?.get(name)
    }

    /// What only those see who may decide, such as a draft.
    #[must_use]
    pub fn private(&self) -> Option<&Value> {
        self.0.get("private")
    }

    /// Whether the caller may decide it, and nobody has.
    #[must_use]
    pub fn may_decide(&self) -> bool {
        self.0.get("mayDecide").and_then(Value::as_bool).unwrap_or_default()
    }

    /// How many different people have to agree.
    #[must_use]
    pub fn needs(&self) -> u64 {
        self.0.get("needs").and_then(Value::as_u64).unwrap_or(1)
    }

    /// Who has agreed so far: `by`, `at`, `answer`.
    #[must_use]
    pub fn votes(&self) -> &[Value] {
        self.0.get("votes").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default()
    }

    /// What was decided: `status`, `answer`, `by`, `at`, `runId`.
    #[must_use]
    pub fn decision(&self) -> Option<&Map<String, Value>> {
        self.0.get("decision")?.as_object()
    }

    /// When it was asked, in milliseconds since 1970.
    #[must_use]
    pub fn opened_at(&self) -> Option<i64> {
        self.0.get("openedAt")?.as_i64()
    }

    /// When it is too late to answer.
    #[must_use]
    pub fn expires_at(&self) -> Option<i64> {
        self.0.get("expiresAt")?.as_i64()
    }
}

impl RuleRecord {
    /// When it was made, in milliseconds since 1970.
    #[must_use]
    pub fn at(&self) -> Option<i64> {
        self.0.get("at")?.as_i64()
    }
}

impl AuditRecord {
    /// Its number, from 1 without gaps.
    #[must_use]
    pub fn seq(&self) -> Option<u64> {
        self.0.get("seq")?.as_u64()
    }

    /// When it happened, in milliseconds since 1970.
    #[must_use]
    pub fn at(&self) -> Option<i64> {
        self.0.get("at")?.as_i64()
    }
}

/// A part of a list.
#[derive(Clone, Debug, PartialEq)]
pub struct Page<T> {
    /// The items.
    pub items: Vec<T>,
    /// What to ask with for the next part; nothing on the last one.
    pub next: Option<String>,
}

impl<T: From<Map<String, Value>>> Page<T> {
    /// Reads `{"<name>": [..], "nextCursor": ".."}`, or the list alone.
    pub(crate) fn read(mut answer: Value, name: &str) -> Result<Self, ClientError> {
        let next = ["nextCursor", "next", "cursor"].iter().find_map(|key| answer.get(key)?.as_str());
        let next = next.map(str::to_owned);
        let items = list(&mut answer, name)?;
        let items = items.into_iter().map(|item| match item {
            Value::Object(members) => Ok(T::from(members)),
            other => Err(ClientError::Unreadable(format!("{name}: expected objects, found {other}"))),
        });
        Ok(Self { items: items.collect::<Result<_, _>>()?, next })
    }
}

/// The list with this name in an answer, or the answer itself where it is a list.
pub(crate) fn list(answer: &mut Value, name: &str) -> Result<Vec<Value>, ClientError> {
    let found = match answer {
        Value::Object(members) => members.get_mut(name).map(Value::take),
        other => Some(other.take()),
    };
    match found {
        Some(Value::Array(items)) => Ok(items),
        _ => Err(ClientError::Unreadable(format!("expected a list of {name}"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_record_keeps_what_it_has_no_name_for() {
        let page: Page<ThreadRecord> = Page::read(
            json!({ "threads": [{ "threadId": "t1", "title": "Hi", "new": 1 }], "nextCursor": "n" }),
            "threads",
        )
        .expect("readable");
        assert_eq!(page.next.as_deref(), Some("n"));
        assert_eq!(page.items[0].thread_id(), Some("t1".into()));
        assert_eq!(page.items[0].title(), Some("Hi"));
        assert_eq!(page.items[0].members()["new"], 1);
    }

    #[test]
    fn a_bare_list_is_a_page_and_anything_else_is_not() {
        let page: Page<AgentRecord> = Page::read(json!([{ "name": "a" }]), "agents").expect("readable");
        assert_eq!((page.items[0].name(), page.next), (Some("a"), None));
        for answer in [json!({}), json!({ "agents": {} }), json!([1]), json!("agents")] {
            assert!(Page::<AgentRecord>::read(answer.clone(), "agents").is_err(), "{answer}");
        }
    }

    fn record<T: From<Map<String, Value>>>(value: Value) -> T {
        match value {
            Value::Object(members) => T::from(members),
            other => panic!("not a record: {other}"),
        }
    }

    #[test]
    fn a_question_says_who_decides_what_and_until_when() {
        let draft = json!({ "text": "Dear" });
        let question: InterruptRecord = record(json!({
            "interrupt": { "reason": "tool_call", "message": "Really?", "metadata": { "tool": "pay" } },
            "private": draft, "mayDecide": true, "needs": 2, "votes": [{ "by": "bob" }],
            "decision": { "by": "eve" }, "openedAt": 17, "expiresAt": 18,
        }));
        assert_eq!((question.reason(), question.message()), (Some("tool_call"), Some("Really?")));
        assert_eq!((question.fact("tool"), question.fact("amount")), (Some(&json!("pay")), None));
        assert_eq!((question.private(), question.may_decide()), (Some(&draft), true));
        assert_eq!((question.needs(), question.votes()), (2, &[json!({ "by": "bob" })][..]));
        assert_eq!(question.decision().expect("decided")["by"], "eve");
        assert_eq!((question.opened_at(), question.expires_at()), (Some(17), Some(18)));
    }

    #[test]
    fn a_question_of_which_little_is_said_waits_for_one_person_who_is_not_the_caller() {
        let bare: InterruptRecord = record(json!({ "reason": "confirmation" }));
        assert_eq!(
            (bare.reason(), bare.message()),
            (Some("confirmation"), None),
            "it may come without envelope"
        );
        assert_eq!((bare.may_decide(), bare.needs(), bare.votes()), (false, 1, &[][..]));
        assert_eq!((bare.fact("tool"), bare.private(), bare.decision()), (None, None, None));
        assert_eq!((bare.opened_at(), bare.expires_at()), (None, None));
    }

    #[test]
    fn rules_and_entries_of_the_trail_say_when_they_were_made() {
        assert_eq!(record::<RuleRecord>(json!({ "at": 17 })).at(), Some(17));
        let entry: AuditRecord = record(json!({ "seq": 7, "at": 17 }));
        assert_eq!((entry.seq(), entry.at()), (Some(7), Some(17)));
        let empty = AuditRecord::default();
        assert_eq!((empty.seq(), empty.at(), RuleRecord::default().at()), (None, None, None));
    }
}
