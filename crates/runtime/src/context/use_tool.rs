//! Using tools of ours: checked, allowed, decided, executed once.

use forestage_protocol::{
    event::ToolCallResult,
    id::ToolCallId,
    interrupt::{ResumeEntry, ResumeStatus},
    message::Message,
};
use serde_json::{Map, Value, json};

use super::{Question, RunContext, lock, record::Recorded};
use crate::{
    decide::Terms,
    error::Stop,
    policy::{Action, Judgement, OnExpiry, Risk},
    tool::{Invocation, Leeway, Progress, ToolError, approval_schema},
};

/// The name of the custom event that says that a tool is about to be executed.
pub(crate) const TOOL_STARTED: &str = "forestage.tool";

/// The name of the custom event that tells everybody what was decided about a call.
pub(crate) const DECISION: &str = "forestage.decision";

/// What came of a tool: its result as text, or why there is none.
pub type Used = Result<String, ToolError>;

/// A call whose arguments were shown piece by piece.
#[derive(Clone, Debug, PartialEq)]
pub struct ShownCall {
    /// The call, as it was shown.
    pub id: ToolCallId,
    /// The tool.
    pub name: String,
    /// Its arguments.
    pub arguments: Value,
}

/// A call that is under way.
struct Call {
    id: ToolCallId,
    name: String,
    arguments: Value,
    recorded: Option<Recorded>,
    /// Whether the conversation has its result already.
    is_told: bool,
    parameters: Map<String, Value>,
    judgement: Judgement,
    asks: bool,
}

/// A call that is to be made, or what has come of it already.
enum Planned {
    Call(Box<Call>),
    Done(Used),
}

/// What a person said about a call.
struct Approval {
    approved: bool,
    /// Nobody said it; the time was over.
    expired: bool,
    edited: Option<Value>,
    reason: Option<String>,
}

impl RunContext {
    /// Uses one of the agent's tools. The arguments are checked against its schema; the rules of the house say whether
    /// it may be called, may not, or whether a person has to decide; then it is executed, once, whatever happens to the
    /// process. Whatever stands in the way is an error for the agent to deal with, not the end of the run.
    ///
    /// `send_a2ui_json_to_client` and `render_a2ui` draw, as [`draw`](Self::draw) does, unless the agent has tools of
    /// these names.
    pub async fn use_tool(&self, name: &str, arguments: Value) -> Result<Used, Stop> {
        let mut used = self.use_tools(vec![(name.to_owned(), arguments)]).await?;
        used.pop().ok_or_else(|| Stop::Diverged("a tool has no result".to_owned()))
    }

    /// Uses several tools; what people have to decide is asked at once. Results come in the order of the calls.
    pub async fn use_tools(&self, calls: Vec<(String, Value)>) -> Result<Vec<Used>, Stop> {
        let mut planned = Vec::new();
        for (name, arguments) in calls {
            planned.push(self.plan(name, arguments, None).await?);
        }
        self.settle_all(planned).await
    }

    /// The same for calls that are shown already, because their arguments came piece by piece. One that does not fit its
    /// schema is answered with what is wrong.
    pub async fn use_shown(&self, calls: Vec<ShownCall>) -> Result<Vec<Used>, Stop> {
        let mut planned = Vec::new();
        for ShownCall { id, name, arguments } in calls {
            let recorded = match self.tools().check(&name, &arguments) {
                Ok(()) => None,
                Err(_) => Some(lock(&self.core.record).tool_result(&name, &arguments)),
            };
            let call = self.plan(name, arguments, Some(id.clone())).await?;
            if let (Planned::Done(used), Some(None)) = (&call, recorded) {
                self.tell_result(&id, used).await?;
            }
            planned.push(call);
        }
        self.settle_all(planned).await
    }

