//! What an agent waits for, asked one after the other until everything is answered: questions, and results of
//! tools that the client should run. Here the client is a person, so the person is the tool.
//!
//! What is asked for follows from the question's schema: yes or no, one of several, a number, a text, or the
//! fields of an object one by one. Whoever knows better types JSON, which is taken as the whole answer.

use forestage_client::{
    answer::{cancelled, resolved},
    id,
};
use forestage_protocol::{
    apply::{RunEnd, ThreadView},
    id::{MessageId, ToolCallId},
    interrupt::{Interrupt, ResumeEntry},
    message::ToolMessage,
};
use serde_json::{Map, Value, json};

/// What a thread waits for, and the answers so far. All of it has to be answered at once.
#[derive(Clone, Debug)]
pub(super) struct Form {
    asked: Vec<Asked>,
    /// Which of them is asked now.
    at: usize,
    fields: Vec<Field>,
    values: Map<String, Value>,
    reply: Reply,
}

#[derive(Clone, Debug)]
enum Asked {
    Question(Interrupt),
    Call { id: ToolCallId, name: String },
}

/// Everything that was answered.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Reply {
    /// To questions.
    pub(super) answers: Vec<ResumeEntry>,
    /// For tools.
    pub(super) results: Vec<ToolMessage>,
}

/// Something to fill in.
#[derive(Clone, Debug, PartialEq)]
struct Field {
    /// The member of the answer it becomes; nothing where it is the whole answer.
    name: Option<String>,
    about: String,
    kind: Kind,
    is_required: bool,
    default: Option<Value>,
}

#[derive(Clone, Debug, PartialEq)]
enum Kind {
    /// `{"approved": true}`, or with more where it is typed as JSON.
    Approval,
    Truth,
    Number,
    Choice(Vec<Value>),
    Text,
    Json,
}

/// What an answer led to.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Progress {
    /// There is more to ask.
    More,
    /// Everything is answered.
    Done(Reply),
}

impl Form {
    /// The form for what a conversation waits for; nothing where it waits for nothing.
    pub(super) fn of(view: &ThreadView) -> Option<Self> {
        let questions = view.pending_interrupts().iter().cloned().map(Asked::Question);
        Self::new(questions.chain(calls(view)).collect())
    }

    fn new(asked: Vec<Asked>) -> Option<Self> {
        let fields = asked.first()?.fields();
        Some(Self { asked, at: 0, fields, values: Map::new(), reply: Reply::default() })
    }

    /// What is asked now.
    pub(super) fn question(&self) -> String {
        match &self.asked[self.at] {
            Asked::Question(question) => question.message.as_ref().unwrap_or(&question.reason).clone(),
            Asked::Call { name, .. } => format!("What does {name} give?"),
        }
    }

    /// Whether the question has just begun to be asked.
    pub(super) fn is_first_field(&self) -> bool {
        self.values.is_empty()
    }

    /// What to type now.
    pub(super) fn prompt(&self) -> String {
        self.field().prompt()
    }

    /// Takes what was typed; says what is wrong with it and asks again where it cannot be taken.
    pub(super) fn take(&mut self, text: &str) -> Result<Progress, String> {
        let text = text.trim();
        if text == "/cancel" {
            return Ok(self.close(None));
        }
        if text.starts_with('{') && self.is_first_field() {
            let payload: Value = serde_json::from_str(text).map_err(|error| format!("not JSON: {error}"))?;
            return Ok(self.close(Some(payload)));
        }
        let field = self.field().clone();
        let value = field.read(text)?;
        match (field.name, value) {
            (None, value) => return Ok(self.close(value)),
            (Some(name), Some(value)) => drop(self.values.insert(name, value)),
            (Some(_), None) => {}
        }
        self.fields.remove(0);
        match self.fields.is_empty() {
            true => {
                let values = std::mem::take(&mut self.values);
                Ok(self.close(Some(Value::Object(values))))
            }
            false => Ok(Progress::More),
        }
    }

    fn field(&self) -> &Field {
        self.fields.first().expect("a question has a field until it is answered")
    }

