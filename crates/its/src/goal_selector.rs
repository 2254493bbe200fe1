//! A choice of learning goals.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{component::Component, fault::Faults};

/// Shows learning goals; the learner chooses one, or several where that is allowed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GoalSelector {
    /// What to do.
    pub prompt_text: String,
    /// The goals to choose from.
    pub goals: Vec<Goal>,
    /// Whether several may be chosen.
    #[serde(default)]
    pub allow_multiple_selection: bool,
}

/// A learning goal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Goal {
    /// What the answer calls it.
    pub goal_id: String,
    /// What one wants to reach.
    pub description: String,
    /// The name or the address of a small picture.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub icon: Option<String>,
}

/// The goals that were chosen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GoalSelectorAnswer {
    /// The goals: at least one if there are any, and no more than one unless several may be chosen.
    pub selected_goal_ids: Vec<String>,
}

impl Component for GoalSelector {
    const NAME: &'static str = "its:render_goal_selector";
    type Answer = GoalSelectorAnswer;

    fn warn(&self, faults: &mut Faults) {
        faults.some(&self.goals, "/goals", "the goals");
        let ids = self.goals.iter().map(|goal| goal.goal_id.as_str());
        faults.unique(ids, |at| format!("/goals/{at}/goal_id"));
    }

    fn check_answer(&self, answer: &Self::Answer, faults: &mut Faults) {
        let shown: Vec<_> = self.goals.iter().map(|goal| goal.goal_id.as_str()).collect();
        if !shown.is_empty() {
            faults.some(&answer.selected_goal_ids, "/selected_goal_ids", "the goals");
        }
        faults.chosen(&answer.selected_goal_ids, "/selected_goal_ids", &shown, self.allow_multiple_selection);
    }
}
