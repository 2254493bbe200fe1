//! A run as a client of any line asks for it and sees it.

use forestage_protocol::{input::RunAgentInput, message::Message};
use forestage_runtime::Started;
use forestage_store::{Seq, Thread};

use super::{
    encode::Encoder,
    history::settled,
    version::{Line, Protocol},
};
use crate::{app::App, auth::Visitor, error::ApiError, transport::form::Form};

/// How a run will be written, once it has begun.
#[derive(Debug)]
pub(crate) struct View {
    protocol: Protocol,
    /// The activities of the conversation, and the place up to which they are known.
    known: Option<(Vec<Message>, Seq)>,
}

/// The input as the log can take it, and how its run will be written.
pub(crate) async fn prepared(
    app: &App,
    caller: &Visitor,
    agent: &str,
    protocol: Protocol,
    input: RunAgentInput,
) -> Result<(RunAgentInput, View), ApiError> {
    let Protocol::Older(line) = protocol else { return Ok((input, View { protocol, known: None })) };
    let (input, thread) = settled(app, caller, agent, line, input).await?;
    let known = match thread {
        Some(thread) => known(app, line, &thread).await?,
        None => None,
    };
    Ok((input, View { protocol, known }))
}

async fn known(app: &App, line: Line, thread: &Thread) -> Result<Option<(Vec<Message>, Seq)>, ApiError> {
    if !line.has_activities() || thread.runs == 0 {
        return Ok(None);
    }
    Ok(Some((app.stage.activities(thread).await?, thread.tail)))
}

impl View {
    /// The form for a run that has begun. If another run came in between, what is known of the activities is old, and
    /// changes of them are sent as changes.
    pub(crate) fn of(self, started: &Started) -> Form {
        let Protocol::Older(line) = self.protocol else { return Form::Current };
        let encoder = Encoder::new(line);
        let known = self.known.filter(|(_, tail)| *tail == started.before.seq);
        Form::Older(Box::new(match known {
            Some((activities, _)) => encoder.after(&activities),
            None => encoder,
        }))
    }
}
