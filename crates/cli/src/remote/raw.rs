//! Requests whose answers are wanted as they came: lists for `--json`, exports byte by byte, imports.

use forestage_client::ClientError;
use reqwest::{Method, RequestBuilder, Response, Url};
use serde_json::Value;

/// A server, spoken to without reading between the lines.
#[derive(Debug)]
pub(crate) struct Raw {
    http: reqwest::Client,
    base: Url,
    key: Option<String>,
}

/// What stands behind the `?`.
pub(crate) type Pairs<'p> = &'p [(&'p str, Option<String>)];

impl Raw {
    pub(super) fn new(base: &str, key: Option<&str>) -> anyhow::Result<Self> {
        let unusable = |reason: String| ClientError::Unusable { what: base.to_owned(), reason };
        let url = Url::parse(base).map_err(|error| unusable(error.to_string()))?;
        let mut builder = reqwest::Client::builder();
        if matches!(url.host_str(), Some("localhost" | "127.0.0.1" | "[::1]")) {
            // A proxy of the environment stands in front of other machines, never of this one.
            builder = builder.no_proxy();
        }
        Ok(Self { http: builder.build()?, base: url, key: key.map(str::to_owned) })
    }

    /// Asks for JSON.
    pub(crate) async fn get(&self, path: &[&str], pairs: Pairs<'_>) -> anyhow::Result<Value> {
        let response = send(self.request(Method::GET, path, pairs)?).await?;
        let bytes = response.bytes().await.map_err(ClientError::from)?;
        Ok(serde_json::from_slice(&bytes)?)
    }

    /// Asks for anything, and hands it over piece by piece.
    pub(crate) async fn stream(&self, path: &[&str], pairs: Pairs<'_>) -> anyhow::Result<Response> {
        Ok(send(self.request(Method::GET, path, pairs)?).await?)
    }

    /// Sends JSON lines and reads the answer.
    pub(crate) async fn post_lines(
        &self,
        path: &[&str],
        pairs: Pairs<'_>,
        lines: Vec<u8>,
    ) -> anyhow::Result<Value> {
        let request = self.request(Method::POST, path, pairs)?;
        let request = request.header("content-type", "application/x-ndjson").body(lines);
        let bytes = send(request).await?.bytes().await.map_err(ClientError::from)?;
        Ok(serde_json::from_slice(&bytes).unwrap_or_default())
    }

    fn request(&self, method: Method, path: &[&str], pairs: Pairs<'_>) -> anyhow::Result<RequestBuilder> {
        let mut url = self.base.clone();
        url.path_segments_mut()
            .map_err(|()| anyhow::anyhow!("`{}` is an address without a path", self.base))?
            .pop_if_empty()
            .push("v1")
            .extend(path);
        for (name, value) in pairs {
            if let Some(value) = value {
                url.query_pairs_mut().append_pair(name, value);
            }
        }
        let request = self.http.request(method, url);
        Ok(match &self.key {
            Some(key) => request.bearer_auth(key),
            None => request,
        })
    }
}

/// Sends a request; an answer that is a no becomes an error with what the server said.
async fn send(request: RequestBuilder) -> Result<Response, ClientError> {
    let response = request.send().await?;
    if response.status().is_success() {
        return Ok(response);
    }
    let status = response.status();
    let said: Value =
        response.bytes().await.ok().and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default();
    let text = |name: &str| said["error"][name].as_str().map(str::to_owned);
    let message = text("message").unwrap_or_else(|| format!("the server refused with {status}"));
    let (code, path, hint) = (text("code"), text("path"), text("hint"));
    Err(ClientError::Refused { status: status.as_u16(), code, message, path, hint })
}
