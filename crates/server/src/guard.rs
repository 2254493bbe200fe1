//! Requests that no client of ours would make: foreign hosts and foreign pages.
//!
//! A page anywhere can make a browser send requests to this machine, even under a name of the page's choosing. So
//! the name we are called by, and the page that calls, have to be ours.

use axum::{
    extract::{Request, State},
    http::{HeaderMap, StatusCode, Uri, header},
    middleware::Next,
    response::{IntoResponse, Response},
};

use crate::{app::App, error::ApiError};

/// Lets a request pass, or tells why not.
pub(crate) async fn check(State(app): State<App>, request: Request, next: Next) -> Response {
    let headers = request.headers();
    let host = host_of(headers, request.uri());
    let is_one = |name: &header::HeaderName| headers.get_all(name).iter().count() <= 1;
    if !is_one(&header::HOST) || !is_one(&header::ORIGIN) {
        let text = "a request has one host and one origin";
        return ApiError::bad_request("ambiguous_request", text).into_response();
    }
    if !is_our_host(&app, host.as_deref()) {
        let text = format!("this server is not called `{}`", host.unwrap_or_default());
        let error = ApiError::new(StatusCode::FORBIDDEN, "forbidden_host", text);
        return error.hint("add the name to `hosts` in the configuration").into_response();
    }
    // What is not text is nobody's origin.
    let origin = headers.get(header::ORIGIN).map(|origin| origin.to_str().unwrap_or("(not text)"));
    if let Some(origin) = origin
        && !is_our_origin(&app, origin, host.as_deref())
    {
        let text = format!("pages of {origin} may not use this server");
        let error = ApiError::new(StatusCode::FORBIDDEN, "forbidden_origin", text);
        return error.hint("add the origin to `allow_origins` in the configuration").into_response();
    }
    next.run(request).await
}

fn host_of(headers: &HeaderMap, uri: &Uri) -> Option<String> {
    // A target with a host in it counts more than the header, as HTTP has it.
    let host = uri.authority().map(|authority| authority.as_str()).or_else(|| text(headers, header::HOST));
    host.map(str::to_ascii_lowercase)
}

fn is_our_host(app: &App, host: Option<&str>) -> bool {
    let Some(name) = host.map(without_port) else {
        return false;
    };
    let named = app.http.hosts.iter().any(|host| host.eq_ignore_ascii_case(name));
    named || is_loopback(name) || (app.http.hosts.is_empty() && !app.keys.is_empty())
}

fn is_our_origin(app: &App, origin: &str, host: Option<&str>) -> bool {
    let same = origin.split_once("://").is_some_and(|(_, authority)| Some(authority) == host);
    same || app.http.allow_origins.iter().any(|allowed| allowed == origin)
}

fn is_loopback(name: &str) -> bool {
    matches!(name, "localhost" | "127.0.0.1" | "[::1]") || name.ends_with(".localhost")
}

fn without_port(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|digit| digit.is_ascii_digit()) => name,
        _ => host,
    }
}

fn text(headers: &HeaderMap, name: header::HeaderName) -> Option<&str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}
