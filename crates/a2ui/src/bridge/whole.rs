//! A surface as the messages that draw it from nothing.

use super::{write_0_8, write_0_9::Writer};
use crate::{surface::Surface, v0_8, v0_9};

/// For a client of 0.9 that has registered the basic catalog under this name.
#[must_use]
pub fn whole_0_9(surface: &Surface, basic_catalog: &str) -> Vec<v0_9::Message> {
    Writer::new(surface, basic_catalog).whole()
}

/// For a client of 0.8. What it cannot say is left out; a surface that is not shown is nothing.
#[must_use]
pub fn whole_0_8(surface: &Surface) -> Vec<v0_8::Message> {
    write_0_8::write(surface, false).map(|written| written.messages).unwrap_or_default()
}
