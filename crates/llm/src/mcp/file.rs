//! The format: MCP servers in an agent file.
//!
//! The documentation of these types is what editors show, by way of the schema.

use std::{collections::BTreeMap, time::Duration};

use forestage_runtime::{
    file::{List, Place, Placed, Time},
    script::ScriptError,
    tool::Tools,
};
use reqwest::{
    Url,
    header::{HeaderName, HeaderValue},
};
use schemars::JsonSchema;
use serde::Deserialize;

use super::app::check_host;
use crate::http_tool::{client_for, fixed_url};

/// How long silence may last where nobody says otherwise.
const TIMEOUT: Duration = Duration::from_secs(30);

/// Beginnings of names that agents have tools of their own with.
const TAKEN: [&str; 7] = ["ask", "get", "its", "render", "send", "transfer", "update"];

/// Headers that the protocol needs for itself.
const RESERVED: [&str; 5] =
    ["accept", "content-type", "last-event-id", "mcp-protocol-version", "mcp-session-id"];

/// MCP servers by name.
pub(crate) type McpFile = BTreeMap<String, Placed<McpServerFile>>;

/// A server of tools that speaks MCP: a program with `command`, or an address with `url`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "McpServer")]
pub(crate) struct McpServerFile {
    /// The program to start; it speaks MCP on its standard input and output.
    #[serde(default)]
    command: Option<Placed<String>>,
    /// What the program is called with.
    #[serde(default)]
    args: Option<Placed<Vec<String>>>,
    /// Variables for the program, which gets few others. `${NAME}` is a secret from the environment.
    #[serde(default)]
    env: Option<Placed<BTreeMap<String, String>>>,
    /// The address of a server that speaks streamable HTTP.
    #[serde(default)]
    url: Option<Placed<String>>,
    /// What to send along. `${NAME}` is a secret from the environment.
    #[serde(default)]
    headers: Option<Placed<BTreeMap<String, Placed<String>>>>,
    /// Hosts where a redirect may lead, beside the one of the address.
    #[serde(default)]
    hosts: Option<Placed<Vec<String>>>,
    /// Whether the address may be of this machine or of a private network.
    #[serde(default)]
    allow_private: Option<Placed<bool>>,
    /// The tools of the server that the model may call, by the server's names; all of them where absent.
    #[serde(default)]
    tools: Option<Placed<List<Placed<String>>>>,
    /// How long silence may last, of the server and of a call; 30 seconds where absent.
    #[serde(default)]
    timeout: Option<Placed<Time>>,
    /// Whether pages that come with its tools (MCP Apps) are shown; they are where absent.
    #[serde(default)]
    apps: Option<Placed<bool>>,
    /// Hosts that those pages may reach if they ask for them, such as `https://api.example.org` or
    /// `https://*.example.org`; none where absent.
    #[serde(default)]
    app_hosts: Option<Placed<List<Placed<String>>>>,
}

/// A server, as its file wants it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Spec {
    /// Its name.
    pub(crate) name: String,
    pub(super) road: Road,
    /// The tools that are wanted, by the server's names.
    pub(super) tools: Option<Vec<String>>,
    pub(super) timeout: Duration,
    /// Whether its pages are shown.
    pub(super) apps: bool,
    /// The hosts that they may reach.
    pub(super) app_hosts: Vec<String>,
}

/// How a server is reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Road {
    Program { command: String, args: Vec<String>, env: BTreeMap<String, String> },
    Address { url: Url, headers: BTreeMap<String, String>, hosts: Vec<String>, allow_private: bool },
}

type Faults = Vec<(Place, String)>;

impl Spec {
    /// The servers of a file with these tools, and what is wrong with others.
    pub(crate) fn all(
        servers: &McpFile,
        own: &Tools,
        file: &str,
        errors: &mut Vec<ScriptError>,
    ) -> Vec<(Place, Self)> {
        let mut faults = Faults::new();
        let specs = servers.iter().filter_map(|(name, server)| {
            check_name(name, &server.place, own, &mut faults);
            let spec = server.value.spec(name, &server.place, &mut faults)?;
            Some((server.place.clone(), spec))
        });
        let specs = specs.collect();
        errors.extend(faults.into_iter().map(|(place, text)| ScriptError::new(file, place, text)));
        specs
    }
}

/// Tools are offered as `<server>_<tool>`, and names of servers have no `_`: so no two of them meet.
fn check_name(name: &str, place: &Place, own: &Tools, faults: &mut Faults) {
    let plain = |sign: char| sign.is_ascii_alphanumeric() || sign == '-';
    if name.is_empty() || name.len() > 32 || !name.chars().all(plain) {
        let text =
            "is not a name for a server: up to 32 letters, digits and `-`, so that no two tools get one name";
        faults.push((place.clone(), format!("`{name}` {text}")));
    }
    if TAKEN.contains(&name) {
        let text =
            format!("`{name}` cannot be the name of a server: `{name}_…` are tools that agents have anyway");
        faults.push((place.clone(), text));
    }
    let prefix = format!("{name}_");
    if let Some(tool) = own.iter().find(|tool| tool.about().name.starts_with(&prefix)) {
        let tool = &tool.about().name;
        let text = format!(
            "the tool `{tool}` of this file looks like one of the server `{name}`; rename one of them"
        );
        faults.push((place.clone(), text));
    }
}

