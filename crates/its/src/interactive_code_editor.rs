//! An editor for code.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{component::Component, fault::Faults};

/// Shows an editor in which learners write, change and run code.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct InteractiveCodeEditor {
    /// What the answer calls it.
    pub editor_id: String,
    /// The language, for colours and for running it.
    pub language: Language,
    /// What is in the editor at first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub initial_code: Option<String>,
    /// What to do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem_description: Option<String>,
    /// How the editor behaves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub config: Option<EditorConfig>,
}

/// A language that the editor knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "their names say everything")]
pub enum Language {
    Python,
    Javascript,
    Java,
    Html,
    Css,
}

/// How the editor behaves.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct EditorConfig {
    /// Whether the code can only be looked at.
    #[serde(default)]
    pub read_only: bool,
    /// Whether the code can be run.
    #[serde(default = "yes")]
    pub show_run_button: bool,
    /// What the code should print.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected_output: Option<String>,
}

fn yes() -> bool {
    true
}

/// The code, and what was done with it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct InteractiveCodeEditorAnswer {
    /// The editor.
    pub editor_id: String,
    /// What is in the editor.
    pub current_code: String,
    /// What was done.
    pub action: EditorAction,
    /// For `run_code`: what the code printed where the client has run it. Not in the contract.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<String>,
}

/// What was done with the code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum EditorAction {
    /// It was handed in.
    SubmitCode,
    /// It was run.
    RunCode,
}

impl Component for InteractiveCodeEditor {
    const NAME: &'static str = "its:render_interactive_code_editor";
    type Answer = InteractiveCodeEditorAnswer;

    fn warn(&self, faults: &mut Faults) {
        let is_empty = self.initial_code.as_deref().unwrap_or_default().is_empty();
        faults.ensure(!(is_empty && self.is_read_only()), "mismatch", "/config/read_only", || {
            "an editor that only shows code needs `initial_code`".to_owned()
        });
    }

    fn check_answer(&self, answer: &Self::Answer, faults: &mut Faults) {
        faults.same(&answer.editor_id, "/editor_id", &self.editor_id);
        let is_changed = self.initial_code.as_deref() != Some(&answer.current_code);
        faults.ensure(!(is_changed && self.is_read_only()), "not_offered", "/current_code", || {
            "the code could not be changed".to_owned()
        });
        let can_run = self.config.as_ref().is_none_or(|config| config.show_run_button);
        faults.ensure(can_run || answer.action != EditorAction::RunCode, "not_offered", "/action", || {
            "the code could not be run".to_owned()
        });
    }
}

impl InteractiveCodeEditor {
    fn is_read_only(&self) -> bool {
        self.config.as_ref().is_some_and(|config| config.read_only)
    }
}
