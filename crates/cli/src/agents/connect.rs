//! `forestage agents check --connect`: what the MCP servers of agent files really have.

use std::{fs, io::Write, path::PathBuf};

use anyhow::Context;
use forestage_llm::{
    agent_file::{self, Setup},
    mcp::{Found, FoundPage},
};
use forestage_runtime::{file::text_of, script::ScriptError};
use serde_json::{Value, json};

use super::check::is_script;
use crate::output::{
    self,
    style::{BOLD, DIM},
};

/// A server that was asked.
pub(super) struct Listed {
    file: String,
    found: Found,
}

/// Connects to the servers of these files. What is missing joins the mistakes.
pub(super) fn connect(paths: &[PathBuf], errors: &mut Vec<ScriptError>) -> anyhow::Result<Vec<Listed>> {
    let runtime = tokio::runtime::Runtime::new().context("cannot start the runtime")?;
    let mut listed = Vec::new();
    for path in paths.iter().filter(|path| !is_script(path)) {
        let name = path.display().to_string();
        let bytes = fs::read(path).with_context(|| format!("cannot read {name}"))?;
        // What is no text is among the mistakes already.
        let Ok(text) = text_of(&name, bytes) else { continue };
        let setup = Setup::default();
        let (found, faults) = runtime.block_on(agent_file::connect(&name, &text, path.parent(), &setup));
        errors.extend(faults);
        listed.extend(found.into_iter().map(|found| Listed { file: name.clone(), found }));
    }
    Ok(listed)
}

impl Listed {
    /// One line for each tool.
    pub(super) fn print(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let Found { server, tools, pages, .. } = &self.found;
        let Ok(tools) = tools else { return Ok(()) };
        let head = format!("{}: {server}: {}", self.file, output::counted(tools.iter().count(), "tool"));
        writeln!(out, "{BOLD}{}{BOLD:#}", output::safe(&head))?;
        for tool in tools.iter() {
            let about = tool.about();
            let first = about.description.lines().next().unwrap_or_default();
            let (name, risk) = (output::safe(&about.name), about.risk);
            let whose = if about.for_model { "" } else { ", for pages alone" };
            writeln!(out, "  {name} {DIM}{risk} risk{whose}{DIM:#}  {}", output::safe(first))?;
            if let Some(page) = pages.iter().find(|page| page.tool == about.name) {
                writeln!(out, "    {}", output::safe(&told(page)))?;
            }
        }
        Ok(())
    }

    pub(super) fn as_json(&self) -> Value {
        let Found { server, tools, left_out, pages } = &self.found;
        let tool = |tool: &std::sync::Arc<dyn forestage_runtime::tool::Tool>| {
            let about = tool.about();
            json!({ "name": about.name, "description": about.description, "risk": about.risk, "parameters": about.parameters, "forModel": about.for_model })
        };
        let error = tools.as_ref().err();
        json!({
            "file": self.file,
            "server": server,
            "tools": tools.as_ref().map_or_else(|_| Vec::new(), |tools| tools.iter().map(tool).collect()),
            "error": error.map(|error| json!({ "code": error.code(), "message": error.to_string() })),
            "leftOut": left_out.iter().map(ToString::to_string).collect::<Vec<_>>(),
            "pages": pages.iter().map(page_as_json).collect::<Vec<_>>(),
        })
    }
}

/// A page in a line. That it is not allowed what it asks for is no mistake: somebody decided so.
fn told(page: &FoundPage) -> String {
    match &page.denied {
        Ok(denied) if denied.is_empty() => format!("shows {}", page.uri),
        Ok(denied) => {
            format!("shows {}, which asks for {} and may not reach it", page.uri, denied.join(", "))
        }
        Err(_) => format!("{} cannot be shown", page.uri),
    }
}

fn page_as_json(page: &FoundPage) -> Value {
    json!({
        "tool": page.tool,
        "uri": page.uri,
        "denied": page.denied.as_ref().map_or_else(|_| Vec::new(), Clone::clone),
        "error": page.denied.as_ref().err().map(|error| json!({ "code": error.code(), "message": error.to_string() })),
    })
}
