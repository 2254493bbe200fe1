//! `forestage demo`: a server with everything and without any setting, and what to try on it.

use std::{env, fs, io::Write, net::TcpListener, path::Path};

use anyhow::{Context, bail};
use clap::Args;

use crate::{
    browser,
    config::{Config, Given},
    exit::Answer,
    output::{
        self,
        style::{BOLD, DIM},
    },
    serve::{self, Agents, Served},
};

/// The agent that talks long enough for somebody to leave and come back.
const AGENT: &str = "long";

/// Serve the built-in agents on this machine and say what to try; needs no key, no model and no file
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  forestage demo
  forestage demo --listen 127.0.0.1:0 --fresh
  forestage demo --allow-origins http://localhost:5173 --copilotkit-agent hello")]
pub(crate) struct Demo {
    /// The address to listen on
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8787")]
    listen: String,
    /// Where threads are kept [default: a file for this address in the folder for temporary files, kept between runs]
    #[arg(long, value_name = "URL")]
    store: Option<String>,
    /// Begin without the threads of earlier demos
    #[arg(long)]
    fresh: bool,
    /// Origins of other sites whose pages may use the API, with commas between them [env: FORESTAGE_ALLOW_ORIGINS]
    #[arg(long, value_name = "ORIGINS")]
    allow_origins: Option<String>,
    /// The agent that CopilotKit front ends mean by `default` [env: FORESTAGE_COPILOTKIT_AGENT]
    #[arg(long, value_name = "AGENT")]
    copilotkit_agent: Option<String>,
    /// Do not open the web app in a browser
    #[arg(long)]
    no_open: bool,
    /// What is logged: off, error, warn, info, debug, trace, or a filter
    #[arg(long, value_name = "LEVEL", default_value = "warn")]
    log: String,
}

impl Demo {
    pub(crate) fn run(&self) -> Answer {
        let store = self.store.clone().unwrap_or_else(|| usual_store(&self.listen));
        if self.fresh {
            check_free(&self.listen)?;
            delete(&store)?;
        }
        // The demo is the same everywhere: no file has a say in it, and of the environment only what pages need.
        let given = Given { file: None, settings: self.settings(store) };
        let config = Config::of(&given, &["allow_origins", "copilotkit_agent"])?;
        serve::serve(&config, Agents::BuiltIn, |served| {
            served.print()?;
            print_what_to_try(served)?;
            if !self.no_open {
                browser::open(&served.url);
            }
            Ok(())
        })
    }

    fn settings(&self, store: String) -> Vec<(&'static str, String)> {
        let pages = [("allow_origins", &self.allow_origins), ("copilotkit_agent", &self.copilotkit_agent)];
        let pages = pages.into_iter().filter_map(|(name, value)| Some((name, value.clone()?)));
        let own = [("listen", self.listen.clone()), ("store", store), ("log", self.log.clone())];
        own.into_iter().chain(pages).collect()
    }
}

/// A file for each address, so that demos beside each other do not share their threads, and none deletes another's. Who
/// listens wherever there is room has no address to come back to, and gets a file of its own.
fn usual_store(listen: &str) -> String {
    let mut name: String =
        listen.chars().map(|sign| if sign.is_alphanumeric() { sign } else { '-' }).collect();
    if listen.ends_with(":0") {
        name = format!("{name}-{}", std::process::id());
    }
    format!("sqlite:{}", env::temp_dir().join(format!("forestage-demo-{name}.db")).display())
}

/// A demo that runs already keeps its threads: nothing is deleted under it.
fn check_free(listen: &str) -> anyhow::Result<()> {
    TcpListener::bind(listen)
        .with_context(|| format!("cannot listen on {listen}, so nothing was deleted"))?;
    Ok(())
}

/// Deletes a store with the files that SQLite keeps beside it. A file of something else is not ours to delete, nor one that
/// somebody has open, at whatever address.
fn delete(store: &str) -> anyhow::Result<()> {
    let Some(path) = store.strip_prefix("sqlite:") else {
        bail!("--fresh deletes files; {store} has none");
    };
    if Path::new(path).exists() && !is_store(path)? {
        bail!("{path} is not a store of forestage, so it is not deleted");
    }
    if forestage_store::sqlite::is_in_use(path).with_context(|| format!("cannot tell who uses {path}"))? {
        bail!(
            "{path} is in use: a server or another program has it open, so it is not deleted\n\
             Stop that one first, or name another file with --store."
        );
    }
    for suffix in ["", "-wal", "-shm"] {
        let file = format!("{path}{suffix}");
        if Path::new(&file).exists() {
            fs::remove_file(&file).with_context(|| format!("cannot delete {file}"))?;
        }
    }
    Ok(())
}

