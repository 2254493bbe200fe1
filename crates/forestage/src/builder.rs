//! Putting a server together.

use std::{path::PathBuf, sync::Arc};

use axum::Router;
use forestage_llm::agent_file::{ModelName, Setup};
use forestage_runtime::{
    Agent, Agents, Limits, Stage,
    house::HouseRules,
    tool::{RegisterError, Tool, Tools},
    with_house,
};
use forestage_server::{Dialects, Http, Identity, Keys, Server};

use crate::{Forestage, Running, StartError, cast, stop};

/// A server in the making; [`Forestage::builder`] begins one.
#[derive(Debug, Default)]
#[must_use = "nothing is served until `serve`, `start` or `bind`"]
pub struct Builder {
    agents: Fixed,
    tools: Tools,
    /// The first tool that could not be taken. It is told when the server starts, so that calls can be chained.
    refused: Option<RegisterError>,
    house: HouseRules,
    folder: Option<PathBuf>,
    model: Option<ModelName>,
    model_url: Option<String>,
    store: Option<String>,
    listen: Option<String>,
    http: Http,
    keys: Keys,
    people: Vec<Identity>,
    callers: Keys,
    limits: Limits,
    routes: Router,
}

/// Agents that are there for good, in a box that can be printed.
#[derive(Default)]
struct Fixed(Agents);

impl std::fmt::Debug for Fixed {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_set().entries(self.0.keys()).finish()
    }
}

impl Builder {
    /// Serves an agent under a name; of several with one name the last counts.
    pub fn agent(mut self, name: &str, agent: impl Agent) -> Self {
        self.agents.0.insert(name.to_owned(), Arc::new(agent));
        self
    }

    /// Serves all of these, too.
    pub fn agents(mut self, agents: Agents) -> Self {
        self.agents.0.extend(agents);
        self
    }

    /// Serves the scripts and agent files of a folder, and keeps up with it.
    pub fn agents_dir(self, folder: impl Into<PathBuf>) -> Self {
        Self { folder: Some(folder.into()), ..self }
    }

    /// A tool for the agents of [`agent`](Self::agent) that bring none of their own, and for agent files that name it
    /// under `uses`.
    pub fn tool(mut self, tool: impl Tool) -> Self {
        if let Err(error) = self.tools.add(Arc::new(tool)) {
            self.refused.get_or_insert(error);
        }
        self
    }

    /// The rules for those tools, where they are used by agents of [`agent`](Self::agent). Agent files have their own.
    pub fn house(self, house: HouseRules) -> Self {
        Self { house, ..self }
    }

    /// The model of all agent files, whatever they say.
    pub fn model(self, model: ModelName) -> Self {
        Self { model: Some(model), ..self }
    }

    /// A server that speaks for all models, such as that of `forestage model-server`. No key is sent there.
    pub fn model_url(self, url: impl Into<String>) -> Self {
        Self { model_url: Some(url.into()), ..self }
    }

    /// Keeps threads in this SQLite file.
    pub fn data(self, file: impl AsRef<std::path::Path>) -> Self {
        self.store(format!("sqlite:{}", file.as_ref().display()))
    }

    /// Keeps threads there: `sqlite:` and a file, `postgres://` and a database that several machines may share, or
    /// `memory:` for nothing that outlives the process.
    pub fn store(self, url: impl Into<String>) -> Self {
        Self { store: Some(url.into()), ..self }
    }

    /// The address to listen on; port 0 takes any free one. Anything but loopback needs keys.
    pub fn listen(self, address: impl Into<String>) -> Self {
        Self { listen: Some(address.into()), ..self }
    }

    /// Who may come in. Without keys it is whoever uses this machine.
    pub fn keys(self, keys: Keys) -> Self {
        Self { keys, ..self }
    }

    /// People that whoever uses this machine may be, without a key: for demos of what needs more than one person. A server
    /// with keys does not start with them.
    pub fn demo_people(self, people: Vec<Identity>) -> Self {
        Self { people, ..self }
    }

