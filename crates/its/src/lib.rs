//! The tutoring components: what an agent may show, what a person may answer, and who was right.
//!
//! A component is a call of a tool whose name begins with `its:`. Its arguments are what is shown; its answer is what the
//! person did with it. Both are checked here, the answer against the very arguments that were shown, so that nobody
//! chooses what was not on offer. Nothing in here waits, reads, or knows what time it is.
//!
//! ```
//! use forestage_its::{Component, QuickQuiz, find};
//! use serde_json::json;
//!
//! let quiz = find(QuickQuiz::NAME).expect("it is in the table");
//! let shown = json!({
//!     "quiz_id": "q1",
//!     "question_text": "Is water wet?",
//!     "quiz_type": "true-false",
//!     "options": [{ "id": "yes", "text": "Yes" }, { "id": "no", "text": "No" }],
//!     "correct_answer_id_for_fe_feedback": "yes",
//! });
//! quiz.check(&shown)?;
//! let grade = quiz.check_answer(&shown, &json!({ "selected_option_id": "yes" }))?.expect("the key is known");
//! assert!(grade.correct);
//!
//! let faults = quiz.check_answer(&shown, &json!({ "selected_option_id": "maybe" })).unwrap_err();
//! assert_eq!((faults[0].code, faults[0].path.as_str()), ("unknown_id", "/selected_option_id"));
//! # Ok::<(), forestage_its::Faults>(())
//! ```
//!
//! # How to add a component
//!
//! Write its arguments and its answer as structs in a file of their own, with [`Component`] for the arguments; their
//! documentation is what models and people read. Put its schemas and examples into `spec/its/<name>.json`. Then add its
//! line to the table below. Everything else, the command, the doors and the page in `docs/` included, follows.

mod component;
mod fault;
mod grade;
mod outline;
mod prompt;
mod schema;
mod shape;
mod table;
mod time;
mod unknown;

pub use self::{
    component::Component,
    fault::Faults,
    grade::{Grade, GradedPart},
    prompt::instructions,
    table::{Entry, Example, PREFIX, document, find, is_component},
    unknown::Unknown,
};

table::components! {
    learning_track_carousel: LearningTrackCarousel,
    skill_slider: SkillSlider,
    topic_buttons: TopicButtons,
    goal_selector: GoalSelector,
    code_assessment: CodeAssessment,
    skill_mapper: SkillMapper,
    time_selector: TimeSelector,
    preference_cards: PreferenceCards,
    interactive_code_editor: InteractiveCodeEditor,
    diagram_viewer: DiagramViewer,
    dnd_exercise: DndExercise,
    progress_visualizer: ProgressVisualizer,
    quick_quiz: QuickQuiz,
}
