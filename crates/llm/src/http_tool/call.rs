//! An HTTP tool, called.

use std::{collections::BTreeMap, net::IpAddr, sync::Arc, time::Duration};

use forestage_runtime::{
    BoxFuture,
    tool::{Invocation, Tool, ToolAbout, ToolError},
};
use reqwest::{Client, Response, Url, redirect};
use serde_json::{Map, Value};

use super::{
    address::{PublicOnly, is_public},
    file::{HttpToolFile, Method},
    template::{fill, names, with_secrets},
};

/// So much of an answer is read.
const MAX_BYTES: usize = 1 << 20;

/// So often an answer may lead elsewhere.
const MAX_REDIRECTS: usize = 5;

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
        let mut hosts = file.hosts.clone();
        hosts.extend(url.host_str().map(str::to_owned));
        let allow_private = file.allow_private;
        if !allow_private && !may_connect(url) {
            return Err("this is an address of a private network; `allowPrivate: true` permits it".to_owned());
        }
        let follow = redirect::Policy::custom(move |attempt| {
            let url = attempt.url();
            let is_known =
                url.host_str().is_some_and(|host| hosts.iter().any(|known| known.eq_ignore_ascii_case(host)));
            // Headers with secrets go along to a host that the file names, so never without a lock that was there before.
            let is_weaker =
                url.scheme() == "http" && attempt.previous().iter().any(|url| url.scheme() == "https");
            match attempt.previous().len() > MAX_REDIRECTS
                || !is_known
                || is_weaker
                || !(allow_private || may_connect(url))
            {
                true => attempt.error("the redirect leads where the tool may not go"),
                false => attempt.follow(),
            }
        });
        // A proxy would look names up for us, out of our sight.
        let mut client = Client::builder()
            .redirect(follow)
            .no_proxy()
            .timeout(file.timeout.map_or(TIMEOUT, |time| time.0));
        if !allow_private {
            client = client.dns_resolver(Arc::new(PublicOnly));
        }
        let client = client.build().map_err(|error| error.to_string())?;
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

/// Whether an address that is written out may be connected to. Names are looked at when they are looked up.
fn may_connect(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']);
    host.parse::<IpAddr>().map_or(true, is_public)
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
