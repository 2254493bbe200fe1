//! `forestage its check`: can these arguments be shown, and is this an answer to them?

use std::io::{self, Write};

use anyhow::bail;
use clap::Args;
use forestage_its::{Entry, Grade, find, is_component};
use forestage_protocol::{Fault, Warning, scan};
use serde::Serialize;
use serde_json::Value;

use super::{known, meant};
use crate::{
    check,
    exit::{Answer, Verdict},
    input::Source,
    output,
};

/// Check the arguments of a component, or an answer to them
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  forestage its example quick_quiz | forestage its check quick_quiz
  forestage its check its:render_skill_slider shown.json --answer answer.json --json")]
pub(crate) struct Check {
    /// The component: its:render_quick_quiz, or quick_quiz
    name: String,
    /// The arguments as JSON: a file, or - for standard input
    #[arg(value_name = "FILE", default_value = "-")]
    arguments: Source,
    /// An answer as JSON, held against the arguments: a file, or - for standard input
    #[arg(long, value_name = "FILE")]
    answer: Option<Source>,
    /// Print one JSON object: ok, of, faults, warnings, grade
    #[arg(long)]
    json: bool,
}

/// What is said about a value.
#[derive(Debug, Default, Serialize)]
struct Finding {
    ok: bool,
    /// What the faults are in: the arguments or the answer.
    of: &'static str,
    faults: Vec<Fault>,
    warnings: Vec<Warning>,
    grade: Option<Grade>,
}

impl Check {
    /// Runs the command.
    pub(crate) fn run(&self) -> Answer {
        if matches!((&self.arguments, &self.answer), (Source::Stdin, Some(Source::Stdin))) {
            bail!("arguments and answer cannot both come from standard input");
        }
        let shown = self.arguments.read()?;
        let answered = self.answer.as_ref().map(Source::read).transpose()?;
        let finding = match find(&self.name) {
            Some(entry) => judged(entry, &shown, answered.as_deref()),
            None if is_component(&self.name) => self.unknown(&shown, answered.as_deref()),
            None => return known(&self.name).map(|_| Verdict::No),
        };
        match self.json {
            true => output::print_json(&finding)?,
            false => finding.show(if finding.of == "answer" { answered.as_deref() } else { Some(&shown) })?,
        }
        Ok(Verdict::of(finding.ok))
    }

    /// A component of tomorrow has to be JSON, and is passed on.
    fn unknown(&self, shown: &[u8], answered: Option<&[u8]>) -> Finding {
        let text = format!("`{}` is unknown here, and passed on as it is{}", self.name, meant(&self.name));
        let warnings = vec![Warning::new("unknown_component", text)];
        let shown = read(shown).and_then(|value| {
            let told = "the arguments of a component are an object";
            if value.is_object() { Ok(()) } else { Err(vec![Fault::new("wrong_type", "", told)]) }
        });
        let finding = match (shown, answered.map(read)) {
            (Err(faults), _) => Finding::no("arguments", faults),
            (Ok(()), Some(Err(faults))) => Finding::no("answer", faults),
            (Ok(()), Some(Ok(_))) => Finding::yes("answer", None),
            (Ok(()), None) => Finding::yes("arguments", None),
        };
        Finding { warnings, ..finding }
    }
}

fn judged(entry: &Entry, shown: &[u8], answered: Option<&[u8]>) -> Finding {
    let arguments =
        read(shown).and_then(|value| entry.check(&value).map(|()| value).map_err(|faults| faults.to_vec()));
    let arguments = match arguments {
        Ok(arguments) => arguments,
        Err(faults) => return Finding::no("arguments", faults),
    };
    let Some(answered) = answered else {
        return Finding { warnings: unwise(entry, &arguments), ..Finding::yes("arguments", None) };
    };
    let graded = read(answered)
        .and_then(|answer| entry.check_answer(&arguments, &answer).map_err(|faults| faults.to_vec()));
    match graded {
        Ok(grade) => Finding::yes("answer", grade),
        Err(faults) => Finding::no("answer", faults),
    }
}

/// What is unwise about arguments that fit.
fn unwise(entry: &Entry, arguments: &Value) -> Vec<Warning> {
    let warning = |fault: &Fault| Warning::at(fault.code, &fault.path, &fault.message);
    entry.warnings(arguments).iter().map(warning).collect()
}

fn read(bytes: &[u8]) -> Result<Value, Vec<Fault>> {
    let text = check::text(bytes).map_err(|fault| vec![fault])?;
    scan::check_depth(text).map_err(|excess| vec![excess.into()])?;
    serde_json::from_str(text).map_err(|error| vec![Fault::new("not_json", "", format!("not JSON: {error}"))])
}

impl Finding {
    fn yes(of: &'static str, grade: Option<Grade>) -> Self {
        Self { ok: true, of, grade, ..Self::default() }
    }

    fn no(of: &'static str, faults: Vec<Fault>) -> Self {
        Self { of, faults, ..Self::default() }
    }

    fn show(&self, document: Option<&[u8]>) -> io::Result<()> {
        let mut out = output::screen();
        for warning in &self.warnings {
            output::write_warning("", warning, &mut out)?;
        }
        let (fit, do_not) = match self.of {
            "answer" => ("an answer that fits", "an answer that does not fit"),
            _ => ("arguments that fit", "arguments that do not fit"),
        };
        let verdict = match (self.ok, &self.grade) {
            (true, None) => fit.to_owned(),
            (true, Some(grade)) => format!("{fit}: {} of {} right", grade.right, grade.total),
            (false, _) => format!("{do_not}: {}", output::counted(self.faults.len(), "fault")),
        };
        output::write_verdict(self.ok, &verdict, &mut out)?;
        let value = document.and_then(|bytes| read(bytes).ok());
        for fault in &self.faults {
            let place = if fault.path.is_empty() { String::new() } else { format!(" at {}", fault.path) };
            writeln!(out, "   {}{}", fault.code, output::safe(&place))?;
            match &value {
                Some(value) => output::write_place(value, &fault.path, &fault.message, &mut out)?,
                None => writeln!(out, "     {}", output::safe(&fault.message))?,
            }
        }
        out.flush()
    }
}
