//! Ids from outside. They are the client's to choose, but each has to name something that can be shown, logged and stored.

use forestage_protocol::{event::Event, input::RunAgentInput, interrupt::RunOutcome, message::Message};

use crate::error::Refusal;

/// The longest id that is taken.
const MAX_BYTES: usize = 512;

/// Refuses what cannot be an id: nothing or blanks, more than 512 bytes, control characters. The code is `invalid_id`
/// everywhere.
pub fn check_id(id: &str, path: &str) -> Result<(), Refusal> {
    let wrong = match id {
        _ if id.trim().is_empty() => "an id is not blank".to_owned(),
        _ if id.len() > MAX_BYTES => {
            format!("an id has at most {MAX_BYTES} bytes, this one has {}", id.len())
        }
        _ if id.chars().any(char::is_control) => "an id has no control characters".to_owned(),
        _ => return Ok(()),
    };
    Err(Refusal::invalid("invalid_id", wrong).at(path).hint("use letters, digits and signs, such as a UUID"))
}

/// The ids in the input of a run.
pub(crate) fn check_input(input: &RunAgentInput) -> Result<(), Refusal> {
    check_id(&input.thread_id, "threadId")?;
    check_id(&input.run_id, "runId")?;
    input.parent_run_id.iter().try_for_each(|id| check_id(id, "parentRunId"))?;
    check_messages(&input.messages, "")?;
    for (at, entry) in input.resume.iter().flatten().enumerate() {
        check_id(&entry.interrupt_id, &format!("resume[{at}].interruptId"))?;
    }
    Ok(())
}

fn check_messages(messages: &[Message], root: &str) -> Result<(), Refusal> {
    for (at, message) in messages.iter().enumerate() {
        let check = |id: &str, member: &str| {
            // The path is only written where something is wrong.
            check_id(id, "").map_err(|refusal| refusal.at(format!("{root}messages[{at}]{member}")))
        };
        check(message.id(), ".id")?;
        for (call_at, call) in message.tool_calls().iter().enumerate() {
            check(&call.id, &format!(".toolCalls[{call_at}].id"))?;
        }
        if let Message::Tool(answer) = message {
            check(&answer.tool_call_id, ".toolCallId")?;
        }
    }
    Ok(())
}

/// The ids that an event of a recording brings in. Others name something that was brought in before.
pub(crate) fn check_event(event: &Event, index: usize) -> Result<(), Refusal> {
    let root = format!("[{index}].");
    let check =
        |id: &str, member: &str| check_id(id, "").map_err(|wrong| wrong.at(format!("{root}{member}")));
    match event {
        Event::RunStarted(event) => {
            check(&event.run_id, "runId")?;
            event.parent_run_id.iter().try_for_each(|id| check(id, "parentRunId"))?;
            let input = event.input.iter();
            input.into_iter().try_for_each(|input| check_messages(&input.messages, &format!("{root}input.")))
        }
        Event::TextMessageStart(event) => check(&event.message_id, "messageId"),
        Event::ReasoningStart(event) => check(&event.message_id, "messageId"),
        Event::ReasoningMessageStart(event) => check(&event.message_id, "messageId"),
        Event::ActivitySnapshot(event) => check(&event.message_id, "messageId"),
        Event::ToolCallStart(event) => {
            event.parent_message_id.iter().try_for_each(|id| check(id, "parentMessageId"))?;
            check(&event.tool_call_id, "toolCallId")
        }
        Event::ToolCallResult(event) => {
            check(&event.message_id, "messageId")?;
            check(&event.tool_call_id, "toolCallId")
        }
        Event::MessagesSnapshot(event) => check_messages(&event.messages, &root),
        Event::SubagentStarted(event) => check(&event.subagent_run_id, "subagentRunId"),
        Event::RunFinished(event) => match &event.outcome {
            Some(RunOutcome::Interrupt(outcome)) => outcome
                .interrupts
                .as_slice()
                .iter()
                .enumerate()
                .try_for_each(|(at, asked)| check(&asked.id, &format!("outcome.interrupts[{at}].id"))),
            _ => Ok(()),
        },
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_names_something_that_can_be_shown() {
        for id in ["a", "0", "é", " a b ", "日本", "x/y?z", &"x".repeat(MAX_BYTES)] {
            assert!(check_id(id, "id").is_ok(), "{id:?}");
        }
        for id in
            ["", " ", "\n", "\u{a0}\t", "a\nb", "a\u{0}", "\u{1b}[2J", "\u{85}x", &"x".repeat(MAX_BYTES + 1)]
        {
            let refusal = check_id(id, "id").expect_err(id);
            assert_eq!((refusal.code, refusal.path.as_deref()), ("invalid_id", Some("id")), "{id:?}");
        }
    }
}
