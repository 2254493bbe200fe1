//! `forestage agents list`: which agents would be served, where they are from, and whether those elsewhere are there.

use std::{
    io::Write,
    path::{Path, PathBuf},
};

use anyhow::Context;
use clap::Args;
use forestage_llm::{agent_file, remote};
use forestage_runtime::{About, Agents, Listing, script};
use serde_json::{Value, json};

use crate::{
    config::{Config, Given, Remote},
    exit::{Answer, Verdict},
    output::{
        self,
        style::{DIM, ID},
    },
    serve,
};

/// List the agents that would be served, remote ones included
///
/// With --reach every remote agent is contacted, without a run; the answer is no if one cannot be reached.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  forestage agents list
  forestage agents list --reach --json")]
pub(crate) struct List {
    /// The configuration file [default: forestage.toml, if it is there]
    #[arg(long, value_name = "FILE", env = "FORESTAGE_CONFIG")]
    config: Option<PathBuf>,
    /// Check whether remote agents can be reached
    #[arg(long)]
    reach: bool,
    /// Print one JSON object: ok, agents
    #[arg(long)]
    json: bool,
}

/// One agent.
struct Row {
    name: String,
    kind: String,
    about: About,
    /// What came of calling upon it, where somebody did.
    reached: Option<Result<(), String>>,
}

impl List {
    /// Runs the command.
    pub(crate) fn run(&self) -> Answer {
        let config = Config::load(&Given { file: self.config.clone(), settings: Vec::new() })?;
        let mut rows = here(&config)?;
        for remote in &config.remotes {
            rows.retain(|row| row.name != remote.name);
            rows.push(self.elsewhere(remote)?);
        }
        rows.sort_by(|left, right| left.sort_key().cmp(&right.sort_key()));
        let ok = rows.iter().all(|row| row.reached.as_ref().is_none_or(Result::is_ok));
        match self.json {
            true => {
                let agents: Vec<_> = rows.iter().map(Row::to_json).collect();
                output::print_json(&json!({ "ok": ok, "agents": agents }))?;
            }
            false => print(&rows)?,
        }
        Ok(Verdict::of(ok))
    }

    fn elsewhere(&self, remote: &Remote) -> anyhow::Result<Row> {
        let agent = serve::remote_agent(remote)?;
        let reached = self.reach.then(|| reach(remote)).transpose()?;
        Ok(Row { name: remote.name.clone(), kind: remote.kind.clone(), about: agent.about(), reached })
    }
}

/// The agents of the folder, or those that come along where there is none.
fn here(config: &Config) -> anyhow::Result<Vec<Row>> {
    if config.agents_are_built_in() {
        return Ok(rows(&script::builtin(), "built in"));
    }
    let unusable = || format!("the agents in `{}` cannot be used", config.agents);
    let remotes: Vec<_> = config.remotes.iter().map(|remote| remote.name.clone()).collect();
    let others = remotes.iter().cloned().chain(agent_file::names(Path::new(&config.agents))).collect();
    let scripts = script::load_folder_among(&config.agents, &others);
    let others = script::names(&config.agents).into_iter().chain(remotes);
    let setup = agent_file::Setup { others: others.collect(), ..agent_file::Setup::default() };
    let scripts = scripts.map_err(|error| agent_file::with_mistakes(error, &config.agents, &setup));
    let scripts = scripts.with_context(unusable)?;
    let files = agent_file::load_folder(&config.agents, &setup).with_context(unusable)?;
    Ok(rows(&scripts, "script").into_iter().chain(rows(&files, "file")).collect())
}

fn rows(agents: &Agents, kind: &str) -> Vec<Row> {
    let row = |(name, agent): (&String, &std::sync::Arc<dyn forestage_runtime::Agent>)| Row {
        name: name.clone(),
        kind: kind.to_owned(),
        about: agent.about(),
        reached: None,
    };
    agents.iter().map(row).collect()
}

fn reach(remote: &Remote) -> anyhow::Result<Result<(), String>> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    Ok(runtime.block_on(remote::reach(&remote.url)))
}

impl Row {
    fn to_json(&self) -> Value {
        let About { description, listing, .. } = &self.about;
        let mut row = json!({
            "name": self.name,
            "kind": self.kind,
            "title": listing.title,
            "description": description,
            "icon": listing.icon,
            "order": listing.order,
            "group": listing.group,
        });
        if let Some(reached) = &self.reached {
            row["reached"] = reached.is_ok().into();
            row["problem"] = reached.as_ref().err().cloned().into();
        }
        row
    }

    /// Agents of the group for developers come last, the others in the order that they ask for.
    fn sort_key(&self) -> (bool, (bool, i32, &str)) {
        let listing = &self.about.listing;
        (listing.group.as_deref() == Some(Listing::DEVELOPER), listing.sort_key(&self.name))
    }

    /// What it is called and what it does, in one line.
    fn sentence(&self) -> String {
        let About { description, listing, .. } = &self.about;
        let title = listing.title.as_ref().map(|title| format!("{title}: ")).unwrap_or_default();
        let group = listing.group.as_ref().map(|group| format!(" ({group})")).unwrap_or_default();
        format!("{title}{description}{group}")
    }

    /// What came of calling upon it, in words.
    fn state(&self) -> String {
        match &self.reached {
            None => String::new(),
            Some(Ok(())) => "  it is there".to_owned(),
            Some(Err(problem)) => format!("  {problem}"),
        }
    }
}

fn print(rows: &[Row]) -> anyhow::Result<()> {
    let mut out = output::screen();
    let width = rows.iter().map(|row| row.name.chars().count()).max().unwrap_or_default();
    for row in rows {
        let name = output::safe(&row.name);
        let (state, about) = (output::safe(&row.state()), output::safe(&row.sentence()));
        writeln!(out, "{ID}{name:width$}{ID:#}  {DIM}{:8}{DIM:#}{state}  {about}", row.kind)?;
    }
    Ok(out.flush()?)
}
