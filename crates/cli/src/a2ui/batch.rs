//! Many payloads in one go: one per line, one result per line.

use std::io::{self, BufRead, Write};

use anyhow::Context;
use forestage_a2ui::Fault;
use serde::Serialize;

use crate::{
    check::text,
    exit::{Answer, Verdict},
    input::without_mark,
    output,
};

/// Answers every line of standard input that is not blank. A payload that is refused is an answer, too.
pub(super) fn run<T: Serialize>(answer: impl Fn(Result<&str, Fault>) -> T) -> Answer {
    let mut lines = io::stdin().lock();
    let mut out = output::plain();
    let mut line = Vec::new();
    loop {
        line.clear();
        if lines.read_until(b'\n', &mut line).context("cannot read standard input")? == 0 {
            break;
        }
        let payload = without_mark(&line).trim_ascii();
        if !payload.is_empty() {
            output::write_json(&answer(text(payload)), &mut out)?;
        }
    }
    out.flush()?;
    Ok(Verdict::Yes)
}
