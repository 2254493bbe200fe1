//! What all applications have in common: where their data is, and who plays the agents.

use std::{error::Error, path::PathBuf};

use forestage::{Builder, Forestage, llm::agent_file::ModelName};

/// Anything that keeps an application from starting.
pub type AppError = Box<dyn Error + Send + Sync>;

/// How an application is started.
#[derive(Debug)]
pub struct Setup {
    /// The folder with its data; it is made if need be.
    pub data: PathBuf,
    /// Who plays its agents.
    pub player: Player,
}

/// Who plays the agents of an application.
#[derive(Debug, Default)]
pub enum Player {
    /// Rules that are written down: no key, no model, the same answer every time.
    #[default]
    Rules,
    /// A model, by the agent files of the application.
    Model {
        /// Which, if it is another than the files say.
        name: Option<Box<ModelName>>,
        /// Where, if it is a server that speaks for all models.
        url: Option<String>,
    },
}

impl Setup {
    /// Rules, and data in this folder.
    pub fn rules(data: impl Into<PathBuf>) -> Self {
        Self { data: data.into(), player: Player::Rules }
    }

    /// A server that keeps its threads among the data.
    pub(crate) fn server(&self) -> Result<Builder, AppError> {
        std::fs::create_dir_all(&self.data)?;
        Ok(Forestage::builder().data(self.data.join("threads.db")))
    }

    /// Whether a model plays.
    pub(crate) fn has_model(&self) -> bool {
        matches!(self.player, Player::Model { .. })
    }

    /// Adds the agent files of an application, for a model to play.
    pub(crate) fn played_by_model(self, builder: Builder, app: &str) -> Builder {
        let builder = builder.agents_dir(folder(app).join("agents"));
        let Player::Model { name, url } = self.player else { return builder };
        let builder = builder.model_url(url.unwrap_or_default());
        match name {
            Some(name) => builder.model(*name),
            None => builder,
        }
    }
}

/// The folder of an application, in the sources.
pub(crate) fn folder(app: &str) -> PathBuf {
    // Cargo does not compile this again for another clone unless the clone's variable is read as well.
    let _: Option<&str> = option_env!("CHECKOUT");
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(app)
}
