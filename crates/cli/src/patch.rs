//! `forestage patch`: JSON Patch (RFC 6902), applied or made.

use std::io::Write;

use anyhow::bail;
use clap::Args;
use forestage_protocol::{
    Fault, enforce,
    patch::{Patch as JsonPatch, PatchError, Pointer, diff},
};
use serde::Serialize;
use serde_json::{Value, json};

use crate::{
    exit::{Answer, Verdict},
    input::Source,
    output,
};

/// Apply a JSON Patch to a document, or compute one with --diff
#[derive(Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Patch {
    /// The document before, as JSON: a file, or - for standard input
    #[arg(value_name = "DOC")]
    document: Source,
    /// The patch, or with --diff the document after
    #[arg(value_name = "PATCH")]
    patch: Source,
    /// Print the patch that leads from the first document to the second
    #[arg(long)]
    diff: bool,
    /// Print one JSON object: ok, error, document (with --diff: patch)
    #[arg(long)]
    json: bool,
}

const AFTER_HELP: &str = "\
Examples:
  echo '[{\"op\":\"replace\",\"path\":\"/step\",\"value\":2}]' | forestage patch state.json -
  forestage patch --diff before.json after.json";

/// Why a patch does not apply.
#[derive(Debug, Serialize)]
struct Failure {
    /// Which operation, counted from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    index: Option<usize>,
    code: &'static str,
    path: String,
    message: String,
}

impl Failure {
    /// The patch is none; the place is one in the patch.
    fn malformed(fault: Fault) -> Self {
        let Fault { code, path, message } = fault;
        let operation =
            Pointer::parse(path.as_str()).ok().and_then(|place| place.tokens().next()?.parse().ok());
        Self { index: operation, code, message: format!("{path}: {message}"), path }
    }

    /// The patch does not fit the document; the place is one in the document.
    fn unfit(error: PatchError) -> Self {
        let message = error.to_string();
        Self { index: Some(error.operation), code: error.kind.code(), path: error.path, message }
    }
}

impl Patch {
    /// Runs the command.
    pub(crate) fn run(&self) -> Answer {
        if self.document == Source::Stdin && self.patch == Source::Stdin {
            bail!("only one of the two documents can be standard input");
        }
        let before = self.document.read_json()?;
        if self.diff {
            return self.print_diff(&before);
        }
        match self.patched(before)? {
            Ok(document) => self.print_document(&document),
            Err(failure) => self.print_failure(&failure),
        }
    }

    fn print_diff(&self, before: &Value) -> Answer {
        let patch = diff(before, &self.patch.read_json()?);
        if self.json {
            output::print_json(&json!({"ok": true, "error": null, "patch": patch}))?;
        } else {
            output::print_pretty(&patch)?;
        }
        Ok(Verdict::Yes)
    }

    /// Text that is not JSON is a wrong call; JSON that is not a patch, or does not fit, is an answer.
    fn patched(&self, mut document: Value) -> anyhow::Result<Result<Value, Failure>> {
        let patch = self.patch.read_json()?.to_string();
        let applied = enforce::strict_as::<JsonPatch>(&patch)
            .map_err(Failure::malformed)
            .and_then(|patch| patch.apply(&mut document).map_err(Failure::unfit));
        Ok(applied.map(|()| document))
    }

    fn print_document(&self, document: &Value) -> Answer {
        if self.json {
            output::print_json(&json!({"ok": true, "error": null, "document": document}))?;
        } else {
            output::print_pretty(document)?;
        }
        Ok(Verdict::Yes)
    }

    fn print_failure(&self, failure: &Failure) -> Answer {
        if self.json {
            output::print_json(&json!({"ok": false, "error": failure, "document": null}))?;
            return Ok(Verdict::No);
        }
        let style = output::style::ERROR;
        let mut out = anstream::stderr().lock();
        writeln!(out, "{style}error[{}]{style:#}: {}", failure.code, output::safe(&failure.message))?;
        Ok(Verdict::No)
    }
}
