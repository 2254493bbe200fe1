//! Progress.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{component::Component, fault::Faults};

/// Shows how far the learner has come: a bar, a circle, or milestones.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ProgressVisualizer {
    /// What the answer calls it.
    pub visualizer_id: String,
    /// How it is shown.
    #[serde(rename = "type")]
    pub kind: ProgressType,
    /// What stands above it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// How far the learner is, in percent or points.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub current_progress: Option<f64>,
    /// How far the learner can come, such as 100 percent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total_value: Option<f64>,
    /// The milestones; needed for `milestones`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub milestones: Option<Vec<Milestone>>,
}

/// How progress is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ProgressType {
    /// A bar.
    Bar,
    /// A circle.
    Circular,
    /// Milestones, one after another.
    Milestones,
}

/// A milestone.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Milestone {
    /// What it is called.
    pub name: String,
    /// Whether the learner has got there.
    pub achieved: bool,
    /// Where on the way it stands.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target_value: Option<f64>,
}

/// Nothing, or that it was seen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ProgressVisualizerAnswer {
    /// The component.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub visualizer_id: Option<String>,
    /// What was done, such as `acknowledged`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub action: Option<String>,
}

impl Component for ProgressVisualizer {
    const NAME: &'static str = "its:render_progress_visualizer";
    type Answer = ProgressVisualizerAnswer;

    fn warn(&self, faults: &mut Faults) {
        let needs = self.kind == ProgressType::Milestones && self.milestones.is_none();
        faults.ensure(!needs, "missing_field", "", || "`milestones` is missing, which this type needs".to_owned());
        if let (ProgressType::Milestones, Some(milestones)) = (self.kind, &self.milestones) {
            faults.some(milestones, "/milestones", "the milestones");
        }
        let total = self.total_value;
        faults.ensure(total.is_none_or(|total| total > 0.0), "out_of_range", "/total_value", || {
            "has to be above 0".to_owned()
        });
        if let Some(current) = self.current_progress {
            let is_in = current >= 0.0 && total.is_none_or(|total| current <= total);
            faults.ensure(is_in, "out_of_range", "/current_progress", || match total {
                Some(total) => format!("{current} is not from 0 to {total}"),
                None => format!("{current} is below 0"),
            });
        }
    }

    fn check_answer(&self, answer: &Self::Answer, faults: &mut Faults) {
        if let Some(id) = &answer.visualizer_id {
            faults.same(id, "/visualizer_id", &self.visualizer_id);
        }
    }
}
