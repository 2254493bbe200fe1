//! Outcomes and interrupts: a name in one field, what belongs to it in others.

use serde_json::Value;

use super::{Fields, Message, Proto, ProtoError, put_text, required, take_text, value};
use crate::{
    interrupt::{
        CancelledOutcome, Interrupt, InterruptOutcome, OneOrMore, RunOutcome, SubagentOutcome,
        SubagentSuccess, SubagentSuspended, SuccessOutcome,
    },
    json::Object,
};

const INTERRUPTS: u32 = 6;
const PENDING_TOOL_CALL_IDS: u32 = 8;
const INTERRUPT_IDS: u32 = 5;

impl Proto for RunOutcome {
    fn put(&self, number: u32, out: &mut Vec<u8>) {
        match self {
            Self::Success(outcome) => {
                put_text("success", number, out);
                if let Some(ids) = &outcome.pending_tool_call_ids {
                    ids.put(PENDING_TOOL_CALL_IDS, out);
                }
            }
            Self::Interrupt(outcome) => {
                put_text("interrupt", number, out);
                for interrupt in outcome.interrupts.as_slice() {
                    interrupt.put(INTERRUPTS, out);
                }
            }
            Self::Cancelled(_) => put_text("cancelled", number, out),
        }
    }

    fn take(fields: &mut Fields<'_>, number: u32) -> Result<Option<Self>, ProtoError> {
        let pending_tool_call_ids = Proto::take(fields, PENDING_TOOL_CALL_IDS)?;
        let interrupts: Option<Vec<Interrupt>> = Proto::take(fields, INTERRUPTS)?;
        match take_text(fields, number)?.unwrap_or_default() {
            "" => Ok(None),
            "success" => Ok(Some(SuccessOutcome { pending_tool_call_ids }.into())),
            "cancelled" => Ok(Some(CancelledOutcome::new().into())),
            "interrupt" => {
                let interrupts = interrupts.and_then(OneOrMore::new);
                let interrupts = interrupts.ok_or(ProtoError::Missing("interrupts"))?;
                Ok(Some(InterruptOutcome { interrupts }.into()))
            }
            other => {
                fields.notes().add(format!("dropped the unknown outcome `{other}`"));
                Ok(None)
            }
        }
    }
}

impl Proto for SubagentOutcome {
    fn put(&self, number: u32, out: &mut Vec<u8>) {
        match self {
            Self::Success(_) => put_text("success", number, out),
            Self::Suspended(outcome) => {
                put_text("suspended", number, out);
                if let Some(ids) = &outcome.interrupt_ids {
                    ids.put(INTERRUPT_IDS, out);
                }
            }
        }
    }

    fn take(fields: &mut Fields<'_>, number: u32) -> Result<Option<Self>, ProtoError> {
        let interrupt_ids = Proto::take(fields, INTERRUPT_IDS)?;
        match take_text(fields, number)?.unwrap_or_default() {
            "" => Ok(None),
            "success" => Ok(Some(SubagentSuccess::new().into())),
            "suspended" => Ok(Some(SubagentSuspended { interrupt_ids }.into())),
            other => {
                fields.notes().add(format!("dropped the unknown outcome `{other}`"));
                Ok(None)
            }
        }
    }
}

impl Message for Interrupt {
    fn write(&self, out: &mut Vec<u8>) {
        self.id.put(1, out);
        self.reason.put(2, out);
        put_some(self.message.as_ref(), 3, out);
        put_some(self.tool_call_id.as_ref(), 4, out);
        put_object(self.response_schema.as_ref(), 5, out);
        put_some(self.expires_at.as_ref(), 6, out);
        put_object(self.metadata.as_ref(), 7, out);
        put_some(self.subagent_run_id.as_ref(), 8, out);
    }

    fn read(fields: &mut Fields<'_>) -> Result<Self, ProtoError> {
        Ok(Self {
            id: required(fields, 1, "id")?,
            reason: required(fields, 2, "reason")?,
            message: Proto::take(fields, 3)?,
            tool_call_id: Proto::take(fields, 4)?,
            response_schema: take_object(fields, 5, "responseSchema")?,
            expires_at: Proto::take(fields, 6)?,
            metadata: take_object(fields, 7, "metadata")?,
            subagent_run_id: Proto::take(fields, 8)?,
        })
    }
}

fn put_some<T: Proto>(value: Option<&T>, number: u32, out: &mut Vec<u8>) {
    if let Some(value) = value {
        value.put(number, out);
    }
}

/// Interrupts carry their objects as values, where everything else carries objects as structs.
fn put_object(object: Option<&Object>, number: u32, out: &mut Vec<u8>) {
    if let Some(object) = object {
        value::put_value(&Value::Object((**object).clone()), number, out);
    }
}

fn take_object(
    fields: &mut Fields<'_>,
    number: u32,
    name: &'static str,
) -> Result<Option<Object>, ProtoError> {
    match value::take_value(fields, number, 0)? {
        None => Ok(None),
        Some(Value::Object(map)) => Ok(Some(map.into())),
        Some(_) => Err(ProtoError::Invalid(format!("`{name}` is not an object"))),
    }
}
