//! Models at providers, over the network.

use std::{collections::VecDeque, time::Duration};

use forestage_runtime::BoxFuture;
use futures_util::{StreamExt, stream};
use genai::{
    ModelIden, ServiceTarget,
    chat::ChatStream,
    resolver::{AuthData, Endpoint},
    webc::StreamTimeout,
};
use reqwest::{Client, redirect};

use super::{Model, ModelError, ModelErrorKind, Piece, Pieces, Prompt, Target, read::Reader, wire};

/// How long a provider may take to answer the phone.
const CONNECT: Duration = Duration::from_secs(10);

/// So much of what a provider says when it refuses is logged.
const MAX_REFUSAL: usize = 300;

/// A model at a provider.
#[derive(Clone, Debug)]
pub struct Provider {
    target: Target,
    client: genai::Client,
}

impl Provider {
    /// The model at this place.
    pub fn new(target: Target) -> Result<Self, ModelError> {
        // A key goes where it was meant to go, and nowhere else.
        let http = Client::builder().connect_timeout(CONNECT).redirect(redirect::Policy::none()).build();
        let http = http.map_err(|error| ModelError::new(ModelErrorKind::Unreachable, error.to_string()))?;
        let client = genai::Client::builder().with_reqwest(http).build();
        let client =
            client.map_err(|error| ModelError::new(ModelErrorKind::Unreachable, error.to_string()))?;
        Ok(Self { target, client })
    }

    fn service(&self) -> ServiceTarget {
        let key = self.target.key.as_ref().map_or("", |key| key.expose());
        ServiceTarget {
            endpoint: Endpoint::from_owned(self.target.base()),
            auth: AuthData::from_single(key),
            model: ModelIden::new(self.target.kind.adapter(), self.target.model.as_str()),
        }
    }

    /// Asks until there is a first piece, or until it is not worth it any more.
    async fn answer(&self, prompt: &Prompt) -> Result<Pieces, ModelError> {
        let mut attempt = 0;
        loop {
            let error = match self.attempt(prompt).await {
                Ok(answer) => return Ok(answer.into_pieces()),
                Err(error) => error,
            };
            let Some(wait) = self.target.patience.wait(attempt, &error) else { return Err(error) };
            attempt += 1;
            tracing::info!(model = %self.target.model, code = error.kind.code(), attempt, "a model is asked again");
            tokio::time::sleep(wait).await;
        }
    }

    /// Asks once, and waits for the first piece.
    async fn attempt(&self, prompt: &Prompt) -> Result<Answer, ModelError> {
        let request = wire::request(prompt, self.target.kind);
        let options = wire::options(prompt, &self.target);
        let asked = self.client.exec_chat_stream(self.service(), request, Some(&options)).await;
        let stream = asked.map_err(|error| self.explain(&error))?.stream;
        let reader = Reader::new(self.target.kind);
        let mut answer = Answer { stream, reader, ready: VecDeque::new(), provider: self.clone() };
        answer.fill().await?;
        Ok(answer)
    }

    /// A failure in words that anybody may read. What the provider said goes to the log, without secrets.
    fn explain(&self, error: &genai::Error) -> ModelError {
        let told: String = self.scrub(&error.to_string()).chars().take(MAX_REFUSAL).collect();
        tracing::warn!(model = %self.target.model, provider = %self.target.provider, %told, "a model failed");
        explained(error, &self.target.provider)
    }

    fn scrub(&self, text: &str) -> String {
        self.target.key.as_ref().map_or_else(|| text.to_owned(), |key| key.scrub(text))
    }
}

impl Model for Provider {
    fn name(&self) -> (&str, &str) {
        (&self.target.provider, &self.target.model)
    }

    fn ask<'a>(&'a self, prompt: &'a Prompt) -> BoxFuture<'a, Result<Pieces, ModelError>> {
        Box::pin(self.answer(prompt))
    }
}

/// An answer that comes in.
struct Answer {
    stream: ChatStream,
    reader: Reader,
    ready: VecDeque<Piece>,
    provider: Provider,
}

impl Answer {
    /// Waits for the next pieces.
    async fn fill(&mut self) -> Result<(), ModelError> {
        while self.ready.is_empty() {
            match self.stream.next().await {
                Some(Ok(event)) => self.ready.extend(self.reader.read(event)),
                Some(Err(error)) => return Err(self.provider.explain(&error)),
                None if self.reader.is_over => return Ok(()),
                None => {
                    let provider = &self.provider.target.provider;
                    let text = format!("the answer of {provider} broke off before its end");
                    return Err(ModelError::new(ModelErrorKind::BrokeOff, text));
                }
            }
        }
        Ok(())
    }