    /// Answers a call that is shown already with what comes of some work of the agent's own. A recorded answer is taken,
    /// and then nothing is done again.
    pub async fn answer_shown(
        &self,
        call: &ShownCall,
        work: impl AsyncFnOnce(&Value) -> Result<Used, Stop>,
    ) -> Result<Used, Stop> {
        let recorded = lock(&self.core.record).tool_result(&call.name, &call.arguments);
        let Some(recorded) = recorded else {
            // Where nothing is recorded an earlier run may have shown the call; it is this one.
            let id = self.open_call(&call.name, &call.arguments).unwrap_or_else(|| call.id.clone());
            let used = work(&call.arguments).await?;
            self.tell_result(&id, &used).await?;
            return Ok(used);
        };
        let used = recorded.used();
        if !self.has_result(&recorded.id) {
            self.tell_result(&call.id, &used).await?;
        }
        Ok(used)
    }

    async fn settle_all(&self, planned: Vec<Planned>) -> Result<Vec<Used>, Stop> {
        let calls = planned.iter().filter_map(|planned| match planned {
            Planned::Call(call) => Some(&**call),
            Planned::Done(_) => None,
        });
        let questions: Vec<_> = calls.filter(|call| call.asks).map(question).collect();
        let mut answers = match questions.is_empty() {
            true => Vec::new(),
            false => self.ask_entries(questions).await?,
        }
        .into_iter();
        let mut used = Vec::new();
        for call in planned {
            used.push(match call {
                Planned::Call(call) => {
                    let answer = if call.asks { answers.next() } else { None };
                    self.settle_call(*call, answer).await?
                }
                Planned::Done(used) => used,
            });
        }
        Ok(used)
    }

    /// Checks a call and shows it. One that breaks the schema is not shown, and one that draws has drawn.
    async fn plan(&self, name: String, arguments: Value, shown: Option<ToolCallId>) -> Result<Planned, Stop> {
        if shown.is_none() && self.draws(&name) {
            let told = self.draw_and_tell(&name, &arguments).await?;
            return Ok(Planned::Done(told.map(|(_, told)| told.to_string())));
        }
        if let Err(error) = self.tools().check(&name, &arguments) {
            return Ok(Planned::Done(Err(error)));
        }
        let judgement = self.judge(&name, &arguments);
        let asks = self.has_to_ask(&name, &arguments, &judgement).await?;
        let recorded = lock(&self.core.record).tool_result(&name, &arguments);
        let told = recorded.as_ref().map(|recorded| recorded.id.clone()).filter(|id| self.has_result(id));
        let is_told = told.is_some();
        let id = match (told, shown) {
            (Some(id), _) => id,
            (None, Some(id)) if recorded.is_some() => id,
            (None, Some(id)) => self.open_call(&name, &arguments).unwrap_or(id),
            (None, None) if recorded.is_some() => self.show_anew(&name, &arguments).await?,
            (None, None) => self.show(&name, &arguments).await?,
        };
        let tools = self.tools();
        let parameters = tools.get(&name).map(|tool| tool.about().parameters.clone()).unwrap_or_default();
        let call = Call { id, name, arguments, recorded, is_told, parameters, judgement, asks };
        Ok(Planned::Call(Box::new(call)))
    }

    /// What the rules of the house say about a call. Somebody who wants to look at every call is asked about those that
    /// pass.
    #[must_use]
    pub fn judge(&self, name: &str, arguments: &Value) -> Judgement {
        let risk = self.tools().get(name).map_or(Risk::Low, |tool| tool.about().risk);
        let judgement = at_least(risk, self.house().policy.judge(name, arguments));
        match judgement.action {
            Action::Allow if self.terms().tools => Judgement { action: Action::Ask, ..judgement },
            _ => judgement,
        }
    }

    /// Whether a person has to decide. On the way back to a question, what was asked then counts and not what would be
    /// asked now: rules change.
    async fn has_to_ask(&self, name: &str, arguments: &Value, judgement: &Judgement) -> Result<bool, Stop> {
        if self.is_muted() {
            return Ok(lock(&self.core.record).was_asked(name, arguments));
        }
        Ok(judgement.action == Action::Ask
            && !(is_rememberable(judgement) && self.is_allowed(name, judgement.risk).await?))
    }