    /// Notes the answer, or that there is none, and goes to the next question.
    fn close(&mut self, value: Option<Value>) -> Progress {
        match &self.asked[self.at] {
            Asked::Question(question) => self.reply.answers.push(match value {
                Some(value) => resolved(&question.id, value),
                None => cancelled(&question.id),
            }),
            Asked::Call { id, .. } => self.reply.results.push(result(id, value)),
        }
        self.values.clear();
        self.at += 1;
        match self.asked.get(self.at) {
            None => Progress::Done(std::mem::take(&mut self.reply)),
            Some(next) => {
                self.fields = next.fields();
                Progress::More
            }
        }
    }
}

impl Asked {
    fn fields(&self) -> Vec<Field> {
        match self {
            Self::Question(question) => fields(question),
            Self::Call { .. } => vec![Field::whole(Kind::Json)],
        }
    }
}

/// The calls of client tools that the last run left to us.
fn calls(view: &ThreadView) -> Vec<Asked> {
    let Some(RunEnd::Success { pending_tool_call_ids, .. }) = view.end() else {
        return Vec::new();
    };
    let name = |id: &ToolCallId| {
        let mut calls = view.messages().flat_map(|message| message.tool_calls());
        let call = calls.find(|call| call.id == *id);
        call.map_or_else(|| id.to_string(), |call| call.function.name.clone())
    };
    pending_tool_call_ids.iter().map(|id| Asked::Call { id: id.clone(), name: name(id) }).collect()
}

fn result(call: &ToolCallId, value: Option<Value>) -> ToolMessage {
    let message = |text: String| ToolMessage::new(id::fresh::<MessageId>(), text, call);
    match value {
        Some(value) => message(shown(&value)),
        None => ToolMessage { error: Some("there is no result".to_owned()), ..message(String::new()) },
    }
}

/// What has to be filled in to answer a question.
fn fields(question: &Interrupt) -> Vec<Field> {
    let schema = question.response_schema.clone().map(|schema| Value::Object(schema.into_map()));
    let Some(schema) = schema else {
        let is_approval = question.tool_call_id.is_some()
            || ["approv", "confirm"].iter().any(|word| question.reason.contains(word));
        let kind = if is_approval { Kind::Approval } else { Kind::Text };
        return vec![Field::whole(kind)];
    };
    let Some(properties) = schema["properties"].as_object().filter(|members| !members.is_empty()) else {
        return vec![Field::whole(kind(&schema))];
    };
    if properties.get("approved").is_some_and(|approved| kind(approved) == Kind::Truth) {
        return vec![Field::whole(Kind::Approval)];
    }
    let required = schema["required"].as_array().map(Vec::as_slice).unwrap_or_default();
    let is_required = |name: &String| required.iter().any(|it| it == name);
    properties.iter().map(|(name, schema)| Field::member(name, schema, is_required(name))).collect()
}

fn kind(schema: &Value) -> Kind {
    if let Some(choices) = schema["enum"].as_array() {
        return Kind::Choice(choices.clone());
    }
    match schema["type"].as_str() {
        Some("boolean") => Kind::Truth,
        Some("number" | "integer") => Kind::Number,
        Some("string") => Kind::Text,
        _ => Kind::Json,
    }
}

impl Field {
    fn whole(kind: Kind) -> Self {
        Self { name: None, about: String::new(), kind, is_required: true, default: None }
    }

    fn member(name: &str, schema: &Value, is_required: bool) -> Self {
        let about = schema["title"].as_str().or(schema["description"].as_str()).unwrap_or(name);
        Self {
            name: Some(name.to_owned()),
            about: about.to_owned(),
            kind: kind(schema),
            is_required,
            default: schema.get("default").cloned(),
        }
    }

    fn prompt(&self) -> String {
        let about = if self.about.is_empty() { String::new() } else { format!("{} ", self.about) };
        let what = match &self.kind {
            Kind::Approval => "y/n, or JSON with your changes".to_owned(),
            Kind::Truth => "y/n".to_owned(),
            Kind::Number => "a number".to_owned(),
            Kind::Choice(choices) => choices.iter().map(shown).collect::<Vec<_>>().join(" | "),
            Kind::Text => "a text".to_owned(),
            Kind::Json => "JSON".to_owned(),
        };
        let may = match &self.default {
            Some(default) => format!(", empty for {}", shown(default)),
            None if !self.is_required => ", may be empty".to_owned(),
            None => String::new(),
        };
        format!("{about}[{what}{may}]")
    }

