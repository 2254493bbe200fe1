//! Says when to look into the folder of the web app again.

use std::{env, fs, path::Path};

const DIST: &str = "../../web/app/dist";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    // New files of the app have new names, which cargo does not see by itself. A debug build reads them when it runs: to
    // watch them all the same would compile everything above this crate again whenever the app is built.
    if env::var("PROFILE").is_ok_and(|profile| profile == "release") {
        // Cargo takes a folder that is not there for one that has changed. Where it cannot be made there is no app either.
        let _ = fs::create_dir_all(DIST);
        println!("cargo::rerun-if-changed={DIST}");
        if !Path::new(DIST).join("index.html").exists() {
            println!(
                "cargo::warning=the web app is not built, so this program has no web app in it: \
                 run `cargo xtask web`, then this command again"
            );
        }
    }
}