    /// Whether the owner has said that this tool need not be asked about.
    async fn is_allowed(&self, name: &str, risk: Risk) -> Result<bool, Stop> {
        let rules = self.core.store.rules(self.core.owner.clone()).await;
        let rules = rules.map_err(|error| Stop::Store(error.to_string()))?;
        Ok(rules.iter().any(|rule| {
            let here = rule.thread_id.as_ref().is_none_or(|thread| thread == self.thread_id());
            // Who allowed a small risk has not allowed a greater one.
            let allowed = serde_json::from_value::<Risk>(rule.risk.as_str().into());
            let covers = allowed.is_ok_and(|allowed| allowed >= risk);
            here && covers && rule.tool == name && rule.agent == self.core.agent
        }))
    }

    /// Shows a call, unless an earlier run of this turn has: it keeps its id, so that its result answers it.
    async fn show(&self, name: &str, arguments: &Value) -> Result<ToolCallId, Stop> {
        match self.open_call(name, arguments) {
            Some(id) => Ok(id),
            None => self.show_anew(name, arguments).await,
        }
    }

    /// Whether the conversation has the result of a call.
    fn has_result(&self, id: &ToolCallId) -> bool {
        let is_it =
            |message: &Message| matches!(message, Message::Tool(result) if result.tool_call_id == *id);
        self.core.messages.iter().any(is_it)
    }

    async fn show_anew(&self, name: &str, arguments: &Value) -> Result<ToolCallId, Stop> {
        let call = self.tool_call(name)?;
        call.push(arguments.to_string()).await?;
        Ok(call.end())
    }

    async fn settle_call(&self, call: Call, answer: Option<ResumeEntry>) -> Result<Used, Stop> {
        if call.recorded.is_none() && self.is_muted() {
            return Err(Stop::Diverged(format!("tool `{}` was not called before", call.name)));
        }
        let approval = answer.as_ref().map(approval);
        if let (Some(entry), Some(approval), None) = (&answer, &approval, &call.recorded) {
            self.announce(&call, entry, approval).await?;
        }
        if let Some(recorded) = &call.recorded {
            if !call.is_told {
                self.tell_result(&call.id, &recorded.used()).await?;
            }
            return Ok(recorded.used());
        }
        let used = self.perform(&call, approval).await?;
        self.tell_result(&call.id, &used).await?;
        Ok(used)
    }

    /// Does as it was decided. Of a call that may have been executed nobody says that it was not.
    async fn perform(&self, call: &Call, approval: Option<Approval>) -> Result<Used, Stop> {
        let started = lock(&self.core.record).started(&call.name, &call.arguments);
        let is_allowed =
            approval.as_ref().map_or(call.judgement.action != Action::Deny, |said| said.approved);
        if started.is_some() && !(is_allowed && self.is_repeatable(&call.name)) {
            return Ok(Err(unknown_outcome(&call.name)));
        }
        match (call.judgement.action, approval) {
            (_, Some(Approval { approved: false, expired: true, .. })) => Ok(Err(expired())),
            (_, Some(Approval { approved: false, reason, .. })) => Ok(Err(rejected(reason))),
            (_, Some(Approval { edited: Some(edited), .. })) => match self.check_edited(call, &edited) {
                Ok(()) => self.execute(call, edited, started).await,
                Err(error) => Ok(Err(error)),
            },
            (Action::Deny, None) => Ok(Err(denied(&call.judgement))),
            _ => self.execute(call, call.arguments.clone(), started).await,
        }
    }

    /// Changed arguments have to fit the schema, and may not be what the rules keep for somebody else to decide.
    fn check_edited(&self, call: &Call, edited: &Value) -> Result<(), ToolError> {
        self.tools().check(&call.name, edited)?;
        let (asked, now) = (&call.judgement, self.house().policy.judge(&call.name, edited));
        let goes_further = now.risk > asked.risk || now.people > asked.people || now.role != asked.role;
        match now.action {
            Action::Deny => Err(denied(&now)),
            Action::Ask if goes_further => {
                let text = "the changed arguments are for other people to decide, or for more of them";
                Err(ToolError::new("edited_beyond", text))
            }
            _ => Ok(()),
        }
    }

    fn is_repeatable(&self, name: &str) -> bool {
        self.tools().get(name).is_some_and(|tool| tool.about().repeatable)
    }

