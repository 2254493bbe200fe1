//! Models at providers, over the network.

use std::{collections::VecDeque, time::Duration};

use forestage_runtime::BoxFuture;
use futures_util::{
    StreamExt,
    stream::{self, BoxStream},
};
use genai::{
    ModelIden, ServiceTarget,
    resolver::{AuthData, Endpoint},
};
use reqwest::{Client, redirect};

use super::{
    Kind, Model, ModelError, ModelErrorKind, Piece, Pieces, Prompt, Target, explain, gemini::LastFrame,
    ollama, read::Reader, wire,
};

/// How long a provider may take to answer the phone.
const CONNECT: Duration = Duration::from_secs(10);

/// What comes of a request: the pieces of one event after the other.
pub(super) type Source = BoxStream<'static, Result<Vec<Piece>, ModelError>>;

/// A model at a provider.
#[derive(Clone, Debug)]
pub struct Provider {
    target: Target,
    http: Client,
    client: genai::Client,
}

impl Provider {
    /// The model at this place.
    pub fn new(target: Target) -> Result<Self, ModelError> {
        // A key goes where it was meant to go, and nowhere else.
        let http = Client::builder().connect_timeout(CONNECT).redirect(redirect::Policy::none()).build();
        let http = http.map_err(|error| ModelError::new(ModelErrorKind::Unreachable, error.to_string()))?;
        let client = genai::Client::builder().with_reqwest(http.clone()).build();
        let client =
            client.map_err(|error| ModelError::new(ModelErrorKind::Unreachable, error.to_string()))?;
        Ok(Self { target, http, client })
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
        let source = match self.target.kind {
            Kind::Ollama => ollama::ask(&self.http, &self.target, prompt).await?,
            _ => self.ask_by_crate(prompt).await?,
        };
        let provider = self.target.provider.clone();
        let mut answer = Answer { source, ready: VecDeque::new(), is_over: false, provider };
        answer.fill().await?;
        Ok(answer)
    }

    async fn ask_by_crate(&self, prompt: &Prompt) -> Result<Source, ModelError> {
        let request = wire::request(prompt, self.target.kind);
        let frame = LastFrame::default();
        let options = wire::options(prompt, &self.target).with_raw_frame_sink(frame.clone());
        let asked = self.client.exec_chat_stream(self.service(), request, Some(&options)).await;
        let stream = asked.map_err(|error| self.explain(&error))?.stream;
        let reader = Reader::new(self.target.kind, &self.target.provider);
        let start = (stream, reader, frame, self.clone());
        let next = |(mut stream, mut reader, frame, provider): (genai::chat::ChatStream, Reader, _, Self)| async move {
            let pieces = match stream.next().await? {
                Ok(event) => reader.read(event),
                Err(error) => match provider.heard(&error, &frame) {
                    Some(pieces) => Ok(pieces),
                    None => Err(provider.explain(&error)),
                },
            };
            Some((pieces, (stream, reader, frame, provider)))
        };
        Ok(stream::unfold(start, next).boxed())
    }

    /// What the crate took for a failure and is none.
    fn heard(&self, error: &genai::Error, frame: &LastFrame) -> Option<Vec<Piece>> {
        match error {
            genai::Error::ChatResponse { .. } if self.target.kind == Kind::Gemini => frame.pieces(),
            _ => None,
        }
    }

    /// A failure in words that anybody may read.
    fn explain(&self, error: &genai::Error) -> ModelError {
        explain::log(&self.target, &error.to_string());
        explain::explained(error, &self.target.provider)
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
    source: Source,
    ready: VecDeque<Piece>,
    /// Whether it has ended as it should.
    is_over: bool,
    provider: String,
}

impl Answer {
    /// Waits for the next pieces.
    async fn fill(&mut self) -> Result<(), ModelError> {
        while self.ready.is_empty() && !self.is_over {
            let pieces = match self.source.next().await {
                Some(pieces) => pieces?,
                None => return Err(explain::broke_off(&self.provider)),
            };
            self.is_over = pieces.iter().any(|piece| matches!(piece, Piece::End(_)));
            self.ready.extend(pieces);
        }
        Ok(())
    }

    fn into_pieces(self) -> Pieces {
        let next = |answer: Option<Self>| async move {
            let mut answer = answer?;
            if let Err(error) = answer.fill().await {
                return Some((Err(error), None));
            }
            answer.ready.pop_front().map(|piece| (Ok(piece), Some(answer)))
        };
        stream::unfold(Some(self), next).boxed()
    }
}
