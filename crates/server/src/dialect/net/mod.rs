#![doc = include_str!("README.md")]

mod decode;
mod door;
mod encode;
mod input;
mod rules;

use forestage_protocol::codec::Format;

pub(crate) use self::door::routes;
pub use self::{decode::decode, encode::Encoder, rules::Judge};
use super::Profile;

/// The dialect as a profile of streams.
pub(super) const PROFILE: Profile = Profile {
    name: "net",
    about: "AGUI.Protocol: outcomes as words, one interrupt at a time, META",
    format: Format::Sse,
    encoder: || Box::<Encoder>::default(),
    rules: || Box::<Judge>::default(),
};
