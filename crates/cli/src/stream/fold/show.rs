//! The result of a fold for people: the conversation, then how things stand.

use std::io::{self, Write};

use forestage_protocol::{Warning, apply::RunEnd, interrupt::Interrupt};
use serde_json::{Map, Value, to_string};

use super::report::Report;
use crate::output::{
    self, counted, safe,
    style::{BOLD, DIM, ID},
    write_block, write_conversation,
};

/// Shows a report.
pub(super) fn show(report: &Report) -> io::Result<()> {
    let mut out = output::screen();
    write_conversation(&report.messages, &mut out)?;
    write_state(&report.state, &mut out)?;
    write_outcome(report.outcome.as_ref(), &mut out)?;
    write_notices(report, &mut out)?;
    let counts = format!(
        "{}, {}, {}",
        counted(report.events.len(), "event"),
        counted(report.messages.len(), "message"),
        counted(report.warnings.len(), "warning")
    );
    output::write_verdict(report.ok, &counts, &mut out)?;
    out.flush()
}

/// An empty state is the usual one and not worth a line.
fn write_state(state: &Value, out: &mut impl Write) -> io::Result<()> {
    if state.as_object().is_some_and(Map::is_empty) {
        return Ok(());
    }
    writeln!(out, "{BOLD}state{BOLD:#}")?;
    write_block(&format!("{state:#}"), "  ", out)?;
    writeln!(out)
}

fn write_outcome(end: Option<&RunEnd>, out: &mut impl Write) -> io::Result<()> {
    write!(out, "{BOLD}outcome{BOLD:#} ")?;
    match end {
        None => writeln!(out, "{DIM}none: no run has ended{DIM:#}")?,
        Some(RunEnd::Success { result, pending_tool_call_ids }) => {
            writeln!(out, "success")?;
            if let Some(result) = result {
                writeln!(out, "  result {}", safe(result.get()))?;
            }
            for id in pending_tool_call_ids {
                writeln!(out, "  waits for the answer to {ID}{}{ID:#}", safe(id))?;
            }
        }
        Some(RunEnd::Interrupt { interrupts }) => {
            writeln!(out, "interrupt")?;
            interrupts.iter().try_for_each(|interrupt| write_interrupt(interrupt, out))?;
        }
        Some(RunEnd::Error { message, code }) => {
            let code = code.as_deref().map(|code| format!("[{}]", safe(code))).unwrap_or_default();
            writeln!(out, "error{code}: {}", safe(message))?;
        }
        Some(RunEnd::Cancelled) => writeln!(out, "cancelled")?,
        Some(other) => writeln!(out, "{}", safe(&to_string(other).unwrap_or_default()))?,
    }
    writeln!(out)
}

fn write_interrupt(interrupt: &Interrupt, out: &mut impl Write) -> io::Result<()> {
    let (id, reason) = (safe(&interrupt.id), safe(&interrupt.reason));
    let message = interrupt.message.as_deref().unwrap_or_default();
    writeln!(out, "  {ID}{id}{ID:#} {reason} {DIM}{}{DIM:#}", safe(message))
}

fn write_notices(report: &Report, out: &mut impl Write) -> io::Result<()> {
    for warning in &report.warnings {
        output::write_warning(&place(warning), warning, out)?;
    }
    if let Some(error) = &report.error {
        output::write_fault(&format!("event {}: ", error.index), error, out)?;
    }
    if report.warnings.is_empty() && report.error.is_none() {
        return Ok(());
    }
    writeln!(out)
}

fn place(warning: &Warning) -> String {
    warning.index.map_or_else(|| "input: ".to_owned(), |index| format!("event {index}: "))
}
