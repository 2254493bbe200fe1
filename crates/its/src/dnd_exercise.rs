//! Matching by drag and drop.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{component::Component, fault::Faults};

/// Shows things to drag and zones to drop them in; learners match them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DndExercise {
    /// What the answer calls it.
    pub exercise_id: String,
    /// What to do.
    pub prompt_text: String,
    /// What can be dragged.
    pub draggables: Vec<Draggable>,
    /// Where it can be dropped.
    pub drop_zones: Vec<DropZone>,
}

/// Something to drag.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Draggable {
    /// What the answer calls it.
    pub id: String,
    /// What stands on it.
    pub label: String,
    /// The group it belongs to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
}

/// Where to drop things.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DropZone {
    /// What the answer calls it.
    pub id: String,
    /// What stands on it.
    pub label: String,
    /// The only group that it takes; without it, it takes everything.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub accepts_group: Option<String>,
}

/// What was dropped where.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DndExerciseAnswer {
    /// The exercise.
    pub exercise_id: String,
    /// Pairs, each thing at most once; a zone may hold several.
    pub mapping: Vec<Dropped>,
}

/// A thing in a zone.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Dropped {
    /// The thing.
    pub draggable_id: String,
    /// The zone.
    pub drop_zone_id: String,
}

impl Component for DndExercise {
    const NAME: &'static str = "its:render_dnd_exercise";
    type Answer = DndExerciseAnswer;

    fn warn(&self, faults: &mut Faults) {
        faults.some(&self.draggables, "/draggables", "the things to drag");
        faults.some(&self.drop_zones, "/drop_zones", "the zones");
        let ids = self.draggables.iter().map(|draggable| draggable.id.as_str());
        faults.unique(ids, |at| format!("/draggables/{at}/id"));
        let ids = self.drop_zones.iter().map(|zone| zone.id.as_str());
        faults.unique(ids, |at| format!("/drop_zones/{at}/id"));
        for (at, zone) in self.drop_zones.iter().enumerate() {
            let is_fillable = zone.accepts_group.is_none() || self.draggables.iter().any(|it| it.group == zone.accepts_group);
            faults.ensure(is_fillable, "mismatch", || format!("/drop_zones/{at}/accepts_group"), || {
                "nothing that can be dragged is of this group".to_owned()
            });
        }
    }

    fn check_answer(&self, answer: &Self::Answer, faults: &mut Faults) {
        faults.same(&answer.exercise_id, "/exercise_id", &self.exercise_id);
        if !self.draggables.is_empty() && !self.drop_zones.is_empty() {
            faults.some(&answer.mapping, "/mapping", "the pairs");
        }
        let path = |at: usize, member: &str| format!("/mapping/{at}/{member}");
        let dropped = answer.mapping.iter().map(|pair| pair.draggable_id.as_str());
        faults.unique(dropped, |at| path(at, "draggable_id"));
        for (at, pair) in answer.mapping.iter().enumerate() {
            let things = self.draggables.iter().map(|draggable| draggable.id.as_str());
            faults.known(&pair.draggable_id, || path(at, "draggable_id"), things);
            let zones = self.drop_zones.iter().map(|zone| zone.id.as_str());
            faults.known(&pair.drop_zone_id, || path(at, "drop_zone_id"), zones);
            faults.ensure(self.takes(pair), "mismatch", || path(at, "drop_zone_id"), || {
                format!("zone `{}` does not take `{}`: it is of another group", pair.drop_zone_id, pair.draggable_id)
            });
        }
    }
}

impl DndExercise {
    /// Whether the zone takes things of that group. What is not there is told elsewhere.
    fn takes(&self, pair: &Dropped) -> bool {
        let things: Vec<_> = self.draggables.iter().filter(|thing| thing.id == pair.draggable_id).collect();
        let zones: Vec<_> = self.drop_zones.iter().filter(|zone| zone.id == pair.drop_zone_id).collect();
        if things.is_empty() || zones.is_empty() {
            return true;
        }
        // Ids may be there twice; then one that fits is enough.
        let takes = |zone: &DropZone| {
            zone.accepts_group.is_none() || things.iter().any(|thing| thing.group == zone.accepts_group)
        };
        zones.into_iter().any(takes)
    }
}
