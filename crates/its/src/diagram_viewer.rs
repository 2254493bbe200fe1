//! A diagram.
//!
//! The contract has one example of an answer and leaves the rest open. This is ours: a diagram that is not interactive is
//! answered with `{}`, or with its id and the interaction `acknowledged`. One that is interactive has its id and the kind of
//! interaction; `node_click` has the node, which has to be in the diagram as far as its source can be read.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{component::Component, fault::Faults, shape::fit_uri};

/// What tells that a diagram was looked at.
const ACKNOWLEDGED: &str = "acknowledged";

/// Shows a diagram: Mermaid, draw.io, or a picture.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DiagramViewer {
    /// What the answer calls it.
    pub diagram_id: String,
    /// Its source, or the address of a picture.
    pub diagram_data: String,
    /// What kind of source it is.
    pub diagram_type: DiagramType,
    /// What stands below it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub caption: Option<String>,
    /// Whether one can do something with it, such as clicking on nodes.
    #[serde(default)]
    pub interactive: bool,
}

/// What a diagram is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DiagramType {
    /// Mermaid source.
    Mermaid,
    /// The XML of draw.io.
    DrawioXml,
    /// The address of a picture.
    ImageUrl,
}

/// What was done with the diagram.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DiagramViewerAnswer {
    /// The diagram; needed if it is interactive.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub diagram_id: Option<String>,
    /// What was done, such as `node_click` or `acknowledged`; needed if it is interactive.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interaction_type: Option<String>,
    /// The node that was clicked; needed for `node_click`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub node_id: Option<String>,
}

impl Component for DiagramViewer {
    const NAME: &'static str = "its:render_diagram_viewer";
    type Answer = DiagramViewerAnswer;

    fn warn(&self, faults: &mut Faults) {
        let path = "/diagram_data";
        faults.ensure(!self.diagram_data.trim().is_empty(), "out_of_range", path, || "is empty".to_owned());
        if self.diagram_type == DiagramType::ImageUrl {
            fit_uri(&self.diagram_data, path, faults);
        }
    }

    fn check_answer(&self, answer: &Self::Answer, faults: &mut Faults) {
        if let Some(id) = &answer.diagram_id {
            faults.same(id, "/diagram_id", &self.diagram_id);
        }
        match self.interactive {
            true => self.check_interaction(answer, faults),
            false => check_look(answer, faults),
        }
    }
}

/// Who could only look can only say so.
fn check_look(answer: &DiagramViewerAnswer, faults: &mut Faults) {
    let is_look = answer.interaction_type.as_deref().is_none_or(|kind| kind == ACKNOWLEDGED);
    faults.ensure(is_look, "not_offered", "/interaction_type", || {
        format!("the diagram is not interactive: `{ACKNOWLEDGED}`, or nothing")
    });
    faults.ensure(answer.node_id.is_none(), "unexpected_field", "/node_id", || {
        "the diagram is not interactive, so there is no node".to_owned()
    });
}

impl DiagramViewer {
    fn check_interaction(&self, answer: &DiagramViewerAnswer, faults: &mut Faults) {
        for (name, member) in [("diagram_id", &answer.diagram_id), ("interaction_type", &answer.interaction_type)] {
            faults.ensure(member.is_some(), "missing_field", "", || format!("`{name}` is missing"));
        }
        let is_click = answer.interaction_type.as_deref() == Some("node_click");
        faults.ensure(!is_click || answer.node_id.is_some(), "missing_field", "", || "`node_id` is missing".to_owned());
        if let Some(node) = &answer.node_id {
            faults.ensure(self.has_node(node), "unknown_id", "/node_id", || format!("the diagram has no node `{node}`"));
        }
    }

    fn has_node(&self, node: &str) -> bool {
        match self.diagram_type {
            DiagramType::Mermaid => has_word(&self.diagram_data, node),
            DiagramType::DrawioXml => self.diagram_data.contains(&format!("id=\"{node}\"")),
            DiagramType::ImageUrl => true,
        }
    }
}

/// Whether a word stands in a text by itself.
fn has_word(text: &str, word: &str) -> bool {
    let is_letter = |letter: char| letter.is_alphanumeric() || letter == '_';
    !word.is_empty()
        && text.match_indices(word).any(|(at, _)| {
            !text[..at].ends_with(is_letter) && !text[at + word.len()..].starts_with(is_letter)
        })
}
