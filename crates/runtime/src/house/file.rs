//! The format: what a file of house rules holds.
//!
//! The documentation of these types is what editors show, by way of the schema.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{HouseRules, Review};
use crate::{
    moderation::ModerationFile,
    policy::{self, OnExpiry, OtherwiseFile, RuleFile},
    script::{
        error::Place,
        value::Time,
        yaml::{List, Placed},
    },
};

/// What an agent may do and say, and who looks at it first.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "HouseRules", title = "House rules")]
pub(crate) struct HouseFile {
    /// What happens with calls of tools. The first rule that fits decides.
    #[serde(default)]
    rules: List<RuleFile>,
    /// What happens with calls that no rule fits; they are allowed where absent.
    #[serde(default)]
    otherwise: Option<OtherwiseFile>,
    /// What may be said.
    #[serde(default)]
    moderation: Option<ModerationFile>,
    /// The agent's answers are held as drafts until somebody decides.
    #[serde(default)]
    review: Option<ReviewFile>,
    /// A fenced block `a2ui` in what the agent says is a view: it leaves the text and is shown with an event
    /// `A2UI_RENDER`.
    #[serde(default)]
    views: bool,
    /// What the agent draws with `send_a2ui_json_to_client`, `render_a2ui` or in the result of a tool is drawn by the
    /// server; so it is where absent. With `false` such calls are the client's.
    #[serde(default)]
    surfaces: Option<bool>,
    /// With `true`, a `dataModelUpdate` of A2UI 0.8 replaces what stands at its path, and without a path the whole data
    /// model, as that version says. Where absent, data that the message does not name stays.
    #[serde(default)]
    strict_a2ui_0_8: bool,
}

/// Who looks at the agent's answers first.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Review")]
struct ReviewFile {
    /// Whoever has this role, and nobody else; the owner of the thread where absent.
    #[serde(default)]
    role: Option<Placed<String>>,
    /// How long there is to decide.
    #[serde(default)]
    timeout: Option<Placed<Time>>,
    /// What becomes of a draft that nobody decides about in time; reject where absent.
    #[serde(default)]
    on_expiry: OnExpiry,
}

impl HouseFile {
    /// Makes rules of what was read, with the mistakes that show only then.
    pub(crate) fn build(&self) -> (HouseRules, Vec<(Place, String)>) {
        let mut faults = Vec::new();
        let house = HouseRules {
            policy: policy::build(&self.rules, self.otherwise.as_ref(), &mut faults),
            moderation: self.moderation.as_ref().map(|moderation| moderation.build(&mut faults)),
            review: self.review.as_ref().map(|review| review.build(&mut faults)),
            views: self.views,
            surfaces: self.surfaces.unwrap_or(true),
            strict_a2ui_0_8: self.strict_a2ui_0_8,
        };
        (house, faults)
    }
}

impl ReviewFile {
    fn build(&self, faults: &mut Vec<(Place, String)>) -> Review {
        if let Some(role) = self.role.as_ref().filter(|role| role.value.trim().is_empty()) {
            faults.push((role.place.clone(), "a role needs a name".to_owned()));
        }
        if let Some(timeout) = self.timeout.as_ref().filter(|timeout| timeout.value.0.is_zero()) {
            faults.push((timeout.place.clone(), "there has to be time to decide".to_owned()));
        }
        Review {
            role: self.role.as_ref().map(|role| role.value.clone()),
            timeout: self.timeout.as_ref().map(|timeout| timeout.value.0),
            on_expiry: self.on_expiry,
        }
    }
}