    /// Which agent clients of older contracts talk to, where they do not say.
    pub fn dialects(mut self, dialects: Dialects) -> Self {
        self.http.dialects = dialects;
        self
    }

    /// How the server meets its clients. The address in it is where it listens.
    pub fn http(self, http: Http) -> Self {
        Self { listen: Some(http.listen.clone()), http, ..self }
    }

    /// How far runs may go.
    pub fn limits(self, limits: Limits) -> Self {
        Self { limits, ..self }
    }

    /// Lets remote agents call tools: the user of a key is the name of the agent.
    pub fn tool_callers(self, callers: Keys) -> Self {
        Self { callers, ..self }
    }

    /// Routes of your own, for callers who have shown who they are: each request has their
    /// [`Identity`](forestage_server::Identity) as an extension.
    pub fn routes(self, routes: Router) -> Self {
        Self { routes: self.routes.merge(routes), ..self }
    }

    /// Serves until Ctrl-C or SIGTERM, then lets runs end. Where nothing else was said it listens on the address in the
    /// variable `FORESTAGE_LISTEN` or on `127.0.0.1:8787`, and keeps threads in `forestage.db`.
    pub async fn serve(mut self) -> Result<(), StartError> {
        self.listen = self.listen.or_else(|| std::env::var("FORESTAGE_LISTEN").ok());
        // Before anything is announced: whoever reads the announcement may stop us at once.
        let stop = stop::signals().map_err(StartError::Signals)?;
        let bound = self.bind().await?;
        println!("listening on {}", bound.url());
        bound.run(stop).await;
        Ok(())
    }

    /// Serves in the background, for tests: on any free port of this machine and in memory, where nothing else was said.
    pub async fn start(mut self) -> Result<Running, StartError> {
        self.listen.get_or_insert_with(|| "127.0.0.1:0".to_owned());
        self.store.get_or_insert_with(|| "memory:".to_owned());
        Ok(self.bind().await?.spawn())
    }

    /// Takes the address and gets everything ready, and answers nobody yet.
    pub async fn bind(mut self) -> Result<Forestage, StartError> {
        if let Some(error) = self.refused.take() {
            return Err(error.into());
        }
        let url = self.store.take().unwrap_or_else(|| "sqlite:forestage.db".to_owned());
        let store = forestage_store::open(&url).await;
        let store =
            store.map_err(|source| StartError::Store { url: forestage_store::shown(&url), source })?;
        let agents = self.equipped();
        let stage = Stage::new(store, agents.clone(), self.limits);
        let cast = match self.folder.take() {
            None => None,
            Some(folder) => {
                let watched = cast::watch(&stage, &folder, agents, self.setup());
                Some(watched.map_err(|source| StartError::Agents { folder, source })?)
            }
        };
        let listen = self.listen.unwrap_or_else(|| Http::default().listen);
        let server = Server::bind(stage.clone(), self.keys, Http { listen, ..self.http }).await?;
        let server = server.with_demo_people(self.people)?;
        let server = server.with_tool_callers(self.callers).with_routes(self.routes);
        Ok(Forestage::new(server, stage, cast))
    }

    /// The agents, each with the tools of the server if it has none.
    fn equipped(&mut self) -> Agents {
        let mut agents = std::mem::take(&mut self.agents.0);
        if !self.tools.is_empty() {
            for agent in agents.values_mut().filter(|agent| agent.tools().is_empty()) {
                *agent = with_house(agent.clone(), self.tools.clone(), self.house.clone());
            }
        }
        agents
    }

    fn setup(&mut self) -> Setup {
        Setup {
            model_url: self.model_url.take().filter(|url| !url.is_empty()),
            model: self.model.take(),
            tools: Some(self.tools.clone()),
            ..Setup::default()
        }
    }
}
