//! Writing: plain bytes for programs, coloured text for people.

mod aside;
mod minify;
pub(crate) mod style;
mod text;

use std::io::{self, BufWriter, Stdout, StdoutLock, Write};

use anstream::AutoStream;
use clap::ColorChoice;
use serde::Serialize;

pub(crate) use self::{
    aside::{Aside, Judgement},
    minify::minify,
    text::safe,
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
