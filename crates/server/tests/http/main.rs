//! The server as clients meet it: real sockets, real HTTP.

#![expect(clippy::unwrap_used, reason = "a test that unwraps fails where it should")]

mod access;
mod apps;
mod client;
mod decide;
mod demo_people;
mod description;
mod events;
mod ids;
mod inbox;
mod inbox_shared;
mod leave;
mod limits;
mod older;
mod outage;
mod resources;
mod runs;
mod shares;
mod socket;
mod streams;
mod support;
mod surfaces;
mod unwritable;
mod web;
