//! How events leave: as an event stream, as protobuf, over a socket.

pub(crate) mod broken;
pub(crate) mod form;
pub(crate) mod jsonl;
pub(crate) mod leave;
pub(crate) mod proto;
pub(crate) mod socket;
pub(crate) mod upgrade;
pub(crate) mod sse;
