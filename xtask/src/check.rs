//! `cargo xtask check`: everything that can be said about the tree without running it.

use std::path::Path;

use crate::Answer;
use crate::hygiene;
use crate::install;
use crate::no_arguments;
use crate::report::{Part, Report, Setback};
use crate::run::{cargo, run};

/// Packages outside the workspace: their dependencies are heavy, so only their formatting is checked here.
const OUTSIDE: [&str; 2] = ["bench/Cargo.toml", "fuzz/Cargo.toml"];

/// Runs every check and prints one table.
pub(crate) fn check(arguments: &[String]) -> Answer {
    no_arguments("check", arguments)?;
    let mut report = Report::default();
    report.part("format", format);
    report.part("lints", lints);
    report.part("docs", docs);
    report.part("licences", licences);
    report.part("hygiene", hygiene::check);
    Ok(report.close())
}

fn format() -> Part {
    run(&mut cargo("fmt --all -- --check"))?;
    for manifest in OUTSIDE.into_iter().filter(|manifest| Path::new(manifest).is_file()) {
        run(&mut cargo(&format!("fmt --manifest-path {manifest} -- --check")))?;
    }
    Ok(())
}

fn lints() -> Part {
    Ok(run(&mut cargo("clippy --workspace --all-targets -- -D warnings"))?)
}

fn docs() -> Part {
    // An example in the list turns on the features that tests have, and the lints: crates of others are read once.
    let mut doc = cargo("doc --workspace --no-deps --lib --bin xtask --example hello");
    Ok(run(doc.env("RUSTDOCFLAGS", "-D warnings"))?)
}

/// Building cargo-deny takes minutes, so it is used where it is installed and never installed here.
fn licences() -> Part {
    if !install::on_path("cargo-deny") {
        let how = "cargo install cargo-deny --version 0.20.2 --locked";
        return Err(Setback::Skipped(format!("cargo-deny is not installed: {how}")));
    }
    Ok(run(&mut cargo("deny check licenses bans sources"))?)
}
