//! The palette.

use anstyle::{AnsiColor, Style};

pub(crate) const BOLD: Style = Style::new().bold();
pub(crate) const DIM: Style = Style::new().dimmed();
pub(crate) const ERROR: Style = AnsiColor::Red.on_default().bold();
pub(crate) const WARNING: Style = AnsiColor::Yellow.on_default().bold();

/// The style of a kind of notice.
pub(crate) fn of(kind: &str) -> Style {
    match kind {
        "error" => ERROR,
        "warning" => WARNING,
        _ => BOLD,
    }
}
