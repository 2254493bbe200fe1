//! Ollama, in its own words: `POST /api/chat`, answered with one JSON object a line.
//!
//! The crate that talks to the other providers keeps one of several results, names no tool with it, sends no thoughts back
//! and overlooks failures in the middle of a stream, so this one is spoken to directly.

mod read;
mod request;

use futures_util::{StreamExt, stream};
use reqwest::{Client, Response};
use tokio::time::timeout;

use self::read::Reader;
use super::{ModelError, Piece, Prompt, Target, explain, provider::Source};
use crate::lines::{LineError, Lines};

/// The name under which thoughts go back to it.
const SEAL: &str = "ollama";

/// Asks, and returns when the answer begins.
pub(super) async fn ask(http: &Client, target: &Target, prompt: &Prompt) -> Result<Source, ModelError> {
    let mut request =
        http.post(format!("{}api/chat", target.base())).json(&request::body(prompt, &target.model));
    // One behind a door of somebody's own may want a key.
    if let Some(key) = &target.key {
        request = request.bearer_auth(key.expose());
    }
    let sent = timeout(target.timeout, request.send()).await;
    let sent = sent.map_err(|_| explain::silent(&target.provider))?;
    let response = sent.map_err(|error| explain::lost(&error, &target.provider))?;
    if !response.status().is_success() {
        return Err(refusal(target, response).await);
    }
    let start = (Lines::new(response), Reader::default(), target.clone());
    let next = |(mut lines, mut reader, target)| async move {
        let pieces = next(&mut lines, &mut reader, &target).await.transpose()?;
        Some((pieces, (lines, reader, target)))
    };
    Ok(stream::unfold(start, next).boxed())
}

/// The pieces of the next line; nothing at the end.
async fn next(
    lines: &mut Lines,
    reader: &mut Reader,
    target: &Target,
) -> Result<Option<Vec<Piece>>, ModelError> {
    let provider = &target.provider;
    let line = timeout(target.timeout, lines.next()).await.map_err(|_| explain::silent(provider))?;
    let line = line.map_err(|error| match error {
        LineError::BrokeOff(_) => explain::broke_off(provider),
        LineError::TooLong => explain::senseless(provider),
    })?;
    let Some(line) = line else { return Ok(None) };
    match reader.read(&line.bytes) {
        Ok(pieces) => Ok(Some(pieces)),
        Err(read::Fault::Told(told)) => {
            explain::log(target, &told);
            Err(explain::failed(provider))
        }
        // A line that was cut off is the connection's fault.
        Err(read::Fault::NoJson) if !line.is_whole => Err(explain::broke_off(provider)),
        Err(read::Fault::NoJson) => Err(explain::senseless(provider)),
    }
}

async fn refusal(target: &Target, response: Response) -> ModelError {
    let status = response.status().as_u16();
    let retry_after = explain::retry_after(response.headers());
    let body = timeout(target.timeout, response.text()).await.ok().and_then(Result::ok).unwrap_or_default();
    explain::log(target, &format!("{status} {body}"));
    ModelError { retry_after, ..explain::refused(status, &body, &target.provider) }
}
