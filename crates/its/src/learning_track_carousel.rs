//! A choice of learning tracks.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{component::Component, fault::Faults};

/// Shows learning tracks side by side, as a carousel or as cards; the learner picks one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LearningTrackCarousel {
    /// The tracks to choose from.
    pub tracks: Vec<Track>,
}

/// A learning track.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Track {
    /// What the answer calls it.
    pub track_id: String,
    /// Its title.
    pub title: String,
    /// What one learns, in a sentence or two.
    pub description: String,
    /// The address of a picture.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("format" = "uri"))]
    pub image_url: Option<String>,
    /// Words to find and sort it by.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tags: Option<Vec<String>>,
}

/// The track that was picked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LearningTrackCarouselAnswer {
    /// The track.
    pub selected_track_id: String,
}

impl Component for LearningTrackCarousel {
    const NAME: &'static str = "its:render_learning_track_carousel";
    type Answer = LearningTrackCarouselAnswer;

    fn warn(&self, faults: &mut Faults) {
        faults.some(&self.tracks, "/tracks", "the tracks");
        let ids = self.tracks.iter().map(|track| track.track_id.as_str());
        faults.unique(ids, |at| format!("/tracks/{at}/track_id"));
    }

    fn check_answer(&self, answer: &Self::Answer, faults: &mut Faults) {
        let shown = self.tracks.iter().map(|track| track.track_id.as_str());
        faults.known(&answer.selected_track_id, "/selected_track_id", shown);
    }
}
