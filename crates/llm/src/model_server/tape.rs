//! Traffic of a real provider, written down without its secrets, and played back.
//!
//! Each exchange is one JSON file: the request with its route and body, and the response with its status and the pieces it
//! came in. Headers of requests are not written down at all; a key that stands in a body is taken out.

use std::{
    collections::HashMap,
    fs, io,
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

use axum::{
    body::{Body, Bytes},
    http::{HeaderMap, StatusCode, Uri, header},
    response::{IntoResponse, Response},
};
use futures_util::{StreamExt, stream};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::refuse;
use crate::model::{Key, without_keys};

/// One exchange.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Exchange {
    path: String,
    request: Value,
    status: u16,
    content_type: String,
    pieces: Vec<String>,
}

/// Why a tape cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TapeError {
    /// The folder or a file cannot be read or written.
    #[error("{} cannot be used: {source}", path.display())]
    Io {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Nothing can be passed on there.
    #[error("`{0}` is not the address of a provider; expected one such as `https://api.openai.com`")]
    Url(String),
    /// Nothing could be played back.
    #[error("{} has no recorded exchanges, which are files `*.json`", .0.display())]
    Empty(PathBuf),
    /// A file is no exchange.
    #[error("{} is not a recorded exchange: {source}", path.display())]
    Json {
        /// Which.
        path: PathBuf,
        /// Why.
        source: serde_json::Error,
    },
}

/// Passes requests on to a provider and writes them down.
#[derive(Debug)]
pub struct Recorder {
    url: String,
    folder: Arc<PathBuf>,
    client: reqwest::Client,
    number: AtomicU64,
}

/// The headers with which somebody gets in.
const SECRETS: [&str; 3] = ["authorization", "x-api-key", "x-goog-api-key"];

impl Recorder {
    /// Records what is said to the provider at this address. The folder is made if it is not there.
    pub fn new(url: &str, folder: impl Into<PathBuf>) -> Result<Self, TapeError> {
        let folder = folder.into();
        let address = reqwest::Url::parse(url).ok();
        if !address.is_some_and(|address| matches!(address.scheme(), "http" | "https")) {
            return Err(TapeError::Url(url.to_owned()));
        }
        let failed = |source| TapeError::Io { path: folder.clone(), source };
        fs::create_dir_all(&folder).map_err(failed)?;
        let written = fs::read_dir(&folder).map_err(failed)?.count();
        Ok(Self {
            url: url.trim_end_matches('/').to_owned(),
            folder: Arc::new(folder),
            client: reqwest::Client::new(),
            number: AtomicU64::new(written as u64),
        })
    }

    pub(super) async fn pass_on(&self, uri: &Uri, headers: &HeaderMap, body: Bytes) -> Response {
        let mut request = self.client.post(format!("{}{uri}", self.url)).body(body.clone());
        for (name, value) in headers {
            if ![header::HOST, header::CONTENT_LENGTH, header::ACCEPT_ENCODING].contains(name) {
                request = request.header(name, value);
            }
        }
        let response = match request.send().await {
            Ok(response) => response,
            Err(error) => return refuse(StatusCode::BAD_GATEWAY, &error.without_url().to_string()),
        };
        let status = response.status();
        let content_type = response
            .headers()
            .get(header::CONTENT_TYPE)
            .and_then(|it| it.to_str().ok())
            .unwrap_or("application/json")
            .to_owned();
        let number = self.number.fetch_add(1, Ordering::Relaxed) + 1;
        let secrets = secrets(headers);
        let tape = Writing {
            path: self.folder.join(format!("{number:04}.json")),
            secrets,
            request: body,
            exchange: Exchange {
                path: uri.path().to_owned(),
                request: Value::Null,
                status: status.as_u16(),
                content_type: content_type.clone(),
                pieces: Vec::new(),
            },
            bytes: Vec::new(),
        };
        let pieces = response.bytes_stream();
        let body = stream::unfold((pieces, tape), |(mut pieces, mut tape)| async move {
            let piece = pieces.next().await?;
            if let Ok(piece) = &piece {
                tape.take(piece);
            }
            Some((piece, (pieces, tape)))
        });
        (status, [(header::CONTENT_TYPE, content_type)], Body::from_stream(body)).into_response()
    }
}