impl McpServerFile {
    fn spec(&self, name: &str, place: &Place, faults: &mut Faults) -> Option<Spec> {
        let known = faults.len();
        self.check_rest(faults);
        let road = match (&self.command, &self.url) {
            (Some(command), None) => self.program(command, faults),
            (None, Some(url)) => self.address(url, faults),
            (Some(_), Some(url)) => {
                faults.push((url.place.clone(), "a server has a `command` or a `url`, not both".to_owned()));
                None
            }
            (None, None) => {
                faults.push((place.clone(), "a server needs a `command` or a `url`".to_owned()));
                None
            }
        };
        let tools = self.tools.as_ref().map(|tools| tools.value.iter().map(|it| it.value.clone()).collect());
        let timeout = self.timeout.as_ref().map_or(TIMEOUT, |time| time.value.0);
        let apps = self.apps.as_ref().is_none_or(|apps| apps.value);
        let app_hosts = self.app_hosts.iter().flat_map(|hosts| hosts.value.iter());
        let app_hosts = app_hosts.map(|host| host.value.clone()).collect();
        let spec = Spec { name: name.to_owned(), road: road?, tools, timeout, apps, app_hosts };
        (faults.len() == known).then_some(spec)
    }

    fn check_rest(&self, faults: &mut Faults) {
        if let Some(tools) = self.tools.as_ref().filter(|tools| tools.value.is_empty()) {
            faults.push((
                tools.place.clone(),
                "no tool is named; without `tools` it is all of them".to_owned(),
            ));
        }
        if let Some(timeout) = self.timeout.as_ref().filter(|timeout| timeout.value.0.is_zero()) {
            faults.push((timeout.place.clone(), "there has to be time to answer".to_owned()));
        }
        if let (Some(hosts), Some(false)) = (&self.app_hosts, self.apps.as_ref().map(|apps| apps.value)) {
            faults
                .push((hosts.place.clone(), "`appHosts` means something where `apps` are shown".to_owned()));
        }
        for Placed { place, value } in self.app_hosts.iter().flat_map(|hosts| hosts.value.iter()) {
            faults.extend(check_host(value).err().map(|text| (place.clone(), text)));
        }
    }

    fn program(&self, command: &Placed<String>, faults: &mut Faults) -> Option<Road> {
        let headers = self.headers.as_ref().map(|it| ("headers", &it.place));
        let hosts = self.hosts.as_ref().map(|it| ("hosts", &it.place));
        let allow_private = self.allow_private.as_ref().map(|it| ("allowPrivate", &it.place));
        for (member, place) in [headers, hosts, allow_private].into_iter().flatten() {
            faults.push((place.clone(), format!("`{member}` means something with a `url` only")));
        }
        if command.value.trim().is_empty() {
            faults.push((command.place.clone(), "there has to be a program to start".to_owned()));
            return None;
        }
        let args = self.args.as_ref().map(|args| args.value.clone()).unwrap_or_default();
        let env = self.env.as_ref().map(|env| env.value.clone()).unwrap_or_default();
        Some(Road::Program { command: command.value.clone(), args, env })
    }

    fn address(&self, url: &Placed<String>, faults: &mut Faults) -> Option<Road> {
        let args = self.args.as_ref().map(|it| ("args", &it.place));
        let env = self.env.as_ref().map(|it| ("env", &it.place));
        for (member, place) in [args, env].into_iter().flatten() {
            faults.push((place.clone(), format!("`{member}` means something with a `command` only")));
        }
        let empty = BTreeMap::new();
        let headers = self.headers.as_ref().map_or(&empty, |headers| &headers.value);
        headers.iter().for_each(|(name, value)| check_header(name, value, faults));
        let hosts = self.hosts.as_ref().map(|hosts| hosts.value.clone()).unwrap_or_default();
        let allow_private = self.allow_private.as_ref().is_some_and(|allow| allow.value);
        let checked = fixed_url(&url.value)
            .and_then(|found| client_for(&found, &hosts, allow_private).map(|_| found))
            .map_err(|text| faults.push((url.place.clone(), text)));
        let headers = headers.iter().map(|(name, value)| (name.clone(), value.value.clone())).collect();
        Some(Road::Address { url: checked.ok()?, headers, hosts, allow_private })
    }
}

fn check_header(name: &str, value: &Placed<String>, faults: &mut Faults) {
    if HeaderName::from_bytes(name.as_bytes()).is_err() || HeaderValue::from_str(&value.value).is_err() {
        faults.push((value.place.clone(), format!("`{name}` is not a header, or its value is none")));
    }
    if RESERVED.iter().any(|reserved| name.eq_ignore_ascii_case(reserved)) {
        faults.push((value.place.clone(), format!("`{name}` is a header that MCP needs for itself")));
    }
}
