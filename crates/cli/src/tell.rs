//! Events told as a conversation, line by line and word by word: `chat --plain` and `replay` speak with it.
//!
//! It writes while things happen and never goes back, so it works in a pipe, in a log and on a teletype. Promise: what
//! was told is not told again, however often a snapshot restates it.

use std::{
    collections::HashMap,
    io::{self, Write},
};

use forestage_protocol::{
    event::{Event, RunStarted},
    id::{MessageId, ToolCallId},
    interrupt::RunOutcome,
    message::Message,
};
use serde_json::{Value, to_value};

use crate::output::{
    brief, draw_activity, excerpt, safe, safe_lines, safe_text,
    style::{BOLD, DIM, ERROR, GOOD, WARNING},
};

/// Whose words are told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Echo {
    /// The agent's; the person knows what they said.
    Agent,
    /// Everybody's.
    Everybody,
}

/// Tells events.
pub(crate) struct Teller<W: Write> {
    out: W,
    echo: Echo,
    /// The message whose text stands on the line that is being written.
    line: Option<MessageId>,
    calls: HashMap<ToolCallId, Call>,
    /// What was told of each message.
    told: HashMap<MessageId, String>,
    /// Activities as they stand.
    activities: HashMap<MessageId, Value>,
}

#[derive(Debug, Default)]
struct Call {
    name: String,
    arguments: String,
}

impl<W: Write> Teller<W> {
    /// A teller that has told nothing yet.
    pub(crate) fn new(out: W, echo: Echo) -> Self {
        Self {
            out,
            echo,
            line: None,
            calls: HashMap::new(),
            told: HashMap::new(),
            activities: HashMap::new(),
        }
    }

