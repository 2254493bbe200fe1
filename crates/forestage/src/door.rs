//! A server that is ready, and one that runs.

use std::{path::PathBuf, sync::Arc};

use forestage_runtime::{Stage, script::LoadError, tool::RegisterError};
use forestage_server::{BindError, Server};
use forestage_store::OpenError;
use tokio::{sync::oneshot, task::JoinHandle};

use crate::{Builder, cast::Cast, stop};

/// A server that has its agents and its address and has not begun to answer.
#[derive(Debug)]
pub struct Forestage {
    server: Server,
    stage: Arc<Stage>,
    cast: Option<Cast>,
}

/// Why a server did not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The threads cannot be kept there.
    #[error("cannot open the store {url}")]
    Store {
        /// Where.
        url: String,
        /// Why.
        source: OpenError,
    },
    /// Agents of a folder have mistakes, or the folder cannot be read.
    #[error("the agents in `{}` cannot be used", folder.display())]
    Agents {
        /// The folder.
        folder: PathBuf,
        /// Every mistake.
        source: LoadError,
    },
    /// A tool cannot be offered.
    #[error(transparent)]
    Tool(#[from] RegisterError),
    /// The address cannot be used.
    #[error(transparent)]
    Bind(#[from] BindError),
    /// Nobody could stop it in order.
    #[error("cannot listen for signals")]
    Signals(#[source] std::io::Error),
}

impl Forestage {
    /// Begins a server.
    pub fn builder() -> Builder {
        Builder::default()
    }

    pub(crate) fn new(server: Server, stage: Arc<Stage>, cast: Option<Cast>) -> Self {
        Self { server, stage, cast }
    }

    /// The address for clients.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}", self.server.address())
    }

    /// The stage that the agents play on.
    #[must_use]
    pub fn stage(&self) -> &Arc<Stage> {
        &self.stage
    }

    /// Answers until `stop`; then lets runs end, and closes every stream.
    pub async fn run(self, stop: impl Future<Output = ()> + Send + 'static) {
        self.server.run(stop).await;
        if let Some(cast) = self.cast {
            cast.close().await;
        }
    }

    /// The same, until Ctrl-C or SIGTERM. A second one ends the process at once. Both count from the call on, so call
    /// it before you say where the server is.
    pub fn until_signalled(self) -> std::io::Result<impl Future<Output = ()> + Send> {
        let stop = stop::signals()?;
        Ok(self.run(stop))
    }

    /// Answers in the background.
    #[must_use]
    pub fn spawn(self) -> Running {
        let (url, stage) = (self.url(), self.stage.clone());
        let (stop, stopped) = oneshot::channel::<()>();
        let task = tokio::spawn(self.run(async move {
            // Whoever drops the handle has stopped it, too.
            let _ = stopped.await;
        }));
        Running { url, stage, stop, task }
    }
}

/// A server in the background. It stops when this is dropped.
#[derive(Debug)]
pub struct Running {
    url: String,
    stage: Arc<Stage>,
    stop: oneshot::Sender<()>,
    task: JoinHandle<()>,
}

impl Running {
    /// The address for clients.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }

    /// The stage that the agents play on.
    #[must_use]
    pub fn stage(&self) -> &Arc<Stage> {
        &self.stage
    }

    /// Stops it, and waits until everything is written.
    pub async fn shutdown(self) {
        let _ = self.stop.send(());
        // It only fails if it panicked, which is on standard error.
        let _ = self.task.await;
    }
}
