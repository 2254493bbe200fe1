//! What was found, while it is being found.

use forestage_protocol::{Fault, Warning};

use crate::tape::Item;

/// So many faults are told; whoever has more has other troubles.
const MAX_FAULTS: usize = 30;

/// So many warnings are told.
const MAX_WARNINGS: usize = 30;

/// Faults and warnings.
#[derive(Debug, Default)]
pub(super) struct Notes {
    pub(super) faults: Vec<Fault>,
    pub(super) warnings: Vec<Warning>,
}

impl Notes {
    pub(super) fn fault(&mut self, code: &'static str, at: Item<'_>, message: impl Into<String>) {
        if self.faults.len() < MAX_FAULTS {
            self.faults.push(Fault::new(code, at.pointer(), message));
        }
    }

    pub(super) fn warn(&mut self, code: &'static str, at: Item<'_>, message: impl Into<String>) {
        if self.warnings.len() < MAX_WARNINGS {
            self.warnings.push(Warning::at(code, at.pointer(), message));
        }
    }

    /// Whether nobody would hear of another fault.
    pub(super) fn is_full(&self) -> bool {
        self.faults.len() >= MAX_FAULTS
    }
}
