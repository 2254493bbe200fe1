//! The palette: one place for every colour.

use anstyle::{AnsiColor, Style};

pub(crate) const BOLD: Style = Style::new().bold();
pub(crate) const DIM: Style = Style::new().dimmed();
pub(crate) const GOOD: Style = AnsiColor::Green.on_default().bold();
pub(crate) const ERROR: Style = AnsiColor::Red.on_default().bold();
pub(crate) const WARNING: Style = AnsiColor::Yellow.on_default().bold();
pub(crate) const ID: Style = AnsiColor::Cyan.on_default();
pub(crate) const OWNER: Style = AnsiColor::Magenta.on_default();

/// The style of a type of event: one colour per family, red for what went wrong.
pub(crate) fn of_event(name: &str) -> Style {
    let color = match name.split('_').next().unwrap_or_default() {
        _ if name.ends_with("_ERROR") => AnsiColor::Red,
        "RUN" => AnsiColor::Green,
        "STEP" => AnsiColor::BrightGreen,
        "TEXT" => AnsiColor::Blue,
        "TOOL" => AnsiColor::Yellow,
        "STATE" | "MESSAGES" => AnsiColor::Magenta,
        "ACTIVITY" => AnsiColor::Cyan,
        "SUBAGENT" => AnsiColor::BrightMagenta,
        "REASONING" => AnsiColor::BrightBlack,
        _ => AnsiColor::White,
    };
    color.on_default().invert()
}

/// The style of a role.
pub(crate) fn of_role(role: &str) -> Style {
    match role {
        "user" => AnsiColor::Green.on_default().bold(),
        "assistant" => AnsiColor::Blue.on_default().bold(),
        "tool" => AnsiColor::Yellow.on_default().bold(),
        "activity" => AnsiColor::Cyan.on_default().bold(),
        "reasoning" => DIM,
        _ => AnsiColor::Magenta.on_default().bold(),
    }
}
