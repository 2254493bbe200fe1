//! One surface, many clients: what 0.8 drew for clients of 0.9 and the other way round, `a2ui.v1` views as surfaces, and
//! what a certain client would refuse.
//!
//! A [`Bridge`] takes messages of any version and gives messages for one client. It knows what the client has on its
//! screen, so what was drawn before is updated and not drawn again.

mod evaluate;
mod keep;
mod lower;
mod maps;
mod profile;
mod raise;
mod references;
mod refusals;
mod scope;
mod value;
mod view;
mod whole;
mod write_0_8;
mod write_0_9;

pub use self::{
    keep::{Bridge, Bridged, bridge},
    profile::Profile,
    refusals::refusals,
    view::{draw_view, view_action},
    whole::{whole_0_8, whole_0_9},
};
pub(crate) use self::{raise::raise, references::of as references};
