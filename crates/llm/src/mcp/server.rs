//! One MCP server: how it stands, and who keeps it up.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use forestage_runtime::tool::Tools;
use rmcp::{Peer, RoleClient, model::ProgressNotificationParam};
use sha2::{Digest, Sha256};
use tokio::{
    runtime::Handle,
    sync::{Notify, broadcast, watch},
    task::JoinHandle,
    time::timeout,
};
use tokio_util::sync::CancellationToken;

use super::{
    McpError, Spec,
    app::{Answers, ToolMeta},
    keep::keep,
};

/// So long a run waits for a server that has not said yet what it has.
const READY_WAIT: Duration = Duration::from_secs(15);

/// So long a call waits for a server that is being connected to again.
const CALL_WAIT: Duration = Duration::from_secs(10);

/// So long a server may take to end.
const CLOSE_WAIT: Duration = Duration::from_secs(6);

/// A server. It ends when it is dropped.
pub(super) struct Server {
    shared: Arc<Shared>,
    keeper: Mutex<Option<JoinHandle<()>>>,
}

/// What a server, its keeper and its tools have in common.
pub(super) struct Shared {
    /// Whose it is.
    pub(super) agent: String,
    pub(super) spec: Spec,
    pub(super) state: watch::Sender<State>,
    /// Somebody wants to call, so there is no more reason to wait.
    pub(super) wanted: Notify,
    pub(super) stop: CancellationToken,
    /// Results that its pages wait for.
    pub(super) answers: Answers,
}

/// How a server stands.
#[derive(Clone, Default)]
pub(super) struct State {
    pub(super) link: Link,
    /// What it had when it was last there.
    pub(super) tools: Arc<Tools>,
    /// Whether it was ever there.
    pub(super) is_known: bool,
    /// What its tools say about pages, by the names that it has for them.
    pub(super) pages: Arc<BTreeMap<String, ToolMeta>>,
    /// What of it cannot be used.
    pub(super) left_out: Vec<McpError>,
}

#[derive(Clone, Default)]
pub(super) enum Link {
    #[default]
    Starting,
    Up(Connection),
    Down(McpError),
}

/// A connection that stands.
#[derive(Clone)]
pub(super) struct Connection {
    pub(super) peer: Peer<RoleClient>,
    /// Somebody found it broken.
    pub(super) broken: Arc<Notify>,
    /// Hears how far all calls are.
    pub(super) progress: broadcast::Sender<ProgressNotificationParam>,
}

impl Server {
    pub(super) fn new(agent: &str, spec: Spec) -> Self {
        let shared = Shared {
            agent: agent.to_owned(),
            spec,
            state: watch::Sender::new(State::default()),
            wanted: Notify::new(),
            stop: CancellationToken::new(),
            answers: Answers::default(),
        };
        Self { shared: Arc::new(shared), keeper: Mutex::default() }
    }

    /// Whether it is what a file wants.
    pub(super) fn is(&self, spec: &Spec) -> bool {
        self.shared.spec == *spec
    }

    pub(super) fn name(&self) -> &str {
        &self.shared.spec.name
    }

    pub(super) fn shared(&self) -> &Arc<Shared> {
        &self.shared
    }

    pub(super) fn state(&self) -> State {
        self.shared.state.borrow().clone()
    }

    /// Begins to connect, once. Where there is no runtime yet, the first run does it.
    pub(super) fn start(&self) {
        let mut keeper = self.keeper.lock().unwrap_or_else(PoisonError::into_inner);
        if keeper.is_none() && !self.shared.stop.is_cancelled() && Handle::try_current().is_ok() {
            *keeper = Some(tokio::spawn(keep(self.shared.clone())));
        }
    }

    /// Waits until it is there, or is known not to be.
    pub(super) async fn ready(&self) {
        self.start();
        let mut state = self.shared.state.subscribe();
        let settled = state.wait_for(|state| !matches!(state.link, Link::Starting) || state.is_known);
        let _ = timeout(READY_WAIT, settled).await;
    }

    /// Ends it, and waits for its program to be gone.
    pub(super) async fn close(&self) {
        self.shared.stop.cancel();
        let keeper = self.keeper.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(keeper) = keeper {
            let _ = timeout(CLOSE_WAIT, keeper).await;
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.shared.stop.cancel();
    }
}

impl Shared {
    /// What clients know it by, beside its name: the same in every process, and other for another agent.
    pub(super) fn hash(&self) -> String {
        let digest = Sha256::digest(format!("{}/{}", self.agent, self.spec.name));
        digest.iter().take(16).map(|byte| format!("{byte:02x}")).collect()
    }

    /// The connection, or why there is none after some waiting.
    pub(super) async fn connection(&self) -> Result<Connection, McpError> {
        let mut state = self.state.subscribe();
        let first = state.borrow().link.clone();
        if let Link::Up(connection) = first {
            return Ok(connection);
        }
        self.wanted.notify_one();
        let up = state.wait_for(|state| matches!(state.link, Link::Up(_)));
        let found = timeout(CALL_WAIT.min(self.spec.timeout), up).await;
        let found = found.ok().and_then(Result::ok).map(|state| state.link.clone());
        match found {
            Some(Link::Up(connection)) => Ok(connection),
            _ => Err(self.why_down()),
        }
    }

    fn why_down(&self) -> McpError {
        match &self.state.borrow().link {
            Link::Down(error) => error.clone(),
            _ => McpError::Silent { server: self.spec.name.clone(), after: CALL_WAIT },
        }
    }

    /// It is not there. Told once for each reason, so that a server that stays away does not fill the log.
    pub(super) fn down(&self, error: McpError) {
        let is_told = matches!(&self.state.borrow().link, Link::Down(told) if *told == error);
        if !is_told {
            let (agent, code) = (&self.agent, error.code());
            tracing::error!(%agent, code, %error, "an MCP server is missing; it is tried again");
        }
        self.state.send_modify(|state| state.link = Link::Down(error));
    }
}

impl State {
    /// Why nobody knows what it has.
    pub(super) fn missing(&self) -> Option<McpError> {
        match &self.link {
            Link::Down(error) if !self.is_known => Some(error.clone()),
            _ => None,
        }
    }
}
