//! A slider for a skill.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{component::Component, fault::Faults};

/// Shows a slider on which learners say how well they do something.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SkillSlider {
    /// The skill, as the answer calls it.
    pub skill_id: String,
    /// The skill, as people call it.
    pub skill_name: String,
    /// What to do, such as: how sure are you?
    pub prompt_text: String,
    /// The left end.
    pub min_value: i64,
    /// The right end.
    pub max_value: i64,
    /// Where the slider stands at first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub current_value: Option<i64>,
    /// How far apart the values are that can be chosen, counted from the left end.
    #[serde(default = "one")]
    pub step: i64,
}

fn one() -> i64 {
    1
}

/// Where the slider was put.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SkillSliderAnswer {
    /// The skill.
    pub skill_id: String,
    /// The value, between both ends and on a step.
    pub selected_value: i64,
}

impl Component for SkillSlider {
    const NAME: &'static str = "its:render_skill_slider";
    type Answer = SkillSliderAnswer;

    fn warn(&self, faults: &mut Faults) {
        let Self { min_value, max_value, .. } = *self;
        faults.ensure(min_value < max_value, "range_order", "/max_value", || {
            format!("has to be above `min_value`, which is {min_value}")
        });
        faults.ensure(self.step >= 1, "out_of_range", "/step", || "a step is 1 or more".to_owned());
        if let Some(current) = self.current_value {
            self.check_range(current, "/current_value", faults);
        }
    }

    fn check_answer(&self, answer: &Self::Answer, faults: &mut Faults) {
        faults.same(&answer.skill_id, "/skill_id", &self.skill_id);
        let (value, path) = (answer.selected_value, "/selected_value");
        if self.check_range(value, path, faults) {
            let from_left = i128::from(value) - i128::from(self.ends().0);
            let is_on_step = from_left % i128::from(self.step.max(1)) == 0;
            faults.ensure(is_on_step, "off_step", path, || {
                format!("{value} is between two steps: from {} on, every {}", self.ends().0, self.step.max(1))
            });
        }
    }
}

impl SkillSlider {
    fn check_range(&self, value: i64, path: &str, faults: &mut Faults) -> bool {
        let (low, high) = self.ends();
        let is_in = (low..=high).contains(&value);
        faults.ensure(is_in, "out_of_range", path, || format!("{value} is not from {low} to {high}"));
        is_in
    }

    /// Both ends, the lower one first, however they are written.
    fn ends(&self) -> (i64, i64) {
        let Self { min_value, max_value, .. } = *self;
        (min_value.min(max_value), min_value.max(max_value))
    }
}
