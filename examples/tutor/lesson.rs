//! A lesson: words, things to do, a question, another one for those who need it, and how far one is.

use forestage::runtime::{AgentError, ClientAnswer};
use serde_json::json;

use super::{
    agent::Turn,
    course::{Course, Lesson},
    state::Part,
};

/// Who has so many of a hundred right has passed.
const PASSED: usize = 70;

impl Turn<'_> {
    pub(super) async fn begin_lesson(&mut self, course: &Course) -> Result<(), AgentError> {
        let Some(lesson) = self.state.lesson(course) else { return self.end(course).await };
        self.say(&format!("**{}**\n\n{}", lesson.topic, lesson.text)).await?;
        self.state.part = Part::Words;
        self.next_part(course, lesson).await
    }

    /// Goes on behind an answer.
    pub(super) async fn continue_lesson(
        &mut self,
        course: &Course,
        answer: &ClientAnswer,
    ) -> Result<(), AgentError> {
        let Some(lesson) = self.state.lesson(course) else { return self.end(course).await };
        match self.state.part {
            Part::Editor => self.look_at_code(lesson, answer).await?,
            Part::Dnd => self.look_at_pairs(lesson, answer).await?,
            Part::Quiz | Part::Again => return self.look_at_quiz(course, lesson, answer).await,
            Part::Progress => {
                self.state.at += 1;
                return self.begin_lesson(course).await;
            }
            Part::Words | Part::Diagram => {}
        }
        self.next_part(course, lesson).await
    }

    /// The next part that the lesson has.
    async fn next_part(&mut self, course: &Course, lesson: &Lesson) -> Result<(), AgentError> {
        let diagram = lesson.diagram.as_ref().filter(|_| self.state.wants_diagrams());
        let parts = [
            (Part::Diagram, "diagram_viewer", diagram),
            (Part::Editor, "interactive_code_editor", lesson.editor.as_ref().map(|it| &it.arguments)),
            (Part::Dnd, "dnd_exercise", lesson.dnd.as_ref().map(|it| &it.arguments)),
            (Part::Quiz, "quick_quiz", Some(&lesson.quiz.arguments)),
            (Part::Again, "quick_quiz", Some(&lesson.again.arguments)),
        ];
        let next = parts.into_iter().find(|(part, _, shown)| *part > self.state.part && shown.is_some());
        let Some((part, component, Some(arguments))) = next else { return self.show_progress(course).await };
        self.state.part = part;
        self.remember().await?;
        self.show(component, arguments).await
    }

    async fn look_at_code(&self, lesson: &Lesson, answer: &ClientAnswer) -> Result<(), AgentError> {
        let Some(editor) = &lesson.editor else { return Ok(()) };
        if answer.error.is_some() {
            return Ok(());
        }
        let code = answer.value["current_code"].as_str().unwrap_or_default();
        let text = if editor.takes(code) { "That has all it needs." } else { &editor.misses };
        self.say(text).await
    }

    async fn look_at_pairs(&self, lesson: &Lesson, answer: &ClientAnswer) -> Result<(), AgentError> {
        let Some(exercise) = &lesson.dnd else { return Ok(()) };
        if answer.error.is_some() {
            return Ok(());
        }
        let (right, total) = exercise.right(&answer.value["mapping"]);
        let help = if right == total { "" } else { &lesson.hint };
        self.say(&format!("{right} of {total} are right. {help}")).await
    }

    /// A right answer ends the lesson; a wrong one is explained, and asked about once more.
    async fn look_at_quiz(
        &mut self,
        course: &Course,
        lesson: &Lesson,
        answer: &ClientAnswer,
    ) -> Result<(), AgentError> {
        if answer.error.is_some() {
            return self.show_progress(course).await;
        }
        let is_first = self.state.part == Part::Quiz;
        let quiz = if is_first { &lesson.quiz } else { &lesson.again };
        let is_right = answer.check["correct"] == true;
        let verdict = if is_right { "Right!" } else { "Not quite." };
        self.say(&format!("{verdict} {}", quiz.explanation)).await?;
        if is_first && !is_right {
            return self.next_part(course, lesson).await;
        }
        let save = json!({ "lesson": lesson.id, "right": is_first });
        self.ctx.use_tool("progress_save", save).await??;
        self.state.done.insert(lesson.id.clone(), is_first);
        self.show_progress(course).await
    }

    async fn show_progress(&mut self, course: &Course) -> Result<(), AgentError> {
        self.state.part = Part::Progress;
        self.remember().await?;
        let shown = json!({
            "visualizer_id": format!("{}_progress", course.id), "type": "milestones", "title": course.title,
            "milestones": self.state.milestones(course),
        });
        self.show("progress_visualizer", &shown).await
    }

    async fn end(&mut self, course: &Course) -> Result<(), AgentError> {
        let (done, right) = self.state.score(course);
        let total = course.lessons.len();
        let verdict = if done < total {
            "You left out what you know already; come back whenever you like."
        } else if right >= PASSED {
            "Passed!"
        } else {
            "You have seen it all; go through it once more to be sure."
        };
        self.say(&format!("{}: {done} of {total} lessons, {right}% right at once. {verdict}", course.title))
            .await
    }
}
