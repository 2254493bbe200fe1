//! A call of a model: shown while its arguments come in.

use forestage_protocol::id::MessageId;
use forestage_runtime::{RunContext, ShownCall, Stop, ToolCall, tool::ToolError};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{
    answer::call_id,
    offer::{Offer, Road},
};

/// A call that is complete.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Called {
    /// The call as clients know it, or as the model does where it was not shown.
    pub(super) id: String,
    /// The tool.
    pub(super) name: String,
    pub(super) road: Road,
    /// The arguments, where they are an object.
    #[serde(default)]
    arguments: Option<Value>,
    /// Why nothing can come of it, or what came of it already.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) outcome: Option<String>,
    /// Whether people see it.
    #[serde(default)]
    shown: bool,
}

/// Calls whose arguments come in. Those of one turn stand in one message, as the model made them, so that it is told of
/// them in the same way in later runs.
#[derive(Default)]
pub(super) struct Hearing {
    open: Vec<Open>,
    carrier: Option<MessageId>,
}

struct Open {
    /// The call in the model's words.
    theirs: String,
    name: String,
    road: Road,
    guard: Option<ToolCall>,
    text: String,
}

impl Hearing {
    /// A call begins. One of a tool that nobody knows is not shown.
    pub(super) fn start(
        &mut self,
        ctx: &RunContext,
        offer: &Offer,
        id: String,
        wire: &str,
    ) -> Result<(), Stop> {
        let (name, road) = offer.find(wire).unwrap_or_else(|| (wire.to_owned(), Road::Unknown));
        let guard = match road {
            Road::Unknown => None,
            _ => {
                let carrier = self.carrier.get_or_insert_with(|| ctx.new_id("m").into());
                Some(ctx.tool_call_in(carrier, &name)?)
            }
        };
        self.open.push(Open { theirs: id, name, road, guard, text: String::new() });
        Ok(())
    }

    pub(super) async fn push(&mut self, id: &str, delta: &str) -> Result<(), Stop> {
        let Some(open) = self.open.iter_mut().find(|open| open.theirs == id) else { return Ok(()) };
        open.text.push_str(delta);
        match &open.guard {
            Some(guard) => guard.push(delta).await,
            None => Ok(()),
        }
    }

    pub(super) fn end(&mut self, ctx: &RunContext, id: &str) -> Result<Option<Called>, Stop> {
        let Some(at) = self.open.iter().position(|open| open.theirs == id) else { return Ok(None) };
        self.open.remove(at).end(ctx).map(Some)
    }
}

impl Open {
    fn end(self, ctx: &RunContext) -> Result<Called, Stop> {
        let Self { theirs, name, road, guard, text } = self;
        let (arguments, fault) = match read(&text, &name) {
            Ok(arguments) => (Some(arguments), None),
            Err(fault) => (None, Some(fault)),
        };
        let mut called = Called { id: theirs, name, road, arguments, outcome: None, shown: false };
        if road == Road::Unknown {
            let text = format!("there is no tool `{}`", called.name);
            called.outcome = Some(error_text(&ToolError::new("unknown_tool", text)));
        }
        let Some(guard) = guard else { return Ok(called) };
        match guard.finish()? {
            Ok(id) => (called.id, called.shown) = (id.to_string(), true),
            // A component that cannot be shown: the model is told, and nobody else.
            Err(error) => called.outcome = Some(error_text(&error)),
        }
        if road == Road::Draw {
            called.outcome = ctx.take_drawn().map(|drawn| match drawn {
                Ok(content) => content.to_string(),
                Err(error) => error_text(&error),
            });
        } else if called.outcome.is_none() {
            called.outcome = fault.map(|fault| error_text(&fault));
        }
        Ok(called)
    }
}

impl Called {
    /// Whether people see it.
    pub(super) fn is_shown(&self) -> bool {
        self.shown
    }

    /// The arguments; an empty object where there are none.
    pub(super) fn arguments_or_empty(&self) -> Value {
        self.arguments.clone().unwrap_or_else(|| json!({}))
    }

    pub(super) fn as_shown(&self) -> ShownCall {
        ShownCall { id: call_id(&self.id), name: self.name.clone(), arguments: self.arguments_or_empty() }
    }

    /// Shows it again in this message, unless the conversation has it.
    pub(super) async fn show_again(&mut self, ctx: &RunContext, carrier: &MessageId) -> Result<(), Stop> {
        let mut calls = ctx.messages().iter().flat_map(|message| message.tool_calls());
        if !self.shown || calls.any(|call| call.id.as_str() == self.id) {
            return Ok(());
        }
        let call = ctx.tool_call_in(carrier, &self.name)?;
        call.push(self.arguments_or_empty().to_string()).await?;
        self.id = call.end().to_string();
        Ok(())
    }
}

/// A tool without arguments may be called with none.
fn read(text: &str, name: &str) -> Result<Value, ToolError> {
    let fault = |why: String| {
        ToolError::new("invalid_arguments", format!("the arguments of `{name}` {why}")).at("arguments")
    };
    if text.trim().is_empty() {
        return Ok(json!({}));
    }
    match serde_json::from_str(text) {
        Ok(arguments @ Value::Object(_)) => Ok(arguments),
        Ok(_) => Err(fault("are not an object".to_owned())),
        Err(error) => Err(fault(format!("are no JSON: {error}"))),
    }
}

/// What a model is told of a failure.
pub(crate) fn error_text(error: &ToolError) -> String {
    json!({ "error": { "code": error.code, "message": error.message, "path": error.path } }).to_string()
}