    /// Reads an answer; nothing where the field is left out.
    fn read(&self, text: &str) -> Result<Option<Value>, String> {
        if text.is_empty() {
            return match (&self.default, self.is_required) {
                (Some(default), _) => Ok(Some(default.clone())),
                (None, false) => Ok(None),
                (None, true) => Err("something has to be said".to_owned()),
            };
        }
        match &self.kind {
            Kind::Approval => Ok(Some(json!({ "approved": truth(text)? }))),
            Kind::Truth => Ok(Some(truth(text)?.into())),
            Kind::Number => {
                let number = text.parse::<serde_json::Number>();
                number.map(|number| Some(number.into())).map_err(|_| format!("`{text}` is not a number"))
            }
            Kind::Choice(choices) => {
                let found = choices.iter().find(|choice| shown(choice).eq_ignore_ascii_case(text));
                found.cloned().map(Some).ok_or_else(|| format!("`{text}` is none of them"))
            }
            Kind::Text => Ok(Some(text.into())),
            // Where it is not JSON it is a text, which is JSON as well.
            Kind::Json => Ok(Some(serde_json::from_str(text).unwrap_or_else(|_| text.into()))),
        }
    }
}

fn truth(text: &str) -> Result<bool, String> {
    match text.to_lowercase().as_str() {
        "y" | "yes" | "true" | "ok" => Ok(true),
        "n" | "no" | "false" => Ok(false),
        _ => Err("y or n?".to_owned()),
    }
}

fn shown(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use forestage_protocol::json::Object;

    use super::*;

    fn question(id: &str, reason: &str, schema: Value) -> Interrupt {
        let response_schema = match schema {
            Value::Object(schema) => Some(Object::from(schema)),
            _ => None,
        };
        Interrupt { response_schema, ..Interrupt::new(id, reason) }
    }

    fn form(questions: &[Interrupt]) -> Form {
        Form::new(questions.iter().cloned().map(Asked::Question).collect()).unwrap()
    }

    fn answered(mut form: Form, lines: &[&str]) -> Reply {
        for line in lines {
            if let Progress::Done(reply) = form.take(line).unwrap() {
                return reply;
            }
        }
        panic!("it asks on: {}", form.prompt())
    }

    #[test]
    fn what_is_asked_for_follows_from_the_schema() {
        let booking = json!({
            "properties": {
                "day": { "type": "string" },
                "people": { "type": "integer" },
                "size": { "enum": ["small", "large"] },
                "quiet": { "type": "boolean" },
                "note": { "type": "string" },
            },
            "required": ["day", "people", "size", "quiet"],
        });
        let approval = json!({ "properties": { "approved": { "type": "boolean" }, "editedArgs": {} } });
        let edited = json!({ "approved": true, "editedArgs": { "a": 1 } });
        let booked = json!({ "day": "friday", "people": 4, "size": "large", "quiet": true });
        for (reason, schema, lines, expected) in [
            ("confirmation", Value::Null, &["y"][..], json!({ "approved": true })),
            ("input_required", Value::Null, &["Friday"], json!("Friday")),
            ("x", json!({ "type": "boolean" }), &["n"], json!(false)),
            ("x", approval.clone(), &["no"], json!({ "approved": false })),
            ("x", approval, &[r#"{"approved":true,"editedArgs":{"a":1}}"#], edited),
            ("x", booking, &["friday", "4", "Large", "y", ""], booked),
        ] {
            let reply = answered(form(&[question("i", reason, schema)]), lines);
            assert_eq!(reply.answers, [resolved("i", expected)]);
        }
    }

    #[test]
    fn a_wrong_answer_is_told_and_asked_again() {
        let mut form = form(&[question("i", "x", json!({ "type": "integer" }))]);
        assert!(form.take("four").is_err() && form.take("").is_err());
        let reply = Reply { answers: vec![resolved("i", 4)], results: Vec::new() };
        assert_eq!(form.take("4"), Ok(Progress::Done(reply)));
    }

    #[test]
    fn several_questions_are_answered_together_and_one_can_be_refused() {
        let questions = [question("a", "confirm", Value::Null), question("b", "x", Value::Null)];
        let reply = answered(form(&questions), &["/cancel", "text"]);
        assert_eq!(reply.answers, [cancelled("a"), resolved("b", "text")]);
    }
}
