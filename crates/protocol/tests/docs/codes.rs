//! The codes that programs compare: those in the sources, and those that the page explains.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

/// How each kind of code is written in the sources.
const WARNINGS: [&str; 4] = ["Warning::new(", "Warning::at(", "Applied::ignored(", ".warn("];
const FAULTS: [&str; 1] = ["Fault::new("];

/// The codes in the sources, under the names of the page's sections.
pub(crate) fn in_the_sources() -> BTreeMap<&'static str, BTreeSet<String>> {
    let mut files = Vec::new();
    read_folder(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut files);
    let constructed = |constructors: &[&str]| -> BTreeSet<String> { files.iter().flat_map(|file| arguments(file, constructors)).collect();
    let framed = returned("codec/proto/mod.rs").into_iter().chain(returned("codec/frame.rs"));
    BTreeMap::from([
        ("warnings", constructed(&WARNINGS)),
        ("faults", constructed(&FAULTS).into_iter().chain(framed).collect()),
        ("patches", returned("patch/error.rs")),
    ])
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
    let text = read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(file));
    let body = text.split("fn code(").nth(1).expect("a function `code`");
    let body = body.split("\n    }\n").next().unwrap_or_default();
    body.split("=> ").skip(1).filter_map(literal).collect()
}

fn literal(text: &str) -> Option<String> {
    text.strip_prefix('"')?.split('"').next().map(str::to_owned)
}
