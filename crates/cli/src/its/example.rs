//! `forestage its example`: what a component is shown with, and what somebody could answer.

use clap::Args;
use forestage_its::Example;
use serde_json::{Value, json};

use super::known;
use crate::{
    exit::{Answer, Verdict},
    output,
};

/// Print arguments of a component as an example, or an answer to them
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  forestage its example time_selector
  forestage its example time_selector --answer
  forestage its example code_assessment --all")]
pub(crate) struct ShowExample {
    /// The component: its:render_quick_quiz, or quick_quiz
    name: String,
    /// The answer instead of the arguments
    #[arg(long)]
    answer: bool,
    /// All examples, each with what it is about, arguments and answer
    #[arg(long, conflicts_with = "answer")]
    all: bool,
    /// Print on one line, for programs
    #[arg(long)]
    json: bool,
}

impl ShowExample {
    /// Runs the command.
    pub(crate) fn run(&self) -> Answer {
        let examples = known(&self.name)?.examples();
        let whole = |example: &Example| json!({ "about": example.about, "arguments": example.arguments, "answer": example.answer });
        let shown = match examples.first() {
            _ if self.all => examples.iter().map(whole).collect(),
            Some(first) if self.answer => first.answer.clone(),
            Some(first) => first.arguments.clone(),
            None => Value::Null,
        };
        if self.json {
            output::print_json(&shown)?
        } else {
            output::print_pretty(&shown)?
        }
        Ok(Verdict::Yes)
    }
}
