//! What the exit code says: 0 is yes, 1 is no, 2 means that the call was wrong.

use std::{
    io::{self, ErrorKind, Write},
    process::ExitCode,
};

/// What a shell reports for a program that a closed pipe has ended: neither a yes nor a no.
const BROKEN_PIPE: u8 = 141;

/// The answer to what was asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// The thing is as it should be.
    Yes,
    /// It is not.
    No,
}

impl Verdict {
    /// Yes, if this holds.
    pub(crate) fn of(holds: bool) -> Self {
        if holds { Self::Yes } else { Self::No }
    }
}

/// What every command returns. An error means that there is no answer: a file that cannot be read, a call that
/// makes no sense.
pub(crate) type Answer = anyhow::Result<Verdict>;

/// Something was read and broke off before its end: the answer is no, whatever came before.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct Incomplete(pub(crate) String);

/// Turns an answer into an exit code, and says on standard error why there is none.
pub(crate) fn code(answer: Answer) -> ExitCode {
    match answer {
        Ok(Verdict::Yes) => ExitCode::SUCCESS,
        Ok(Verdict::No) => ExitCode::from(1),
        Err(error) if is_broken_pipe(&error) => ExitCode::from(BROKEN_PIPE),
        Err(error) => {
            // Where standard error is closed as well there is nobody left to tell.
            let _ = writeln!(io::stderr(), "forestage: {}", sentence(&error));
            ExitCode::from(if error.is::<Incomplete>() { 1 } else { 2 })
        }
    }
}

/// What went wrong and why. Many errors say their cause themselves, and nothing is said twice.
fn sentence(error: &anyhow::Error) -> String {
    let mut text = String::new();
    for cause in error.chain().map(ToString::to_string) {
        if !text.contains(&cause) {
            let joint = if text.is_empty() { "" } else { ": " };
            text = format!("{text}{joint}{cause}");
        }
    }
    text
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        let kind = match cause.downcast_ref::<io::Error>() {
            Some(error) => Some(error.kind()),
            None => cause.downcast_ref::<serde_json::Error>().and_then(serde_json::Error::io_error_kind),
        };
        kind == Some(ErrorKind::BrokenPipe)
    })
}
