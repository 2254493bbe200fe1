//! Agent files: an agent as Markdown, with settings in front and instructions below.
//!
//! ```
//! use forestage_llm::agent_file::{Setup, parse};
//!
//! let text = "---\nmodel: openai/gpt-5-mini\n---\nYou help people with their bicycles.\n";
//! let agent = parse("bicycles", text, &Setup::default()).unwrap();
//! let errors = parse("bicycles", "---\nmodle: openai/gpt-5-mini\n---\nHi\n", &Setup::default()).unwrap_err();
//! assert_eq!(errors[0].to_string(), "bicycles:2:1: modle: unknown key `modle`, did you mean `model`?");
//! ```
//!
//! The format is described in `docs/agents.md` and, for editors, by [`schema`]. [`watch_folder`] keeps up with a folder
//! that is being edited.

mod build;
mod check;
mod connect;
mod file;
mod folder;
mod front;
mod model;
mod watch;

use std::{collections::BTreeSet, fmt, path::Path, sync::Arc};

use forestage_runtime::{file::schema_of, script::ScriptError, tool::Tools};
use serde_json::Value;

use self::file::AgentFile;
pub use self::{
    connect::connect,
    folder::{agent_files, load_folder, names, with_mistakes},
    model::{ModelName, ModelNameError},
    watch::{Watch, watch_folder},
};
use crate::{
    agent::{Find, ModelAgent},
    mcp::Pool,
};

/// What a server gives to its agents.
#[derive(Clone)]
pub struct Setup {
    /// Where all models are, in place of their own addresses: a server that speaks for all of them. No key is sent there.
    pub model_url: Option<String>,
    /// The model of all files, whatever they say.
    pub model: Option<ModelName>,
    /// The tools that files may name under `uses`. Where it is not known which there will be, any name is taken.
    pub tools: Option<Tools>,
    /// The names of agents that are not in the folder.
    pub others: BTreeSet<String>,
    /// Finds other agents.
    pub find: Find,
    /// The MCP servers that agents have. Whoever reads files again with the same pool keeps servers that did not change.
    pub mcp: Pool,
}

impl Default for Setup {
    fn default() -> Self {
        Self {
            model_url: None,
            model: None,
            tools: Some(Tools::new()),
            others: BTreeSet::new(),
            find: Arc::new(|_| None),
            mcp: Pool::default(),
        }
    }
}

impl fmt::Debug for Setup {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = out.debug_struct("Setup");
        out.field("model_url", &self.model_url).field("model", &self.model).field("tools", &self.tools);
        out.field("others", &self.others).finish_non_exhaustive()
    }
}

/// Reads an agent that stands alone. Mistakes come all at once, in the order of the text.
pub fn parse(name: &str, text: &str, setup: &Setup) -> Result<ModelAgent, Vec<ScriptError>> {
    let (file, errors) = check(name, text, None, setup);
    match file {
        Some(file) if errors.is_empty() => Ok(file.build(setup)),
        _ => Err(errors),
    }
}

/// The mistakes of a file. Its folder is where the files lie that it names.
pub fn mistakes(name: &str, text: &str, folder: Option<&Path>, setup: &Setup) -> Vec<ScriptError> {
    check(name, text, folder, setup).1
}

fn check(
    name: &str,
    text: &str,
    folder: Option<&Path>,
    setup: &Setup,
) -> (Option<AgentFile>, Vec<ScriptError>) {
    let (file, mut errors) = AgentFile::read(name, text, folder);
    if let Some(file) = &file {
        let known = setup.others.iter().cloned().chain([file.name.clone()]).collect();
        errors.extend(check::check(name, file, &known, setup.tools.as_ref()));
    }
    errors.sort();
    errors.dedup();
    (file, errors)
}

/// The JSON Schema of what stands in front. It is committed as `spec/schema/agent.json`.
#[must_use]
pub fn schema() -> Value {
    schema_of::<front::Front>()
}
