//! Questions about code: multiple choice, putting blocks in order, filling in blanks.
//!
//! The model of a drag-and-drop task is free. What we read of it: `blocks`, `items` or `draggables` is a list of blocks,
//! each an id or an object with an `id`; `correct_order` is the list of ids in the right order. Where there are no such
//! blocks, any ids are taken; where there is no such order, nothing is graded.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::{
    component::Component,
    fault::Faults,
    grade::{Grade, GradedPart},
};

/// Shows a question about code: choose one of several answers, put blocks of code in order, or fill in blanks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CodeAssessment {
    /// What the answer calls it.
    pub assessment_id: String,
    /// What kind of question it is.
    pub assessment_type: AssessmentType,
    /// The question, or what to do.
    pub problem_statement: String,
    /// The code it is about. It may have places for blanks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code_snippet: Option<String>,
    /// The answers to choose from; needed for `mcq`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub choices: Option<Vec<Choice>>,
    /// What can be dragged and where it can be dropped, in whatever form the component wants; needed for
    /// `dnd_code_blocks`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dnd_model: Option<Map<String, Value>>,
    /// The blanks; needed for `fill_in_the_blanks`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blank_fields: Option<Vec<BlankField>>,
}

/// What kind of question about code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AssessmentType {
    /// One of several answers.
    Mcq,
    /// Blocks in the right order.
    DndCodeBlocks,
    /// Blanks in code.
    FillInTheBlanks,
}

/// An answer to choose.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Choice {
    /// What the answer calls it.
    pub id: String,
    /// What it says.
    pub text: String,
}

/// A blank in the code.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct BlankField {
    /// What the answer calls it.
    pub blank_id: String,
    /// A name or a hint beside it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// What is right there; any of these is. It goes to the client with the rest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub correct_answers: Option<Vec<String>>,
}

/// What was answered. The kind of question says which part is there beside the id.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CodeAssessmentAnswer {
    /// The question.
    pub assessment_id: String,
    /// The answer that was chosen, for `mcq`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub submitted_answer_id: Option<String>,
    /// The blocks from top to bottom, for `dnd_code_blocks`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dropped_items_order: Option<Vec<String>>,
    /// What was filled in, for `fill_in_the_blanks`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub filled_blanks: Option<Vec<FilledBlank>>,
}

/// What was filled into a blank.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FilledBlank {
    /// The blank.
    pub blank_id: String,
    /// The text.
    pub user_input: String,
}

const PARTS: [&str; 3] = ["submitted_answer_id", "dropped_items_order", "filled_blanks"];

impl Component for CodeAssessment {
    const NAME: &'static str = "its:render_code_assessment";
    type Answer = CodeAssessmentAnswer;

    fn warn(&self, faults: &mut Faults) {
        let (needed, is_there) = match self.assessment_type {
            AssessmentType::Mcq => ("choices", self.choices.is_some()),
            AssessmentType::DndCodeBlocks => ("dnd_model", self.dnd_model.is_some()),
            AssessmentType::FillInTheBlanks => ("blank_fields", self.blank_fields.is_some()),
        };
        faults.ensure(is_there, "missing_field", "", || format!("`{needed}` is missing, which this type needs"));
        if let Some(choices) = &self.choices {
            faults.some(choices, "/choices", "the choices");
            faults.unique(choices.iter().map(|choice| choice.id.as_str()), |at| format!("/choices/{at}/id"));
        }
        if let Some(blanks) = &self.blank_fields {
            faults.some(blanks, "/blank_fields", "the blanks");
            let ids = blanks.iter().map(|blank| blank.blank_id.as_str());
            faults.unique(ids, |at| format!("/blank_fields/{at}/blank_id"));
        }
        self.check_model(faults);
    }

    fn check_answer(&self, answer: &Self::Answer, faults: &mut Faults) {
        faults.same(&answer.assessment_id, "/assessment_id", &self.assessment_id);
        let present = [
            answer.submitted_answer_id.is_some(),
            answer.dropped_items_order.is_some(),
            answer.filled_blanks.is_some(),
        ];
        for (at, (part, is_there)) in PARTS.into_iter().zip(present).enumerate() {
            let is_wanted = at == self.assessment_type as usize;
            faults.ensure(is_there || !is_wanted, "missing_field", "", || format!("`{part}` is missing"));
            faults.ensure(!is_there || is_wanted, "unexpected_field", || format!("/{part}"), || {
                format!("this question wants `{}`", PARTS[self.assessment_type as usize])
            });
        }
        match self.assessment_type {
            AssessmentType::Mcq => self.check_choice(answer, faults),
            AssessmentType::DndCodeBlocks => self.check_order(answer, faults),
            AssessmentType::FillInTheBlanks => self.check_blanks(answer, faults),
        }
    }

