#![doc = include_str!("README.md")]

mod call;
mod decode;
mod encode;
mod gate;
mod session;
mod show;
mod tools;

use axum::Router;

pub use self::{
    decode::{Decision, Frame, decode},
    encode::Encoder,
    gate::{Draft, Gate},
};
use crate::app::App;

pub(crate) fn routes() -> Router<App> {
    session::routes().merge(tools::routes())
}
