//! One file per resource.

pub(crate) mod agents;
pub(crate) mod annotations;
pub(crate) mod apps;
pub(crate) mod audit;
pub(crate) mod body;
pub(crate) mod branches;
pub(crate) mod events;
pub(crate) mod health;
pub(crate) mod import;
pub(crate) mod interrupts;
pub(crate) mod names;
pub(crate) mod openapi;
mod policy;
pub(crate) mod rules;
pub(crate) mod runs;
pub(crate) mod search;
pub(crate) mod server;
pub(crate) mod shares;
pub(crate) mod socket;
pub(crate) mod streams;
pub(crate) mod threads;
pub(crate) mod views;
pub(crate) mod web;

use axum::{
    extract::{FromRef, FromRequest, FromRequestParts, RawPathParams, Request},
    http::{StatusCode, Uri, request::Parts},
};
use forestage_runtime::check_id;
use serde::de::DeserializeOwned;

use crate::{app::App, error::ApiError, intake::text_of};

/// The query of a request; unknown parameters and wrong values are told.
pub(crate) struct Query<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Query<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        check_parameters(&parts.uri)?;
        let query = axum::extract::Query::<T>::try_from_uri(&parts.uri);
        query
            .map(|query| Self(query.0))
            .map_err(|error| ApiError::bad_request("invalid_query", error.body_text()))
    }
}

/// The parameters that are ids.
const IDS: [&str; 7] = ["thread", "threadId", "run", "runId", "interrupt", "after", "agent"];

/// Refuses values with control characters, which no parameter of ours has.
fn check_parameters(uri: &Uri) -> Result<(), ApiError> {
    let Ok(axum::extract::Query(pairs)) = axum::extract::Query::<Vec<(String, String)>>::try_from_uri(uri)
    else {
        // It is refused in a moment, with more to say.
        return Ok(());
    };
    let Some((name, _)) = pairs.iter().find(|(_, value)| value.chars().any(char::is_control)) else {
        return Ok(());
    };
    let code = if IDS.contains(&name.as_str()) { "invalid_id" } else { "invalid_query" };
    let text = "a parameter has no control characters";
    Err(ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, code, text).at(shortened(name)))
}

/// What the path of a request names; what cannot be read is told.
pub(crate) struct Path<T>(pub(crate) T);

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for Path<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        if let Ok(named) = RawPathParams::from_request_parts(parts, state).await {
            named.iter().try_for_each(|(name, value)| check_id(value, name))?;
        }
        let path = axum::extract::Path::<T>::from_request_parts(parts, state).await;
        path.map(|path| Self(path.0))
            .map_err(|error| ApiError::bad_request("invalid_path", error.body_text()))
    }
}

/// The body of a request as JSON; what is wrong with it is told.
pub(crate) struct Body<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Body<T>
where
    App: FromRef<S>,
{
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<Self, ApiError> {
        let text = text_of(request, &App::from_ref(state)).await?;
        body::read(&text).map(Self)
    }
}

/// The beginning of what somebody sent, to show which one is meant.
pub(crate) fn shortened(text: &str) -> String {
    const SHOWN: usize = 60;
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