    fn into_pieces(self) -> Pieces {
        let next = |answer: Option<Self>| async move {
            let mut answer = answer?;
            if answer.ready.is_empty() && answer.reader.is_over {
                return None;
            }
            if let Err(error) = answer.fill().await {
                return Some((Err(error), None));
            }
            answer.ready.pop_front().map(|piece| (Ok(piece), Some(answer)))
        };
        stream::unfold(Some(self), next).boxed()
    }
}

fn explained(error: &genai::Error, provider: &str) -> ModelError {
    use genai::Error;
    match error {
        Error::HttpError { status, body, headers, .. } => {
            let mut explained = refused(status.as_u16(), body, provider);
            explained.retry_after = retry_after(headers);
            explained
        }
        Error::WebStream { error, .. } => inner(error.as_ref(), provider),
        Error::ChatResponse { body, .. } => told_in_stream(body, provider),
        Error::StreamParse { serde_error, .. }
            if serde_error.classify() == serde_json::error::Category::Data =>
        {
            ModelError::new(ModelErrorKind::Unavailable, format!("{provider} failed while it answered"))
        }
        _ => ModelError::new(
            ModelErrorKind::Protocol,
            format!("{provider} answered something that makes no sense"),
        ),
    }
}

fn inner(error: &(dyn std::error::Error + Send + Sync + 'static), provider: &str) -> ModelError {
    if let Some(error) = error.downcast_ref::<genai::Error>() {
        return explained(error, provider);
    }
    if error.downcast_ref::<StreamTimeout>().is_some() {
        return ModelError::new(ModelErrorKind::Timeout, format!("{provider} was silent for too long"));
    }
    match error.downcast_ref::<reqwest::Error>() {
        Some(error) if error.is_timeout() => {
            ModelError::new(ModelErrorKind::Timeout, format!("{provider} was silent for too long"))
        }
        Some(error) if error.is_connect() || error.is_request() => {
            ModelError::new(ModelErrorKind::Unreachable, format!("{provider} cannot be reached"))
        }
        Some(_) => {
            let text = format!("the answer of {provider} broke off before its end");
            ModelError::new(ModelErrorKind::BrokeOff, text)
        }
        None => ModelError::new(
            ModelErrorKind::Protocol,
            format!("{provider} answered something that makes no sense"),
        ),
    }
}

/// Why a request was refused. Providers agree on numbers, and disagree on what a conversation is that is too long.
fn refused(status: u16, body: &str, provider: &str) -> ModelError {
    let is_too_long =
        ["context_length", "too long", "maximum context", "context window", "input token count"]
            .iter()
            .any(|sign| body.to_lowercase().contains(sign));
    let (kind, text) = match status {
        401 | 403 => (ModelErrorKind::Auth, format!("{provider} does not take the key")),
        404 => (ModelErrorKind::NotFound, format!("{provider} has no such model")),
        400 | 413 | 422 if is_too_long => {
            (ModelErrorKind::TooLong, format!("the conversation is too long for the model of {provider}"))
        }
        408 => (ModelErrorKind::Timeout, format!("{provider} was silent for too long")),
        429 => (ModelErrorKind::RateLimited, format!("{provider} has had too many requests")),
        500.. => (ModelErrorKind::Unavailable, format!("{provider} answered {status}")),
        _ => (ModelErrorKind::Request, format!("{provider} answered {status}")),
    };
    ModelError::new(kind, text)
}

/// An error in the middle of a stream: it has a type and no number.
fn told_in_stream(body: &serde_json::Value, provider: &str) -> ModelError {
    let error = body.get("error").unwrap_or(body);
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
    ModelError::new(ModelErrorKind::Unavailable, format!("{provider} failed while it answered"))
}

/// How long the provider wants us to wait: in seconds, or more exactly in milliseconds.
fn retry_after(headers: &reqwest::header::HeaderMap) -> Option<Duration> {
    let number = |name: &str| headers.get(name)?.to_str().ok()?.trim().parse::<f64>().ok();
    let milliseconds = number("retry-after-ms").map(|milliseconds| milliseconds / 1000.0);
    milliseconds
        .or_else(|| number("retry-after"))
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
}
