//! `cargo xtask bench`: release builds, measured beside their peers in one run.
//!
//! The program in `bench/` is a package of its own, so that the peers it measures are not dependencies of the
//! workspace. It starts the peers written in other languages itself.

use crate::Answer;
use crate::run::{answer, cargo, target_dir};

/// Hands its arguments (`a2ui`, `codec`, `fold`, `log`, `serve`, `--quick`) to the bench program.
pub(crate) fn bench(arguments: &[String]) -> Answer {
    if arguments.is_empty() {
        return Err(
            "say what to measure: `cargo xtask bench a2ui`, `codec`, `fold`, `log` or `serve`".to_owned()
        );
    }
    let mut command = cargo("run --release --quiet --manifest-path bench/Cargo.toml --");
    command.args(arguments).env("CARGO_TARGET_DIR", target_dir()?.join("bench"));
    answer(&mut command)
}
