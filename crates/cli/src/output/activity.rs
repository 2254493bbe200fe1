//! Activities as lines: a plan as a list with what is done, anything else member by member.

use serde_json::{Map, Value};

use super::{brief, excerpt, safe};

/// An activity as a head and the lines under it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Drawn {
    pub(crate) head: String,
    pub(crate) lines: Vec<String>,
}

/// Draws an activity as it stands.
pub(crate) fn draw_activity(kind: &str, content: &Value) -> Drawn {
    if let Some(steps) = plan(content) {
        let done = steps.iter().filter(|(_, done)| *done).count();
        let lines = steps.iter().map(|(title, done)| format!("[{}] {title}", if *done { 'x' } else { ' ' }));
        return Drawn { head: format!("{} {done}/{}", safe(kind), steps.len()), lines: lines.collect() };
    }
    let lines = content.as_object().map(members).unwrap_or_else(|| vec![brief(content)]);
    Drawn { head: safe(kind), lines }
}

/// The steps of a plan with what is done: a list of `steps` or `tasks` that all have a title. The web app reads the same.
fn plan(content: &Value) -> Option<Vec<(String, bool)>> {
    let steps = content.get("steps").or_else(|| content.get("tasks"))?.as_array()?;
    if steps.is_empty() { None } else { steps.iter().map(step).collect() }
}

fn step(step: &Value) -> Option<(String, bool)> {
    let title = ["title", "name", "text"].iter().find_map(|name| step.get(name)?.as_str())?;
    let status = step.get("status").and_then(Value::as_str);
    let done = step.get("done") == Some(&Value::Bool(true)) || matches!(status, Some("done" | "completed"));
    Some((excerpt(title), done))
}

fn members(members: &Map<String, Value>) -> Vec<String> {
    let text = |value: &Value| value.as_str().map_or_else(|| brief(value), excerpt);
    members.iter().map(|(name, value)| format!("{}: {}", safe(name), text(value))).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn drawn(content: Value) -> (String, Vec<String>) {
        let Drawn { head, lines } = draw_activity("PLAN", &content);
        (head, lines)
    }

    #[test]
    fn a_plan_is_a_list_with_what_is_done() {
        let steps = json!([{ "title": "Find", "done": true }, { "name": "Plan" }, { "text": "Go", "status": "completed" }]);
        let lines = ["[x] Find", "[ ] Plan", "[x] Go"].map(str::to_owned).to_vec();
        assert_eq!(drawn(json!({ "steps": steps })), ("PLAN 2/3".to_owned(), lines.clone()));
        assert_eq!(drawn(json!({ "tasks": steps })), ("PLAN 2/3".to_owned(), lines));
    }

    #[test]
    fn what_is_no_plan_is_drawn_member_by_member() {
        let expected = ("PLAN".to_owned(), vec!["query: trains".to_owned(), "hits: 3".to_owned()]);
        assert_eq!(drawn(json!({ "query": "trains", "hits": 3 })), expected);
        assert_eq!(drawn(json!({ "steps": [] })).1, ["steps: no items"]);
        assert_eq!(drawn(json!({ "steps": [{}] })).1.len(), 1);
    }

    #[test]
    fn control_characters_do_not_reach_the_terminal() {
        let (_, lines) = drawn(json!({ "steps": [{ "title": "\u{1b}[2J" }] }));
        assert!(!lines[0].contains('\u{1b}'), "{lines:?}");
    }
}
