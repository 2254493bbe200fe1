//! Folding many streams in one go: one per line, one result per line.

use std::io::{self, BufRead, Write};

use anyhow::Context;
use forestage_protocol::{compat::PeerVersion, pipeline::StreamError};
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
pub(super) fn run(given: Option<&Given>, peer: Option<PeerVersion>) -> Answer {
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
            let report = fold(text, given, peer).with_context(|| format!("line {number}"));
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

/// Folds the stream of a line. Where the line does not say what was there before, the command line does.
fn fold(text: &[u8], given: Option<&Given>, peer: Option<PeerVersion>) -> anyhow::Result<Report> {
    let task: Task = serde_json::from_slice(text).context("not {\"stream\": [..]}")?;
    let own = task.input.map(Given::read).transpose().context("input")?;
    let given = own.as_ref().or(given);
    let version = task.max_protocol_version.filter(|text| !text.is_empty());
    let peer = version.as_deref().map(parse_peer).transpose()?.or(peer);
    let mut folder = Folder::new(given, peer);
    let error = read(&mut folder, &task.stream).err();
    Ok(folder.report(given, error))
}

fn read(folder: &mut Folder, stream: &[Box<RawValue>]) -> Result<(), StreamError> {
    stream.iter().try_for_each(|event| folder.read_json(event.get()))?;
    folder.folding.finish()
}
