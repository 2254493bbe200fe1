//! Where a learner stands on a thread.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::course::{Course, Lesson};

/// Everything that a thread remembers.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct State {
    /// The course.
    pub(super) track: String,
    /// How well they know it, from 1 to 5.
    pub(super) level: i64,
    /// The lesson that they want to begin with.
    pub(super) topic: String,
    /// What for.
    pub(super) goals: Vec<String>,
    /// Whether they answered the first question right.
    pub(super) assessed: bool,
    /// How they rate themselves, by lesson.
    pub(super) ratings: BTreeMap<String, i64>,
    /// When they learn.
    pub(super) schedule: Value,
    /// How they like to learn.
    pub(super) styles: Vec<String>,
    /// The lessons to come, by id.
    pub(super) plan: Vec<String>,
    /// Which of them it is.
    pub(super) at: usize,
    /// What is done of it.
    pub(super) part: Part,
    /// The lessons that are behind them, and whether the question was answered right at once.
    pub(super) done: BTreeMap<String, bool>,
}

/// The parts of a lesson, in order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Part {
    #[default]
    Words,
    Diagram,
    Editor,
    Dnd,
    Quiz,
    Again,
    Progress,
}

/// Who rates themselves so high knows it.
const MASTERED: i64 = 5;

/// The card of those who want to see things.
pub(super) const BY_EYE: &str = "style_visual";

impl State {
    /// Chooses the lessons: the wanted one first, those that are behind or mastered not at all. Mastery counts for those
    /// who answered the first question right.
    pub(super) fn make_plan(&mut self, course: &Course) {
        let is_mastered = |lesson: &Lesson| self.assessed && self.ratings.get(&lesson.id) == Some(&MASTERED);
        let is_wanted = |lesson: &&Lesson| lesson.id == self.topic;
        let is_left = |lesson: &&Lesson| !self.done.contains_key(&lesson.id) && !is_mastered(lesson);
        let lessons = course.lessons.iter();
        let wanted = lessons.clone().filter(is_wanted);
        let others = lessons.filter(|lesson| !is_wanted(lesson) && is_left(lesson));
        self.plan = wanted.chain(others).map(|lesson| lesson.id.clone()).collect();
        (self.at, self.part) = (0, Part::Words);
    }

    /// The lesson that is under way.
    pub(super) fn lesson<'c>(&self, course: &'c Course) -> Option<&'c Lesson> {
        course.lesson(self.plan.get(self.at)?)
    }

    /// Whether diagrams are shown: to those who like them, and to those who have not said.
    pub(super) fn wants_diagrams(&self) -> bool {
        self.styles.is_empty() || self.styles.iter().any(|style| style == BY_EYE)
    }

    /// How many lessons of a course are behind them, and how many of a hundred were answered right at once.
    pub(super) fn score(&self, course: &Course) -> (usize, usize) {
        let done: Vec<_> = course.lessons.iter().filter_map(|lesson| self.done.get(&lesson.id)).collect();
        let right = done.iter().filter(|right| ***right).count();
        (done.len(), if done.is_empty() { 0 } else { right * 100 / done.len() })
    }

    /// The milestones of a course.
    pub(super) fn milestones(&self, course: &Course) -> Value {
        let of =
            |lesson: &Lesson| json!({ "name": lesson.topic, "achieved": self.done.contains_key(&lesson.id) });
        course.lessons.iter().map(of).collect()
    }
}
