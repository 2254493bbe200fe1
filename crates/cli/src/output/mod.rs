//! Writing: plain bytes for programs, coloured text for people.

mod activity;
mod aside;
mod conversation;
mod event;
mod minify;
mod notice;
mod place;
pub(crate) mod style;
mod target;
mod text;
mod time;

use std::{
    fmt::Display,
    io::{self, BufWriter, Stdout, StdoutLock, Write},
};

use anstream::AutoStream;
use clap::ColorChoice;
use serde::Serialize;

pub(crate) use self::{
    activity::{Drawn, draw_activity},
    aside::{Aside, Judgement, Size},
    conversation::{write_block, write_conversation},
    event::{write_event, write_other, write_timed},
    minify::minify,
    notice::{write_fault, write_warning},
    place::write_place,
    target::Target,
    text::{brief, counted, excerpt, safe, safe_lines, safe_text},
    time::{age, left},
};

/// Standard output for programs: buffered, never coloured.
pub(crate) type Plain = BufWriter<StdoutLock<'static>>;

/// Standard output for people: buffered, coloured where colours are wanted.
pub(crate) type Screen = BufWriter<AutoStream<Stdout>>;

/// Decides about colours for the whole process.
pub(crate) fn set_color(choice: ColorChoice) {
    let choice = match choice {
        ColorChoice::Auto => anstream::ColorChoice::Auto,
        ColorChoice::Always => anstream::ColorChoice::AlwaysAnsi,
        ColorChoice::Never => anstream::ColorChoice::Never,
    };
    choice.write_global();
}

/// Standard output for programs.
pub(crate) fn plain() -> Plain {
    BufWriter::new(io::stdout().lock())
}

/// Standard output for people.
pub(crate) fn screen() -> Screen {
    BufWriter::new(AutoStream::auto(io::stdout()))
}

/// Prints one value as JSON on a line of its own.
pub(crate) fn print_json(value: &impl Serialize) -> anyhow::Result<()> {
    let mut out = plain();
    write_json(value, &mut out)?;
    Ok(out.flush()?)
}

/// Writes one value as JSON on a line of its own.
pub(crate) fn write_json(value: &impl Serialize, out: &mut impl Write) -> anyhow::Result<()> {
    serde_json::to_writer(&mut *out, value)?;
    Ok(out.write_all(b"\n")?)
}

/// Prints one document over as many lines as it needs.
pub(crate) fn print_pretty(value: &impl Serialize) -> anyhow::Result<()> {
    let mut out = plain();
    serde_json::to_writer_pretty(&mut out, value)?;
    out.write_all(b"\n")?;
    Ok(out.flush()?)
}

/// Prints one text per line.
pub(crate) fn print_lines(lines: &[impl Display]) -> anyhow::Result<()> {
    let mut out = plain();
    lines.iter().try_for_each(|line| writeln!(out, "{line}"))?;
    Ok(out.flush()?)
}

/// Writes a verdict on a line of its own: a word and a sentence.
pub(crate) fn write_verdict(ok: bool, sentence: &str, out: &mut impl Write) -> io::Result<()> {
    let (style, word) = if ok { (style::GOOD, "ok") } else { (style::ERROR, "failed") };
    let style = style.invert();
    writeln!(out, "{style} {word} {style:#} {sentence}")
}
