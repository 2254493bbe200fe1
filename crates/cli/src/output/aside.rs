//! What is said on standard error beside the events on standard output.

use std::io::{self, Write};

use anstyle::Style;
use forestage_protocol::{Warning, pipeline::StreamError};
use serde::Serialize;

use super::{
    style::{ERROR, WARNING},
    text::{counted, safe},
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
    /// What went in and what came out, where that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    stats: Option<Stats>,
}

/// What went in and what came out.
#[derive(Debug, Serialize)]
struct Stats {
    before: Size,
    after: Size,
}

/// How much there is of a stream.
#[derive(Debug, Serialize)]
pub(crate) struct Size {
    /// How many events.
    pub(crate) events: usize,
    /// How many bytes.
    pub(crate) bytes: usize,
}

impl Judgement {
    /// A judgement; without an error the stream is fine.
    pub(crate) fn new(error: Option<StreamError>, warnings: Vec<Warning>) -> Self {
        Self { ok: error.is_none(), error, warnings, stats: None }
    }
}

/// Warnings and the error of a command that prints events: sentences for people as they come, or one JSON
/// object for programs at the end.
#[derive(Debug)]
pub(crate) struct Aside {
    json: bool,
    warnings: Vec<Warning>,
    stats: Option<Stats>,
}

impl Aside {
    /// Nothing was said yet.
    pub(crate) fn new(json: bool) -> Self {
        Self { json, warnings: Vec::new(), stats: None }
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

    /// Says what went in and what came out.
    pub(crate) fn tell_stats(&mut self, before: Size, after: Size) -> io::Result<()> {
        if self.json {
            self.stats = Some(Stats { before, after });
            return Ok(());
        }
        let told =
            |size: &Size| format!("{}, {}", counted(size.events, "event"), counted(size.bytes, "byte"));
        writeln!(io::stderr(), "{} -> {}", told(&before), told(&after))
    }

    /// Says how it ended.
    pub(crate) fn close(self, error: Option<StreamError>) -> Answer {
        let verdict = Verdict::of(error.is_none());
        if self.json {
            let mut out = io::stderr().lock();
            let judgement = Judgement { stats: self.stats, ..Judgement::new(error, self.warnings) };
            super::write_json(&judgement, &mut out)?;
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
