//! Contract 000: from the choice of a course to the end of its lessons, and on after a crash.

use forestage_examples::{
    app::{Player, Setup},
    tutor,
};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::{Process, model, of_type, text};

/// A learner at the door of the tutoring contract.
struct Learner {
    url: String,
    thread: &'static str,
    /// The component that waits for an answer: its call and its name.
    open: Option<(String, String)>,
    heard: Vec<Value>,
}

impl Learner {
    fn at(url: &str, thread: &'static str) -> Self {
        Self { url: url.to_owned(), thread, open: None, heard: Vec::new() }
    }

    async fn send(&mut self, message: Value) {
        let input = json!({ "thread_id": self.thread, "messages": [message] });
        let response = reqwest::Client::new().post(format!("{}/awp", self.url)).json(&input).send().await;
        let body = response.expect("it answers").text().await.expect("a stream");
        let data = body.lines().filter_map(|line| line.strip_prefix("data: "));
        self.heard = data.map(|data| serde_json::from_str(data).expect("an event")).collect();
        assert_eq!(self.heard.last().map(|event| &event["type"]), Some(&json!("RUN_FINISHED")), "{body}");
        let calls = of_type(&self.heard, "TOOL_CALL_START").into_iter();
        let shown =
            calls.filter(|call| call["toolCallName"].as_str().is_some_and(|it| it.starts_with("its:")));
        let part = |call: &Value, name: &str| call[name].as_str().unwrap_or_default().to_owned();
        self.open = shown.map(|call| (part(call, "toolCallId"), part(call, "toolCallName"))).next_back();
    }

    async fn say(&mut self, text: &str) {
        self.send(json!({ "role": "user", "content": text })).await;
    }

    /// Answers what is shown, which is this component.
    async fn answer(&mut self, component: &str, answer: Value) {
        let (id, name) =
            self.open.take().unwrap_or_else(|| panic!("{component} is shown: {:#?}", self.heard));
        assert_eq!(name, format!("its:render_{component}"));
        self.send(json!({ "role": "tool", "tool_call_id": id, "content": answer.to_string() })).await;
    }

    fn said(&self) -> String {
        text(&self.heard)
    }

    /// Goes the way to the first lesson.
    async fn prepare(&mut self, topic: &str, styles: Value, updated: Value) {
        self.answer("learning_track_carousel", json!({ "selected_track_id": "track_python" })).await;
        self.answer("skill_slider", json!({ "skill_id": "track_python", "selected_value": 3 })).await;
        let button = json!({ "button_id_clicked": format!("btn_{topic}"), "topic_id_payload": topic });
        self.answer("topic_buttons", button).await;
        self.answer("goal_selector", json!({ "selected_goal_ids": ["goal_build"] })).await;
        let right = json!({ "assessment_id": "python_division", "submitted_answer_id": "choice_float" });
        self.answer("code_assessment", right).await;
        let skills = json!({ "mapper_id": "track_python_skills", "updated_skills": updated });
        self.answer("skill_mapper", skills).await;
        let time = json!({ "selector_id": "learning_time", "selection": { "start_time": "19:00", "end_time": "20:00" } });
        self.answer("time_selector", time).await;
        let cards = json!({ "preference_set_id": "learning_styles", "selected_card_ids": styles });
        self.answer("preference_cards", cards).await;
    }

    async fn quiz(&mut self, id: &str, option: &str) {
        self.answer("quick_quiz", json!({ "quiz_id": id, "selected_option_id": option })).await;
    }

    async fn seen(&mut self, component: &str) {
        self.answer(component, json!({})).await;
    }
}

