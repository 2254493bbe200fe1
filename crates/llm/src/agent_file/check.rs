//! What can be checked beyond the form: names, what belongs together.

use std::collections::BTreeSet;

use forestage_its::{COMPONENTS, find};
use forestage_runtime::{
    file::{Place, Placed, meant},
    script::ScriptError,
    tool::Tools,
};

use super::file::AgentFile;
use crate::agent::StateRules;

/// All components at once.
pub(super) const ALL: &str = "all";

/// The mistakes of a file among agents of these names.
pub(super) fn check(
    file_name: &str,
    file: &AgentFile,
    known: &BTreeSet<String>,
    tools: Option<&Tools>,
) -> Vec<ScriptError> {
    let mut errors = Vec::new();
    let mut fault =
        |place: &Place, message: String| errors.push(ScriptError::new(file_name, place.clone(), message));
    let front = &file.front;
    if !is_name(&file.name) {
        let place = front.name.as_ref().map_or_else(first_line, |name| name.place.clone());
        let text = format!("`{}` is not a name: letters, digits, `-`, `_` and `.` are allowed", file.name);
        fault(&place, text);
    }
    for Placed { place, value } in front.components.iter().filter(|name| name.value != ALL) {
        if find(value).is_none() {
            let hint = suggestion(value, COMPONENTS.iter().map(|entry| entry.short));
            fault(place, format!("there is no component `{value}`{hint}"));
        }
    }
    let others = front.handoffs.iter().chain(front.subagents.iter());
    for Placed { place, value } in others.filter(|name| !known.contains(&name.value)) {
        let hint = suggestion(value, known.iter().map(String::as_str));
        fault(place, format!("there is no agent `{value}` here{hint}"));
    }
    if let Some(limits) = &front.limits {
        if let Some(steps) = limits.steps.as_ref().filter(|steps| steps.value == 0) {
            fault(&steps.place, "at least one step is needed to say anything".to_owned());
        }
        if let Some(time) = limits.time.as_ref().filter(|time| time.value.0.is_zero()) {
            fault(&time.place, "there has to be time to answer".to_owned());
        }
    }
    if let Some((place, message)) = state(file) {
        fault(&place, message);
    }
    for Placed { place, value } in front.uses.iter() {
        if let Some(message) = unusable(file, value, tools) {
            errors.push(ScriptError::new(file_name, place.clone(), message));
        }
    }
    front.model.0.check(file_name, &mut errors);
    if front.model.0.needs_url() {
        let place = Place { path: "model".to_owned(), ..first_line() };
        errors.push(ScriptError::new(file_name, place, "`openai-compatible` needs a `url`"));
    }
    errors
}

/// Why a tool of the server cannot be used.
fn unusable(file: &AgentFile, name: &str, tools: Option<&Tools>) -> Option<String> {
    if file.tools.get(name).is_some() {
        return Some(format!("the file has a tool `{name}` of its own already"));
    }
    let tools = tools.filter(|tools| tools.get(name).is_none())?;
    let hint = suggestion(name, tools.iter().map(|tool| tool.about().name.as_str()));
    Some(format!("this server has no tool `{name}`{hint}"))
}

fn state(file: &AgentFile) -> Option<(Place, String)> {
    let Placed { place, value } = file.front.state.as_ref()?;
    match rules(file) {
        Err(error) => {
            let place = value.schema.as_ref().map_or(place, |schema| &schema.place);
            Some((place.clone(), error.to_string().replace("the parameters of tool `state`: ", "")))
        }
        Ok(rules) => {
            let initial = value.initial.as_ref()?;
            let error = rules?.check_initial().err()?;
            let text = error.message;
            Some((initial.place.clone(), text))
        }
    }
}

/// The rules of the state, if there is one.
pub(super) fn rules(file: &AgentFile) -> Result<Option<StateRules>, crate::agent::StateRulesError> {
    let Some(state) = &file.front.state else { return Ok(None) };
    let initial = state.value.initial.as_ref().map(|initial| initial.value.clone().into());
    let schema = state.value.schema.as_ref().map(|schema| schema.value.clone());
    StateRules::new(initial.unwrap_or_default(), schema.unwrap_or_default()).map(Some)
}

fn suggestion<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> String {
    meant(name, known).map_or_else(String::new, |meant| format!(", did you mean `{meant}`?"))
}

fn is_name(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|sign| sign.is_alphanumeric() || matches!(sign, '-' | '_' | '.'))
}

fn first_line() -> Place {
    Place { line: 1, column: 1, path: String::new() }
}
