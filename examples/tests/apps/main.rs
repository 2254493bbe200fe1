//! The journeys of the applications, over real sockets.

mod coach;
mod hello;
mod inspection;
mod support;
mod surfaces;
mod tutor;
