//! `forestage model-server`: a provider that plays from a script, or writes down and plays back a real one.

use std::{fs, io::Write, path::PathBuf};

use anyhow::{Context, anyhow};
use clap::Args;
use forestage_llm::model_server::{ModelServer, Recorder, Script, Tape};
use forestage_runtime::{file::text_of, script::LoadError};

use crate::{
    exit::{Answer, Verdict},
    output::{
        self,
        style::{BOLD, ID},
    },
};

/// Run a mock model provider, from a script or from recorded traffic
///
/// Speaks OpenAI's chat completions (/v1/chat/completions) and responses (/v1/responses), Anthropic's messages
/// (/v1/messages), Gemini (/v1beta/models/MODEL:generateContent and :streamGenerateContent) and Ollama (/api/chat), streamed
/// and whole. Keys are ignored. GET /requests shows what was asked.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  forestage model-server --script examples/models/desk.yaml --listen 127.0.0.1:8788
  forestage serve --model-url http://127.0.0.1:8788
  forestage model-server --record https://api.openai.com --to tapes
  forestage model-server --replay tapes")]
pub(crate) struct Serve {
    /// The script to play
    #[arg(long, value_name = "FILE", required_unless_present_any = ["record", "replay"], conflicts_with_all = ["record", "replay"])]
    script: Option<PathBuf>,
    /// Forward everything to the provider at this address, and record it without keys
    #[arg(long, value_name = "URL", requires = "to", conflicts_with = "replay")]
    record: Option<String>,
    /// The folder to write to
    #[arg(long, value_name = "FOLDER", requires = "record")]
    to: Option<PathBuf>,
    /// Replay what was recorded in this folder
    #[arg(long, value_name = "FOLDER")]
    replay: Option<PathBuf>,
    /// The address to listen on; port 0 selects a free port
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8788")]
    listen: String,
    /// Print one JSON object on one line: url, pid
    #[arg(long)]
    json: bool,
}

impl Serve {
    /// Runs the command.
    pub(crate) fn run(&self) -> Answer {
        let runtime = tokio::runtime::Runtime::new().context("cannot start the runtime")?;
        runtime.block_on(async {
            let server = self.bind().await?;
            self.announce(&server)?;
            tokio::signal::ctrl_c().await.context("cannot wait for Ctrl-C")?;
            Ok(Verdict::Yes)
        })
    }

    async fn bind(&self) -> anyhow::Result<ModelServer> {
        let listen = || format!("cannot listen on {}", self.listen);
        if let (Some(url), Some(folder)) = (&self.record, &self.to) {
            let recorder = Recorder::new(url, folder)?;
            return ModelServer::record(&self.listen, recorder).await.with_context(listen);
        }
        if let Some(folder) = &self.replay {
            return ModelServer::replay(&self.listen, Tape::load(folder)?).await.with_context(listen);
        }
        let path = self.script.as_ref().context("a script is missing")?;
        let name = path.display().to_string();
        let bytes = fs::read(path).with_context(|| format!("cannot read {name}"))?;
        let text = text_of(&name, bytes)?;
        let script =
            Script::parse(&name, &text).map_err(|errors| anyhow!("{}", LoadError::Scripts(errors)))?;
        ModelServer::bind(&self.listen, script).await.with_context(listen)
    }

    fn announce(&self, server: &ModelServer) -> anyhow::Result<()> {
        let url = server.url();
        if self.json {
            return output::print_json(&serde_json::json!({ "url": url, "pid": std::process::id() }));
        }
        let mut out = output::screen();
        writeln!(out, "{BOLD}forestage model-server{BOLD:#}")?;
        writeln!(out, "  listening on {ID}{url}{ID:#}")?;
        writeln!(out, "  use it with  forestage serve --model-url {url}")?;
        Ok(out.flush()?)
    }
}
