//! Tools through their public surface: functions, registries, schemas from the network, the shape of approvals.

#![expect(clippy::unwrap_used, reason = "a test that unwraps fails where it should")]

mod approvals;
mod clients;
mod functions;
mod registry;
