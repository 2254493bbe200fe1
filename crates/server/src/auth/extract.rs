//! The caller of a request, and where they ask from.

use std::net::IpAddr;

use axum::{
    extract::{FromRequestParts, Request},
    http::{HeaderMap, StatusCode, header, request::Parts},
    middleware::Next,
    response::Response,
};
use forestage_runtime::Decider;
use forestage_store::Viewer;

use super::{Identity, demo, share};
use crate::{app::App, error::ApiError};

/// The other end of the connection that a request came by. The listener puts it into every request.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Peer(pub(crate) IpAddr);

/// Whoever asks, once they have shown who they are.
pub(crate) struct Caller(pub(crate) Visitor);

/// The role of those who may make threads of recordings.
const IMPORTER: &str = "importer";

/// Somebody at a door.
#[derive(Clone, Debug)]
pub(crate) struct Visitor {
    /// The name that owns threads.
    pub(crate) user: String,
    /// What they may do beside their own things.
    pub(crate) roles: Vec<String>,
    /// The door and the address, as the audit trail has it: `http 127.0.0.1`.
    pub(crate) origin: String,
}

impl Visitor {
    /// How a store knows them.
    pub(crate) fn viewer(&self) -> Viewer {
        Viewer { user: self.user.clone(), roles: self.roles.clone() }
    }

    /// How the stage knows them, where they decide something.
    pub(crate) fn decider(&self) -> Decider {
        Decider { user: self.user.clone(), roles: self.roles.clone(), origin: self.origin.clone() }
    }

    /// Whether they may bring in what was said and done elsewhere.
    pub(crate) fn may_import(&self) -> Result<(), ApiError> {
        if self.roles.iter().any(|role| matches!(role.as_str(), IMPORTER | "admin" | Viewer::EVERY_ROLE)) {
            return Ok(());
        }
        let text = format!("importing a recording needs the role `{IMPORTER}`");
        Err(ApiError::new(StatusCode::FORBIDDEN, "role_required", text)
            .hint("add it to `roles` of the key in the configuration, or ask for a key that has it"))
    }

    /// Whether they look after what others do.
    pub(crate) fn is_auditor(&self) -> bool {
        self.roles.iter().any(|role| matches!(role.as_str(), "auditor" | "admin"))
    }
}

impl FromRequestParts<App> for Caller {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        // Browsers cannot set headers on a socket, so there, and only there, the key may be in the address.
        let is_socket = parts.headers.contains_key(header::SEC_WEBSOCKET_KEY);
        let origin = origin(parts, if is_socket { "ws" } else { "http" });
        let known = |Identity { user, roles }| Self(Visitor { user, roles, origin });
        let token = key_in_headers(&parts.headers).or_else(|| is_socket.then(|| token(parts.uri.query()))?);
        if token.as_deref().is_some_and(share::is_token) {
            return Err(read_only());
        }
        if app.keys.is_empty() {
            return local(app, parts, token.as_deref()).map(known);
        }
        let key = token.ok_or_else(|| unauthorised("this server wants an API key"))?;
        let identity = app.keys.identify(&key).cloned();
        identity.map(known).ok_or_else(|| unauthorised("this server does not know the API key"))
    }
}

/// Who asks on a server without keys: the one local user, or the person of the demo that they state.
fn local(app: &App, parts: &Parts, token: Option<&str>) -> Result<Identity, ApiError> {
    let Some(token) = token.filter(|token| demo::is_token(token)) else { return Ok(Identity::local()) };
    // The listener is on loopback where there are no keys. This looks at the connection, too, because a person of a demo
    // has no secret.
    let is_near = parts.extensions.get::<Peer>().is_some_and(|Peer(ip)| ip.to_canonical().is_loopback());
    let person = app.people.identify(token).filter(|_| is_near).cloned();
    person.ok_or_else(|| {
        ApiError::new(StatusCode::UNAUTHORIZED, "unauthorized", "this server has no such person")
            .hint("only `forestage demo` has people to be; send no key to be the local user")
    })
}

/// Lets those through who have shown who they are, and says it along.
pub(crate) async fn identify(
    Caller(Visitor { user, roles, .. }): Caller,
    mut request: Request,
    next: Next,
) -> Response {
    request.extensions_mut().insert(Identity { user, roles });
    next.run(request).await
}

/// The address is the connection's: what headers say about it, anybody can write.
fn origin(parts: &Parts, door: &str) -> String {
    match parts.extensions.get::<Peer>() {
        Some(Peer(address)) => format!("{door} {}", address.to_canonical()),
        None => door.to_owned(),
    }
}

/// The key that the headers of a request hold.
pub(crate) fn key_in_headers(headers: &HeaderMap) -> Option<String> {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let bearer = text("authorization").and_then(|value| {
        let (scheme, key) = value.split_once(' ')?;
        scheme.eq_ignore_ascii_case("bearer").then(|| key.trim())
    });
    bearer.or_else(|| text("x-api-key")).map(str::to_owned)
}

fn token(query: Option<&str>) -> Option<String> {
    let pairs = query?.split('&').filter_map(|pair| pair.split_once('='));
    pairs.into_iter().find(|(name, _)| *name == "token").map(|(_, value)| value.to_owned())
}

/// Who comes by a link is nobody, here as where everybody is the local user.
pub(super) fn read_only() -> ApiError {
    let text = "this is the link to a thread, which lets one read that thread and nothing else";
    ApiError::new(StatusCode::FORBIDDEN, "read_only", text)
}

fn unauthorised(message: &str) -> ApiError {
    ApiError::new(StatusCode::UNAUTHORIZED, "unauthorized", message).hint(
        "send it as `Authorization: Bearer <key>` or `X-API-Key: <key>`; on a socket, as `?token=<key>`",
    )
}
