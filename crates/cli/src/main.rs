//! The forestage command.
fn main() {}
