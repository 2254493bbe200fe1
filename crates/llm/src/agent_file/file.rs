//! An agent file, read.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use forestage_runtime::{
    file::{Place, read},
    house::{HouseRules, Review},
    script::ScriptError,
    tool::Tools,
};

use super::front::{Audit, Front};
use crate::mcp::Spec;

/// What is asked about in a house without rules, where every call is looked at.
const ASK_ALL: &str = "otherwise: { action: ask }";

/// An agent file.
#[derive(Clone, Debug)]
pub(super) struct AgentFile {
    pub(super) name: String,
    pub(super) front: Front,
    pub(super) instructions: String,
    pub(super) tools: Arc<Tools>,
    pub(super) mcp: Vec<(Place, Spec)>,
    pub(super) house: Arc<HouseRules>,
    pub(super) folder: Option<PathBuf>,
}

impl AgentFile {
    /// Reads a file, as much of it as is good.
    pub(super) fn read(file: &str, text: &str, folder: Option<&Path>) -> (Option<Self>, Vec<ScriptError>) {
        let fault = |line: usize, message: &str| {
            ScriptError::new(file, Place { line, column: 1, path: String::new() }, message)
        };
        let Some((settings, body, line)) = split(text) else {
            let message = "an agent file begins with settings between two lines `---`";
            return (None, vec![fault(1, message)]);
        };
        let (front, mut errors) = read::<Front>(file, &settings);
        if body.trim().is_empty() {
            errors.push(fault(line, "the instructions are missing: what is the model to do?"));
        }
        let Some(front) = front else { return (None, errors) };
        let mut tools = front.tools.build(file, &mut errors);
        front.http.iter().for_each(|tool| tool.add_to(&mut tools, file, &mut errors));
        let mcp = Spec::all(&front.mcp, &tools, file, &mut errors);
        let tools = Arc::new(tools);
        let house = house(file, &front, folder, &mut errors);
        let stem = file.rsplit('/').next().unwrap_or(file);
        let stem = stem.strip_suffix(".md").unwrap_or(stem);
        let name = front.name.as_ref().map_or_else(|| stem.to_owned(), |name| name.value.clone());
        let (instructions, folder) = (body.trim().to_owned(), folder.map(Path::to_owned));
        (Some(Self { name, front, instructions, tools, mcp, house: Arc::new(house), folder }), errors)
    }
}

fn house(file: &str, front: &Front, folder: Option<&Path>, errors: &mut Vec<ScriptError>) -> HouseRules {
    let given = front.house.as_ref().and_then(|house| house.build(file, folder, errors));
    let mut house = given.unwrap_or_default();
    for audit in front.audit.iter() {
        match audit.value {
            Audit::Answers => drop(house.review.get_or_insert_with(Review::default)),
            Audit::Tools if front.house.is_none() => {
                let asks = HouseRules::parse("audit", ASK_ALL).unwrap_or_default();
                house = HouseRules { review: house.review, ..asks };
            }
            Audit::Tools => {
                let text = "with rules of the house, write `otherwise: { action: ask }` there";
                errors.push(ScriptError::new(file, audit.place.clone(), text));
            }
        }
    }
    house
}

/// The settings with every line where it was, the instructions, and the line on which those begin.
fn split(text: &str) -> Option<(String, &str, usize)> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut lines = text.split_inclusive('\n');
    let first = lines.next()?;
    if first.trim_end() != "---" {
        return None;
    }
    let (mut settings, mut at, mut line) = (String::from("\n"), first.len(), 1);
    for text_line in lines {
        at += text_line.len();
        line += 1;
        if text_line.trim_end() == "---" {
            return Some((settings, &text[at..], line + 1));
        }
        settings.push_str(text_line);
    }
    None
}
