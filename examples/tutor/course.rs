//! The courses, as they are written down: what is shown, and what is right.

use std::collections::BTreeMap;

use regex::Regex;
use serde::Deserialize;
use serde_json::{Value, json};

/// All courses.
#[derive(Debug)]
pub(super) struct Courses(Vec<Course>);

/// A course. What is called `arguments` is shown to the learner as it is.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Course {
    pub(super) id: String,
    pub(super) title: String,
    description: String,
    tags: Vec<String>,
    pub(super) assessment: Assessment,
    pub(super) lessons: Vec<Lesson>,
}

/// The question that shows where somebody stands.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Assessment {
    pub(super) correct: String,
    pub(super) explanation: String,
    pub(super) arguments: Value,
}

/// A lesson: some words, things to do, and a question.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Lesson {
    pub(super) id: String,
    pub(super) topic: String,
    pub(super) text: String,
    pub(super) hint: String,
    #[serde(default)]
    pub(super) diagram: Option<Value>,
    #[serde(default)]
    pub(super) editor: Option<Editor>,
    #[serde(default)]
    pub(super) dnd: Option<Exercise>,
    pub(super) quiz: Quiz,
    /// For those who got the first one wrong.
    pub(super) again: Quiz,
}

/// Something to write.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Editor {
    /// What has to be found in it.
    wants: Vec<String>,
    /// What is said where it is not.
    pub(super) misses: String,
    pub(super) arguments: Value,
}

/// Things to match.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Exercise {
    /// Which thing belongs into which zone.
    key: BTreeMap<String, String>,
    pub(super) arguments: Value,
}

/// A question. Its arguments hold the right answer.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Quiz {
    pub(super) explanation: String,
    pub(super) arguments: Value,
}

impl Courses {
    /// Reads what comes along.
    pub(super) fn load() -> Result<Self, serde_json::Error> {
        let courses = [include_str!("courses/python.json"), include_str!("courses/web.json")];
        Ok(Self(courses.into_iter().map(serde_json::from_str).collect::<Result<_, _>>()?))
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Course> {
        self.0.iter()
    }

    pub(super) fn get(&self, id: &str) -> Option<&Course> {
        self.iter().find(|course| course.id == id)
    }
}

impl Course {
    /// How it is shown among others.
    pub(super) fn card(&self) -> Value {
        json!({ "track_id": self.id, "title": self.title, "description": self.description, "tags": self.tags })
    }

    pub(super) fn lesson(&self, id: &str) -> Option<&Lesson> {
        self.lessons.iter().find(|lesson| lesson.id == id)
    }
}

impl Editor {
    /// Whether what was written has everything that is wanted.
    pub(super) fn takes(&self, code: &str) -> bool {
        self.wants.iter().all(|want| Regex::new(want).is_ok_and(|want| want.is_match(code)))
    }
}

impl Exercise {
    /// How many things are where they belong, and how many there are.
    pub(super) fn right(&self, mapping: &Value) -> (usize, usize) {
        let pairs = mapping.as_array().into_iter().flatten();
        let is_right = |pair: &&Value| {
            let thing = pair["draggable_id"].as_str().unwrap_or_default();
            self.key.get(thing).is_some_and(|zone| pair["drop_zone_id"] == zone.as_str())
        };
        (pairs.filter(is_right).count(), self.key.len())
    }
}

#[cfg(test)]
mod tests {
    use forestage::its;

    use super::*;

    fn fits(component: &str, arguments: &Value) {
        let entry = its::find(component).expect("a component");
        entry.check(arguments).unwrap_or_else(|faults| panic!("{component}: {faults:?}"));
    }

    #[test]
    fn everything_in_the_courses_can_be_shown_and_every_pattern_can_be_read() {
        for course in Courses::load().expect("the courses can be read").iter() {
            fits("code_assessment", &course.assessment.arguments);
            for lesson in &course.lessons {
                lesson.diagram.iter().for_each(|diagram| fits("diagram_viewer", diagram));
                [&lesson.quiz, &lesson.again].iter().for_each(|quiz| fits("quick_quiz", &quiz.arguments));
                lesson.dnd.iter().for_each(|exercise| fits("dnd_exercise", &exercise.arguments));
                if let Some(editor) = &lesson.editor {
                    fits("interactive_code_editor", &editor.arguments);
                    assert!(editor.wants.iter().all(|want| Regex::new(want).is_ok()), "{}", lesson.id);
                }
            }
        }
    }

    #[test]
    fn code_is_taken_if_it_has_what_is_wanted_and_not_before_it_was_touched() {
        let courses = Courses::load().expect("the courses can be read");
        let editors = courses.iter().flat_map(|course| &course.lessons).filter_map(|it| it.editor.as_ref());
        let right =
            ["def double(n):\n    return n * 2\n", "<p>Here is <a href=\"https://example.org\">it</a></p>"];
        for (editor, right) in editors.zip(right) {
            assert!(editor.takes(right));
            assert!(!editor.takes(editor.arguments["initial_code"].as_str().expect("some code")));
        }
    }
}
