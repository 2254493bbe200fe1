//! What is remembered of learners on all their threads.

use std::{collections::BTreeMap, sync::Arc};

use forestage::{
    Builder,
    runtime::tool::{Invocation, ToolError, tool_fn},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::course::Courses;

/// The name under which it is kept.
const NOTE: &str = "tutor";

/// Looks up which lessons the learner has behind them.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Get {}

/// Notes that a lesson is behind the learner.
#[derive(Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Save {
    /// The lesson, such as `python_loops`.
    lesson: String,
    /// Whether its question was answered right at once.
    right: bool,
}

/// Lessons that are behind somebody, and whether they were right at once.
pub(super) type Progress = BTreeMap<String, bool>;

/// Gives the tools to a server. Both may be repeated: saying the same twice changes nothing.
pub(super) fn add(builder: Builder, courses: &Arc<Courses>) -> Builder {
    let courses = courses.clone();
    let get = tool_fn("progress_get", |call: Invocation, _: Get| async move {
        Ok(json!({ "lessons": lessons(call.notes.read(NOTE).await?) }))
    });
    let save = tool_fn("progress_save", move |call: Invocation, save: Save| {
        let courses = courses.clone();
        async move {
            if !courses.iter().any(|course| course.lesson(&save.lesson).is_some()) {
                let text = format!("there is no lesson `{}`", save.lesson);
                return Err(ToolError::new("unknown_lesson", text).at("arguments.lesson"));
            }
            let changed = call.notes.change(NOTE, |note| {
                let mut known = lessons(note.take());
                known.insert(save.lesson.clone(), save.right);
                *note = json!(known);
            });
            Ok(json!({ "ok": true, "lessons": lessons(changed.await?) }))
        }
    });
    builder.tool(get.repeatable()).tool(save.repeatable())
}

fn lessons(note: Value) -> Progress {
    serde_json::from_value(note).unwrap_or_default()
}
