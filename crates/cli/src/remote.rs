//! The server that a command talks to: its address, the caller's key, and errors in words that help.

use anyhow::Context;
use clap::Args;
use forestage_client::{Client, ClientError, Settings};

/// Which server, as whom.
#[derive(Args, Clone, Debug)]
pub(crate) struct Remote {
    /// The address of the server
    #[arg(long, value_name = "URL", env = "FORESTAGE_URL", default_value = "http://127.0.0.1:8787")]
    pub(crate) url: String,
    /// The API key, if the server requires one
    #[arg(long, value_name = "KEY", env = "FORESTAGE_KEY", hide_env_values = true)]
    key: Option<String>,
}

impl Remote {
    /// A client for it. Nothing is sent yet.
    pub(crate) fn client(&self, settings: Settings) -> anyhow::Result<Client> {
        let client = Client::with_settings(&self.url, settings).context("--url or FORESTAGE_URL")?;
        Ok(match &self.key {
            Some(key) => client.with_key(key).context("--key or FORESTAGE_KEY")?,
            None => client,
        })
    }

    /// Waits for a talk with the server, and says in words that help what went wrong with it.
    pub(crate) fn block_on<T>(&self, talk: impl Future<Output = anyhow::Result<T>>) -> anyhow::Result<T> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        runtime.block_on(talk).map_err(|error| self.explain(error))
    }

    /// What went wrong, and what may help.
    pub(crate) fn explain(&self, error: anyhow::Error) -> anyhow::Error {
        match error.downcast_ref::<ClientError>() {
            Some(cause) => anyhow::anyhow!(self.sentence(cause)),
            None => error,
        }
    }

    /// An error of the client as a sentence, with what may help.
    pub(crate) fn sentence(&self, error: &ClientError) -> String {
        match error {
            ClientError::GaveUp { last, .. } => self.sentence(last),
            ClientError::Unreachable(reason) => format!(
                "cannot reach {}: {reason}\n\
                 Start a server with `forestage serve` or `forestage demo`, or name another one with --url.",
                self.url
            ),
            ClientError::Refused { status: 401, message, .. } => {
                format!("{message}\nGive it with --key, or in FORESTAGE_KEY.")
            }
            ClientError::Refused { message, path, hint, .. } => {
                let path = path.as_deref().map(|path| format!("{path}: ")).unwrap_or_default();
                let hint = hint.as_deref().map(|hint| format!("\n{hint}")).unwrap_or_default();
                format!("{path}{message}{hint}")
            }
            other => other.to_string(),
        }
    }
}
