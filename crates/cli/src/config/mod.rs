//! The configuration of a server: one struct, four places it comes from.
//!
//! Later places win: the defaults, the file, the environment, the flags. `serve` and `demo` ask for it; nothing
//! else reads a setting. Promise: what is unknown or wrong is told with its place, and nothing starts with it.

mod file;
mod print;
mod remote;
mod rule;
mod setting;
mod shape;
mod variable;

#[cfg(test)]
mod docs;

use std::{
    collections::BTreeMap,
    env,
    ffi::OsString,
    fmt, fs,
    path::{Path, PathBuf},
    time::Duration,
};

use forestage_runtime::Limits;
use forestage_server::{ApiKey, Dialects, Http, Inspector};

pub(crate) use self::{
    print::{key_block, print},
    remote::{AG_UI, Remote},
    variable::unread,
};
use self::{
    setting::{Setting, Stored, Value, settings},
    shape::{Rule, Shape},
};

/// The file that is read where no other is named.
pub(crate) const FILE: &str = "forestage.toml";

settings! {
    /// Where threads are stored: `sqlite:` and a file, `postgres://user@host/database` for servers on several machines, or
    /// `memory:` for nothing that outlives the process. Behind the first two may stand `?durability=disk`, and
    /// behind a database also `schema=`, `sslmode=` and other settings of the connection.
    "" store: String = "sqlite:forestage.db".to_owned() => rule::STORE,
    /// The folder with the agents: scripts (`*.yaml`) and agent files (`*.md`). It is watched: an edited agent answers
    /// the next run. Where there is no folder `agents`, the built-in agents are served.
    "" agents: String = "agents".to_owned() => rule::FOLDER,
    /// A server that speaks for all models of agent files, such as `http://127.0.0.1:8788` for `forestage model-server`.
    /// No key is sent there. Empty means: each model is where its file says.
    "" model_url: String = String::new() => rule::SERVER,
    /// What is logged on standard error: `off`, `error`, `warn`, `info`, `debug`, `trace`, or a filter such as
    /// `warn,forestage_runtime=debug`.
    "" log: String = "info".to_owned() => rule::LOG,

    /// The address to listen on. Anything but loopback needs keys. Port 0 takes any free one.
    "http" listen: String = Http::default().listen => rule::LISTEN,
    /// Host names under which clients may reach the server, beside those of loopback. Empty means: loopback names
    /// only without keys, any with keys.
    "http" hosts: Vec<String> = Http::default().hosts => rule::HOST,
    /// Origins of other sites whose pages may use the API, such as `https://app.example`.
    "http" allow_origins: Vec<String> = Http::default().allow_origins => rule::ORIGIN,
    /// Origins from which the web app shows pictures that agents name, such as `https://images.example`. Whoever serves a
    /// picture learns who looks at it and when, so none are shown from elsewhere by default.
    "http" picture_origins: Vec<String> = Http::default().picture_origins => rule::PICTURE_ORIGIN,
    /// The largest request body.
    "http" max_body_bytes: usize = Http::default().max_body_bytes,
    /// The largest frame that a socket takes.
    "http" max_frame_bytes: usize = Http::default().max_frame_bytes,
    /// How many members and elements a request body or a frame may have, beside one for every 48 bytes of it; in a
    /// recording it is one for every 12 bytes. One more is `413 too_many_values`. Each needs about 600 bytes of memory.
    "http" max_values: usize = Http::default().max_values => rule::SOME,
    /// How many messages a request may have. One more is `413 too_many_messages`: the server has the history, so that
    /// clients can send what is new alone. Thousands of very short messages can exceed `max_values` first, with the same
    /// error.
    "http" max_messages: usize = Http::default().max_messages => rule::SOME,
    /// How much memory the bodies and frames that are being read may need together, as estimated from their length and
    /// what they hold. Others wait for two seconds, and are then `503 server_busy` with `Retry-After`.
    "http" request_memory_bytes: usize = Http::default().request_memory_bytes => rule::SOME,
    /// How many connections are open at most.
    "http" max_connections: usize = Http::default().max_connections => rule::SOME,
    /// How long a client may take to send its request's head.
    "http" header_timeout_seconds: u64 = Http::default().header_timeout_seconds => rule::SOME,
    /// How long a client may take to send its request's body. One that takes longer, or sends nothing for 30 seconds, is
    /// `408 body_timeout`. A WebSocket frame of more than 64 kB may take as long.
    "http" body_timeout_seconds: u64 = Http::default().body_timeout_seconds => rule::SOME,
    /// After how long a silent stream sends a comment, so that proxies keep it open.
    "http" keep_alive_seconds: u64 = Http::default().keep_alive_seconds => rule::SOME,
    /// Whether the web app has an inspector, which shows every event of a thread: `on`, `off`, or `auto`, which means
    /// only without keys, where nobody but this machine can connect.
    "http" inspector: String = "auto".to_owned() => Rule::OneOf(&["auto", "on", "off"]),
    /// Whether people may speak to the web app: `on` or `off`. The page asks only browsers that understand speech on the
    /// device, so that no voice leaves it, and the microphone is closed to it otherwise.
    "http" dictation: String = "off".to_owned() => Rule::OneOf(&["on", "off"]),

    /// The agent that AGORA clients talk to on `GET /ws`, unless their address names one. Empty means: the only one.
    "dialects" agora_agent: String = String::new(),
    /// The agent that tutoring clients talk to on `POST /awp`, likewise.
    "dialects" its_agent: String = String::new(),
    /// The agent that AGUI.Protocol clients talk to on `POST /run`, likewise.
    "dialects" net_agent: String = String::new(),
    /// The agent that CopilotKit front ends mean by `default`, likewise.
    "dialects" copilotkit_agent: String = String::new(),
    /// The agent that trainer2 clients talk to on `GET /realtime`, likewise.
    "dialects" trainer2_agent: String = String::new(),
    /// Whether data of A2UI 0.8 replaces what stands at its path, and without a path the whole data model, as that version
    /// says: `on` or `off`. With `off` it does only for agents whose house rules say so, and data that a message does not
    /// name stays.
    "dialects" strict_a2ui_0_8: String = "off".to_owned() => Rule::OneOf(&["on", "off"]),

    /// A run that lasts longer ends with `RUN_ERROR` code `run_timeout`.
    "limits" run_seconds: u64 = Limits::default().run_time.as_secs() => rule::SOME,
    /// A run with more events ends with code `run_too_large`.
    "limits" run_events: usize = Limits::default().run_events,
    /// A run with more bytes of JSON ends with code `run_too_large`.
    "limits" run_bytes: usize = Limits::default().run_bytes,
    /// An agent waits while so many bytes are not committed yet.
    "limits" unwritten_bytes: usize = Limits::default().unwritten_bytes,
    /// How long a process keeps a thread without saying so again. The runs of one that died are closed after it.
    "limits" lease_seconds: u64 = Limits::default().lease.as_secs() => rule::SOME,
    /// How long shutting down waits for runs before it ends them. 0 ends them at once.
    "limits" grace_seconds: u64 = Limits::default().grace.as_secs() => rule::MAYBE_NONE,
    /// How long viewers wait for a store that fails before their streams break off. 0 breaks them off at once.
    "limits" outage_seconds: u64 = Limits::default().outage.as_secs() => rule::MAYBE_NONE,
}

