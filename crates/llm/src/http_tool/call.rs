//! An HTTP tool, called.

use std::{collections::BTreeMap, time::Duration};

use forestage_runtime::{
    BoxFuture,
    tool::{Invocation, Tool, ToolAbout, ToolError},
};
use reqwest::{Client, Response, Url};
use serde_json::{Map, Value};

use super::{
    client::client_for,
    file::{HttpToolFile, Method},
    template::{fill, names, with_secrets},
};

/// So much of an answer is read.
const MAX_BYTES: usize = 1 << 20;

/// How long a request may take where nobody says otherwise.
const TIMEOUT: Duration = Duration::from_secs(30);

/// A tool that is an HTTP request.
#[derive(Debug)]
pub struct HttpTool {
    about: ToolAbout,
    method: Method,
    url: String,
    headers: BTreeMap<String, String>,
    client: Client,
}

impl HttpTool {
    pub(super) fn new(file: &HttpToolFile, about: ToolAbout, url: &Url) -> Result<Self, String> {
        let client = client_for(url, &file.hosts, file.allow_private)?
            .timeout(file.timeout.map_or(TIMEOUT, |time| time.0))
            .build()
            .map_err(|error| error.to_string())?;
        let (method, headers) = (file.method, file.headers.clone());
        Ok(Self { about, method, url: file.url.value.clone(), headers, client })
    }

    async fn ask(&self, call: &Invocation, arguments: Value) -> Result<Value, ToolError> {
        let url = fill(&self.url, &arguments);
        let method = match self.method {
            Method::Get => reqwest::Method::GET,
            Method::Post => reqwest::Method::POST,
            Method::Put => reqwest::Method::PUT,
            Method::Patch => reqwest::Method::PATCH,
            Method::Delete => reqwest::Method::DELETE,
        };
        let mut request = self.client.request(method, url);
        for (name, value) in &self.headers {
            request = request.header(name, with_secrets(value)?);
        }
        if self.method != Method::Get {
            request = request.header("idempotency-key", &call.key);
        }
        if matches!(self.method, Method::Post | Method::Put | Method::Patch) {
            let body = self.rest(arguments).to_string();
            request = request.header("content-type", "application/json").body(body);
        }
        let response = request.send().await.map_err(|error| unreachable(&error))?;
        let status = response.status();
        let (is_json, text) = read(response).await?;
        if !status.is_success() {
            let told: String = text.chars().take(500).collect();
            return Err(ToolError::new("http_error", format!("the server answered {status}: {told}")));
        }
        match serde_json::from_str(&text) {
            Ok(value) if is_json => Ok(value),
            _ => Ok(Value::String(text)),
        }
    }

    /// The arguments that the address does not name.
    fn rest(&self, arguments: Value) -> Value {
        let named = names(&self.url);
        let Value::Object(arguments) = arguments else { return arguments };
        let rest: Map<_, _> =
            arguments.into_iter().filter(|(name, _)| !named.contains(&name.as_str())).collect();
        Value::Object(rest)
    }
}

impl Tool for HttpTool {
    fn about(&self) -> &ToolAbout {
        &self.about
    }

    fn call(&self, call: Invocation, arguments: Value) -> BoxFuture<'_, Result<Value, ToolError>> {
        Box::pin(async move { self.ask(&call, arguments).await })
    }
}

async fn read(mut response: Response) -> Result<(bool, String), ToolError> {
    let kind = response.headers().get("content-type").and_then(|it| it.to_str().ok()).unwrap_or_default();
    let is_json = kind.contains("json");
    let mut bytes = Vec::new();
    while let Some(piece) = response.chunk().await.map_err(|error| unreachable(&error))? {
        bytes.extend_from_slice(&piece);
        if bytes.len() > MAX_BYTES {
            let text = format!("the answer has more than {MAX_BYTES} bytes");
            return Err(ToolError::new("answer_too_large", text));
        }
    }
    Ok((is_json, String::from_utf8_lossy(&bytes).into_owned()))
}

/// Why a request failed, without its address, which may hold something that is not for models.
fn unreachable(error: &reqwest::Error) -> ToolError {
    if error.is_timeout() {
        return ToolError::new("timeout", "the server did not answer in time");
    }
    let mut text = "the server cannot be reached".to_owned();
    let mut source = std::error::Error::source(error);
    while let Some(inner) = source {
        text = inner.to_string();
        source = inner.source();
    }
    ToolError::new("unreachable", text)
}
