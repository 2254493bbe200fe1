//! Connecting: a program is started, or an address is asked.

use std::{
    collections::{BTreeMap, HashMap},
    sync::Arc,
    time::Duration,
};

use forestage_runtime::apps::MIME_TYPE;
use reqwest::{
    Url,
    header::{HeaderName, HeaderValue},
};
use rmcp::{
    ClientHandler, RoleClient, ServiceExt,
    model::{
        ClientCapabilities, ClientConfig, ExtensionCapabilities, Implementation, ProgressNotificationParam,
        ProtocolVersion,
    },
    service::{ClientInitializeError, NotificationContext, RunningService},
    transport::{
        StreamableHttpClientTransport,
        streamable_http_client::{StreamableHttpClientTransportConfig, StreamableHttpError},
    },
};
use serde_json::json;
use tokio::{
    sync::{Notify, broadcast},
    time::timeout,
};

use super::{McpError, Spec, app::EXTENSION, file::Road, program::program};
use crate::http_tool::{client_for, with_secrets};

/// So many words about progress wait for whoever is slow to hear them.
const PROGRESS_BUFFER: usize = 64;

/// So long a server may be looked for.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// A connection, just made.
pub(super) struct Linked {
    pub(super) running: RunningService<RoleClient, Ears>,
    pub(super) progress: broadcast::Sender<ProgressNotificationParam>,
    /// The server has other tools now.
    pub(super) changed: Arc<Notify>,
}

/// What we hear of a server without asking.
pub(super) struct Ears {
    progress: broadcast::Sender<ProgressNotificationParam>,
    changed: Arc<Notify>,
    /// Whether pages of the server can be shown.
    shows_pages: bool,
}

impl ClientHandler for Ears {
    async fn on_progress(&self, told: ProgressNotificationParam, _context: NotificationContext<RoleClient>) {
        // Where nobody listens, nobody wants to know.
        let _ = self.progress.send(told);
    }

    async fn on_tool_list_changed(&self, _context: NotificationContext<RoleClient>) {
        self.changed.notify_one();
    }

    fn get_info(&self) -> ClientConfig {
        let about = Implementation::new("forestage", env!("CARGO_PKG_VERSION"));
        ClientConfig::new(capabilities(self.shows_pages), about)
            .with_protocol_version(ProtocolVersion::V_2025_11_25)
    }
}

/// What we can do for a server. One that can bring pages along does so where it is told that they are shown.
fn capabilities(shows_pages: bool) -> ClientCapabilities {
    let mut able = ClientCapabilities::default();
    if shows_pages {
        let pages = json!({ "mimeTypes": [MIME_TYPE] }).as_object().cloned().unwrap_or_default();
        able.extensions = Some(ExtensionCapabilities::from([(EXTENSION.to_owned(), pages)]));
    }
    able
}

/// Connects to a server.
pub(super) async fn connect(spec: &Spec) -> Result<Linked, McpError> {
    let (progress, changed) = (broadcast::Sender::new(PROGRESS_BUFFER), Arc::new(Notify::new()));
    let ears = Ears { progress: progress.clone(), changed: changed.clone(), shows_pages: spec.apps };
    let running = match &spec.road {
        Road::Program { command, args, env } => program(spec, command, args, env, ears).await?,
        Road::Address { url, headers, hosts, allow_private } => {
            let transport = address(spec, url, headers, hosts, *allow_private)?;
            let served = within(spec, ears.serve(transport)).await?;
            served.map_err(|error| unreachable(spec, &error))?
        }
    };
    Ok(Linked { running, progress, changed })
}

/// Does something in the time that a server has.
pub(super) async fn within<T>(spec: &Spec, work: impl Future<Output = T>) -> Result<T, McpError> {
    let silent = |_| McpError::Silent { server: spec.name.clone(), after: spec.timeout };
    timeout(spec.timeout, work).await.map_err(silent)
}

fn address(
    spec: &Spec,
    url: &Url,
    headers: &BTreeMap<String, String>,
    hosts: &[String],
    allow_private: bool,
) -> Result<StreamableHttpClientTransport<reqwest::Client>, McpError> {
    let failed = |why: String| McpError::Unreachable { server: spec.name.clone(), why };
    let mut sent = HashMap::new();
    for (name, value) in filled(spec, headers)? {
        let name = HeaderName::from_bytes(name.as_bytes()).map_err(|error| failed(error.to_string()))?;
        let mut value =
            HeaderValue::from_str(&value).map_err(|_| failed(format!("the value of `{name}` is none")))?;
        value.set_sensitive(true);
        sent.insert(name, value);
    }
    let client = client_for(url, hosts, allow_private).map_err(failed)?;
    // Connections whose answers were not read to the end stall those that take them up again.
    let client = client.connect_timeout(CONNECT_TIMEOUT).pool_max_idle_per_host(0).build();
    let client = client.map_err(|error| failed(error.to_string()))?;
    let config = StreamableHttpClientTransportConfig::with_uri(url.as_str()).custom_headers(sent);
    Ok(StreamableHttpClientTransport::with_client(client, config))
}

/// Texts with their secrets.
pub(super) fn filled(
    spec: &Spec,
    texts: &BTreeMap<String, String>,
) -> Result<BTreeMap<String, String>, McpError> {
    let missing = |why: String| McpError::Secret { server: spec.name.clone(), why };
    let fill = |(name, text): (&String, &String)| match with_secrets(text) {
        Ok(text) => Ok((name.clone(), text)),
        Err(error) => Err(missing(error.message)),
    };
    texts.iter().map(fill).collect()
}

fn unreachable(spec: &Spec, error: &ClientInitializeError) -> McpError {
    McpError::Unreachable { server: spec.name.clone(), why: plain(error) }
}

/// The innermost reason: what is around it speaks of the library and may name addresses.
pub(super) fn plain(error: &ClientInitializeError) -> String {
    let mut reason: &dyn std::error::Error = match error {
        ClientInitializeError::TransportError { error, .. } => match error.error.downcast_ref() {
            Some(StreamableHttpError::<reqwest::Error>::Client(error)) => error,
            _ => error.error.as_ref(),
        },
        ClientInitializeError::ConnectionClosed(_) => return "it ended before it said what it is".to_owned(),
        other => other,
    };
    while let Some(inner) = reason.source() {
        reason = inner;
    }
    reason.to_string()
}
