//! The log of a server: lines on standard error, as much of it as was asked for.

use std::io::{self, IsTerminal};

use anyhow::{Context, anyhow};
use tracing::Subscriber;
use tracing_subscriber::{
    EnvFilter,
    field::MakeExt,
    filter::LevelFilter,
    fmt::{self, MakeWriter, format::debug_fn},
};

use crate::output::safe;

/// The words for how much is logged.
const LEVELS: [&str; 6] = ["off", "error", "warn", "info", "debug", "trace"];

/// Starts logging by a filter.
pub(crate) fn start(text: &str) -> anyhow::Result<()> {
    let filter = filter(text).map_err(|message| anyhow!("log: {message}"))?;
    // What providers say when they refuse is logged by us, without secrets; this one would log it as it is.
    let quiet = "genai=off".parse().context("log: the filter for models")?;
    // What we want to know of MCP servers we log; this one would log whole messages, with all that is in them.
    let brief = "rmcp=warn".parse().context("log: the filter for MCP")?;
    let filter = filter.add_directive(quiet).add_directive(brief);
    let colours = io::stderr().is_terminal();
    // Somebody may log already, in which case their log is ours.
    let _ = tracing::subscriber::set_global_default(lines(filter, io::stderr, colours));
    Ok(())
}

/// One line for each event. Names and ids are chosen by others, so what could end a line or move the cursor is shown as it
/// would stand in JSON.
fn lines<W>(filter: EnvFilter, writer: W, colours: bool) -> impl Subscriber + Send + Sync
where
    W: for<'w> MakeWriter<'w> + Send + Sync + 'static,
{
    let fields = debug_fn(|out, field, value| {
        let value = safe(&format!("{value:?}"));
        match field.name() {
            "message" => write!(out, "{value}"),
            name => write!(out, "{name}={value}"),
        }
    });
    let logs = fmt::fmt().with_env_filter(filter).with_writer(writer).with_ansi(colours);
    logs.fmt_fields(fields.delimited(" ")).finish()
}

/// Reads a filter. A word without a level would silence everything but itself, so it has to be a level.
pub(crate) fn filter(text: &str) -> Result<EnvFilter, String> {
    let is_bare = |part: &&str| !part.contains(['=', '[']);
    let is_level = |part: &&str| part.parse::<LevelFilter>().is_ok();
    let parts = || text.split(',').map(str::trim).filter(|part| !part.is_empty());
    if let Some(word) = parts().find(|part| is_bare(part) && !is_level(part)) {
        return Err(format!("`{word}` is not a level, {}", expected()));
    }
    if parts().next().is_none() {
        return Err(expected());
    }
    let filter = EnvFilter::builder().parse(text);
    filter.map_err(|_| format!("`{text}` is not a filter, {}", expected()))
}

fn expected() -> String {
    format!("expected {}, or a filter such as `warn,forestage_runtime=debug`", LEVELS.join(", "))
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use super::*;

    #[derive(Clone, Default)]
    struct Lines(Arc<Mutex<Vec<u8>>>);

    impl io::Write for Lines {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().expect("nobody panics").extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn nobody_writes_lines_of_their_own_into_the_log() {
        let written = Lines::default();
        let writer = written.clone();
        let logs = lines(filter("info").expect("a level"), move || writer.clone(), false);
        tracing::subscriber::with_default(logs, || {
            let id = "t\n2026-01-01T00:00:00Z  INFO all is well\u{1b}[2J";
            tracing::warn!(thread = %id, run = ?id, error = &io::Error::other(id) as &dyn std::error::Error, "about {id}");
        });
        let written = String::from_utf8(written.0.lock().expect("nobody panics").clone()).expect("text");
        assert_eq!(written.lines().count(), 1, "{written}");
        assert!(!written.trim_end().chars().any(char::is_control), "{written:?}");
        assert!(written.contains(r"about t\n2026") && written.contains(r"thread=t\n2026"), "{written}");
        assert!(written.contains("error=t"), "{written}");
    }
}
