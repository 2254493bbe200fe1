//! A server with agents that do on demand what real ones do now and then. Tests drive it as a process, from Rust,
//! Node and Python: they kill it, stall it, and watch it with other people's clients.
//!
//! ```text
//! play [--store sqlite:FILE] [--listen ADDRESS] [--lease MILLISECONDS] [--trace FILE] [--people NAME[:ROLE],…]
//!      [--far URL]
//! ```
//!
//! The agent `far` is one elsewhere, at that address.
//!
//! The key of a person is their name. Without people, it is one for everybody on this machine.
//!
//! Its first line is `listening on http://ADDRESS`. It reads commands from its input (see [`gate`]) and ends when
//! that does, so that it never outlives its test.

mod agents;
mod gate;
mod revue;
mod teller;

use std::{error::Error, path::PathBuf, sync::Arc, time::Duration};

use forestage::{
    llm::remote::ndjson::{Ndjson, NdjsonConfig},
    runtime::{Limits, Stage},
    server::{ApiKey, Http, Keys, Server, hash_key},
    store,
};

use self::gate::Gate;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let options = Options::read(std::env::args().skip(1))?;
    let (gate, end_of_input) = Gate::open();
    let limits = Limits {
        lease: options.lease,
        grace: Duration::from_millis(100),
        run_bytes: 1 << 30,
        ..Limits::default()
    };
    let mut agents = agents::all(&gate, options.trace.as_deref())?;
    if let Some(url) = options.far {
        let far = Ndjson::new(NdjsonConfig { url, ..NdjsonConfig::default() })?;
        agents.insert("far".to_owned(), Arc::new(far));
    }
    let stage = Stage::new(store::open(&options.store).await?, agents, limits);
    let http = Http { listen: options.listen, ..Http::default() };
    let server = Server::bind(stage, options.people, http).await?;
    println!("listening on http://{}", server.address());
    server.run(async { end_of_input.await.unwrap_or_default() }).await;
    Ok(())
}

struct Options {
    store: String,
    listen: String,
    lease: Duration,
    /// Where tools leave what they did to the world; nowhere if it is not named.
    trace: Option<PathBuf>,
    people: Keys,
    /// Where an agent is that runs elsewhere.
    far: Option<String>,
}

impl Options {
    fn read(mut arguments: impl Iterator<Item = String>) -> Result<Self, Box<dyn Error>> {
        let mut options = Self {
            store: "memory:".to_owned(),
            listen: "127.0.0.1:0".to_owned(),
            lease: Limits::default().lease,
            trace: None,
            people: Keys::default(),
            far: None,
        };
        while let Some(name) = arguments.next() {
            let value = arguments.next().ok_or_else(|| format!("{name} needs a value"))?;
            match name.as_str() {
                "--store" => options.store = value,
                "--listen" => options.listen = value,
                "--lease" => options.lease = Duration::from_millis(value.parse()?),
                "--people" => options.people = people(&value)?,
                "--far" => options.far = Some(value),
                "--trace" => options.trace = Some(value.into()),
                _ => return Err(format!("there is no option {name}").into()),
            }
        }
        Ok(options)
    }
}

/// `ann,bob:manager`.
fn people(text: &str) -> Result<Keys, Box<dyn Error>> {
    let key = |person: &str| {
        let (user, role) = person.split_once(':').unwrap_or((person, ""));
        let roles = Some(role.to_owned()).filter(|role| !role.is_empty());
        ApiKey { user: user.to_owned(), hash: hash_key(user), roles: roles.into_iter().collect() }
    };
    Ok(Keys::new(&text.split(',').map(key).collect::<Vec<_>>())?)
}
