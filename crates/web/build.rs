//! Prepares the folder that the web app is taken from, and says when to look into it again.

use std::{env, fs};

const DIST: &str = "../../web/app/dist";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    // A debug build compares files with the folder's true name, which only a folder that is there has. Where it cannot be
    // made there is no app to be found either.
    let _ = fs::create_dir_all(DIST);
    // New files of the app have new names, which cargo does not see by itself. A debug build reads them when it runs: to
    // watch them all the same would compile everything above this crate again whenever the app is built.
    if env::var("PROFILE").is_ok_and(|profile| profile == "release") {
        println!("cargo::rerun-if-changed={DIST}");
    }
}
