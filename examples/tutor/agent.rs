//! The tutor without a model: one question after another, none before the last one is answered.

use std::sync::Arc;

use forestage::runtime::{About, Agent, AgentError, BoxFuture, ClientAnswer, RunContext};
use serde_json::{Value, json};

use super::{
    course::{Course, Courses},
    show,
    state::State,
};

/// What all components are called.
pub(super) const RENDER: &str = "its:render_";

/// The tutor.
pub(super) struct Tutor(Arc<Courses>);

impl Tutor {
    pub(super) fn new(courses: Arc<Courses>) -> Self {
        Self(courses)
    }
}

impl Agent for Tutor {
    fn about(&self) -> About {
        let mut about = About::new("Teaches Python and the web, in lessons that adapt to your answers");
        let suggestions = json!({ "suggestions": ["I want to learn something", "How far am I?"] });
        about.capabilities.custom = suggestions.as_object().cloned().map(Into::into);
        about
    }

    fn run(&self, ctx: RunContext) -> BoxFuture<'_, Result<(), AgentError>> {
        let state = ctx.state_as().unwrap_or_default();
        Box::pin(async move { Turn { ctx, courses: &self.0, state }.play().await })
    }
}

/// One turn.
pub(super) struct Turn<'a> {
    pub(super) ctx: RunContext,
    pub(super) courses: &'a Courses,
    pub(super) state: State,
}

impl Turn<'_> {
    async fn play(mut self) -> Result<(), AgentError> {
        let answer = self.ctx.client_answers().into_iter().next();
        match answer {
            Some(answer) => self.answered(&answer).await,
            None => self.heard().await,
        }
    }

    /// An answer to what was shown. One that was closed is passed over.
    async fn answered(&mut self, answer: &ClientAnswer) -> Result<(), AgentError> {
        let component = answer.tool.trim_start_matches(RENDER);
        if answer.error.is_some() {
            self.say("We leave that out.").await?;
        }
        if component == "learning_track_carousel" {
            self.state.track = text(&answer.value["selected_track_id"]);
        }
        let Some(course) = self.courses.get(&self.state.track) else { return self.discover().await };
        self.take(course, component, answer).await?;
        self.remember().await?;
        self.go_on(course, component, answer).await
    }

    /// What is learned from an answer.
    async fn take(
        &mut self,
        course: &Course,
        component: &str,
        answer: &ClientAnswer,
    ) -> Result<(), AgentError> {
        let value = &answer.value;
        match component {
            "skill_slider" => self.state.level = value["selected_value"].as_i64().unwrap_or(1),
            "topic_buttons" => self.state.topic = text(&value["topic_id_payload"]),
            "goal_selector" => self.state.goals = texts(&value["selected_goal_ids"]),
            "code_assessment" => {
                self.state.assessed = value["submitted_answer_id"] == course.assessment.correct.as_str();
                let verdict = if self.state.assessed { "Right." } else { "Not quite." };
                self.say(&format!("{verdict} {}", course.assessment.explanation)).await?;
            }
            "skill_mapper" => self.rate(value),
            "time_selector" => self.state.schedule = value["selection"].clone(),
            "preference_cards" => {
                self.state.styles = texts(&value["selected_card_ids"]);
                self.state.make_plan(course);
            }
            _ => {}
        }
        Ok(())
    }

    fn rate(&mut self, value: &Value) {
        for skill in value["updated_skills"].as_array().into_iter().flatten() {
            let rating = skill["new_rating"].as_i64().unwrap_or(1);
            self.state.ratings.insert(text(&skill["skill_id"]), rating);
        }
    }

    /// What comes next.
    async fn go_on(
        &mut self,
        course: &Course,
        component: &str,
        answer: &ClientAnswer,
    ) -> Result<(), AgentError> {
        match component {
            "learning_track_carousel" => self.show("skill_slider", &show::slider(course)).await,
            "skill_slider" => self.show("topic_buttons", &show::topics(course)).await,
            "topic_buttons" => self.show("goal_selector", &show::goals()).await,
            "goal_selector" => {
                self.say("Now let us see where you stand.").await?;
                self.show("code_assessment", &course.assessment.arguments).await
            }
            "code_assessment" => self.show("skill_mapper", &show::skills(course, &self.state)).await,
            "skill_mapper" => self.show("time_selector", &show::times()).await,
            "time_selector" => self.show("preference_cards", &show::styles()).await,
            "preference_cards" => self.begin_lesson(course).await,
            _ => self.continue_lesson(course, answer).await,
        }
    }

    pub(super) async fn say(&self, text: &str) -> Result<(), AgentError> {
        let message = self.ctx.text()?;
        for word in text.split_inclusive(' ') {
            message.push(word).await?;
        }
        Ok(())
    }

    /// Shows a component. The answer begins a later turn.
    pub(super) async fn show(&self, component: &str, arguments: &Value) -> Result<(), AgentError> {
        self.ctx.use_client_tool(&format!("{RENDER}{component}"), arguments).await??;
        Ok(())
    }

    pub(super) async fn remember(&self) -> Result<(), AgentError> {
        Ok(self.ctx.set_state(&self.state).await?)
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn texts(value: &Value) -> Vec<String> {
    value.as_array().into_iter().flatten().map(text).collect()
}
