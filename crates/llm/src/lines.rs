//! Lines of a body that comes in pieces.

use bytes::{Buf, Bytes, BytesMut};
use forestage_runtime::AgentError;
use memchr::memchr;

/// The longest line that is taken.
const MAX_LINE: usize = 4 << 20;

/// A line of a body.
#[derive(Debug)]
pub(super) struct Cut {
    pub(super) bytes: Bytes,
    /// Whether its end was there. The last line may come without.
    pub(super) is_whole: bool,
}

/// The agent did not say all that it had to say.
pub(super) fn broke_off(why: &str) -> AgentError {
    AgentError::new("agent_unreachable", format!("the agent broke off: {why}"))
}

/// Cuts a body into lines. Empty ones are left out.
#[derive(Debug)]
pub(super) struct Lines {
    response: reqwest::Response,
    buffer: BytesMut,
    is_over: bool,
}

impl Lines {
    pub(super) fn new(response: reqwest::Response) -> Self {
        Self { response, buffer: BytesMut::new(), is_over: false }
    }

    /// The next line; nothing at the end. Nothing is lost if this is dropped while it waits.
    pub(super) async fn next(&mut self) -> Result<Option<Cut>, AgentError> {
        loop {
            if let Some(line) = self.cut() {
                if line.bytes.trim_ascii().is_empty() {
                    continue;
                }
                return Ok(Some(line));
            }
            if self.is_over {
                return Ok(None);
            }
            if self.buffer.len() > MAX_LINE {
                let text = format!("the agent sent a line of more than {MAX_LINE} bytes");
                return Err(AgentError::new("invalid_agent_event", text));
            }
            match self.response.chunk().await {
                Ok(Some(chunk)) => self.buffer.extend_from_slice(&chunk),
                Ok(None) => self.is_over = true,
                Err(error) => return Err(broke_off(&error.without_url().to_string())),
            }
        }
    }

    fn cut(&mut self) -> Option<Cut> {
        match memchr(b'\n', &self.buffer) {
            Some(at) => {
                let bytes = self.buffer.split_to(at).freeze();
                self.buffer.advance(1);
                Some(Cut { bytes, is_whole: true })
            }
            None if self.is_over && !self.buffer.is_empty() => {
                Some(Cut { bytes: self.buffer.split().freeze(), is_whole: false })
            }
            None => None,
        }
    }
}
