//! What learners say, beside what they answer.

use forestage::{
    protocol::{id::ToolCallId, message::Message},
    runtime::AgentError,
};
use serde_json::{Value, json};

use super::{
    agent::{RENDER, Turn},
    course::Course,
    progress::Progress,
    show,
    state::State,
};

impl Turn<'_> {
    /// Words of the learner. A question that is open stays the only one.
    pub(super) async fn heard(&mut self) -> Result<(), AgentError> {
        let said = self.ctx.said().unwrap_or_default().to_lowercase();
        let course = self.courses.get(&self.state.track);
        let lesson = course.and_then(|course| self.state.lesson(course));
        if said.contains("hint") {
            let hint = lesson.map_or("There is nothing to give a hint for yet.", |lesson| &lesson.hint);
            return self.say(hint).await;
        }
        if said.contains("how far") || said.contains("progress") {
            return self.tell_progress().await;
        }
        if self.has_open_question() && !said.contains("start over") {
            return self.say("There is a question above; I wait for your answer. Say `hint` for help.").await;
        }
        self.discover().await
    }

    fn has_open_question(&self) -> bool {
        let messages = self.ctx.turn_messages();
        let answered = |id: &ToolCallId| {
            messages
                .iter()
                .any(|message| matches!(message, Message::Tool(answer) if answer.tool_call_id == *id))
        };
        let mut calls = messages.iter().flat_map(|message| message.tool_calls());
        calls.any(|call| call.function.name.starts_with(RENDER) && !answered(&call.id))
    }

    /// The choice of a course.
    pub(super) async fn discover(&mut self) -> Result<(), AgentError> {
        self.state = State { done: self.known().await?, ..State::default() };
        self.remember().await?;
        let behind = self.state.done.len();
        let hello = match behind {
            0 => "Welcome! Which way shall we take?".to_owned(),
            _ => format!("Welcome back! You have {behind} lessons behind you. Which way shall we take?"),
        };
        self.say(&hello).await?;
        self.show("learning_track_carousel", &show::tracks(self.courses)).await
    }

    /// The lessons that are behind the learner, on whatever thread.
    async fn known(&self) -> Result<Progress, AgentError> {
        let known = self.ctx.use_tool("progress_get", json!({})).await??;
        Ok(serde_json::from_value(serde_json::from_str::<Value>(&known)?["lessons"].take())?)
    }

    async fn tell_progress(&mut self) -> Result<(), AgentError> {
        self.state.done = self.known().await?;
        self.remember().await?;
        let of = |course: &Course| {
            let (done, right) = self.state.score(course);
            format!(
                "- {}: {done} of {} lessons, {right}% right at once\n",
                course.title,
                course.lessons.len()
            )
        };
        let text: String = self.courses.iter().map(of).collect();
        self.say(&format!("This is how far you are:\n{text}")).await
    }
}