/// What the flags of a command say; they win over everything else.
#[derive(Clone, Debug, Default)]
pub(crate) struct Given {
    /// The file to read, which then has to be there.
    pub(crate) file: Option<PathBuf>,
    /// Settings by name.
    pub(crate) settings: Vec<(&'static str, String)>,
}

/// Something in the configuration that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Problem {
    /// Where: a file with line and column, a variable, a flag.
    place: String,
    /// What and why.
    message: String,
}

/// Everything that is wrong with a configuration.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the configuration cannot be used\n{}", list(.0))]
pub(crate) struct Problems(Vec<Problem>);

fn inspector(text: &str) -> Inspector {
    match text {
        "on" => Inspector::On,
        "off" => Inspector::Off,
        _ => Inspector::Auto,
    }
}

fn named(agent: &str) -> Option<String> {
    Some(agent.to_owned()).filter(|agent| !agent.is_empty())
}

fn list(problems: &[Problem]) -> String {
    problems.iter().map(|problem| format!("  {problem}")).collect::<Vec<_>>().join("\n")
}

impl fmt::Display for Problem {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}: {}", self.place, self.message)
    }
}

impl Problem {
    fn new(place: impl Into<String>, message: impl Into<String>) -> Self {
        Self { place: place.into(), message: message.into() }
    }
}

impl Config {
    /// Reads the configuration from everywhere.
    pub(crate) fn load(given: &Given) -> Result<Self, Problems> {
        let mut config = Self::default();
        let mut problems = Vec::new();
        config.read_file(given.file.as_deref(), &mut problems);
        config.read_environment(Self::SETTINGS, |name| env::var_os(name), &mut problems);
        config.finish(given, problems)
    }

    /// The defaults, these variables and the flags, whatever the file and the rest of the environment say.
    pub(crate) fn of(given: &Given, variables: &[&str]) -> Result<Self, Problems> {
        let mut config = Self::default();
        let mut problems = Vec::new();
        let settings = variables.iter().map(|name| find(name));
        config.read_environment(settings, |name| env::var_os(name), &mut problems);
        config.finish(given, problems)
    }