/// SQLite's files begin with their name, and ours carry the letters `Fstg` where the application's number is; in a file
/// that was not closed, that may still stand in the log beside it.
fn is_store(path: &str) -> anyhow::Result<bool> {
    let head = fs::read(path).with_context(|| format!("cannot read {path}"))?;
    let is_ours = match head.get(68..72) {
        Some(b"Fstg") => true,
        Some([0, 0, 0, 0]) => Path::new(&format!("{path}-wal")).exists(),
        _ => false,
    };
    Ok(head.is_empty() || (head.starts_with(b"SQLite format 3\0") && is_ours))
}

fn print_what_to_try(served: &Served<'_>) -> anyhow::Result<()> {
    let mut out = output::screen();
    let (url, pid, me) = (&served.url, std::process::id(), program());
    let at = if url.ends_with("127.0.0.1:8787") { String::new() } else { format!(" --url {url}") };
    let address = url.trim_start_matches("http://");
    writeln!(out, "\n{BOLD}Open it{BOLD:#} {DIM}(in a browser; close the page and come back){DIM:#}")?;
    writeln!(out, "  {url}")?;
    writeln!(out, "\n{BOLD}Talk to it{BOLD:#} {DIM}(in another terminal){DIM:#}")?;
    writeln!(out, "  {me} chat{at}")?;
    writeln!(
        out,
        "\n{BOLD}Disconnect now{BOLD:#} {DIM}(Ctrl-C the curl; the agent talks on without you){DIM:#}"
    )?;
    writeln!(out, "  {}", curl(url, pid))?;
    writeln!(out, "  {me} tail demo --after start{at}")?;
    writeln!(out, "\n{BOLD}Kill the server now{BOLD:#} {DIM}(nothing that you saw is lost){DIM:#}")?;
    writeln!(out, "  kill -9 {pid}")?;
    writeln!(out, "  {me} demo --listen {address} --store {}", served.store())?;
    writeln!(out, "  {me} chat --thread demo{at}")?;
    writeln!(out, "\n{DIM}Ctrl-C ends the demo.{DIM:#}")?;
    Ok(out.flush()?)
}

/// How to call this command: by its name where the shell finds it, else by its file.
fn program() -> String {
    let Ok(own) = env::current_exe() else { return "forestage".to_owned() };
    let path = env::var_os("PATH").unwrap_or_default();
    let found = env::split_paths(&path).map(|folder| folder.join("forestage")).find(|file| file.is_file());
    let is_own = found.and_then(|file| file.canonicalize().ok()) == own.canonicalize().ok();
    let here = env::current_dir().unwrap_or_default();
    match own.strip_prefix(&here) {
        _ if is_own => "forestage".to_owned(),
        Ok(relative) => relative.display().to_string(),
        Err(_) => own.display().to_string(),
    }
}

/// A line that works as pasted. Sent twice, it shows the same run twice: the ids say that it is the same. Each demo
/// has ids of its own, because its store may remember the run of an earlier one.
fn curl(url: &str, pid: u32) -> String {
    let message = format!(r#"{{"id":"m-{pid}","role":"user","content":"Tell me a story"}}"#);
    let input = format!(r#"{{"threadId":"demo","runId":"run-{pid}","messages":[{message}]}}"#);
    format!("curl -N {url}/v1/agents/{AGENT}/runs -H 'content-type: application/json' -d '{input}'")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn demos_at_different_addresses_have_different_files() {
        let addresses = ["127.0.0.1:8787", "127.0.0.1:8788", "[::1]:8787", "127.0.0.1:0"];
        let stores: Vec<_> = addresses.iter().map(|address| usual_store(address)).collect();
        for (at, store) in stores.iter().enumerate() {
            assert!(!stores[..at].contains(store), "{store}");
        }
        assert_eq!(usual_store(addresses[0]), stores[0], "who comes back finds the same");
        assert!(stores[0].ends_with("forestage-demo-127-0-0-1-8787.db"), "{}", stores[0]);
        assert!(stores[3].contains(&std::process::id().to_string()), "{}", stores[3]);
    }
}
