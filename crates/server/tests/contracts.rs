//! `docs/contracts.md` lists every requirement of the contracts, and every test that it names is there.
//!
//! The last part of `cargo xtask test` checks that those tests have run and passed.

use std::{collections::BTreeMap, fs, path::PathBuf};

/// How many requirements each contract has, and in how many places they contradict each other.
const COUNTS: [(&str, usize); 6] = [("R0", 189), ("R1", 49), ("R2", 61), ("R3", 39), ("R4", 88), ("C", 35)];

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The number of a requirement, its words, and what proves it.
struct Row {
    contract: String,
    number: usize,
    words: String,
    proof: String,
}

fn rows() -> Vec<Row> {
    let page = fs::read_to_string(root().join("docs/contracts.md")).expect("docs/contracts.md is there");
    page.lines().filter(|line| line.starts_with("| R") || line.starts_with("| C-")).map(row).collect()
}

fn row(line: &str) -> Row {
    let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
    let [id, words, proof] = cells[..] else { panic!("three cells: {line}") };
    let (contract, number) = id.split_once('-').expect(line);
    Row {
        contract: contract.to_owned(),
        number: number.parse().expect(line),
        words: words.to_owned(),
        proof: proof.to_owned(),
    }
}

#[test]
fn every_requirement_has_a_row_and_none_is_missing() {
    let mut numbers: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for row in rows() {
        assert!(!row.words.is_empty() && !row.proof.is_empty(), "{}-{:03}", row.contract, row.number);
        numbers.entry(row.contract).or_default().push(row.number);
    }
    for (contract, count) in COUNTS {
        let expected: Vec<usize> = (1..=count).collect();
        assert_eq!(numbers.get(contract), Some(&expected), "{contract}");
    }
    assert_eq!(numbers.len(), COUNTS.len());
}

#[test]
fn every_test_that_is_named_is_there() {
    for Row { contract, number, proof, .. } in rows() {
        let id = format!("{contract}-{number:03}");
        let tests: Vec<&str> =
            proof.split('`').skip(1).step_by(2).filter(|quoted| quoted.contains("::")).collect();
        assert!(!tests.is_empty(), "{id} names no test");
        tests.into_iter().for_each(|test| is_there(&id, test));
    }
}

/// Whether they pass is for `cargo xtask test` to say, which knows what has run.
fn is_there(id: &str, test: &str) {
    let (path, name) = test.split_once("::").unwrap_or_else(|| panic!("{id}: `path::name`, not {test}"));
    let text = fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{id}: {path}: {error}"));
    let wanted = match path.rsplit_once('.').map(|(_, kind)| kind) {
        Some("rs") => format!("fn {name}("),
        Some("ts" | "tsx" | "mjs") => format!("\"{name}\""),
        _ => panic!("{id}: {path} is not a file of tests"),
    };
    assert!(text.contains(&wanted), "{id}: {path} has no {wanted}");
}
