//! Folding many streams in one go: one per line, one result per line.

use std::io::{self, BufRead, Write};

use anyhow::Context;
use forestage_protocol::pipeline::StreamError;
use serde::Deserialize;
use serde_json::{Value, value::RawValue};

use super::{Folder, Report, given::Given, parse_peer};
use crate::{
    exit::{Answer, Verdict},
    input::without_mark,
    output,
};

/// One line: a stream, and what was there before it. Other members are the caller's own.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Task {
    stream: Vec<Box<RawValue>>,
    input: Option<Value>,
    max_protocol_version: Option<String>,
}

/// Folds the streams of standard input. Streams that are refused are results too.
pub(super) fn run() -> Answer {
    let mut lines = io::stdin().lock();
    let mut out = output::plain();
    let mut line = Vec::new();
    for number in 1.. {
        line.clear();
        if lines.read_until(b'\n', &mut line).context("cannot read standard input")? == 0 {
            break;
        }
        let text = without_mark(&line).trim_ascii();
        if !text.is_empty() {
            let report = fold(text).with_context(|| format!("line {number}"));
            // What was folded before a bad line is printed before the complaint.
            if report.is_err() {
                out.flush()?;
            }
            output::write_json(&report?, &mut out)?;
        }
    }
    out.flush()?;
    Ok(Verdict::Yes)
}

fn fold(text: &[u8]) -> anyhow::Result<Report> {
    let task: Task = serde_json::from_slice(text).context("not {\"stream\": [..]}")?;
    let given = task.input.map(Given::read).transpose().context("input")?;
    let peer = task.max_protocol_version.filter(|text| !text.is_empty());
    let peer = peer.as_deref().map(parse_peer).transpose()?;
    let mut folder = Folder::new(given.as_ref(), peer);
    let error = read(&mut folder, &task.stream).err();
    Ok(folder.report(given.as_ref(), error))
}

fn read(folder: &mut Folder, stream: &[Box<RawValue>]) -> Result<(), StreamError> {
    stream.iter().try_for_each(|event| folder.read_json(event.get()))?;
    folder.folding.finish()
}
