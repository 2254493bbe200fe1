//! `forestage a2ui fold`: what is on the screen after these messages?

use std::{
    collections::HashSet,
    io::{self, Write},
};

use clap::Args;
use forestage_a2ui::{
    Fault, Messages,
    surface::{Surface, Surfaces},
};
use serde_json::{Value, json};

use super::{batch, data_0_8, payload, show_fault};
use crate::{
    exit::{Answer, Verdict},
    input::Source,
    output,
};

/// Fold messages into surfaces: components, data and what is shown
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  forestage a2ui fold surface.json
  forestage a2ui fold surface.json --json | jq '.surfaces[0].dataModel'
  forestage a2ui fold --batch < surfaces.jsonl")]
pub(crate) struct Fold {
    /// The messages as JSON: a file, or - for standard input
    #[arg(value_name = "FILE", default_value = "-")]
    file: Source,
    /// Read data updates as A2UI 0.8 defines them: a dataModelUpdate replaces what is at its path
    #[arg(long = "strict-0.8")]
    strict_0_8: bool,
    /// Print one JSON object: ok, surfaces, error
    #[arg(long)]
    json: bool,
    /// Fold many payloads, each for itself: each line of standard input is one, each line of the output a result as of
    /// --json
    #[arg(long, conflicts_with = "file")]
    batch: bool,
}

impl Fold {
    /// Runs the command.
    pub(crate) fn run(&self) -> Answer {
        if self.batch {
            return batch::run(|text| self.fold(text).as_json());
        }
        let text = payload(&self.file)?;
        let folded = self.fold(text.as_deref().map_err(Clone::clone));
        match self.json {
            true => output::print_json(&folded.as_json())?,
            false => show(&folded.surfaces, folded.error.as_ref())?,
        }
        Ok(Verdict::of(folded.error.is_none()))
    }

    fn fold(&self, text: Result<&str, Fault>) -> Folded {
        let mut surfaces = Surfaces::new().with_data_0_8(data_0_8(self.strict_0_8));
        let error = text.and_then(|text| surfaces.fold(&Messages::read(text)?)).err();
        Folded { surfaces, error }
    }
}

/// What came of a payload.
struct Folded {
    surfaces: Surfaces,
    error: Option<Fault>,
}

impl Folded {
    fn as_json(&self) -> Value {
        let surfaces: Vec<_> = self.surfaces.iter().map(as_json).collect();
        json!({ "ok": self.error.is_none(), "surfaces": surfaces, "error": self.error })
    }
}

fn as_json(surface: &Surface) -> Value {
    json!({
        "surfaceId": surface.id,
        "catalogId": surface.catalog_id,
        "theme": surface.theme,
        "root": surface.root,
        "isShown": surface.is_shown(),
        "components": surface.components(),
        "dataModel": surface.model.value(),
    })
}

fn show(surfaces: &Surfaces, error: Option<&Fault>) -> io::Result<()> {
    let mut out = output::screen();
    for surface in surfaces.iter() {
        let count = output::counted(surface.components().len(), "component");
        let shown = if surface.is_shown() { "" } else { ", not shown: it has no root yet" };
        writeln!(out, "{} ({count}{shown})", output::safe(&surface.id))?;
        tree(surface, &mut out)?;
        writeln!(out, "   data {}", output::excerpt(&surface.model.value().to_string()))?;
    }
    let count = output::counted(surfaces.iter().count(), "surface");
    match error {
        None => output::write_verdict(true, &count, &mut out)?,
        Some(fault) => {
            output::write_verdict(
                false,
                &format!("{count} before a message that cannot be taken in"),
                &mut out,
            )?;
            show_fault(fault, None, &mut out)?;
        }
    }
    out.flush()
}

fn tree(surface: &Surface, out: &mut impl Write) -> io::Result<()> {
    let (mut open, mut seen) = (vec![(surface.root.clone().unwrap_or_default(), 1)], HashSet::new());
    while let Some((id, depth)) = open.pop() {
        let Some(component) = surface.component(&id) else { continue };
        writeln!(out, "{:1$}{2} {3}", "", depth * 3, component.kind, output::safe(&id))?;
        if seen.insert(id) {
            let children = component.children().into_iter().rev();
            open.extend(children.map(|child| (child, (depth + 1).min(20))));
        }
    }
    Ok(())
}