    fn finish(mut self, given: &Given, mut problems: Vec<Problem>) -> Result<Self, Problems> {
        for (name, text) in &given.settings {
            self.set_text(find(name), &format!("--{}", name.replace('_', "-")), text, &mut problems);
        }
        if problems.is_empty() { Ok(self) } else { Err(Problems(problems)) }
    }

    /// Where a setting was given: a line of a file, a variable or a flag.
    pub(crate) fn place(&self, name: &str) -> Option<&str> {
        self.places.get(name).map(String::as_str)
    }

    /// Whether the agents that come along are served. Somebody who has written nothing yet should still meet an agent; a
    /// folder that was named has to be there.
    pub(crate) fn agents_are_built_in(&self) -> bool {
        self.agents == Self::default().agents && !Path::new(&self.agents).exists()
    }

    /// Whether the agents that clients of dialects talk to are among these. Only a server that has its agents can tell.
    pub(crate) fn check_agents(&self, known: &[String]) -> Result<(), Problems> {
        let known: Vec<_> = known.iter().map(String::as_str).collect();
        let dialects = Self::SETTINGS.iter().filter(|setting| setting.name.ends_with("_agent"));
        let problems: Vec<_> = dialects
            .filter_map(|setting| match (setting.get)(self) {
                Value::Text(name) if !name.is_empty() && !known.contains(&name.as_str()) => {
                    let place = self.place(setting.name).unwrap_or(setting.name);
                    let text = format!("there is no agent `{name}`{}", file::suggestion(&name, &known));
                    Some(Problem::new(place, text))
                }
                _ => None,
            })
            .collect();
        if problems.is_empty() { Ok(()) } else { Err(Problems(problems)) }
    }

    /// How the server meets its clients.
    pub(crate) fn http(&self) -> Http {
        Http {
            listen: self.listen.clone(),
            hosts: self.hosts.clone(),
            allow_origins: self.allow_origins.clone(),
            picture_origins: self.picture_origins.clone(),
            max_body_bytes: self.max_body_bytes,
            max_frame_bytes: self.max_frame_bytes,
            max_values: self.max_values,
            max_messages: self.max_messages,
            request_memory_bytes: self.request_memory_bytes,
            max_connections: self.max_connections,
            header_timeout_seconds: self.header_timeout_seconds,
            body_timeout_seconds: self.body_timeout_seconds,
            keep_alive_seconds: self.keep_alive_seconds,
            inspector: inspector(&self.inspector),
            demo: false,
            dictation: self.dictation == "on",
            dialects: Dialects {
                agora: named(&self.agora_agent),
                its: named(&self.its_agent),
                net: named(&self.net_agent),
                copilotkit: named(&self.copilotkit_agent),
                trainer2: named(&self.trainer2_agent),
            },
        }
    }

    /// How far runs may go.
    pub(crate) fn limits(&self) -> Limits {
        Limits {
            run_time: Duration::from_secs(self.run_seconds),
            run_events: self.run_events,
            run_bytes: self.run_bytes,
            unwritten_bytes: self.unwritten_bytes,
            lease: Duration::from_secs(self.lease_seconds),
            grace: Duration::from_secs(self.grace_seconds),
            outage: Duration::from_secs(self.outage_seconds),
            strict_a2ui_0_8: self.strict_a2ui_0_8 == "on",
        }
    }

    /// A file that is named has to be there; the usual one may be missing.
    fn read_file(&mut self, named: Option<&Path>, problems: &mut Vec<Problem>) {
        let path = named.unwrap_or(Path::new(FILE));
        let place = path.display().to_string();
        match fs::read(path) {
            Ok(bytes) => self.read_bytes(&place, &bytes, problems),
            Err(error) if named.is_none() && error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => problems.push(Problem::new(place, format!("cannot be read: {error}"))),
        }
    }

    fn read_environment(
        &mut self,
        settings: impl IntoIterator<Item = &'static Setting>,
        variable: impl Fn(&str) -> Option<OsString>,
        problems: &mut Vec<Problem>,
    ) {
        for setting in settings {
            let name = setting.variable();
            match variable(&name).map(OsString::into_string) {
                Some(Ok(text)) if !text.is_empty() => self.set_text(setting, &name, &text, problems),
                Some(Err(_)) => problems.push(Problem::new(name, "this is not UTF-8")),
                _ => {}
            }
        }
    }

    fn set_text(&mut self, setting: &Setting, place: &str, text: &str, problems: &mut Vec<Problem>) {
        match setting.shape.parse(text) {
            Ok(value) => self.set(setting, value, place.to_owned()),
            Err(message) => problems.push(Problem::new(place, message)),
        }
    }

    fn set(&mut self, setting: &Setting, value: Value, place: String) {
        (setting.set)(self, value);
        self.places.insert(setting.name.to_owned(), place);
    }
}

fn find(name: &str) -> &'static Setting {
    let found = Config::SETTINGS.iter().find(|setting| setting.name == name);
    found.expect("flags are named after settings")
}
