//! The codes that programs compare: those in the sources, and those that the page explains.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

/// How each kind of code is written in the sources.
const WARNINGS: [&str; 4] = ["Warning::new(", "Warning::at(", "Applied::ignored(", ".warn("];
const FAULTS: [&str; 1] = ["Fault::new("];

/// The codes in the sources, by the section of the page that explains them.
pub(crate) fn in_the_sources() -> [(&'static str, BTreeSet<String>); 3] {
    let framed = returned("codec/proto/mod.rs").into_iter().chain(returned("codec/frame.rs"));
    let counted = returned("scan/mod.rs");
    let faults = constructed(&FAULTS).into_iter().chain(framed).chain(counted).collect();
    [("warnings", constructed(&WARNINGS)), ("faults", faults), ("patches", returned("patch/error.rs"))]
}

/// The codes that these functions are called with anywhere.
fn constructed(functions: &[&str]) -> BTreeSet<String> {
    let mut files = Vec::new();
    read_folder(&sources(), &mut files);
    files.iter().flat_map(|file| arguments(file, functions)).collect()
}

fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// The codes that a section explains: the first cells of its table.
pub(crate) fn first_cells(section: &str) -> BTreeSet<String> {
    let rows = section.lines().filter_map(|line| line.strip_prefix("| `"));
    rows.filter_map(|row| row.split('`').next()).map(str::to_owned).collect()
}

/// The text of every source file, unit tests left out.
fn read_folder(folder: &Path, files: &mut Vec<String>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            read_folder(&path, files);
        } else {
            files.push(read(&path));
        }
    }
}

fn read(path: &Path) -> String {
    let text = fs::read_to_string(path).expect("a source file");
    text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default().to_owned()
}

/// The literals that stand first among the arguments of these functions.
fn arguments(file: &str, functions: &[&str]) -> BTreeSet<String> {
    let calls = functions.iter().flat_map(|function| file.split(function).skip(1));
    calls.filter_map(|rest| literal(rest.trim_start())).collect()
}

/// The literals that the function `code` of a file returns.
fn returned(file: &str) -> BTreeSet<String> {
    let text = read(&sources().join(file));
    let body = text.split("fn code(").nth(1).expect("a function `code`");
    let body = body.split("\n    }\n").next().unwrap_or_default();
    body.split("=> ").skip(1).filter_map(literal).collect()
}

fn literal(text: &str) -> Option<String> {
    text.strip_prefix('"')?.split('"').next().map(str::to_owned)
}
