//! The `forestage` command: a server for agents, clients for it, and tools for AG-UI streams.
//!
//! One file per command, groups as folders. Exit code 0 means yes, 1 no, 2 that the call was wrong.

mod config;
mod exit;
mod input;
mod output;
mod remote;
mod short_id;
mod tell;

mod a2ui;
mod agents;
mod audit;
mod browser;
mod chat;
mod check;
mod demo;
mod export;
mod import;
mod inbox;
mod its;
mod keys;
mod model_server;
mod patch;
mod replay;
mod rules;
mod schema;
mod serve;
mod stream;
mod tail;
mod threads;

use std::process::ExitCode;

use clap::{ColorChoice, Parser, Subcommand};

use crate::{check::Kind, exit::Answer};

/// A server that streams to many makes and drops many small things on many threads.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Puts agents in front of people: AG-UI 1.0
#[derive(Debug, Parser)]
#[command(name = "forestage", version)]
#[command(after_help = AFTER_HELP)]
struct Cli {
    /// When to use colours; `auto` depends on the terminal and on NO_COLOR
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    color: ColorChoice,
    #[command(subcommand)]
    command: Command,
}

const AFTER_HELP: &str = "\
Exit codes: 0 yes, 1 no, 2 invalid call or no answer, 141 output closed by the reader.

Example:
  curl -N https://example.com/agent -d @input.json | forestage stream verify";

#[derive(Debug, Subcommand)]
enum Command {
    Serve(serve::Serve),
    Demo(demo::Demo),
    Chat(chat::Chat),
    Threads(threads::Threads),
    Inbox(inbox::Inbox),
    Rules(rules::Rules),
    Audit(audit::Audit),
    Tail(tail::Tail),
    Replay(replay::Replay),
    Export(export::Export),
    Import(import::Import),
    /// Create API keys, and hashes of keys for the configuration
    #[command(subcommand)]
    Keys(keys::Command),
    /// Read streams of events: verify, expand, fold, compact, convert
    #[command(subcommand)]
    Stream(stream::Command),
    /// Check one event
    #[command(subcommand)]
    Event(check::Command),
    /// Check one message
    #[command(subcommand)]
    Message(check::Command),
    /// Check one input of a run
    #[command(subcommand)]
    Input(check::Command),
    /// Tutoring components: check arguments and answers, print schemas, examples and prompts
    #[command(subcommand)]
    Its(its::Command),
    /// User interfaces that agents draw: check, fold, write for other clients, extract, print prompts
    #[command(subcommand)]
    A2ui(a2ui::Command),
    /// Check and list agents, and print the schema of agent files
    #[command(subcommand)]
    Agents(agents::Command),
    ModelServer(model_server::Serve),
    Patch(patch::Patch),
    Schema(schema::Schema),
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    output::set_color(cli.color);
    exit::code(run(&cli.command))
}

fn run(command: &Command) -> Answer {
    match command {
        Command::Serve(serve) => serve.run(),
        Command::Demo(demo) => demo.run(),
        Command::Chat(chat) => chat.run(),
        Command::Threads(threads) => threads.run(),
        Command::Inbox(inbox) => inbox.run(),
        Command::Rules(rules) => rules.run(),
        Command::Audit(audit) => audit.run(),
        Command::Tail(tail) => tail.run(),
        Command::Replay(replay) => replay.run(),
        Command::Export(export) => export.run(),
        Command::Import(import) => import.run(),
        Command::Keys(command) => keys::run(command),
        Command::Stream(command) => stream::run(command),
        Command::Event(command) => check::run(command, Kind::Event),
        Command::Message(command) => check::run(command, Kind::Message),
        Command::Input(command) => check::run(command, Kind::Input),
        Command::Its(command) => its::run(command),
        Command::A2ui(command) => a2ui::run(command),
        Command::Agents(command) => agents::run(command),
        Command::ModelServer(serve) => serve.run(),
        Command::Patch(patch) => patch.run(),
        Command::Schema(schema) => schema.run(),
    }
}
