//! Surfaces: what agents draw, kept in the log like everything else.
//!
//! A surface is one activity message for life. What draws it first is its content; what changes it later is added to
//! that, so whoever sees it live keeps what they have typed, and whoever comes later folds the same surface. Agents of
//! all kinds draw in the ways of their own, by a tool, in the result of a tool, by an activity or in the text; in the log
//! it is always A2UI 0.9.
//!
//! ```text
//! a call of a tool ─┐
//! a tool's result ──┤
//! an activity ──────┼─> read ──> Screen::draw: check, fold ──> paint: what differs ──> ACTIVITY_SNAPSHOT, ACTIVITY_DELTA
//! tags in a text ───┘
//! a call that still comes in ──> underway: what is complete ──> the same events, `building` until all of it is drawn
//! what a person does ──> act: was it offered? ──> the messages of a new run, and what was typed
//! ```

mod act;
mod client;
mod paint;
mod read;
mod screen;
mod status;
mod underway;
mod view;

use forestage_a2ui::v0_9::Component;
use forestage_protocol::{id::MessageId, message::Message};
use serde::Serialize;
use serde_json::Value;

pub(crate) use self::{
    act::{act, is_action},
    client::Client,
    read::{drawn_by_result, in_arguments, payload, written},
    screen::{Drawn, Screen},
    status::{
        MAX_ATTEMPTS, building, exhausted, failed, finishes, given_up, is_unfinished, not_drawn, withdrawn,
    },
    underway::Underway,
    view::activity as view_activity,
};

/// The kind of the activities that are surfaces.
pub const ACTIVITY: &str = "a2ui-surface";

/// The member of their content that holds what draws them.
pub(crate) const OPERATIONS: &str = "a2ui_operations";

/// The member that holds the same in the words of 0.8, for surfaces that were drawn in them: older clients look there, and
/// the names that their agent knows are kept there.
pub(crate) const OLD_OPERATIONS: &str = "operations";

/// The member that holds what draws one that is not complete enough to be seen.
pub(crate) const PENDING: &str = "pending";

/// The tool with which an agent sends messages of A2UI.
pub const SEND: &str = "send_a2ui_json_to_client";

/// The tool with which an agent draws one surface.
pub const RENDER: &str = "render_a2ui";

/// The tool that stands for what a person did on a surface.
pub const LOG_EVENT: &str = "log_a2ui_event";

/// A surface as it stands.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Shown {
    /// Its name.
    pub surface_id: String,
    /// The activity that shows it.
    pub message_id: MessageId,
    /// The catalog of its components.
    pub catalog_id: Option<String>,
    /// Its components, as A2UI 0.9 has them.
    pub components: Vec<Component>,
    /// What they show, and what was typed.
    pub data_model: Value,
}

/// The surfaces that a conversation has drawn and not taken away.
#[must_use]
pub fn shown(messages: &[Message]) -> Vec<Shown> {
    let screen = Screen::of(messages);
    let shown = screen.shown().map(|(surface, message_id)| {
        let paint::Parts { components, data } = paint::Parts::of(surface);
        Shown {
            surface_id: surface.id.clone(),
            message_id: message_id.clone(),
            catalog_id: surface.catalog_id.clone(),
            components,
            data_model: data,
        }
    });
    shown.collect()
}

/// Whether a call of this tool draws.
#[must_use]
pub fn is_drawing_tool(name: &str) -> bool {
    matches!(name, SEND | RENDER)
}