    fn grade(&self, answer: &Self::Answer) -> Option<Grade> {
        match self.assessment_type {
            AssessmentType::Mcq => None,
            AssessmentType::DndCodeBlocks => {
                let order = self.model_list("correct_order")?;
                let right: Vec<_> = order.iter().filter_map(Value::as_str).collect();
                // A key that names what is not there is none.
                self.blocks().is_none_or(|(_, blocks)| right.iter().all(|id| blocks.contains(id))).then_some(())?;
                Some(Grade::whole(answer.dropped_items_order.as_deref()? == right))
            }
            AssessmentType::FillInTheBlanks => self.grade_blanks(answer.filled_blanks.as_deref()?),
        }
    }
}

impl CodeAssessment {
    fn model_list(&self, name: &str) -> Option<&Vec<Value>> {
        self.dnd_model.as_ref()?.get(name)?.as_array()
    }

    /// The ids of the blocks, where the model lists them, and where.
    fn blocks(&self) -> Option<(&'static str, Vec<&str>)> {
        let (name, blocks) =
            ["blocks", "items", "draggables"].into_iter().find_map(|name| Some((name, self.model_list(name)?)))?;
        let ids = blocks.iter().filter_map(|block| block.as_str().or_else(|| block["id"].as_str()));
        Some((name, ids.collect()))
    }

    fn check_model(&self, faults: &mut Faults) {
        let Some((name, blocks)) = self.blocks() else { return };
        faults.unique(blocks.iter().copied(), |at| format!("/dnd_model/{name}/{at}"));
        for (at, id) in self.model_list("correct_order").into_iter().flatten().enumerate() {
            let place = || format!("/dnd_model/correct_order/{at}");
            faults.known(id.as_str().unwrap_or_default(), place, blocks.iter().copied());
        }
    }

    fn check_choice(&self, answer: &CodeAssessmentAnswer, faults: &mut Faults) {
        if let Some(id) = &answer.submitted_answer_id {
            let shown = self.choices.iter().flatten().map(|choice| choice.id.as_str());
            faults.known(id, "/submitted_answer_id", shown);
        }
    }

    fn check_order(&self, answer: &CodeAssessmentAnswer, faults: &mut Faults) {
        let Some(order) = &answer.dropped_items_order else { return };
        let path = "/dropped_items_order";
        if self.blocks().is_none_or(|(_, blocks)| !blocks.is_empty()) {
            faults.some(order, path, "the blocks");
        }
        match self.blocks() {
            Some((_, blocks)) => faults.chosen(order, path, &blocks, true),
            None => faults.unique(order.iter().map(String::as_str), |at| format!("{path}/{at}")),
        }
    }

    fn check_blanks(&self, answer: &CodeAssessmentAnswer, faults: &mut Faults) {
        let filled = answer.filled_blanks.iter().flatten();
        let place = |at: usize| format!("/filled_blanks/{at}/blank_id");
        for (at, blank) in filled.clone().enumerate() {
            let shown = self.blank_fields.iter().flatten().map(|blank| blank.blank_id.as_str());
            faults.known(&blank.blank_id, || place(at), shown);
        }
        faults.unique(filled.map(|blank| blank.blank_id.as_str()), place);
    }

    /// A blank that is left out is wrong; one without a key is not counted.
    fn grade_blanks(&self, filled: &[FilledBlank]) -> Option<Grade> {
        let part = |blank: &BlankField| {
            let right = blank.correct_answers.as_ref().filter(|right| !right.is_empty())?;
            let input = filled.iter().find(|filled| filled.blank_id == blank.blank_id);
            let correct = input.is_some_and(|input| right.iter().any(|right| right.trim() == input.user_input.trim()));
            Some(GradedPart { id: blank.blank_id.clone(), correct })
        };
        Grade::of_parts(self.blank_fields.iter().flatten().filter_map(part).collect())
    }
}
