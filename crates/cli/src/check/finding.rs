//! What a check says about a document.

use std::io::{self, Write};

use forestage_protocol::{Fault, Warning, json::Json};
use serde::Serialize;

use crate::{
    exit::{Answer, Verdict},
    input::without_mark,
    output,
};

/// The text of a document.
pub(crate) fn text(bytes: &[u8]) -> Result<&str, Fault> {
    std::str::from_utf8(without_mark(bytes))
        .map_err(|error| Fault::new("not_json", "", format!("not JSON: {error}")))
}

/// What a check says.
#[derive(Debug, Serialize)]
pub(crate) struct Finding {
    ok: bool,
    error: Option<Fault>,
    warnings: Vec<Warning>,
    /// The value as we would write it; nothing where it was refused or dropped.
    normalized: Option<Json>,
}

impl Finding {
    /// A finding; `None` means that the value was dropped.
    pub(crate) fn of(checked: Result<Option<Json>, Fault>, warnings: Vec<Warning>) -> Self {
        match checked {
            Ok(normalized) => Self { ok: true, error: None, warnings, normalized },
            Err(fault) => Self { ok: false, error: Some(fault), warnings, normalized: None },
        }
    }

    /// Prints the finding about a document that should be something.
    pub(crate) fn tell(&self, name: &str, document: &[u8], json: bool) -> Answer {
        if json {
            output::print_json(self)?;
        } else {
            self.show(name, document)?;
        }
        Ok(Verdict::of(self.ok))
    }

    fn show(&self, name: &str, document: &[u8]) -> io::Result<()> {
        let mut out = output::screen();
        for warning in &self.warnings {
            output::write_warning("", warning, &mut out)?;
        }
        match (&self.error, &self.normalized) {
            (Some(fault), _) => {
                output::write_verdict(false, &format!("not a valid {name}: {}", fault.code), &mut out)?;
                show_fault(fault, document, &mut out)?;
            }
            (None, Some(_)) => output::write_verdict(true, &format!("a valid {name}"), &mut out)?,
            (None, None) => output::write_verdict(true, &format!("an unknown {name}, dropped"), &mut out)?,
        }
        out.flush()
    }
}

/// Shows a fault where it is; in a text that is not JSON there is no place.
fn show_fault(fault: &Fault, document: &[u8], out: &mut impl Write) -> io::Result<()> {
    match serde_json::from_slice(without_mark(document)) {
        Ok(value) => output::write_place(&value, &fault.path, &fault.message, out),
        Err(_) => writeln!(out, "     {}", output::safe(&fault.message)),
    }
}
