//! The web app: `GET /` and everything that its pages load.
//!
//! The files are public, and so hold nothing that is not: whatever a page shows it asks of the API, with a key where
//! there are keys. Any address that a browser opens is answered with the page, which knows what to show there; a program
//! that asks for something that is not there still gets a 404 in JSON.

use axum::{
    body::Body,
    extract::State,
    http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header},
    response::{IntoResponse, Response},
};
use forestage_web::{File, PAGE, file, kind_of, page};

use super::policy;
use crate::{app::App, config::Http, error::ApiError};

/// The year in which a file whose name says what is in it need not be asked for again.
const FOR_EVER: &str = "public, max-age=31536000, immutable";
/// Asked for each time, and sent if it changed.
const ASK_AGAIN: &str = "no-cache";

/// Whatever no route of the API answers.
pub(crate) async fn anything_else(
    State(app): State<App>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
) -> Response {
    let path = uri.path().trim_start_matches('/');
    if method != Method::GET && method != Method::HEAD {
        return nothing_here(&uri).into_response();
    }
    if let Some(found) = file(path).filter(|_| !path.is_empty() && path != PAGE && !path.ends_with(".br")) {
        return answer(&app.http, path, found, &headers);
    }
    if path.is_empty() || path == PAGE || wants_page(&headers) {
        return answer(&app.http, PAGE, page(), &headers);
    }
    nothing_here(&uri).into_response()
}

fn nothing_here(uri: &Uri) -> ApiError {
    ApiError::new(StatusCode::NOT_FOUND, "unknown_route", format!("there is nothing at {}", uri.path()))
        .hint("/openapi.json lists the routes")
}

/// A browser that opens an address says so. A program that asks for JSON, or for anything, does not mean the page.
fn wants_page(headers: &HeaderMap) -> bool {
    list(headers, header::ACCEPT).any(|kind| kind.starts_with("text/html"))
}

fn answer(http: &Http, path: &str, plain: File, headers: &HeaderMap) -> Response {
    let kind = kind_of(path);
    let small = takes_brotli(headers).then(|| file(&format!("{path}.br"))).flatten();
    let encoding = small.is_some().then_some("br");
    let found = small.unwrap_or(plain);
    let caching = if kind.immutable { FOR_EVER } else { ASK_AGAIN };
    let mut response = if is_known(headers, &found.etag) {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        let content_type = (header::CONTENT_TYPE, HeaderValue::from_static(kind.content_type));
        ([content_type], Body::from(found.bytes)).into_response()
    };
    let head = response.headers_mut();
    head.insert(header::CACHE_CONTROL, HeaderValue::from_static(caching));
    head.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    if let Ok(etag) = found.etag.parse() {
        head.insert(header::ETAG, etag);
    }
    if let Some(encoding) = encoding {
        head.insert(header::CONTENT_ENCODING, HeaderValue::from_static(encoding));
    }
    policy::protect(path, http, head);
    response
}

fn takes_brotli(headers: &HeaderMap) -> bool {
    list(headers, header::ACCEPT_ENCODING).any(|coding| match coding.split_once(';') {
        Some((name, quality)) => name.trim() == "br" && quality.trim() != "q=0",
        None => coding == "br",
    })
}

fn is_known(headers: &HeaderMap, etag: &str) -> bool {
    list(headers, header::IF_NONE_MATCH).any(|known| known.trim_start_matches("W/") == etag || known == "*")
}

/// The members of a header that is a list.
fn list(headers: &HeaderMap, name: header::HeaderName) -> impl Iterator<Item = &str> {
    let values = headers.get_all(name).into_iter().filter_map(|value| value.to_str().ok());
    values.flat_map(|value| value.split(',')).map(str::trim)
}
