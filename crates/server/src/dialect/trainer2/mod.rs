#![doc = include_str!("README.md")]

mod call;
mod decode;
mod encode;
mod gate;
mod home;
mod recording;
mod rules;
mod session;
mod show;
mod tools;
mod turns;

use axum::Router;
use forestage_protocol::codec::Format;

pub use self::{
    decode::{Decision, Frame, decode},
    encode::Encoder,
    gate::{Draft, Gate},
    recording::Recording,
    rules::Judge,
};
use super::Profile;
use crate::app::App;

/// The dialect as a profile of streams.
pub(super) const PROFILE: Profile = Profile {
    name: "trainer2",
    about: "a coach: whole messages, views, calls with labels, gates that wait",
    format: Format::Jsonl,
    encoder: || Box::<Recording>::default(),
    rules: || Box::<Judge>::default(),
};

pub(crate) fn routes() -> Router<App> {
    session::routes().merge(tools::routes())
}