#[tokio::test]
async fn a_course_is_taken_from_the_choice_to_its_end_with_a_crash_between_and_progress_on_every_thread() {
    let data = TempDir::new().expect("a folder");
    let server = Process::start("tutor", data.path(), &[]);
    let mut ada = Learner::at(&server.url, "t1");
    ada.say("I want to learn something").await;
    ada.prepare("python_variables", json!(["style_visual"]), json!([])).await;
    ada.seen("diagram_viewer").await;
    ada.quiz("python_variables_quiz", "five").await;
    assert!(ada.said().starts_with("Right!"), "{}", ada.said());
    server.kill();
    let server = Process::start("tutor", data.path(), &[]);
    ada.url.clone_from(&server.url);
    ada.seen("progress_visualizer").await;
    let code = "def double(n):\n    return n * 2\n";
    let submitted = json!({ "editor_id": "python_double", "current_code": code, "action": "submit_code" });
    ada.answer("interactive_code_editor", submitted).await;
    assert!(ada.said().contains("That has all it needs."), "{}", ada.said());
    ada.quiz("python_functions_quiz", "none").await;
    ada.seen("progress_visualizer").await;
    let pairs = [("word_for", "zone_items"), ("word_while", "zone_condition"), ("word_break", "zone_leave")];
    let mapping: Vec<_> =
        pairs.iter().map(|(thing, zone)| json!({ "draggable_id": thing, "drop_zone_id": zone })).collect();
    ada.answer("dnd_exercise", json!({ "exercise_id": "python_loop_words", "mapping": mapping })).await;
    assert!(ada.said().contains("3 of 3 are right"), "{}", ada.said());
    ada.quiz("python_loops_quiz", "three").await;
    ada.seen("progress_visualizer").await;
    assert!(ada.said().contains("3 of 3 lessons, 100% right at once. Passed!"), "{}", ada.said());
    let mut again = Learner::at(&server.url, "t2");
    again.say("Hello").await;
    assert!(again.said().contains("You have 3 lessons behind you"), "{}", again.said());
}

#[tokio::test]
async fn lessons_adapt_to_what_is_answered() {
    let data = TempDir::new().expect("a folder");
    let app =
        tutor::server(Setup::rules(data.path())).expect("it can be built").start().await.expect("it starts");
    let mut bob = Learner::at(app.url(), "t1");
    bob.say("Teach me").await;
    // He begins with loops, knows functions, and does not want to look at diagrams.
    let knows = json!([{ "skill_id": "python_functions", "new_rating": 5 }]);
    bob.prepare("python_loops", json!(["style_hands"]), knows).await;
    let wrong = json!([{ "draggable_id": "word_for", "drop_zone_id": "zone_leave" }]);
    bob.answer("dnd_exercise", json!({ "exercise_id": "python_loop_words", "mapping": wrong })).await;
    assert!(bob.said().contains("0 of 3 are right. range(n) begins with 0"), "{}", bob.said());
    bob.quiz("python_loops_quiz", "two").await;
    assert!(bob.said().contains("Not quite. range(3) is 0, 1, 2"), "{}", bob.said());
    bob.quiz("python_loops_again", "four").await;
    bob.seen("progress_visualizer").await;
    assert!(bob.said().contains("**Names and values**"), "{}", bob.said());
    let (_, name) = bob.open.as_ref().expect("a component");
    assert_eq!(name, "its:render_quick_quiz", "there is no diagram");
    bob.quiz("python_variables_quiz", "five").await;
    bob.seen("progress_visualizer").await;
    assert!(bob.said().contains("2 of 3 lessons, 50% right at once."), "{}", bob.said());
    app.shutdown().await;
}

#[tokio::test]
async fn while_a_question_is_open_there_is_no_other_and_hints_are_given() {
    let data = TempDir::new().expect("a folder");
    let app =
        tutor::server(Setup::rules(data.path())).expect("it can be built").start().await.expect("it starts");
    let mut ada = Learner::at(app.url(), "t1");
    ada.say("Hello").await;
    let waiting = ada.open.clone();
    ada.say("And now?").await;
    assert!(ada.said().contains("There is a question above") && ada.open.is_none(), "{}", ada.said());
    ada.open = waiting;
    ada.prepare("python_variables", json!(["style_hands"]), json!([])).await;
    let waiting = ada.open.clone();
    ada.say("A hint, please").await;
    assert!(ada.said().contains("Work out the right side first"), "{}", ada.said());
    ada.open = waiting;
    ada.quiz("python_variables_quiz", "five").await;
    app.shutdown().await;
}

#[tokio::test]
async fn a_model_shows_components_and_keeps_progress_with_the_same_tools() {
    let data = TempDir::new().expect("a folder");
    let model = model("tutor/model.yaml").await;
    let setup =
        Setup { data: data.path().to_owned(), player: Player::Model { name: None, url: Some(model.url()) } };
    let app = tutor::server(setup).expect("it can be built").start().await.expect("it starts");
    let mut ada = Learner::at(app.url(), "t1");
    ada.say("Teach me Python").await;
    ada.quiz("python_variables_quiz", "five").await;
    assert!(ada.said().contains("noted"), "{}", ada.said());
    let saved = of_type(&ada.heard, "TOOL_CALL_RESULT").into_iter().map(|it| it["content"].to_string());
    assert!(saved.into_iter().any(|it| it.contains("python_variables")), "{:#?}", ada.heard);
    app.shutdown().await;
}
