//! A server as its users have it: a process of its own, that is killed, stalled, doubled and watched.

mod approvals;
mod crash;
mod door;
#[cfg(unix)]
mod full;
mod memory;
mod people;
mod processes;
mod raw;
mod sockets;
mod stalled;
mod support;
mod surfaces;
