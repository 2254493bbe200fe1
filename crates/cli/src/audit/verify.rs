//! `forestage audit verify`: is an export of the audit trail as it was written?

use std::{
    collections::BTreeMap,
    fs::File,
    io::{self, BufRead, BufReader, Write},
};

use anyhow::{Context, bail};
use clap::Args;
use forestage_store::{AuditEntry, NewAudit, verify_audit};
use serde::Deserialize;
use serde_json::json;

use crate::{
    exit::{Answer, Verdict},
    input::Source,
    output::{self, counted},
};

/// Verify the seals of an export: no entry was changed, removed or added
///
/// The export has to be a whole one, without filters, of somebody who sees all. One that begins in the middle is checked
/// from its second entry on; with --previous, from its first. What was cut off the end is noticed by comparing the last
/// hash with one that was kept elsewhere.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  forestage audit verify trail.jsonl
  forestage audit --jsonl | forestage audit verify -")]
pub(super) struct Verify {
    /// The export: a file, or - for standard input
    #[arg(value_name = "FILE")]
    file: String,
    /// The hash of the entry before the first one
    #[arg(long, value_name = "HASH", value_parser = parse_hash)]
    previous: Option<[u8; 32]>,
    /// Print the verdict as one JSON object
    #[arg(long)]
    json: bool,
}

/// An entry, as an export has it.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Line {
    seq: u64,
    at: i64,
    kind: String,
    actor: String,
    origin: String,
    owner: String,
    thread_id: Option<String>,
    interrupt_id: Option<String>,
    json: String,
    hash: String,
}

impl Line {
    fn into_entry(self) -> Result<AuditEntry, String> {
        let hash = parse_hash(&self.hash)?;
        let entry = NewAudit {
            at: self.at,
            kind: self.kind,
            actor: self.actor,
            origin: self.origin,
            owner: self.owner,
            thread_id: self.thread_id.map(Into::into),
            interrupt_id: self.interrupt_id.map(Into::into),
            json: self.json.into(),
        };
        Ok(AuditEntry { seq: self.seq, entry, hash })
    }
}

/// The first line of an export from which entries were left out.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Marker {
    filtered: BTreeMap<String, String>,
}

/// What entries were chosen by.
fn words(filtered: &BTreeMap<String, String>) -> String {
    let words: Vec<_> =
        filtered.iter().map(|(name, value)| format!("{name} {}", output::safe(value))).collect();
    words.join(", ")
}

/// How far it is as it was written.
#[derive(Default)]
struct Checked {
    entries: usize,
    first: u64,
    last: u64,
    hash: Option<[u8; 32]>,
    broken: Option<Broken>,
}

/// The first number where it is not.
struct Broken {
    seq: u64,
    is_missing: bool,
}

impl Verify {
    pub(super) fn run(&self) -> Answer {
        let checked = match self.file.as_str() {
            "-" => self.check(io::stdin().lock())?,
            path => {
                let file = File::open(path).with_context(|| format!("cannot read {path}"))?;
                self.check(BufReader::new(file))?
            }
        };
        match self.json {
            true => output::print_json(&checked.to_json())?,
            false => checked.print(self.previous.is_some())?,
        }
        Ok(Verdict::of(checked.is_good()))
    }

    fn check(&self, lines: impl BufRead) -> anyhow::Result<Checked> {
        let mut checked = Checked { hash: self.previous, ..Checked::default() };
        for (number, line) in (1..).zip(lines.lines()) {
            let line = line.with_context(|| format!("cannot read {}", Source::from(self.file.as_str())))?;
            if line.trim().is_empty() {
                continue;
            }
            if let Ok(Marker { filtered }) = serde_json::from_str(&line) {
                bail!(
                    "this export is filtered ({}), and seals can only be checked over a whole trail: export it without \
                     filters, as somebody with the role auditor or admin",
                    words(&filtered)
                );
            }
            let line: Line = serde_json::from_str(&line)
                .with_context(|| format!("line {number} is not an entry of an audit trail"))?;
            let entry = line.into_entry().map_err(|error| anyhow::anyhow!("line {number}: {error}"))?;
            checked.take(&entry);
            if checked.broken.is_some() {
                break;
            }
        }
        Ok(checked)
    }
}

