//! The MCP servers of all agents, so that a file that is read again keeps those that it still names.

use std::{
    collections::BTreeMap,
    fmt,
    sync::{Arc, Mutex, PoisonError, Weak},
};

use futures_util::future::join_all;

use super::{McpServers, Spec, server::Server};

/// The servers that are in use, by agent and name. A copy is the same pool.
#[derive(Clone, Default)]
pub struct Pool(Arc<Mutex<Servers>>);

type Servers = BTreeMap<(String, String), Weak<Server>>;

impl Pool {
    /// The servers of an agent. One that was there with the same settings is taken as it is; one whose settings have
    /// changed is begun anew, and the old one ends when the last run that uses it does.
    pub(crate) fn servers<'s>(&self, agent: &str, specs: impl Iterator<Item = &'s Spec>) -> McpServers {
        specs.map(|spec| self.server(agent, spec)).collect()
    }

    fn server(&self, agent: &str, spec: &Spec) -> Arc<Server> {
        let mut servers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (agent.to_owned(), spec.name.clone());
        let present = servers.get(&key).and_then(Weak::upgrade).filter(|server| server.is(spec));
        let server = present.unwrap_or_else(|| Arc::new(Server::new(agent, spec.clone())));
        servers.insert(key, Arc::downgrade(&server));
        server.start();
        server
    }

    /// Ends all servers, and waits for their programs to be gone.
    pub async fn close(&self) {
        let servers: Vec<_> = {
            let servers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            servers.values().filter_map(Weak::upgrade).collect()
        };
        join_all(servers.iter().map(|server| server.close())).await;
    }
}

impl fmt::Debug for Pool {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let servers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        out.debug_list().entries(servers.keys()).finish()
    }
}
