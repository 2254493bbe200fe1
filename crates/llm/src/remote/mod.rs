//! Remote agents, one module for each way to call them.

pub mod agui;
pub mod ndjson;