fn secrets(headers: &HeaderMap) -> Vec<Key> {
    let values = SECRETS.iter().filter_map(|name| headers.get(*name)?.to_str().ok());
    values.map(|value| Key::new(value.trim_start_matches("Bearer ").trim())).collect()
}

/// An exchange that is being written down. It is on the disk when it is dropped.
struct Writing {
    path: PathBuf,
    secrets: Vec<Key>,
    request: Bytes,
    exchange: Exchange,
    /// What came of a character that is not complete.
    bytes: Vec<u8>,
}

impl Writing {
    /// Pieces of text end where characters do.
    fn take(&mut self, piece: &[u8]) {
        self.bytes.extend_from_slice(piece);
        let good = match std::str::from_utf8(&self.bytes) {
            Ok(text) => text.len(),
            Err(error) => error.valid_up_to(),
        };
        let rest = self.bytes.split_off(good);
        let text = String::from_utf8_lossy(&std::mem::replace(&mut self.bytes, rest)).into_owned();
        if !text.is_empty() {
            self.exchange.pieces.push(text);
        }
    }

    fn scrub(&self, text: &str) -> String {
        scrub(&self.secrets, text)
    }
}

fn scrub(secrets: &[Key], text: &str) -> String {
    secrets.iter().fold(without_keys(text), |text, key| key.scrub(&text))
}

impl Drop for Writing {
    fn drop(&mut self) {
        let request = self.scrub(&String::from_utf8_lossy(&self.request));
        self.exchange.request = serde_json::from_str(&request).unwrap_or_default();
        self.exchange.pieces = self.exchange.pieces.iter().map(|piece| self.scrub(piece)).collect();
        let text = serde_json::to_string_pretty(&self.exchange).unwrap_or_default() + "\n";
        if let Err(error) = fs::write(&self.path, text) {
            tracing::error!(path = %self.path.display(), %error, "an exchange was not written down");
        }
    }
}

/// Exchanges that were written down.
#[derive(Debug)]
pub struct Tape {
    exchanges: Vec<Exchange>,
    /// How often each was played, by request.
    played: Mutex<HashMap<String, usize>>,
}

impl Tape {
    /// Reads a folder.
    pub fn load(folder: impl AsRef<Path>) -> Result<Self, TapeError> {
        let folder = folder.as_ref();
        let failed = |source| TapeError::Io { path: folder.to_owned(), source };
        let mut paths = fs::read_dir(folder)
            .map_err(failed)?
            .map(|entry| entry.map(|entry| entry.path()))
            .collect::<Result<Vec<_>, _>>()
            .map_err(failed)?;
        paths.retain(|path| path.extension().is_some_and(|ending| ending == "json"));
        paths.sort();
        if paths.is_empty() {
            return Err(TapeError::Empty(folder.to_owned()));
        }
        let read = |path: PathBuf| {
            let text =
                fs::read_to_string(&path).map_err(|source| TapeError::Io { path: path.clone(), source })?;
            serde_json::from_str(&text).map_err(|source| TapeError::Json { path, source })
        };
        Ok(Self {
            exchanges: paths.into_iter().map(read).collect::<Result<_, _>>()?,
            played: Mutex::default(),
        })
    }

    /// The same request gets the same answers, in the order in which they were recorded; the last one from then on.
    pub(super) fn play(&self, path: &str, headers: &HeaderMap, body: &Value) -> Response {
        // What was taken out of the recording is not looked for.
        let body = scrub(&secrets(headers), &body.to_string());
        let body: &Value = &serde_json::from_str(&body).unwrap_or_default();
        let fitting: Vec<_> = self
            .exchanges
            .iter()
            .filter(|exchange| exchange.path == path && exchange.request == *body)
            .collect();
        let mut played = self.played.lock().unwrap_or_else(PoisonError::into_inner);
        let count = played.entry(format!("{path} {body}")).or_default();
        let Some(exchange) = fitting.get(*count).or(fitting.last()) else {
            return refuse(StatusCode::NOT_IMPLEMENTED, "this request was not recorded");
        };
        *count += 1;
        let pieces: Vec<_> = exchange.pieces.iter().cloned().map(Ok::<_, io::Error>).collect();
        let status = StatusCode::from_u16(exchange.status).unwrap_or(StatusCode::OK);
        let headers = [(header::CONTENT_TYPE, exchange.content_type.clone())];
        (status, headers, Body::from_stream(stream::iter(pieces))).into_response()
    }
}
