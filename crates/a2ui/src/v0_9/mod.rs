//! A2UI 0.9 and 0.9.1, and what is clear about the candidate of 1.0: what agents and clients say to each other.
//!
//! | from an agent | members |
//! |---|---|
//! | `createSurface` | `surfaceId`, `catalogId`, `theme?`, `sendDataModel?`; in 1.0 `components?`, `dataModel?` |
//! | `updateComponents` | `surfaceId`, `components: [{id, component, …}]` |
//! | `updateDataModel` | `surfaceId`, `path?`, `value?`: no value deletes, and in 1.0 null does |
//! | `deleteSurface` | `surfaceId` |
//!
//! A client says `action` or `error`.

mod candidate;
mod client;
mod message;
mod repair;

pub use self::{
    client::{ClientError, ClientMessage},
    message::{Component, Message},
};
