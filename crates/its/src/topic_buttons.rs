//! Buttons for topics.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{component::Component, fault::Faults};

/// Shows buttons, each for a topic or a place to go to; the learner presses one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TopicButtons {
    /// What stands above the buttons.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompt_text: Option<String>,
    /// The buttons.
    pub buttons: Vec<TopicButton>,
}

/// A button.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TopicButton {
    /// What the answer calls it.
    pub button_id: String,
    /// What stands on it.
    pub label: String,
    /// What comes back with it, as a rule the id of a topic.
    pub topic_id_payload: String,
}

/// The button that was pressed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TopicButtonsAnswer {
    /// The button.
    pub button_id_clicked: String,
    /// What that button carries.
    pub topic_id_payload: String,
}

impl Component for TopicButtons {
    const NAME: &'static str = "its:render_topic_buttons";
    type Answer = TopicButtonsAnswer;

    fn warn(&self, faults: &mut Faults) {
        faults.some(&self.buttons, "/buttons", "the buttons");
        let ids = self.buttons.iter().map(|button| button.button_id.as_str());
        faults.unique(ids, |at| format!("/buttons/{at}/button_id"));
    }

    fn check_answer(&self, answer: &Self::Answer, faults: &mut Faults) {
        let shown = self.buttons.iter().map(|button| button.button_id.as_str());
        faults.known(&answer.button_id_clicked, "/button_id_clicked", shown);
        // Two buttons may have one id; then either of their topics will do.
        let mut pressed = self.buttons.iter().filter(|button| button.button_id == answer.button_id_clicked).peekable();
        if let Some(first) = pressed.peek().copied() {
            let is_its_own = pressed.any(|button| button.topic_id_payload == answer.topic_id_payload);
            faults.ensure(is_its_own, "mismatch", "/topic_id_payload", || {
                format!("button `{}` carries `{}`", first.button_id, first.topic_id_payload)
            });
        }
    }
}
