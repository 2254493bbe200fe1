//! What is shown before the lessons begin.

use serde_json::{Value, json};

use super::{
    course::{Course, Courses},
    state::{BY_EYE, State},
};

/// The courses to choose from.
pub(super) fn tracks(courses: &Courses) -> Value {
    json!({ "tracks": courses.iter().map(Course::card).collect::<Vec<_>>() })
}

/// How well somebody knows it.
pub(super) fn slider(course: &Course) -> Value {
    json!({
        "skill_id": course.id, "skill_name": course.title, "prompt_text": "How well do you know this already?",
        "min_value": 1, "max_value": 5, "current_value": 1, "step": 1,
    })
}

/// What to begin with.
pub(super) fn topics(course: &Course) -> Value {
    let buttons = course.lessons.iter().map(|lesson| {
        json!({ "button_id": format!("btn_{}", lesson.id), "label": lesson.topic, "topic_id_payload": lesson.id })
    });
    json!({ "prompt_text": "What shall we begin with?", "buttons": buttons.collect::<Vec<_>>() })
}

/// What for.
pub(super) fn goals() -> Value {
    json!({
        "prompt_text": "What do you want to reach?",
        "goals": [
            { "goal_id": "goal_understand", "description": "Understand how it works" },
            { "goal_id": "goal_build", "description": "Build something of my own" },
            { "goal_id": "goal_job", "description": "Use it at work" },
        ],
        "allow_multiple_selection": true,
    })
}

/// How learners rate themselves. The first guess is what they said of the whole.
pub(super) fn skills(course: &Course, state: &State) -> Value {
    let skills = course.lessons.iter().map(|lesson| {
        let rating = state.level.clamp(1, 4);
        json!({ "skill_id": lesson.id, "skill_name": lesson.topic, "current_rating": rating, "max_rating": 5 })
    });
    json!({ "mapper_id": format!("{}_skills", course.id), "skills": skills.collect::<Vec<_>>() })
}

/// When they learn.
pub(super) fn times() -> Value {
    json!({
        "selector_id": "learning_time", "selection_type": "time_range", "prompt_text": "When do you have time to learn?",
    })
}

/// How they like to learn.
pub(super) fn styles() -> Value {
    json!({
        "preference_set_id": "learning_styles",
        "prompt_text": "How do you like to learn?",
        "cards": [
            { "card_id": BY_EYE, "title": "By eye", "description": "With diagrams." },
            { "card_id": "style_hands", "title": "By hand", "description": "Straight to the exercises." },
        ],
        "allow_multiple_selection": true,
    })
}
