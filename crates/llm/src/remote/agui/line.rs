//! The line to an agent: one request, tried again while nobody has heard it.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use reqwest::{
    Client, Response, Url,
    header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, RETRY_AFTER},
    redirect,
};
use tokio::time::{sleep, timeout};

use super::{config::AgUiConfig, stream::Stream, trouble::Trouble};
use crate::http_tool::with_secrets;

/// How long to wait before the first time that an agent is called again; then twice as long, each time.
const FIRST_WAIT: Duration = Duration::from_millis(500);

/// How long to wait at most, whatever the agent asks for.
const LONGEST_WAIT: Duration = Duration::from_secs(10);

/// So much of what an agent says when it refuses is logged.
const MAX_REFUSAL: usize = 300;

/// So often an answer may lead elsewhere on the same host, as one without a slash at its end does.
const MAX_REDIRECTS: usize = 3;

/// Why an agent cannot be called at all.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The address is none.
    #[error("url: this is not an address: {0}")]
    Url(String),
    /// A header cannot be sent.
    #[error("headers: `{name}`: {why}")]
    Header {
        /// Its name.
        name: String,
        /// What is wrong with it; never its value.
        why: String,
    },
    /// There is nothing to call with.
    #[error("the client cannot be made: {0}")]
    Client(String),
}

/// Calls one agent.
#[derive(Debug)]
pub(super) struct Line {
    client: Client,
    url: Url,
    headers: HeaderMap,
    user_header: Option<HeaderName>,
    idle: Duration,
    retries: u32,
    max_event: usize,
    /// What must never be shown.
    secrets: Vec<HeaderValue>,
}

impl Line {
    pub(super) fn new(config: &AgUiConfig) -> Result<Self, ConfigError> {
        let url = Url::parse(&config.url).map_err(|error| ConfigError::Url(error.to_string()))?;
        let mut headers = HeaderMap::new();
        for (name, value) in &config.headers {
            headers.insert(header_name(name)?, header_value(name, value)?);
        }
        let user_header = config.user_header.as_deref().map(header_name).transpose()?;
        let client = Client::builder()
            .connect_timeout(config.connect_timeout)
            .redirect(on_the_same_host())
            .build()
            .map_err(|error| ConfigError::Client(error.to_string()))?;
        let secrets = headers.values().cloned().collect();
        let (idle, retries, max_event) = (config.idle_timeout, config.retries, config.max_event_bytes);
        Ok(Self { client, url, headers, user_header, idle, retries, max_event, secrets })
    }

    /// Has the agent answer an input.
    pub(super) async fn call(&self, input: &str, owner: &str) -> Result<Stream, Trouble> {
        let mut attempt = 0;
        loop {
            let trouble = match self.try_call(input, owner).await {
                Ok(response) => return Ok(Stream::new(response, self.idle, self.max_event)),
                Err(trouble) => trouble,
            };
            if attempt >= self.retries || !trouble.is_passing() {
                return Err(trouble);
            }
            tracing::info!(agent = %self.place(), %trouble, "calling a remote agent again");
            sleep(trouble.wait().unwrap_or_else(|| grown(attempt)).min(LONGEST_WAIT)).await;
            attempt += 1;
        }
    }

    async fn try_call(&self, input: &str, owner: &str) -> Result<Response, Trouble> {
        let mut request = self.client.post(self.url.clone()).headers(self.headers.clone());
        if let Some(name) = &self.user_header {
            // A name that no header can carry is told in a form that one can.
            let owner = HeaderValue::from_str(owner).unwrap_or_else(|_| escaped(owner));
            request = request.header(name, owner);
        }
        let request = request
            .header("content-type", "application/json")
            .header("accept", "text/event-stream")
            .body(input.to_owned());
        let response = timeout(self.idle, request.send()).await.map_err(|_| Trouble::Silent(self.idle))?;
        let response = response.map_err(|error| Trouble::from(&error))?;
        match response.status().as_u16() {
            200..=299 if is_stream(&response) => Ok(response),
            200..=299 => Err(self.not_a_stream(response).await),
            _ => Err(self.refused(response).await),
        }
    }

