//! What all routes share, and the table of routes.

use std::{sync::Arc, time::Duration};

use axum::{
    Router,
    extract::DefaultBodyLimit,
    http::{HeaderValue, Method, StatusCode, header},
    middleware,
    response::{IntoResponse, Response},
};
use forestage_runtime::Stage;
use tokio_util::sync::CancellationToken;
use tower_http::{
    catch_panic::CatchPanicLayer,
    cors::{AllowOrigin, CorsLayer},
    timeout::RequestBodyTimeoutLayer,
};

use crate::{
    auth::{self, Keys, People},
    config::{Http, Inspector},
    dialect,
    error::ApiError,
    guard,
    intake::Budget,
    route,
};

/// A body that stops coming for so long is given up.
pub(crate) const BODY_TIMEOUT: Duration = Duration::from_secs(30);

/// What all routes share.
pub(crate) type App = Arc<Shared>;

/// See [`App`].
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) stage: Arc<Stage>,
    pub(crate) keys: Keys,
    /// The people of a demo; none elsewhere.
    pub(crate) people: People,
    /// The secrets with which remote agents call tools; the user is the agent.
    pub(crate) tool_callers: Keys,
    pub(crate) http: Http,
    /// Memory for what is being taken in.
    pub(crate) budget: Budget,
    /// The inboxes that somebody follows.
    pub(crate) boards: route::interrupts::Boards,
    /// Cancelled when open streams have to end.
    pub(crate) ending: CancellationToken,
}

impl Shared {
    pub(crate) fn keep_alive(&self) -> Duration {
        Duration::from_secs(self.http.keep_alive_seconds.max(1))
    }

    /// Whether the web app shows its inspector.
    pub(crate) fn shows_inspector(&self) -> bool {
        match self.http.inspector {
            Inspector::Auto => self.keys.is_empty(),
            Inspector::On => true,
            Inspector::Off => false,
        }
    }
}

/// Everything the server answers.
pub(crate) fn router(app: App, own: Router) -> Router {
    let cors = cors(&app.http);
    let limit = DefaultBodyLimit::max(app.http.max_body_bytes);
    Router::new()
        .merge(route::agents::routes())
        .merge(route::runs::routes())
        .merge(route::threads::routes())
        .merge(route::search::routes())
        .merge(route::events::routes())
        .merge(route::views::routes())
        .merge(route::apps::routes())
        .merge(route::import::routes())
        .merge(route::branches::routes())
        .merge(route::annotations::routes())
        .merge(route::shares::routes())
        .merge(route::interrupts::routes())
        .merge(route::rules::routes())
        .merge(route::audit::routes())
        .merge(route::streams::routes())
        .merge(route::socket::routes())
        .merge(dialect::routes())
        .merge(route::health::routes())
        .merge(route::server::routes())
        .merge(route::openapi::routes())
        .merge(known_callers(own, &app))
        .fallback(route::web::anything_else)
        .method_not_allowed_fallback(not_that_way)
        .layer(limit)
        .layer(RequestBodyTimeoutLayer::new(BODY_TIMEOUT))
        .layer(middleware::from_fn_with_state(app.clone(), guard::check))
        .layer(cors)
        .layer(CatchPanicLayer::custom(|_panic: Box<dyn std::any::Any + Send>| {
            let text = "something went wrong in the server; its log has more";
            ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, "internal_error", text).into_response()
        }))
        .layer(middleware::map_response(private))
        .with_state(app)
}

/// What is answered is for whoever asked: nobody keeps it, unless it says itself that it may be kept, and nobody takes it for
/// something else than it says it is.
async fn private(mut response: Response) -> Response {
    let headers = response.headers_mut();
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    headers.entry(header::X_CONTENT_TYPE_OPTIONS).or_insert(HeaderValue::from_static("nosniff"));
    response
}

/// The routes of the application, for those who have shown who they are.
fn known_callers(own: Router, app: &App) -> Router<App> {
    // A layer wants routes to lie around.
    if !own.has_routes() {
        return Router::new();
    }
    own.route_layer(middleware::from_fn_with_state(app.clone(), auth::identify)).with_state(())
}

async fn not_that_way(method: Method, uri: axum::http::Uri) -> ApiError {
    let text = format!("{} does not take {method}", uri.path());
    ApiError::new(StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed", text)
}

/// Other sites may only ask if the configuration names them.
fn cors(http: &Http) -> CorsLayer {
    let origins: Vec<HeaderValue> =
        http.allow_origins.iter().filter_map(|origin| origin.parse().ok()).collect();
    if origins.is_empty() {
        return CorsLayer::new();
    }
    CorsLayer::new()
        .allow_origin(AllowOrigin::list(origins))
        .allow_methods([Method::GET, Method::POST, Method::PATCH, Method::DELETE])
        .allow_headers([
            header::AUTHORIZATION,
            header::CONTENT_TYPE,
            header::ACCEPT,
            header::HeaderName::from_static("last-event-id"),
            header::HeaderName::from_static("x-api-key"),
        ])
}
