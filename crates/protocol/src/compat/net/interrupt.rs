//! Questions and answers, one at a time.

use serde_json::{Map, Value, json};

use crate::{
    id::InterruptId,
    interrupt::{self, ResumeEntry, ResumeStatus},
    json::Json,
    wire::wire,
};

/// The fact about a question of 1.0 that holds what it was before.
const FACT: &str = "net";

wire! {
    /// A question that a run ends on.
    ///
    /// ```
    /// use forestage_protocol::{compat::net, interrupt::Interrupt};
    /// use serde_json::json;
    ///
    /// let asked: net::Interrupt = serde_json::from_value(json!({
    ///     "id": "call_abc123",
    ///     "payload": { "functionName": "delete_file", "functionArguments": { "path": "/important.txt" } },
    /// })).unwrap();
    /// assert!(matches!(asked.kind(), net::InterruptKind::Approval(it) if it.function_name == "delete_file"));
    /// let upgraded = Interrupt::from(asked.clone());
    /// assert_eq!(upgraded.reason, "tool_call");
    /// assert_eq!(net::Interrupt::of(&upgraded), Some(asked));
    /// ```
    plain Interrupt {
        required {
            /// The question.
            id: InterruptId,
        }
        optional {
            /// What it is about, see [`Interrupt::kind`].
            payload: Json,
        }
    }
}

wire! {
    /// Whether a function may be called.
    plain FunctionApproval {
        required {
            /// The function.
            function_name: String,
        }
        optional {
            /// What it would be called with.
            function_arguments: Json,
        }
    }
}

wire! {
    /// Something that a person is to type.
    plain InputRequest {
        required {
            /// What to show.
            prompt: String,
        }
        optional {
            /// What is typed: `text`, `password`, or a type of JSON Schema.
            input_type: String,
        }
    }
}

wire! {
    /// The answer to a question.
    ///
    /// ```
    /// use forestage_protocol::{compat::net::Resume, interrupt::{ResumeEntry, ResumeStatus}};
    ///
    /// let resume = Resume::new("call_abc123");
    /// assert_eq!(ResumeEntry::from(resume), ResumeEntry::new("call_abc123", ResumeStatus::Resolved));
    /// ```
    plain Resume {
        required {
            /// The question.
            interrupt_id: InterruptId,
        }
        optional {
            /// The answer: `{approved}` for an approval, `{response}` for an input.
            payload: Json,
        }
    }
}

/// What a question is about.
#[derive(Clone, Debug, PartialEq)]
pub enum InterruptKind {
    /// Whether a function may be called.
    Approval(FunctionApproval),
    /// Something that a person is to type.
    Input(InputRequest),
    /// Whatever the application means by it.
    Other,
}

impl Interrupt {
    /// What the question is about.
    #[must_use]
    pub fn kind(&self) -> InterruptKind {
        let payload = self.payload.as_ref().and_then(|payload| payload.to_value().ok()).unwrap_or_default();
        let text = |name: &str| payload.get(name).and_then(Value::as_str);
        if let Some(name) = text("functionName") {
            let function_arguments = payload.get("functionArguments").map(Json::from);
            return InterruptKind::Approval(FunctionApproval {
                function_arguments,
                ..FunctionApproval::new(name)
            });
        }
        match text("prompt") {
            Some(prompt) => InterruptKind::Input(InputRequest {
                input_type: text("inputType").map(str::to_owned),
                ..InputRequest::new(prompt)
            }),
            None => InterruptKind::Other,
        }
    }

    /// The question that one of 1.0 was before it was upgraded; `None` if it was none.
    #[must_use]
    pub fn of(interrupt: &interrupt::Interrupt) -> Option<Self> {
        let kept = interrupt.metadata.as_ref()?.get(FACT)?.as_object()?;
        let payload = kept.get("payload").map(Json::from);
        Some(Self { payload, ..Self::new(interrupt.id.clone()) })
    }
}

impl From<Interrupt> for interrupt::Interrupt {
    /// The payload stays with the question as a fact, so nothing of it is lost.
    fn from(asked: Interrupt) -> Self {
        let (reason, message, schema) = match asked.kind() {
            InterruptKind::Approval(approval) => {
                let message = format!("May `{}` be called?", approval.function_name);
                ("tool_call", Some(message), Some(schema("approved", json!({ "type": "boolean" }))))
            }
            InterruptKind::Input(input) => {
                let schema = schema("response", input_schema(input.input_type.as_deref()));
                ("input_required", Some(input.prompt), Some(schema))
            }
            InterruptKind::Other => ("interrupt", None, None),
        };
        let mut upgraded = Self::new(asked.id, reason);
        upgraded.message = message;
        upgraded.response_schema = schema.map(Into::into);
        let payload = asked.payload.and_then(|payload| payload.to_value().ok());
        let kept = payload.map_or_else(|| json!({}), |payload| json!({ "payload": payload }));
        upgraded.metadata = Some(Map::from_iter([(FACT.to_owned(), kept)]).into());
        upgraded
    }
}

impl From<Resume> for ResumeEntry {
    fn from(resume: Resume) -> Self {
        Self { payload: resume.payload, ..Self::new(resume.interrupt_id, ResumeStatus::Resolved) }
    }
}

/// The one answer of an input in 1.0 as the contract has it. A no is `{approved: false}` where a yes would be
/// `{approved: true}`, and an answer without a payload otherwise.
#[must_use]
pub fn downgrade_resume(asked: &interrupt::Interrupt, entry: &ResumeEntry) -> Resume {
    let is_approval =
        Interrupt::of(asked).is_some_and(|asked| matches!(asked.kind(), InterruptKind::Approval(_)));
    let payload = match entry.status {
        ResumeStatus::Cancelled if is_approval => Some(json!({ "approved": false }).into()),
        ResumeStatus::Cancelled => None,
        _ => entry.payload.clone(),
    };
    Resume { payload, ..Resume::new(entry.interrupt_id.clone()) }
}

fn schema(name: &str, of: Value) -> Map<String, Value> {
    let schema = json!({ "type": "object", "properties": { name: of }, "required": [name] });
    schema.as_object().cloned().unwrap_or_default()
}

/// A password stays one, so that its answer is not kept.
fn input_schema(input_type: Option<&str>) -> Value {
    match input_type {
        Some("password") => json!({ "type": "string", "format": "password" }),
        Some(kind @ ("number" | "integer" | "boolean" | "object" | "array")) => json!({ "type": kind }),
        _ => json!({ "type": "string" }),
    }
}