    async fn not_a_stream(&self, response: Response) -> Trouble {
        let kind = content_type(&response).unwrap_or("something unnamed").to_owned();
        let told = self.excerpt(response).await;
        tracing::warn!(agent = %self.place(), kind, told, "a remote agent did not answer with a stream of events");
        Trouble::NotAStream(kind.chars().take(80).collect())
    }

    /// What it says is for whoever runs it, and not for people on the other side.
    async fn refused(&self, response: Response) -> Trouble {
        let status = response.status();
        let wait = response.headers().get(RETRY_AFTER).and_then(|it| it.to_str().ok()?.parse().ok());
        let told = self.excerpt(response).await;
        tracing::warn!(agent = %self.place(), %status, told, "a remote agent refused to run");
        let (status, is_elsewhere) = (status.as_u16(), status.is_redirection());
        Trouble::Refused { status, is_elsewhere, wait: wait.map(Duration::from_secs) }
    }

    /// The beginning of an answer, without what we sent along.
    async fn excerpt(&self, mut response: Response) -> String {
        let mut bytes = Vec::new();
        // Whatever comes late or not at all is not worth waiting for.
        while bytes.len() < MAX_REFUSAL
            && let Ok(Ok(Some(piece))) = timeout(Duration::from_secs(2), response.chunk()).await
        {
            bytes.extend_from_slice(&piece);
        }
        let mut told = String::from_utf8_lossy(&bytes).into_owned();
        for secret in self.secrets.iter().filter_map(|secret| secret.to_str().ok()) {
            for part in secret.split(' ').filter(|part| part.len() > 5) {
                told = told.replace(part, "[secret]");
            }
        }
        told.chars().take(MAX_REFUSAL).collect()
    }

    /// Where the agent is, for the log: without what may be secret in an address.
    fn place(&self) -> String {
        let port = self.url.port().map_or_else(String::new, |port| format!(":{port}"));
        format!("{}{port}{}", self.url.host_str().unwrap_or_default(), self.url.path())
    }
}

fn header_name(name: &str) -> Result<HeaderName, ConfigError> {
    let wrong =
        |_| ConfigError::Header { name: name.to_owned(), why: "this is not a name of a header".to_owned() };
    HeaderName::try_from(name).map_err(wrong)
}

fn header_value(name: &str, template: &str) -> Result<HeaderValue, ConfigError> {
    let wrong = |why: String| ConfigError::Header { name: name.to_owned(), why };
    let value = with_secrets(template).map_err(|error| wrong(error.message))?;
    let mut value = HeaderValue::try_from(value)
        .map_err(|_| wrong("its value has signs that no header can have".to_owned()))?;
    value.set_sensitive(true);
    Ok(value)
}

fn escaped(text: &str) -> HeaderValue {
    let plain = |byte: u8| byte.is_ascii_graphic() && byte != b'%';
    let text: String = text
        .bytes()
        .map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect();
    HeaderValue::from_str(&text).unwrap_or_else(|_| HeaderValue::from_static(""))
}

/// Headers with secrets go along, so nobody is followed to another host or off a lock.
fn on_the_same_host() -> redirect::Policy {
    redirect::Policy::custom(|attempt| {
        let is_same = attempt.previous().iter().all(|before| before.origin() == attempt.url().origin());
        match is_same && attempt.previous().len() <= MAX_REDIRECTS {
            true => attempt.follow(),
            false => attempt.stop(),
        }
    })
}

fn content_type(response: &Response) -> Option<&str> {
    response.headers().get(CONTENT_TYPE)?.to_str().ok()
}

fn is_stream(response: &Response) -> bool {
    let essence = content_type(response).and_then(|kind| kind.split(';').next());
    essence.is_some_and(|essence| essence.trim().eq_ignore_ascii_case("text/event-stream"))
}

/// Twice as long each time, and a little less, so that many who failed together do not come back together.
fn grown(attempt: u32) -> Duration {
    let nanos = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |now| now.subsec_nanos());
    (FIRST_WAIT * 2_u32.saturating_pow(attempt)).mul_f64(0.75 + f64::from(nanos % 1000) / 4000.0)
}
