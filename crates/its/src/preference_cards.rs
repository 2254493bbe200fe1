//! Cards for preferences.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{component::Component, fault::Faults};

/// Shows cards, such as ways to learn; learners choose those that they prefer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PreferenceCards {
    /// What the answer calls this set of cards.
    pub preference_set_id: String,
    /// What to do.
    pub prompt_text: String,
    /// The cards.
    pub cards: Vec<PreferenceCard>,
    /// Whether several may be chosen.
    #[serde(default = "yes")]
    pub allow_multiple_selection: bool,
}

fn yes() -> bool {
    true
}

/// A card.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PreferenceCard {
    /// What the answer calls it.
    pub card_id: String,
    /// Its title.
    pub title: String,
    /// What choosing it means.
    pub description: String,
    /// The address of a picture.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("format" = "uri"))]
    pub image_url: Option<String>,
    /// The name of a small picture.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub icon: Option<String>,
}

/// The cards that were chosen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PreferenceCardsAnswer {
    /// The set of cards.
    pub preference_set_id: String,
    /// The cards. None at all is an answer, too.
    pub selected_card_ids: Vec<String>,
}

impl Component for PreferenceCards {
    const NAME: &'static str = "its:render_preference_cards";
    type Answer = PreferenceCardsAnswer;

    fn warn(&self, faults: &mut Faults) {
        faults.some(&self.cards, "/cards", "the cards");
        let ids = self.cards.iter().map(|card| card.card_id.as_str());
        faults.unique(ids, |at| format!("/cards/{at}/card_id"));
    }

    fn check_answer(&self, answer: &Self::Answer, faults: &mut Faults) {
        faults.same(&answer.preference_set_id, "/preference_set_id", &self.preference_set_id);
        let shown: Vec<_> = self.cards.iter().map(|card| card.card_id.as_str()).collect();
        faults.chosen(&answer.selected_card_ids, "/selected_card_ids", &shown, self.allow_multiple_selection);
    }
}
