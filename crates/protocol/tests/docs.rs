//! The facts of `docs/protocol.md` that the code knows. What stands between `<!-- generated: NAME -->` and
//! `<!-- end -->` is written here, and `UPDATE=1` rewrites it; what stands behind `<!-- codes: NAME -->` is
//! written by hand and has to name every code there is.

#[path = "docs/tables.rs"]
mod tables;

#[path = "docs/members.rs"]
mod members;

#[path = "docs/sample.rs"]
mod sample;

#[path = "docs/examples.rs"]
mod examples;

#[path = "docs/codes.rs"]
mod codes;

use std::{
    collections::{BTreeMap, BTreeSet},
    env, fs,
    path::PathBuf,
};

/// A part of the page, and what writes it.
type Part = (&'static str, fn() -> String);

const PARTS: [Part; 19] = [
    ("run", examples::run),
    ("conversation", examples::conversation),
    ("base", tables::base),
    ("events", tables::events),
    ("messages", tables::messages),
    ("types", tables::types),
    ("content", tables::content),
    ("RunAgentInput", tables::run_agent_input),
    ("outcomes", tables::outcomes),
    ("Interrupt", tables::interrupt),
    ("capabilities", tables::capabilities),
    ("enforced", examples::enforced),
    ("retired", examples::retired),
    ("closing", tables::closing),
    ("chunks", examples::chunks),
    ("rules", tables::rules),
    ("patches", examples::patches),
    ("compaction", examples::compaction),
    ("sizes", examples::sizes),
];

#[test]
fn the_generated_parts_are_current() {
    let written = page();
    let current = regenerate(&written);
    if written == current {
        return;
    }
    if env::var_os("UPDATE").is_some() {
        fs::write(path(), current).expect("writable");
        return;
    }
    let differs = written.lines().zip(current.lines()).position(|(old, new)| old != new).unwrap_or_default();
    let line = current.lines().nth(differs).unwrap_or_default();
    panic!("docs/protocol.md, line {}: not what comes out now (UPDATE=1 rewrites it):\n{line}", differs + 1);
}

#[test]
fn every_part_has_a_place() {
    let written = page();
    let places: BTreeSet<&str> = sections(&written, "generated").map(|(name, _)| name).collect();
    assert_eq!(places, PARTS.iter().map(|(name, _)| *name).collect());
}

#[test]
fn every_code_is_explained() {
    let written = page();
    let explained: BTreeMap<&str, &str> = sections(&written, "codes").collect();
    for (name, known) in codes::in_the_sources() {
        let explained = codes::first_cells(explained[name]);
        let missing: Vec<&String> = known.difference(&explained).collect();
        let gone: Vec<&String> = explained.difference(&known).collect();
        assert!(missing.is_empty() && gone.is_empty(), "{name}: add {missing:?}, remove {gone:?}");
    }
}

/// The page with every generated part written anew.
fn regenerate(page: &str) -> String {
    let mut current = String::new();
    let mut rest = page;
    while let Some((before, name, behind)) = next_section(rest, "generated") {
        let write = PARTS.iter().find(|(known, _)| *known == name).map(|(_, write)| write);
        let part = write.unwrap_or_else(|| panic!("nothing writes the part `{name}`"))();
        current.push_str(&format!("{before}<!-- generated: {name} -->\n{part}"));
        rest = behind;
    }
    current + rest
}

/// What comes before the next section, its name, and everything from its end marker on.
fn next_section<'p>(page: &'p str, kind: &str) -> Option<(&'p str, &'p str, &'p str)> {
    let (before, rest) = page.split_once(&format!("<!-- {kind}: "))?;
    let (name, rest) = rest.split_once(" -->").expect("a closed marker");
    let end = rest.find("<!-- end -->").expect("an end marker");
    Some((before, name, &rest[end..]))
}

/// The sections of a kind, by name.
fn sections<'p>(page: &'p str, kind: &str) -> impl Iterator<Item = (&'p str, &'p str)> {
    let marker = format!("<!-- {kind}: ");
    let found: Vec<&str> = page.split(marker.as_str()).skip(1).collect();
    found.into_iter().map(|rest| {
        let (name, rest) = rest.split_once(" -->").expect("a closed marker");
        (name, rest.split("<!-- end -->").next().unwrap_or_default())
    })
}

fn page() -> String {
    fs::read_to_string(path()).expect("docs/protocol.md")
}

fn path() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/protocol.md")
}
