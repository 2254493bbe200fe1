#![doc = include_str!("README.md")]

mod answer;
mod asked;
mod decode;
mod encode;
mod history;
mod rules;
mod said;
mod version;
mod view;

use forestage_protocol::codec::Format;

pub(crate) use self::{
    asked::questions_before,
    decode::Request,
    history::settled,
    view::{View, prepared},
};
pub use self::{
    encode::{Encoder, Questions},
    rules::Judge,
    version::{Line, Protocol},
};
use super::Profile;

/// What a line is as a profile of streams.
macro_rules! profile {
    ($name:literal, $about:literal, $line:expr) => {
        Profile {
            name: $name,
            about: $about,
            format: Format::Sse,
            encoder: || Box::new(Encoder::new($line)),
            rules: || Box::new(Judge::new($line)),
        }
    };
}

/// Up to 0.0.36.
pub(super) const SERIAL: Profile =
    profile!("agui-0.0.36", "AG-UI for clients up to 0.0.36: one thing at a time", Line::stated(36));
/// 0.0.37 to 0.0.44.
pub(super) const THINKING: Profile =
    profile!("agui-0.0.44", "AG-UI for clients 0.0.37 to 0.0.44: THINKING_* events", Line::stated(44));
/// Of no stated version.
pub(super) const UNSTATED: Profile =
    profile!("agui-0.0.45", "AG-UI for clients from 0.0.45 on that state no version", Line::UNSTATED);
/// 0.0.45 to 0.0.53.
pub(super) const ASKING_BY_EVENT: Profile = profile!(
    "agui-0.0.53",
    "AG-UI for clients 0.0.45 to 0.0.53: questions without an outcome",
    Line::stated(53)
);
/// 0.0.59.
pub(super) const SUBAGENTS: Profile =
    profile!("agui-0.0.59", "AG-UI for clients 0.0.59: with subagents", Line::stated(59));
