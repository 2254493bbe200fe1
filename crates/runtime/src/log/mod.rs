//! Reading a thread's log: by cursor, live, from the middle, or shortened.

mod batch;
mod cursor;
mod cut;
mod follow;
pub(crate) mod live;
mod outage;
mod prelude;

pub use self::{
    batch::Batch,
    cursor::{Cursor, CursorError},
    follow::Follower,
    outage::Outage,
    prelude::Prelude,
};
pub(crate) use self::{
    cut::{Shortener, goes_on, shorten},
    follow::Until,
};
