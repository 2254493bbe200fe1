//! A Forestage server, as a client holds it.

use forestage_protocol::id::ThreadId;
use reqwest::{Method, Url};
use serde_json::{Map, Value};

use crate::{
    agent::AgentClient,
    error::ClientError,
    http::{self, Http, append},
    record::{AgentRecord, Page, ThreadRecord},
    retry::Settings,
    socket::Socket,
    thread::ThreadClient,
};

/// The body of a request that has none.
pub(crate) const NOTHING: Option<&Value> = None;

/// A Forestage server. Cheap to clone; clones share their connections.
#[derive(Clone, Debug)]
pub struct Client {
    base: Url,
    http: Http,
}

/// Which threads to list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ThreadQuery {
    /// Words to look for.
    pub search: Option<String>,
    /// Of one agent only.
    pub agent: Option<String>,
    /// In this state only: `idle`, `running`, `waiting`, `failed`.
    pub status: Option<String>,
    /// Those that were put away, too.
    pub archived: bool,
    /// How many at most.
    pub limit: Option<usize>,
    /// The [`Page::next`] of the page before.
    pub cursor: Option<String>,
}

impl Client {
    /// The server at an address, such as `http://localhost:4000`. Nothing is sent yet.
    pub fn new(base: &str) -> Result<Self, ClientError> {
        Self::with_settings(base, Settings::default())
    }

    /// The same with other limits.
    pub fn with_settings(base: &str, settings: Settings) -> Result<Self, ClientError> {
        let base = http::address(base)?;
        let http = Http::new(&base, settings)?;
        Ok(Self { base, http })
    }

    /// Sends this key with every request, as a bearer token.
    pub fn with_key(mut self, key: &str) -> Result<Self, ClientError> {
        self.http.set_key(key)?;
        Ok(self)
    }

    /// Sends this header with every request.
    pub fn with_header(mut self, name: &str, value: &str) -> Result<Self, ClientError> {
        self.http.set_header(name, value)?;
        Ok(self)
    }

    /// One of its agents.
    pub fn agent(&self, name: &str) -> Result<AgentClient, ClientError> {
        let url = self.url(&["agents", name, "runs"])?;
        Ok(AgentClient::of(self.clone(), url))
    }

    /// One of its threads.
    #[must_use]
    pub fn thread(&self, thread_id: impl Into<ThreadId>) -> ThreadClient {
        ThreadClient::new(self.clone(), thread_id.into())
    }

    /// A socket for many runs and threads on one connection.
    pub async fn socket(&self) -> Result<Socket, ClientError> {
        Socket::open(self).await
    }

    /// Its agents.
    pub async fn agents(&self) -> Result<Vec<AgentRecord>, ClientError> {
        Ok(self.page(self.url(&["agents"])?, "agents").await?.items)
    }

    /// What it says about one agent.
    pub async fn describe(&self, agent: &str) -> Result<AgentRecord, ClientError> {
        self.http.json(Method::GET, self.url(&["agents", agent])?, NOTHING).await
    }

    /// The caller's threads, the first page or a further one.
    pub async fn threads(&self, query: &ThreadQuery) -> Result<Page<ThreadRecord>, ClientError> {
        let mut url = self.url(&["threads"])?;
        append(&mut url, "search", query.search.as_deref());
        append(&mut url, "agent", query.agent.as_deref());
        append(&mut url, "status", query.status.as_deref());
        append(&mut url, "archived", query.archived.then_some("true"));
        append(&mut url, "limit", query.limit.map(|limit| limit.to_string()).as_deref());
        append(&mut url, "cursor", query.cursor.as_deref());
        self.page(url, "threads").await
    }

    pub(crate) fn http(&self) -> &Http {
        &self.http
    }

    /// An address below the base and the version of the interface.
    pub(crate) fn url(&self, segments: &[&str]) -> Result<Url, ClientError> {
        let segments: Vec<&str> = ["v1"].iter().chain(segments).copied().collect();
        http::below(&self.base, &segments)
    }

    pub(crate) async fn page<T>(&self, url: Url, name: &'static str) -> Result<Page<T>, ClientError>
    where
        T: From<Map<String, Value>>,
    {
        Page::read(self.http.json(Method::GET, url, NOTHING).await?, name)
    }
}
