//! A run as a client of any line asks for it and sees it.

use forestage_protocol::{input::RunAgentInput, message::Message};
use forestage_runtime::Started;
use forestage_store::Seq;

use super::{asked::questions_before, history::settled, version::Protocol};
use crate::{app::App, auth::Visitor, error::ApiError, transport::form::Form};

/// How a run will be written, once it has begun.
#[derive(Debug)]
pub(crate) struct View {
    protocol: Protocol,
    /// What was said before it, and the place up to which that is.
    said: (Vec<Message>, Seq),
}

/// The input as the log can take it, and how its run will be written.
pub(crate) async fn prepared(
    app: &App,
    caller: &Visitor,
    agent: &str,
    protocol: Protocol,
    input: RunAgentInput,
) -> Result<(RunAgentInput, View), ApiError> {
    let Protocol::Older(line) = protocol else {
        return Ok((input, View { protocol, said: (Vec::new(), Seq::START) }));
    };
    let (input, said) = settled(app, caller, agent, line, input).await?;
    Ok((input, View { protocol, said }))
}

impl View {
    /// The form for a run that has begun. If another run came in between, what was said before is not known.
    pub(crate) async fn of(self, app: &App, started: &Started) -> Result<Form, ApiError> {
        let before = started.before.seq;
        let (said, tail) = self.said;
        let questions = questions_before(app, self.protocol, &started.thread_id, before).await?;
        Ok(Form::after(self.protocol, (tail == before).then_some(said), questions))
    }
}