impl Checked {
    fn take(&mut self, entry: &AuditEntry) {
        let is_first = self.entries == 0;
        if !is_first && entry.seq != self.last + 1 {
            // A number that comes again, or too early, is itself the one that is wrong.
            let (seq, is_missing) =
                if entry.seq > self.last { (self.last + 1, true) } else { (entry.seq, false) };
            self.broken = Some(Broken { seq, is_missing });
            return;
        }
        let previous = match (self.hash, entry.seq) {
            (Some(hash), _) => Some(hash),
            (None, 0 | 1) => Some(AuditEntry::BEFORE_FIRST),
            // What stands before it is not known, so it is taken for what it says.
            (None, _) => None,
        };
        if previous.is_some_and(|previous| verify_audit(previous, std::slice::from_ref(entry)).is_err()) {
            self.broken = Some(Broken { seq: entry.seq, is_missing: false });
            return;
        }
        if is_first {
            self.first = entry.seq;
        }
        (self.entries, self.last, self.hash) = (self.entries + 1, entry.seq, Some(entry.hash));
    }

    /// Of nothing, nobody can say that it is as it was.
    fn is_good(&self) -> bool {
        self.broken.is_none() && self.entries > 0
    }

    fn to_json(&self) -> serde_json::Value {
        json!({
            "ok": self.is_good(),
            "entries": self.entries,
            "first": (self.entries > 0).then_some(self.first),
            "last": (self.entries > 0).then_some(self.last),
            "hash": self.hash.map(|hash| hex(&hash)),
            "broken": self.broken.as_ref().map(|broken| broken.seq),
        })
    }

    /// What is as it was before the first that is not.
    fn good(&self) -> String {
        match self.entries {
            0 => "nothing stands before it".to_owned(),
            1 => "the one before it is as it was written".to_owned(),
            many => format!("the {many} before it are as they were written"),
        }
    }

    fn print(&self, has_previous: bool) -> anyhow::Result<()> {
        let mut out = output::screen();
        match &self.broken {
            Some(Broken { seq, is_missing }) => {
                let what = if *is_missing { "is missing" } else { "is not as it was written" };
                let text = format!("entry {seq} {what}; {}", self.good());
                output::write_verdict(false, &text, &mut out)?;
            }
            None if self.entries == 0 => {
                output::write_verdict(false, "there are no entries, so there is nothing to check", &mut out)?;
            }
            None => {
                let good = counted(self.entries, "entry").replace("entrys", "entries");
                output::write_verdict(true, &format!("{good} as written"), &mut out)?;
                if self.first > 1 && !has_previous {
                    writeln!(
                        out,
                        "entry {} is taken for what it says: nothing before it was given",
                        self.first
                    )?;
                }
                if let Some(hash) = self.hash.filter(|_| self.entries > 0) {
                    writeln!(out, "last: {} {}", self.last, hex(&hash))?;
                }
            }
        }
        Ok(out.flush()?)
    }
}

fn parse_hash(text: &str) -> Result<[u8; 32], String> {
    let wrong = || format!("`{text}` is not a hash: 64 hexadecimal digits");
    let is_hex = text.len() == 64 && text.bytes().all(|digit| digit.is_ascii_hexdigit());
    let pairs: Option<Vec<u8>> = is_hex
        .then(|| (0..64).step_by(2).map(|at| u8::from_str_radix(&text[at..at + 2], 16).ok()).collect())
        .flatten();
    pairs.and_then(|bytes| bytes.try_into().ok()).ok_or_else(wrong)
}

fn hex(hash: &[u8; 32]) -> String {
    hash.iter().map(|byte| format!("{byte:02x}")).collect()
}
