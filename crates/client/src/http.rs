//! Requests and plain answers: what every call of this crate goes through.
//!
//! Promise: an answer that is not a success becomes [`ClientError::Refused`] with what the server said, and no
//! wait is longer than the settings allow.

use std::time::Duration;

use bytes::Bytes;
use futures_util::{
    StreamExt,
    stream::{self, BoxStream},
};
use reqwest::{
    Method, RequestBuilder, Response, StatusCode, Url,
    header::{AUTHORIZATION, HeaderMap, HeaderName, HeaderValue},
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::time::timeout;

use crate::{error::ClientError, retry::Settings};

/// The media type of an event stream in text.
pub(crate) const SSE: &str = "text/event-stream";
/// The media type of an event stream in protobuf.
pub(crate) const PROTOBUF: &str = "application/vnd.ag-ui.event+proto";
/// What is accepted where protobuf is preferred.
pub(crate) const PROTOBUF_OR_SSE: &str = "application/vnd.ag-ui.event+proto, text/event-stream;q=0.5";
/// More of a refusal than this is not looked at.
const MAX_REFUSAL: usize = 64 * 1024;

/// A connection pool with what goes into every request.
#[derive(Clone, Debug)]
pub(crate) struct Http {
    client: reqwest::Client,
    headers: HeaderMap,
    settings: Settings,
}

/// For so long a connection is kept for the next request. Servers close one that says nothing, ours after ten seconds, and
/// whoever was busy with what came does not notice before the request is lost.
const SPARE: Duration = Duration::from_secs(5);

impl Http {
    pub(crate) fn new(server: &Url, settings: Settings) -> Result<Self, ClientError> {
        let mut builder = reqwest::Client::builder()
            .connect_timeout(settings.connect)
            .pool_idle_timeout(SPARE)
            .tcp_nodelay(true);
        if is_loopback(server) {
            // A proxy of the environment stands in front of other machines, never of this one.
            builder = builder.no_proxy();
        }
        Ok(Self { client: builder.build()?, headers: HeaderMap::new(), settings })
    }

    pub(crate) fn settings(&self) -> &Settings {
        &self.settings
    }

    pub(crate) fn headers(&self) -> &HeaderMap {
        &self.headers
    }

    pub(crate) fn set_key(&mut self, key: &str) -> Result<(), ClientError> {
        // The key itself must not appear in a message.
        let mut value = HeaderValue::from_str(&format!("Bearer {key}"))
            .map_err(|_| ClientError::unusable("the key", "it has signs that no header can carry"))?;
        value.set_sensitive(true);
        self.headers.insert(AUTHORIZATION, value);
        Ok(())
    }

    pub(crate) fn set_header(&mut self, name: &str, value: &str) -> Result<(), ClientError> {
        let name: HeaderName = name.parse().map_err(|error| ClientError::unusable(name, error))?;
        let value =
            HeaderValue::from_str(value).map_err(|error| ClientError::unusable(name.as_str(), error))?;
        self.headers.insert(name, value);
        Ok(())
    }

    pub(crate) fn request(&self, method: Method, url: Url) -> RequestBuilder {
        self.client.request(method, url).headers(self.headers.clone())
    }

    /// Sends a request and takes the answer if it is a success.
    pub(crate) async fn send(&self, request: RequestBuilder) -> Result<Response, ClientError> {
        let response = within(self.settings.idle, request.send()).await??;
        if response.status().is_success() {
            return Ok(response);
        }
        Err(self.refusal(response).await)
    }

    /// Sends a request, with a body if there is one, and reads the answer as JSON.
    pub(crate) async fn json<T: for<'de> Deserialize<'de>>(
        &self,
        method: Method,
        url: Url,
        body: Option<&impl Serialize>,
    ) -> Result<T, ClientError> {
        let bytes = self.exchange(method, url, body).await?;
        serde_json::from_slice(&bytes)
            .map_err(|error| ClientError::Unreadable(format!("{error} in {:?}", beginning(&bytes))))
    }

    /// Sends a request and returns the answer's bytes.
    pub(crate) async fn exchange(
        &self,
        method: Method,
        url: Url,
        body: Option<&impl Serialize>,
    ) -> Result<Vec<u8>, ClientError> {
        let mut request = self.request(method, url);
        if let Some(body) = body {
            let body = serde_json::to_vec(body).map_err(|error| ClientError::unusable("the body", error))?;
            request = request.header("content-type", "application/json").body(body);
        }
        let mut response = self.send(request).await?;
        self.read(&mut response, usize::MAX).await
    }

    /// The first bytes of an answer, or all of it.
    pub(crate) async fn read(&self, response: &mut Response, limit: usize) -> Result<Vec<u8>, ClientError> {
        let mut bytes = Vec::new();
        while bytes.len() < limit {
            match within(self.settings.idle, response.chunk()).await?? {
                Some(chunk) => bytes.extend_from_slice(&chunk),
                None => break,
            }
        }
        Ok(bytes)
    }

    /// The body of an answer, in pieces as they arrive.
    pub(crate) async fn download(
        &self,
        url: Url,
    ) -> Result<BoxStream<'static, Result<Bytes, ClientError>>, ClientError> {
        let response = self.send(self.request(Method::GET, url)).await?;
        let idle = self.settings.idle;
        let pieces = stream::try_unfold(response, move |mut response| async move {
            let piece = within(idle, response.chunk()).await??;
            Ok(piece.map(|piece| (piece, response)))
        });
        Ok(pieces.fuse().boxed())
    }

    async fn refusal(&self, mut response: Response) -> ClientError {
        let status = response.status();
        // The status has been said; a body that cannot be read takes nothing from it.
        let body = self.read(&mut response, MAX_REFUSAL).await.unwrap_or_default();
        refused(status, &body)
    }
}

