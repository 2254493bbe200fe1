//! What went wrong at a provider, in words that anybody may read.

use std::time::Duration;

use genai::webc::StreamTimeout;

use super::{ModelError, ModelErrorKind, Target};

/// So much of what a provider says when it refuses is logged.
const MAX_REFUSAL: usize = 300;

/// What a provider said goes to the log, without secrets.
pub(super) fn log(target: &Target, told: &str) {
    let told = target.key.as_ref().map_or_else(|| told.to_owned(), |key| key.scrub(told));
    let told: String = told.chars().take(MAX_REFUSAL).collect();
    tracing::warn!(model = %target.model, provider = %target.provider, %told, "a model failed");
}

pub(super) fn explained(error: &genai::Error, provider: &str) -> ModelError {
    use genai::Error;
    match error {
        Error::HttpError { status, body, headers, .. } => {
            let mut explained = refused(status.as_u16(), body, provider);
            explained.retry_after = retry_after(headers).or(explained.retry_after);
            explained
        }
        Error::WebStream { error, .. } => inner(error.as_ref(), provider),
        Error::ChatResponse { body, .. } => told_in_stream(body, provider),
        Error::StreamParse { serde_error, .. }
            if serde_error.classify() == serde_json::error::Category::Data =>
        {
            failed(provider)
        }
        _ => senseless(provider),
    }
}

/// The provider has a problem of its own, in the middle of an answer.
pub(super) fn failed(provider: &str) -> ModelError {
    ModelError::new(ModelErrorKind::Unavailable, format!("{provider} failed while it answered"))
}

pub(super) fn broke_off(provider: &str) -> ModelError {
    let text = format!("the answer of {provider} broke off before its end");
    ModelError::new(ModelErrorKind::BrokeOff, text)
}

pub(super) fn silent(provider: &str) -> ModelError {
    ModelError::new(ModelErrorKind::Timeout, format!("{provider} was silent for too long"))
}

pub(super) fn senseless(provider: &str) -> ModelError {
    ModelError::new(ModelErrorKind::Protocol, format!("{provider} answered something that makes no sense"))
}

fn inner(error: &(dyn std::error::Error + Send + Sync + 'static), provider: &str) -> ModelError {
    if let Some(error) = error.downcast_ref::<genai::Error>() {
        return explained(error, provider);
    }
    if error.downcast_ref::<StreamTimeout>().is_some() {
        return silent(provider);
    }
    match error.downcast_ref::<reqwest::Error>() {
        Some(error) => lost(error, provider),
        None => senseless(provider),
    }
}

/// What happened to a request or to what came of it.
pub(super) fn lost(error: &reqwest::Error, provider: &str) -> ModelError {
    if error.is_timeout() {
        return silent(provider);
    }
    if error.is_connect() || error.is_request() {
        return ModelError::new(ModelErrorKind::Unreachable, format!("{provider} cannot be reached"));
    }
    broke_off(provider)
}

/// Why a request was refused. Providers agree on numbers, and disagree on what a conversation is that is too long.
pub(super) fn refused(status: u16, body: &str, provider: &str) -> ModelError {
    let body = body.to_lowercase();
    let says = |signs: &[&str]| signs.iter().any(|sign| body.contains(sign));
    let is_too_long =
        says(&["context_length", "too long", "maximum context", "context window", "input token count"]);
    let (kind, text) = match status {
        401 | 403 => (ModelErrorKind::Auth, format!("{provider} does not take the key")),
        // Google says so of a key.
        400 if says(&["api_key_invalid", "api key not valid"]) => {
            (ModelErrorKind::Auth, format!("{provider} does not take the key"))
        }
        404 => (ModelErrorKind::NotFound, format!("{provider} has no such model")),
        400 | 413 | 422 if is_too_long => {
            (ModelErrorKind::TooLong, format!("the conversation is too long for the model of {provider}"))
        }
        408 => return silent(provider),
        429 => (ModelErrorKind::RateLimited, format!("{provider} has had too many requests")),
        500.. => (ModelErrorKind::Unavailable, format!("{provider} answered {status}")),
        _ => (ModelErrorKind::Request, format!("{provider} answered {status}")),
    };
    ModelError { retry_after: retry_delay(&body), ..ModelError::new(kind, text) }
}

/// An error in the middle of a stream: it has a type and no number, or at Google a number.
fn told_in_stream(body: &serde_json::Value, provider: &str) -> ModelError {
    let error = body.get("error").unwrap_or(body);
    if let Some(status) = error["code"].as_u64().and_then(|code| u16::try_from(code).ok()) {
        return refused(status, &error.to_string(), provider);
    }
    let word = |name: &str| error[name].as_str().unwrap_or_default().to_lowercase();
    let (kind, code) = (word("type"), word("code"));
    let is = |sign: &str| kind.contains(sign) || code.contains(sign);
    if is("rate_limit") {
        return refused(429, "", provider);
    }
    if is("authentication") || is("permission") {
        return refused(401, "", provider);
    }
    if is("context_length") {
        return refused(400, "context_length", provider);
    }
    failed(provider)
}

/// How long Google wants us to wait: it says so in the body.
fn retry_delay(body: &str) -> Option<Duration> {
    let (_, after) = body.split_once("\"retrydelay\"")?;
    let seconds = after.trim_start_matches([':', ' ', '"']).split('s').next()?;
    Duration::try_from_secs_f64(seconds.parse().ok()?).ok()
}

/// How long the provider wants us to wait: in seconds, or more exactly in milliseconds.
pub(super) fn retry_after(headers: &reqwest::header::HeaderMap) -> Option<Duration> {
    let number = |name: &str| headers.get(name)?.to_str().ok()?.trim().parse::<f64>().ok();
    let milliseconds = number("retry-after-ms").map(|milliseconds| milliseconds / 1000.0);
    milliseconds
        .or_else(|| number("retry-after"))
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
}
