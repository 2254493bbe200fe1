//! `forestage keys`: API keys, of which the configuration only ever holds hashes.

use std::io::{self, BufRead, Write};

use anyhow::{Context, bail};
use clap::{Args, Subcommand};
use forestage_server::{ApiKey, hash_key};
use uuid::Uuid;

use crate::{
    config::key_block,
    exit::{Answer, Verdict},
    output,
};

/// The commands of the group.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    New(New),
    Hash(Hash),
}

/// Create a key: prints it once on standard error, and its configuration block on standard output
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  forestage keys new --user ada
  forestage keys new --user ada --role reviewer >> forestage.toml
  forestage keys new --user ada --json | jq -r .key")]
pub(crate) struct New {
    /// Whose key it is: the owner of the threads that are started with it
    #[arg(long, value_name = "NAME")]
    user: String,
    /// What the user may do beside their own things: a role that questions name, `importer`, `auditor`, `admin`, or `*`; may
    /// be given several times
    #[arg(long = "role", value_name = "ROLE")]
    roles: Vec<String>,
    /// Print one JSON object: user, key, hash, roles
    #[arg(long)]
    json: bool,
}

/// Read a key from standard input and print its hash
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  printf %s \"$KEY\" | forestage keys hash")]
pub(crate) struct Hash {
    /// Print one JSON object: hash
    #[arg(long)]
    json: bool,
}

/// Runs one of them.
pub(crate) fn run(command: &Command) -> Answer {
    match command {
        Command::New(new) => new.run(),
        Command::Hash(hash) => hash.run(),
    }
}

impl New {
    fn run(&self) -> Answer {
        if self.user.trim().is_empty() {
            bail!("--user: a key has to be somebody's");
        }
        let key = fresh_key();
        let entry = ApiKey { user: self.user.clone(), hash: hash_key(&key), roles: self.roles.clone() };
        if self.json {
            let ApiKey { user, hash, roles } = entry;
            output::print_json(
                &serde_json::json!({ "user": user, "key": key, "hash": hash, "roles": roles }),
            )?;
            return Ok(Verdict::Yes);
        }
        let mut err = io::stderr().lock();
        writeln!(err, "The key of {}, which is shown only now:\n\n  {key}\n", output::safe(&self.user))?;
        writeln!(err, "Its block for the configuration file, which holds the hash alone:\n")?;
        output::print_lines(&[key_block(&entry)])?;
        Ok(Verdict::Yes)
    }
}

impl Hash {
    fn run(&self) -> Answer {
        let mut line = String::new();
        io::stdin().lock().read_line(&mut line).context("cannot read standard input")?;
        let key = line.trim();
        if key.is_empty() {
            bail!("there is no key on standard input");
        }
        let hash = hash_key(key);
        match self.json {
            true => output::print_json(&serde_json::json!({ "hash": hash }))?,
            false => output::print_lines(&[hash])?,
        }
        Ok(Verdict::Yes)
    }
}

/// A key that nobody can guess: 244 random bits, and a beginning by which secret scanners know it.
fn fresh_key() -> String {
    format!("fs_{}{}", Uuid::new_v4().simple(), Uuid::new_v4().simple())
}
