//! The stage over HTTP.
//!
//! A [`Server`] answers AG-UI clients: `POST /v1/agents/{agent}/runs` runs an agent and streams what it says,
//! `GET /v1/threads/{thread}/events` follows a thread from any place, `GET /v1/ws` does both over a socket. A
//! transport never talks to an agent: it starts a run and reads the log.
//!
//! ```no_run
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! use forestage_runtime::{Agents, Limits, Stage};
//! use forestage_server::{Http, Keys, Server};
//!
//! let store = forestage_store::open("sqlite:forestage.db").await?;
//! let stage = Stage::new(store, Agents::new(), Limits::default());
//! let server = Server::bind(stage, Keys::default(), Http::default()).await?;
//! println!("listening on http://{}", server.address());
//! server.run(async { tokio::signal::ctrl_c().await.unwrap_or_default() }).await;
//! # Ok(()) }
//! ```

mod app;
mod auth;
mod config;
pub mod dialect;
mod error;
mod guard;
mod intake;
mod linger;
mod listen;
mod once;
mod origin;
mod route;
mod transport;

use std::{net::SocketAddr, sync::Arc};

use axum::Router;
use forestage_runtime::Stage;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use self::{app::Shared, auth::People, intake::Budget};
pub use self::{
    auth::{ApiKey, Identity, Keys, KeysError, hash_key},
    config::{Dialects, Http, Inspector},
    error::ApiError,
    origin::{check_host, check_origin, check_picture_origin},
    route::openapi::document as openapi,
};

/// Why a server did not start.
#[derive(Debug, thiserror::Error)]
pub enum BindError {
    /// Everybody could reach it, and nobody would have to say who they are.
    #[error(
        "{0} can be reached from other machines, and there are no API keys: add keys, or listen on loopback"
    )]
    NeedsKeys(SocketAddr),
    /// Anybody could be anybody, and the keys would mean nothing.
    #[error("a server with API keys has no demo people: remove the keys, or the people")]
    DemoWithKeys,
    /// A setting that could never do what it is for.
    #[error("{setting}: {message}")]
    Setting {
        /// Its name.
        setting: &'static str,
        /// What is wrong with it, for people.
        message: String,
    },
    /// The address is not one, or is taken.
    #[error("cannot listen on {address}: {source}")]
    Listen {
        /// The address.
        address: String,
        /// What the system said.
        source: std::io::Error,
    },
}

/// A server that has its address and has not begun to answer.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    app: Arc<Shared>,
    /// The application's own.
    routes: Router,
}

impl Server {
    /// Takes the address. Without keys it has to be one of loopback.
    pub async fn bind(stage: Arc<Stage>, keys: Keys, http: Http) -> Result<Self, BindError> {
        check(&http)?;
        let failed = |source| BindError::Listen { address: http.listen.clone(), source };
        let listener = TcpListener::bind(&http.listen).await.map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        if keys.is_empty() && !address.ip().is_loopback() {
            return Err(BindError::NeedsKeys(address));
        }
        let app = Arc::new(Shared {
            stage,
            keys,
            people: People::default(),
            tool_callers: Keys::default(),
            budget: Budget::new(http.request_memory_bytes),
            http,
            boards: route::interrupts::Boards::default(),
            ending: CancellationToken::new(),
        });
        Ok(Self { listener, address, app, routes: Router::new() })
    }

    /// Lets remote agents call tools in their runs, each with a secret of its own: the user of a key is the name of the
    /// agent.
    #[must_use]
    pub fn with_tool_callers(mut self, callers: Keys) -> Self {
        if let Some(app) = Arc::get_mut(&mut self.app) {
            app.tool_callers = callers;
        }
        self
    }

    /// Lets whoever asks from this machine be one of these people, without a key: for demos of what needs more than one
    /// person. A server with keys knows its users, and refuses.
    pub fn with_demo_people(mut self, people: Vec<Identity>) -> Result<Self, BindError> {
        if !people.is_empty() && !self.app.keys.is_empty() {
            return Err(BindError::DemoWithKeys);
        }
        if let Some(app) = Arc::get_mut(&mut self.app) {
            app.people = People::new(people);
        }
        Ok(self)
    }

    /// Answers these routes, too, to whoever has shown who they are: their [`Identity`] is an extension of each request.
    ///
    /// # Panics
    ///
    /// When it runs, if a route is one of the server's own.
    #[must_use]
    pub fn with_routes(mut self, routes: Router) -> Self {
        self.routes = self.routes.merge(routes);
        self
    }

    /// Where it listens.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Answers until `stop`; then takes nothing new, lets runs end or ends them, and closes every stream.
    pub async fn run(self, stop: impl Future<Output = ()> + Send + 'static) {
        let stopping = CancellationToken::new();
        let stopped = stopping.clone();
        tokio::spawn(async move {
            stop.await;
            stopped.cancel();
        });
        let app = self.app.clone();
        let router = app::router(app.clone(), self.routes);
        let connections = listen::accept(self.listener, router, &app, stopping).await;
        app.stage.close().await;
        app.ending.cancel();
        listen::last_words(connections).await;
    }
}

/// Refuses names that nobody could come by.
fn check(http: &Http) -> Result<(), BindError> {
    let wrong = |setting| move |message| BindError::Setting { setting, message };
    http.hosts.iter().try_for_each(|host| check_host(host)).map_err(wrong("hosts"))?;
    http.allow_origins.iter().try_for_each(|origin| check_origin(origin)).map_err(wrong("allow_origins"))?;
    let mut pictures = http.picture_origins.iter();
    pictures.try_for_each(|origin| check_picture_origin(origin)).map_err(wrong("picture_origins"))
}
