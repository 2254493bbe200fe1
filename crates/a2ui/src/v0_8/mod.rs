//! A2UI 0.8: what agents and clients say to each other.
//!
//! | from an agent | members |
//! |---|---|
//! | `surfaceUpdate` | `surfaceId`, `components: [{id, weight?, component: {Type: {…}}}]` |
//! | `dataModelUpdate` | `surfaceId`, `path?`, `contents: [{key, valueString or its like}]` |
//! | `beginRendering` | `surfaceId`, `root`, `catalogId?`, `styles?` |
//! | `deleteSurface` | `surfaceId` |
//!
//! A client says `userAction` or `error`.

mod client;
mod contents;
mod message;

pub use self::{
    client::{ClientMessage, UserAction},
    contents::{Entry, EntryValue, fold_contents, write_contents},
    message::{Component, Message},
};
