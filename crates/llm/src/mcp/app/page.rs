//! A page, fetched from its server: is it one, and what may it reach?

use std::time::Duration;

use base64::{Engine as _, prelude::BASE64_STANDARD as BASE64};
use forestage_runtime::apps::Page;
use rmcp::{
    Peer, RoleClient, ServiceError,
    model::{ReadResourceRequestParams, ResourceContents},
};
use serde_json::Value;
use tokio::time::timeout;

use super::{
    super::{McpError, Spec},
    hosts,
};

/// The largest page.
const MAX_BYTES: usize = 2 << 20;

/// So long a page may take to come, since the result of its tool waits for it.
const PATIENCE: Duration = Duration::from_secs(10);

/// A page as it was fetched.
pub(in crate::mcp) struct Fetched {
    pub(in crate::mcp) page: Page,
    /// The hosts that it asks for and may not reach.
    pub(in crate::mcp) denied: Vec<String>,
}

/// Fetches a page.
pub(in crate::mcp) async fn fetch(
    spec: &Spec,
    peer: &Peer<RoleClient>,
    uri: &str,
) -> Result<Fetched, McpError> {
    let server = || spec.name.clone();
    let patience = PATIENCE.min(spec.timeout);
    let read = timeout(patience, peer.read_resource(ReadResourceRequestParams::new(uri))).await;
    let read = read.map_err(|_| McpError::Silent { server: server(), after: patience })?;
    let read = read.map_err(|error| match error {
        ServiceError::McpError(error) => {
            McpError::Protocol { server: server(), why: error.message.into_owned() }
        }
        _ => McpError::Lost { server: server() },
    })?;
    let unusable = |why: &str| McpError::Page { server: server(), uri: uri.to_owned(), why: why.to_owned() };
    let content = read.contents.into_iter().next().ok_or_else(|| unusable("there is nothing in it"))?;
    page_of(spec, uri, content).map_err(|why| unusable(&why))
}

fn page_of(spec: &Spec, uri: &str, content: ResourceContents) -> Result<Fetched, String> {
    let (mime_type, html, meta) = match content {
        ResourceContents::TextResourceContents { mime_type, text, meta, .. } => (mime_type, Ok(text), meta),
        ResourceContents::BlobResourceContents { mime_type, blob, meta, .. } => {
            (mime_type, decoded(&blob), meta)
        }
        _ => return Err("it is neither text nor bytes".to_owned()),
    };
    let mime_type = mime_type.unwrap_or_default();
    if !is_page(&mime_type) {
        return Err(format!("it is `{mime_type}` and not `{}`", forestage_runtime::apps::MIME_TYPE));
    }
    let html = html?;
    if html.len() > MAX_BYTES {
        return Err(format!("it has {} bytes, and may have {MAX_BYTES}", html.len()));
    }
    let ui = meta.as_ref().and_then(|meta| meta.get("ui"));
    let asked = ui.and_then(|ui| ui.get("csp"));
    let page = Page {
        uri: uri.to_owned(),
        html,
        csp: hosts::allowed(asked, &spec.app_hosts),
        prefers_border: ui.and_then(|ui| ui.get("prefersBorder")).and_then(Value::as_bool),
    };
    Ok(Fetched { page, denied: hosts::denied(asked, &spec.app_hosts) })
}

/// Servers differ in blanks and capitals.
fn is_page(mime_type: &str) -> bool {
    let mut parts = mime_type.split(';').map(|part| part.trim().to_ascii_lowercase());
    parts.next().as_deref() == Some("text/html")
        && parts.any(|part| part.replace('"', "") == "profile=mcp-app")
}

/// Bytes in base64. What would be too large is not even decoded.
fn decoded(blob: &str) -> Result<String, String> {
    if blob.len() / 4 * 3 > MAX_BYTES {
        return Err(format!("it has more than {MAX_BYTES} bytes"));
    }
    let bytes = BASE64.decode(blob).map_err(|_| "its bytes are no base64".to_owned())?;
    String::from_utf8(bytes).map_err(|_| "its bytes are no UTF-8".to_owned())
}
