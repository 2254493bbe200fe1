//! A map of skills.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{component::Component, fault::{Faults, Place}};

/// Shows several skills and how well each is mastered; learners may change the ratings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SkillMapper {
    /// What the answer calls this map.
    pub mapper_id: String,
    /// The skills.
    pub skills: Vec<MappedSkill>,
}

/// A skill on the map.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MappedSkill {
    /// What the answer calls it.
    pub skill_id: String,
    /// What people call it.
    pub skill_name: String,
    /// How well it is mastered, from 0 to `max_rating`; said by the learner or found out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub current_rating: Option<i64>,
    /// The best rating there is.
    pub max_rating: i64,
    /// What it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Words to sort it by.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tags: Option<Vec<String>>,
}

/// The ratings that were changed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SkillMapperAnswer {
    /// The map.
    pub mapper_id: String,
    /// The skills with new ratings; the others stay as they were.
    pub updated_skills: Vec<UpdatedSkill>,
}

/// A skill with a new rating.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct UpdatedSkill {
    /// The skill.
    pub skill_id: String,
    /// Its rating, from 0 to the best there is.
    pub new_rating: i64,
}

impl Component for SkillMapper {
    const NAME: &'static str = "its:render_skill_mapper";
    type Answer = SkillMapperAnswer;

    fn warn(&self, faults: &mut Faults) {
        faults.some(&self.skills, "/skills", "the skills");
        let ids = self.skills.iter().map(|skill| skill.skill_id.as_str());
        faults.unique(ids, |at| format!("/skills/{at}/skill_id"));
        for (at, skill) in self.skills.iter().enumerate() {
            faults.ensure(skill.max_rating >= 1, "out_of_range", || format!("/skills/{at}/max_rating"), || {
                "the best rating is 1 or more".to_owned()
            });
            if let Some(rating) = skill.current_rating {
                skill.check_rating(rating, || format!("/skills/{at}/current_rating"), faults);
            }
        }
    }

    fn check_answer(&self, answer: &Self::Answer, faults: &mut Faults) {
        faults.same(&answer.mapper_id, "/mapper_id", &self.mapper_id);
        let ids = answer.updated_skills.iter().map(|skill| skill.skill_id.as_str());
        faults.unique(ids, |at| format!("/updated_skills/{at}/skill_id"));
        for (at, updated) in answer.updated_skills.iter().enumerate() {
            let shown = self.skills.iter().map(|skill| skill.skill_id.as_str());
            faults.known(&updated.skill_id, || format!("/updated_skills/{at}/skill_id"), shown);
            if let Some(skill) = self.skills.iter().find(|skill| skill.skill_id == updated.skill_id) {
                skill.check_rating(updated.new_rating, || format!("/updated_skills/{at}/new_rating"), faults);
            }
        }
    }
}

impl MappedSkill {
    fn check_rating(&self, rating: i64, place: impl Place, faults: &mut Faults) {
        let is_in = (0..=self.max_rating).contains(&rating);
        faults.ensure(is_in, "out_of_range", place, || format!("{rating} is not from 0 to {}", self.max_rating));
    }
}