    /// Executes a tool. That it is about to be is on the disk first; if the process dies now, nobody knows whether it
    /// was, and only a tool that says that it may be repeated is. `started` is the key of such a call.
    async fn execute(&self, call: &Call, arguments: Value, started: Option<String>) -> Result<Used, Stop> {
        let Some(tool) = self.tools().get(&call.name).cloned() else {
            return Ok(Err(ToolError::new("unknown_tool", format!("there is no tool `{}`", call.name))));
        };
        let key = match started {
            Some(key) => key,
            None => {
                let key = format!("{}/{}", escaped(self.thread_id()), escaped(&call.id));
                self.custom(TOOL_STARTED, json!({ "toolCallId": call.id, "key": key })).await?;
                self.core.outbox.written().await?;
                key
            }
        };
        let invocation = Invocation {
            key,
            thread_id: self.thread_id().clone(),
            run_id: self.run_id().clone(),
            tool_call_id: call.id.clone(),
            owner: self.core.owner.clone(),
            notes: self.notes(),
            progress: Progress::new(self, &call.id),
        };
        Ok(tool.call(invocation, arguments).await.map(|value| text_of(&value)))
    }

    /// Tells everybody who decided what.
    async fn announce(&self, call: &Call, entry: &ResumeEntry, approval: &Approval) -> Result<(), Stop> {
        let signature = entry.metadata.as_ref().and_then(|metadata| metadata.get("forestage"));
        let mut told = json!({
            "interruptId": entry.interrupt_id,
            "toolCallId": call.id,
            "approved": approval.approved,
            "by": signature.and_then(|signature| signature.get("by")),
            "at": signature.and_then(|signature| signature.get("at")),
        });
        if let Some(edited) = &approval.edited {
            told["editedArgs"] = edited.clone();
        }
        if let Some(reason) = &approval.reason {
            told["reason"] = reason.as_str().into();
        }
        self.custom(DECISION, told).await
    }

    async fn tell_result(&self, id: &ToolCallId, used: &Used) -> Result<(), Stop> {
        let (text, failed) = match used {
            Ok(text) => (text.clone(), None),
            Err(error) => (error_text(error), Some(json!({ "failed": error.code }))),
        };
        let mut event = ToolCallResult::new(self.new_id("r"), id, text.as_str());
        event.subagent_run_id = self.tag.clone();
        if let Some(failed) = failed {
            event.base.metadata.get_or_insert_default().insert("forestage".to_owned(), failed);
        }
        self.emit(event).await
    }
}

fn question(call: &Call) -> Question {
    let judgement = &call.judgement;
    let terms = Terms {
        risk: Some(judgement.risk.as_str().to_owned()),
        tool: Some(call.name.clone()),
        arguments: Some(call.arguments.clone()),
        parameters: (judgement.people > 1).then(|| Value::Object(call.parameters.clone())),
        rule: judgement.rule.clone(),
        role: judgement.role.clone(),
        people: (judgement.people > 1).then_some(judgement.people),
        on_expiry: judgement.timeout.map(|_| judgement.on_expiry.as_str().to_owned()),
        remember: match is_rememberable(judgement) {
            true => vec!["thread".to_owned(), "always".to_owned()],
            false => Vec::new(),
        },
    };
    let leeway = Leeway { edit: judgement.people <= 1, remember: is_rememberable(judgement) };
    let message = judgement.reason.clone().unwrap_or_else(|| format!("May `{}` be called?", call.name));
    let mut question = Question::new("tool_call", &message)
        .about(&call.id)
        .metadata(terms.into_metadata())
        .schema(approval_schema(&call.parameters, leeway));
    if let Some(time) = judgement.timeout {
        question = question.expires_in(time);
    }
    question
}

/// Where no rule fits, a call is as risky as its tool says, if that is more. Such a risk is never taken by silence.
fn at_least(risk: Risk, judgement: Judgement) -> Judgement {
    if judgement.rule.is_some() || risk <= judgement.risk {
        return judgement;
    }
    let on_expiry = match judgement.on_expiry {
        OnExpiry::Approve if risk >= Risk::High => OnExpiry::Reject,
        other => other,
    };
    Judgement { risk, on_expiry, ..judgement }
}

