//! Links to a thread for those who only read it: what opens them, and who comes by one.

use std::time::Duration;

use axum::{
    body::Body,
    extract::{FromRequestParts, RawPathParams},
    http::request::Parts,
    response::Response,
};
use forestage_protocol::id::ThreadId;
use forestage_runtime::RefusalKind;
use futures_util::{StreamExt as _, stream};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::{
    Caller,
    extract::{key_in_headers, read_only},
};
use crate::{app::App, error::ApiError, transport::broken::Broken};

/// What all of them begin with, so that none is taken for an API key.
const PREFIX: &str = "fs_share_";

/// So often it is looked whether what somebody follows by a link may still be followed.
const GLANCE: Duration = Duration::from_secs(2);

/// What opens a share: 244 random bits.
pub(crate) fn fresh_token() -> String {
    format!("{PREFIX}{}{}", Uuid::new_v4().simple(), Uuid::new_v4().simple())
}

/// Whether this was made to open a share.
pub(super) fn is_token(token: &str) -> bool {
    token.starts_with(PREFIX)
}

pub(crate) fn hash_token(token: &str) -> [u8; 32] {
    Sha256::digest(token.as_bytes()).into()
}

/// Somebody who reads the thread that a path names: its owner, or who has a link to it. There is nothing a reader could
/// be asked to change, so routes that change something take a [`Caller`].
pub(crate) struct Reader {
    /// Whose threads they may look at: their own, or the one thread of somebody else.
    pub(crate) owner: String,
    /// What they came by, if it was a link.
    link: Option<Link>,
}

#[derive(Clone)]
struct Link {
    hash: [u8; 32],
    thread_id: ThreadId,
}

impl FromRequestParts<App> for Reader {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        let Some(token) = key_in_headers(&parts.headers).filter(|token| is_token(token)) else {
            let Caller(visitor) = Caller::from_request_parts(parts, app).await?;
            return Ok(Self { owner: visitor.user, link: None });
        };
        let thread_id = thread_in(parts, app).await.ok_or_else(read_only)?;
        let link = Link { hash: hash_token(&token), thread_id };
        let (thread, _) = app.stage.shared_thread(link.hash, &link.thread_id).await?;
        Ok(Self { owner: thread.owner, link: Some(link) })
    }
}

/// The thread that the path names.
async fn thread_in(parts: &mut Parts, app: &App) -> Option<ThreadId> {
    let params = RawPathParams::from_request_parts(parts, app).await.ok()?;
    params.iter().find(|(name, _)| *name == "thread").map(|(_, value)| value.into())
}

impl Reader {
    /// An answer that ends when the link it was asked by does.
    pub(crate) fn while_open(&self, app: &App, response: Response) -> Response {
        let Some(link) = self.link.clone() else { return response };
        let app = app.clone();
        response.map(|body| {
            let state = Some((body.into_data_stream(), Box::pin(end_of(app, link))));
            Body::from_stream(stream::unfold(state, |state| async move {
                let (mut body, mut end) = state?;
                tokio::select! {
                    biased;
                    () = &mut end => Some((Err(Broken::Unshared.into()), None)),
                    chunk = body.next() => Some((chunk?.map_err(axum::Error::into_inner), Some((body, end)))),
                }
            }))
        })
    }
}

/// Waits until a link counts no more. A store that cannot be asked says nothing about it.
async fn end_of(app: App, Link { hash, thread_id }: Link) {
    loop {
        tokio::time::sleep(GLANCE).await;
        let shared = app.stage.shared_thread(hash, &thread_id).await;
        if shared.is_err_and(|refusal| refusal.kind != RefusalKind::Unavailable) {
            return;
        }
    }
}
