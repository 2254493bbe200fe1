//! Workshop tasks.
fn main() {}
