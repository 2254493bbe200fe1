//! What is said on standard error beside the events on standard output.

use std::io::{self, Write};

use anstyle::Style;
use forestage_protocol::{Warning, pipeline::StreamError};
use serde::Serialize;

use super::{
    style::{ERROR, WARNING},
    text::safe,
};
use crate::exit::{Answer, Verdict};

/// What programs read about a stream.
#[derive(Debug, Serialize)]
pub(crate) struct Judgement {
    /// Whether the stream is as it should be.
    pub(crate) ok: bool,
    /// Why it is not.
    pub(crate) error: Option<StreamError>,
    /// What was repaired, dropped or ignored.
    pub(crate) warnings: Vec<Warning>,
}

impl Judgement {
    /// A judgement; without an error the stream is fine.
    pub(crate) fn new(error: Option<StreamError>, warnings: Vec<Warning>) -> Self {
        Self { ok: error.is_none(), error, warnings }
    }
}

/// Warnings and the error of a command that prints events: sentences for people as they come, or one JSON
/// object for programs at the end.
#[derive(Debug)]
pub(crate) struct Aside {
    json: bool,
    warnings: Vec<Warning>,
}

impl Aside {
    /// Nothing was said yet.
    pub(crate) fn new(json: bool) -> Self {
        Self { json, warnings: Vec::new() }
    }

    /// Passes warnings on.
    pub(crate) fn warn(&mut self, warnings: Vec<Warning>) -> io::Result<()> {
        if self.json {
            self.warnings.extend(warnings);
            return Ok(());
        }
        warnings.iter().try_for_each(|warning| {
            let place = Place { code: warning.code, index: warning.index, path: warning.path.as_deref() };
            say(WARNING, "warning", place, &warning.message)
        })
    }

    /// Says how it ended.
    pub(crate) fn close(self, error: Option<StreamError>) -> Answer {
        let verdict = Verdict::of(error.is_none());
        if self.json {
            let mut out = io::stderr().lock();
            super::write_json(&Judgement::new(error, self.warnings), &mut out)?;
        } else if let Some(error) = &error {
            let place = Place { code: error.code, index: Some(error.index), path: error.path.as_deref() };
            say(ERROR, "error", place, &error.message)?;
        }
        Ok(verdict)
    }
}

fn say(style: Style, kind: &str, place: Place<'_>, message: &str) -> io::Result<()> {
    let mut out = anstream::stderr().lock();
    write!(out, "{style}{kind}[{}]{style:#}", place.code)?;
    if let Some(index) = place.index {
        write!(out, " event {index}")?;
    }
    if let Some(path) = place.path.filter(|path| !path.is_empty()) {
        write!(out, " at {}", safe(path))?;
    }
    writeln!(out, ": {}", safe(message))
}

/// What is wrong, and where.
struct Place<'n> {
    code: &'n str,
    index: Option<usize>,
    path: Option<&'n str>,
}
