//! Errors and warnings, told like a compiler tells them.

use std::io::{self, Write};

use forestage_protocol::{Warning, pipeline::StreamError, verify::Rule};

use super::{
    style::{BOLD, DIM, ERROR, WARNING},
    text::safe,
};

/// Where a notice stands under the line of an event.
const INDENT: &str = "       ";

/// Writes a warning under the event it is about.
pub(crate) fn write_warning(warning: &Warning, out: &mut impl Write) -> io::Result<()> {
    let (code, message) = (warning.code, safe(&warning.message));
    write!(out, "{INDENT}{WARNING}warning[{code}]{WARNING:#}: {message}")?;
    write_path(warning.path.as_deref(), out)
}

/// Writes the fault of a stream under the event it is about, with the rule that was broken.
pub(crate) fn write_fault(error: &StreamError, out: &mut impl Write) -> io::Result<()> {
    let (code, message) = (error.code, safe(&error.message));
    write!(out, "{INDENT}{ERROR}error[{code}]{ERROR:#}: {BOLD}{message}{BOLD:#}")?;
    write_path(error.path.as_deref(), out)?;
    if let Some(rule) = Rule::ALL.iter().find(|rule| rule.code() == code) {
        writeln!(out, "{INDENT}{DIM}rule: {}{DIM:#}", rule.about())?;
    }
    Ok(())
}

fn write_path(path: Option<&str>, out: &mut impl Write) -> io::Result<()> {
    match path.filter(|path| !path.is_empty()) {
        Some(path) => writeln!(out, " {DIM}at {}{DIM:#}", safe(path)),
        None => writeln!(out),
    }
}
