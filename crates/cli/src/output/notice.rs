//! Errors and warnings, told like a compiler tells them.

use std::io::{self, Write};

use forestage_protocol::{Warning, pipeline::StreamError, verify::Rule};

use super::{
    style::{BOLD, DIM, ERROR, WARNING},
    text::safe,
};

/// Writes a warning after a lead, which says where it belongs.
pub(crate) fn write_warning(lead: &str, warning: &Warning, out: &mut impl Write) -> io::Result<()> {
    let (code, message) = (warning.code, safe(&warning.message));
    write!(out, "{lead}{WARNING}warning[{code}]{WARNING:#}: {message}")?;
    write_path(warning.path.as_deref(), out)
}

/// Writes the fault of a stream after a lead, and what was to be done instead.
pub(crate) fn write_fault(lead: &str, error: &StreamError, out: &mut impl Write) -> io::Result<()> {
    let (code, message) = (error.code, safe(&error.message));
    write!(out, "{lead}{ERROR}error[{code}]{ERROR:#}: {BOLD}{message}{BOLD:#}")?;
    write_path(error.path.as_deref(), out)?;
    if let Some(rule) = Rule::ALL.iter().find(|rule| rule.code() == code) {
        let indent = lead.len();
        writeln!(out, "{:indent$}{DIM}rule: {}{DIM:#}", "", rule.about())?;
    }
    Ok(())
}

fn write_path(path: Option<&str>, out: &mut impl Write) -> io::Result<()> {
    match path.filter(|path| !path.is_empty()) {
        Some(path) => writeln!(out, " {DIM}at {}{DIM:#}", safe(path)),
        None => writeln!(out),
    }
}