    /// What was told is seen now.
    pub(crate) fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }

    /// Tells an event, as far as there is something to tell about it.
    pub(crate) fn tell(&mut self, event: &Event) -> io::Result<()> {
        match event {
            Event::RunStarted(started) => self.started(started),
            Event::TextMessageContent(content) => {
                self.told.entry(content.message_id.clone()).or_default().push_str(&content.delta);
                self.text(&content.message_id, "", &content.delta)
            }
            Event::TextMessageEnd(_) | Event::ReasoningMessageEnd(_) => self.end_line(),
            Event::ReasoningMessageContent(content) => {
                self.text(&content.message_id, "thinking: ", &content.delta)
            }
            Event::StepStarted(step) => self.aside(&format!("step {}", safe(&step.step_name))),
            Event::ToolCallStart(start) => {
                let call = Call { name: start.tool_call_name.clone(), arguments: String::new() };
                self.calls.insert(start.tool_call_id.clone(), call);
                Ok(())
            }
            Event::ToolCallArgs(args) => {
                let call = self.calls.entry(args.tool_call_id.clone()).or_default();
                call.arguments.push_str(&args.delta);
                Ok(())
            }
            Event::ToolCallEnd(end) => self.called(&end.tool_call_id.clone()),
            Event::ToolCallResult(result) => {
                let text = excerpt(&result.content.text());
                let name = self.calls.get(&result.tool_call_id).map(|call| safe(&call.name));
                self.aside(&format!("{} gave {text}", name.as_deref().unwrap_or("a tool")))
            }
            Event::StateDelta(delta) => self.aside(&format!("state: {}", brief_of(&delta.delta))),
            Event::StateSnapshot(snapshot) => {
                self.aside(&format!("state: {}", excerpt(snapshot.snapshot.get())))
            }
            Event::ActivitySnapshot(activity) => {
                let content = to_value(&activity.content).unwrap_or_default();
                self.activity(&activity.message_id, &activity.activity_type, content)
            }
            Event::ActivityDelta(activity) => {
                let mut content = self.activities.get(&activity.message_id).cloned().unwrap_or_default();
                match activity.patch.apply(&mut content) {
                    Ok(()) => self.activity(&activity.message_id, &activity.activity_type, content),
                    // It changes what was never told, such as an activity from before the stream was joined.
                    Err(_) => self.aside(&format!(
                        "{}: {}",
                        safe(&activity.activity_type),
                        brief_of(&activity.patch)
                    )),
                }
            }
            Event::SubagentStarted(subagent) => self.aside(&format!("{} helps", safe(&subagent.name))),
            Event::MessagesSnapshot(snapshot) => snapshot.messages.iter().try_for_each(|it| self.message(it)),
            Event::RunFinished(finished) => self.finished(finished.outcome.as_ref()),
            Event::RunError(error) => {
                self.end_line()?;
                let code = error.code.as_deref().map(|code| format!("[{}]", safe(code))).unwrap_or_default();
                writeln!(self.out, "{ERROR}error{code}{ERROR:#}: {}", safe(&error.message))
            }
            _ => Ok(()),
        }
    }

    /// Tells a conversation from its beginning, with everybody's words, whatever was told before.
    pub(crate) fn history<'m>(&mut self, mut messages: impl Iterator<Item = &'m Message>) -> io::Result<()> {
        self.told.clear();
        let echo = std::mem::replace(&mut self.echo, Echo::Everybody);
        let told = messages.try_for_each(|message| self.message(message));
        self.echo = echo;
        told
    }

    /// Tells a whole message, as far as it was not told already.
    fn message(&mut self, message: &Message) -> io::Result<()> {
        match message {
            Message::User(user) if self.echo == Echo::Everybody => {
                self.once(&user.id, &user.content.text(), Self::said)
            }
            Message::Assistant(assistant) => {
                for call in assistant.tool_calls.iter().flatten() {
                    let (name, arguments) = (call.function.name.clone(), call.function.arguments.clone());
                    self.calls.insert(call.id.clone(), Call { name, arguments });
                }
                let text = assistant.content.as_deref().unwrap_or_default();
                self.once(&assistant.id, text, Self::lines)
            }
            _ => Ok(()),
        }
    }

    /// Tells what is new in a message: all of it, or what has come behind that which was told.
    fn once(
        &mut self,
        id: &MessageId,
        text: &str,
        tell: fn(&mut Self, &str) -> io::Result<()>,
    ) -> io::Result<()> {
        let before = self.told.insert(id.clone(), text.to_owned()).unwrap_or_default();
        match text.strip_prefix(before.as_str()) {
            Some("") => Ok(()),
            Some(rest) if self.line.as_ref() == Some(id) => write!(self.out, "{}", safe_text(rest)),
            Some(rest) => self.end_line().and_then(|()| tell(self, rest)),
            None => self.end_line().and_then(|()| tell(self, text)),
        }
    }

    /// Tells a question; the answer is somebody else's.
    pub(crate) fn question(&mut self, text: &str) -> io::Result<()> {
        self.end_line()?;
        writeln!(self.out, "{WARNING}?{WARNING:#} {BOLD}{}{BOLD:#}", safe(text))
    }

    /// Tells something beside the conversation, on a line of its own.
    pub(crate) fn aside(&mut self, text: &str) -> io::Result<()> {
        self.end_line()?;
        writeln!(self.out, "{DIM}· {text}{DIM:#}")
    }

    /// Tells an activity as it stands, unless it looks as it did.
    fn activity(&mut self, id: &MessageId, kind: &str, content: Value) -> io::Result<()> {
        let drawn = draw_activity(kind, &content);
        let before = self.activities.insert(id.clone(), content);
        if before.is_some_and(|before| draw_activity(kind, &before) == drawn) {
            return Ok(());
        }
        self.aside(&drawn.head)?;
        drawn.lines.iter().try_for_each(|line| writeln!(self.out, "{DIM}  {line}{DIM:#}"))
    }

    fn started(&mut self, started: &RunStarted) -> io::Result<()> {
        let messages = started.input.iter().flat_map(|input| &input.messages);
        let said: Vec<_> = messages.filter(|message| matches!(message, Message::User(_))).collect();
        said.into_iter().try_for_each(|message| self.message(message))
    }

    fn lines(&mut self, text: &str) -> io::Result<()> {
        safe_lines(text).try_for_each(|line| writeln!(self.out, "{line}"))
    }

    fn said(&mut self, text: &str) -> io::Result<()> {
        safe_lines(text).try_for_each(|line| writeln!(self.out, "{GOOD}>{GOOD:#} {line}"))
    }

    fn text(&mut self, id: &MessageId, lead: &str, delta: &str) -> io::Result<()> {
        if self.line.as_ref() != Some(id) {
            self.end_line()?;
            self.line = Some(id.clone());
            write!(self.out, "{DIM}{lead}{DIM:#}")?;
        }
        let delta = safe_text(delta);
        if lead.is_empty() { write!(self.out, "{delta}") } else { write!(self.out, "{DIM}{delta}{DIM:#}") }
    }

    fn end_line(&mut self) -> io::Result<()> {
        if self.line.take().is_some() { writeln!(self.out) } else { Ok(()) }
    }

    fn called(&mut self, id: &ToolCallId) -> io::Result<()> {
        let Some(call) = self.calls.get(id) else { return Ok(()) };
        let text = format!("calls {} {}", safe(&call.name), excerpt(&call.arguments));
        self.aside(&text)
    }

    fn finished(&mut self, outcome: Option<&RunOutcome>) -> io::Result<()> {
        self.end_line()?;
        match outcome {
            Some(RunOutcome::Cancelled(_)) => self.aside("cancelled"),
            Some(RunOutcome::Interrupt(questions)) if self.echo == Echo::Everybody => {
                let mut questions = questions.interrupts.as_slice().iter();
                questions.try_for_each(|it| self.question(it.message.as_deref().unwrap_or(&it.reason)))
            }
            _ => Ok(()),
        }
    }
}

fn brief_of(value: &impl serde::Serialize) -> String {
    to_value(value).map(|value| brief(&value)).unwrap_or_default()
}
