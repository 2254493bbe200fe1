//! Remote agents, one module for each way to call them.

pub mod ndjson;
