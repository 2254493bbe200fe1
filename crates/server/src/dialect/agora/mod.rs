#![doc = include_str!("README.md")]

mod answer;
mod asked;
mod call_gate;
mod decode;
mod desk;
mod encode;
mod follow;
mod history;
mod payload;
mod plain;
mod rules;
mod scene;
mod session;
mod steps;

use std::sync::Arc;

use forestage_protocol::codec::Format;
use forestage_runtime::tool::Tools;

pub(crate) use self::session::routes;
pub use self::{
    decode::{Follow, Frame, decode},
    encode::Encoder,
    payload::{Approval, ApprovalRequest, ERROR, ErrorPayload, REQUEST, RESPONSE, RiskLevel},
    rules::Judge,
};
use super::Profile;

/// The dialect as a profile of streams.
pub(super) const PROFILE: Profile = Profile {
    name: "agora",
    about: "AGORA: JSON frames, snapshots, one step at a time, RUN_FINISHED always",
    format: Format::Jsonl,
    encoder: || Box::new(Encoder::new("general-agent", Arc::new(Tools::default()))),
    rules: || Box::<Judge>::default(),
};