/// What a server says where it says no.
#[derive(Deserialize)]
pub(crate) struct Refusal {
    code: Option<String>,
    message: String,
    path: Option<String>,
    hint: Option<String>,
}

impl Refusal {
    pub(crate) fn is(&self, code: &str) -> bool {
        self.code.as_deref() == Some(code)
    }

    pub(crate) fn with_status(self, status: u16) -> ClientError {
        let Self { code, message, path, hint } = self;
        ClientError::Refused { status, code, message, path, hint }
    }
}

/// A refusal with whatever the body says: ours, or the words of another server.
pub(crate) fn refused(status: StatusCode, body: &[u8]) -> ClientError {
    let said = serde_json::from_slice::<Value>(body).ok();
    let ours = said.and_then(|mut body| Refusal::deserialize(body.get_mut("error")?.take()).ok());
    let refusal =
        ours.unwrap_or_else(|| Refusal { code: None, message: words(status, body), path: None, hint: None });
    refusal.with_status(status.as_u16())
}

fn words(status: StatusCode, body: &[u8]) -> String {
    let said = beginning(body);
    match said.trim() {
        "" => status.canonical_reason().unwrap_or("no reason given").to_lowercase(),
        said => said.to_owned(),
    }
}

/// As much of an answer as fits into a message.
pub(crate) fn beginning(bytes: &[u8]) -> String {
    const SHOWN: usize = 256;
    String::from_utf8_lossy(&bytes[..bytes.len().min(SHOWN)]).into_owned()
}

/// Waits no longer than this for a server to say something.
pub(crate) async fn within<T>(limit: Duration, future: impl Future<Output = T>) -> Result<T, ClientError> {
    timeout(limit, future).await.map_err(|_| ClientError::Silent(limit))
}

fn is_loopback(url: &Url) -> bool {
    // An IPv6 address stands in brackets in an address.
    let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']);
    host == "localhost" || host.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
}

/// Reads an address that a request can be sent to.
pub(crate) fn address(text: &str) -> Result<Url, ClientError> {
    let url = Url::parse(text).ok().filter(|url| matches!(url.scheme(), "http" | "https"));
    url.ok_or_else(|| ClientError::unusable(text, "expected an address such as `http://127.0.0.1:8787`"))
}

/// Adds a pair to the query of an address, where there is a value.
pub(crate) fn append(url: &mut Url, name: &str, value: Option<&str>) {
    if let Some(value) = value {
        url.query_pairs_mut().append_pair(name, value);
    }
}

/// An address below another. Ids are opaque, so each segment is escaped; the few that no path can carry are
/// refused instead of silently naming another resource.
pub(crate) fn below(base: &Url, segments: &[&str]) -> Result<Url, ClientError> {
    if let Some(segment) = segments.iter().find(|segment| matches!(**segment, "" | "." | "..")) {
        return Err(ClientError::unusable(*segment, "an address cannot contain this id"));
    }
    let mut url = base.clone();
    url.set_query(None);
    url.set_fragment(None);
    url.path_segments_mut()
        .map_err(|()| ClientError::unusable(base.as_str(), "an address without a path"))?
        .pop_if_empty()
        .extend(segments);
    Ok(url)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_escaped_and_cannot_leave_their_place() {
        let base = address("http://host/app/").expect("valid");
        let url = below(&base, &["v1", "threads", "a/b?c#d %"]).expect("usable");
        assert_eq!(url.as_str(), "http://host/app/v1/threads/a%2Fb%3Fc%23d%20%25");
        for id in ["", ".", ".."] {
            assert!(matches!(below(&base, &["v1", id]), Err(ClientError::Unusable { .. })), "{id}");
        }
    }

    #[test]
    fn a_refusal_keeps_what_the_server_said() {
        let body = br#"{"error":{"code":"busy","message":"a run is open","path":"runId","hint":"wait"}}"#;
        let ClientError::Refused { status, code, message, path, hint } = refused(StatusCode::CONFLICT, body)
        else {
            panic!("not a refusal");
        };
        assert_eq!((status, code.as_deref(), message.as_str()), (409, Some("busy"), "a run is open"));
        assert_eq!((path.as_deref(), hint.as_deref()), (Some("runId"), Some("wait")));
    }

    #[test]
    fn a_refusal_in_other_words_is_quoted() {
        for (body, expected) in
            [("nope\n", "nope"), ("", "not found"), (r#"{"error":"x"}"#, r#"{"error":"x"}"#)]
        {
            let error = refused(StatusCode::NOT_FOUND, body.as_bytes());
            let ClientError::Refused { code: None, message, .. } = error else { panic!("{error}") };
            assert_eq!(message, expected);
        }
    }

    #[test]
    fn only_this_machine_is_loopback() {
        for (text, expected) in [
            ("http://localhost:1/", true),
            ("http://127.0.0.9/", true),
            ("http://[::1]:80/", true),
            ("http://10.0.0.1/", false),
            ("http://localhost.example/", false),
        ] {
            assert_eq!(is_loopback(&address(text).expect("valid")), expected, "{text}");
        }
    }
}
