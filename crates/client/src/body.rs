//! The body of an answer, as frames.
//!
//! Promise: what is not a stream of events is refused before a byte of it is read as one, and silence longer
//! than allowed is an error.

use std::time::Duration;

use forestage_protocol::codec::{Frame, FrameError, Framer, length::LengthDecoder, sse::SseDecoder};
use reqwest::{RequestBuilder, Response, header::CONTENT_TYPE};
use tokio::time::Instant;

use crate::{
    error::ClientError,
    http::{Http, PROTOBUF, SSE, beginning, within},
};

/// How the events of a body are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Coding {
    Json,
    Protobuf,
}

/// An open stream of events.
#[derive(Debug)]
pub(crate) struct Body {
    response: Response,
    framer: AnyFramer,
    opened: Instant,
    has_spoken: bool,
}

#[derive(Debug)]
enum AnyFramer {
    Sse(SseDecoder),
    Length(LengthDecoder),
}

impl Body {
    /// Sends a request and takes the answer if it is a stream of events.
    pub(crate) async fn open(http: &Http, request: RequestBuilder) -> Result<Self, ClientError> {
        let response = http.send(request).await?;
        let Some(framer) = AnyFramer::of(&response, http.settings().max_frame) else {
            return Err(not_a_stream(http, response).await);
        };
        Ok(Self { response, framer, opened: Instant::now(), has_spoken: false })
    }

    pub(crate) fn coding(&self) -> Coding {
        match self.framer {
            AnyFramer::Sse(_) => Coding::Json,
            AnyFramer::Length(_) => Coding::Protobuf,
        }
    }

    /// The next whole frame; nothing where the body ends in order.
    pub(crate) async fn frame(&mut self, patience: Duration) -> Result<Option<Frame>, ClientError> {
        loop {
            if let Some(frame) = self.framer.get().next()? {
                return Ok(Some(frame));
            }
            let Some(bytes) = within(patience, self.response.chunk()).await?? else {
                return Ok(None);
            };
            self.has_spoken = true;
            self.framer.get().push(&bytes);
        }
    }

    /// What stands behind the last whole frame, once the body has ended: a frame without its blank line.
    pub(crate) fn tail(&mut self) -> Result<Option<Frame>, FrameError> {
        self.framer.get().finish()
    }

    /// Whether the server kept this connection alive for at least this long.
    pub(crate) fn has_lasted(&self, time: Duration) -> bool {
        self.has_spoken && self.opened.elapsed() >= time
    }
}

impl AnyFramer {
    fn of(response: &Response, limit: usize) -> Option<Self> {
        let essence = content_type(response)?.split(';').next()?.trim().to_ascii_lowercase();
        match essence.as_str() {
            SSE => Some(Self::Sse(SseDecoder::with_limit(limit))),
            PROTOBUF => Some(Self::Length(LengthDecoder::with_limit(limit))),
            _ => None,
        }
    }

    fn get(&mut self) -> &mut dyn Framer {
        match self {
            Self::Sse(framer) => framer,
            Self::Length(framer) => framer,
        }
    }
}

async fn not_a_stream(http: &Http, mut response: Response) -> ClientError {
    let content_type = content_type(&response).map(str::to_owned);
    let bytes = http.read(&mut response, 1).await.unwrap_or_default();
    ClientError::NotAStream { content_type, beginning: beginning(&bytes) }
}

fn content_type(response: &Response) -> Option<&str> {
    response.headers().get(CONTENT_TYPE)?.to_str().ok()
}
