//! A quiz of one question.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    component::Component,
    fault::Faults,
    grade::Grade,
};

/// Shows a question with answers to choose from, or to be called true or false.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct QuickQuiz {
    /// What the answer calls it.
    pub quiz_id: String,
    /// The question.
    pub question_text: String,
    /// The answers to choose from.
    pub options: Vec<QuizOption>,
    /// What kind of question it is.
    #[serde(default)]
    pub quiz_type: QuizType,
    /// The right answer, if the client may know it and say so at once. The server grades by it as well.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub correct_answer_id_for_fe_feedback: Option<String>,
}

/// An answer to choose.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct QuizOption {
    /// What the answer calls it.
    pub id: String,
    /// What it says.
    pub text: String,
}

/// What kind of question.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum QuizType {
    /// One of several.
    #[default]
    #[serde(rename = "single-select-mcq")]
    SingleSelectMcq,
    /// One of two.
    #[serde(rename = "true-false")]
    TrueFalse,
}

/// What was chosen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct QuickQuizAnswer {
    /// The quiz. It may be left out, since the call says which it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quiz_id: Option<String>,
    /// The answer that was chosen.
    pub selected_option_id: String,
}

impl Component for QuickQuiz {
    const NAME: &'static str = "its:render_quick_quiz";
    type Answer = QuickQuizAnswer;

    fn warn(&self, faults: &mut Faults) {
        faults.some(&self.options, "/options", "the options");
        faults.unique(self.ids(), |at| format!("/options/{at}/id"));
        let fits = self.quiz_type != QuizType::TrueFalse || self.options.len() == 2;
        faults.ensure(fits, "mismatch", "/options", || {
            format!("true or false are two options, not {}", self.options.len())
        });
        if let Some(id) = &self.correct_answer_id_for_fe_feedback {
            faults.known(id, "/correct_answer_id_for_fe_feedback", self.ids());
        }
    }

    fn check_answer(&self, answer: &Self::Answer, faults: &mut Faults) {
        if let Some(id) = &answer.quiz_id {
            faults.same(id, "/quiz_id", &self.quiz_id);
        }
        faults.known(&answer.selected_option_id, "/selected_option_id", self.ids());
    }

    fn grade(&self, answer: &Self::Answer) -> Option<Grade> {
        // A key that is none of the options grades nothing: nobody could be right.
        let right = self.correct_answer_id_for_fe_feedback.as_ref().filter(|id| self.ids().any(|it| it == *id))?;
        Some(Grade::whole(*right == answer.selected_option_id))
    }
}

impl QuickQuiz {
    fn ids(&self) -> impl Iterator<Item = &str> + Clone {
        self.options.iter().map(|option| option.id.as_str())
    }
}