/// What is critical, needs several people, or is for somebody else to judge, is asked anew each time.
fn is_rememberable(judgement: &Judgement) -> bool {
    judgement.role.is_none() && judgement.people <= 1 && judgement.risk != Risk::Critical
}

fn approval(entry: &ResumeEntry) -> Approval {
    let payload = entry.payload.as_ref().and_then(|payload| payload.to_value().ok()).unwrap_or_default();
    let approved = payload.get("approved").and_then(Value::as_bool).unwrap_or(false);
    Approval {
        approved: approved && entry.status == ResumeStatus::Resolved,
        expired: signature(entry).is_some_and(|signature| signature["by"] == "expiry"),
        edited: payload.get("editedArgs").cloned(),
        reason: payload.get("reason").and_then(Value::as_str).map(str::to_owned),
    }
}

/// Who answered, and when.
fn signature(entry: &ResumeEntry) -> Option<&Value> {
    entry.metadata.as_ref().and_then(|metadata| metadata.get("forestage"))
}

/// An id without the sign that stands between two of them, so that no two pairs look alike.
fn escaped(id: &str) -> String {
    id.replace('%', "%25").replace('/', "%2F")
}

fn expired() -> ToolError {
    ToolError::new("expired", "nobody decided in time, so the tool is not called")
}

fn rejected(reason: Option<String>) -> ToolError {
    let text = reason.map_or_else(String::new, |reason| format!(": {reason}"));
    ToolError::new("rejected", format!("a person decided that the tool is not called{text}"))
}

fn denied(judgement: &Judgement) -> ToolError {
    let text = judgement.reason.clone();
    ToolError::new(
        "denied",
        text.unwrap_or_else(|| "the rules of the house do not allow this call".to_owned()),
    )
}

fn unknown_outcome(name: &str) -> ToolError {
    let text = format!(
        "the process died while `{name}` was under way; it may have been executed, so it is not again"
    );
    ToolError::new("outcome_unknown", text)
}

/// The result of a tool is text: a text as it is, anything else as JSON.
fn text_of(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

fn error_text(error: &ToolError) -> String {
    json!({ "error": { "code": error.code, "message": error.message, "path": error.path } }).to_string()
}

/// A failure that was told before.
pub(super) fn error_of(text: &str) -> ToolError {
    let value: Value = serde_json::from_str(text).unwrap_or_default();
    let part = |name: &str| value["error"][name].as_str().map(str::to_owned);
    ToolError {
        code: part("code").unwrap_or_else(|| "tool_error".to_owned()),
        message: part("message").unwrap_or_else(|| text.to_owned()),
        path: part("path"),
        faults: Vec::new(),
        hint: part("hint"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tool_that_can_do_much_harm_is_not_taken_by_silence_where_no_rule_fits() {
        let silent = Judgement { on_expiry: OnExpiry::Approve, ..Judgement::default() };
        for (risk, on_expiry) in [
            (Risk::Low, OnExpiry::Approve),
            (Risk::Medium, OnExpiry::Approve),
            (Risk::High, OnExpiry::Reject),
            (Risk::Critical, OnExpiry::Reject),
        ] {
            let judged = at_least(risk, silent.clone());
            assert_eq!((judged.risk, judged.on_expiry), (risk, on_expiry));
        }
        let ruled = Judgement { rule: Some("quick".to_owned()), ..silent };
        assert_eq!(at_least(Risk::Critical, ruled.clone()), ruled, "a rule knows better");
    }

    #[test]
    fn only_what_one_owner_may_allow_and_is_not_critical_is_remembered() {
        let judged = |role: Option<&str>, people, risk| {
            let role = role.map(str::to_owned);
            is_rememberable(&Judgement { role, people, risk, ..Judgement::default() })
        };
        assert!(judged(None, 1, Risk::High));
        assert!(!judged(Some("manager"), 1, Risk::Low));
        assert!(!judged(None, 2, Risk::Low));
        assert!(!judged(None, 1, Risk::Critical));
    }
}
