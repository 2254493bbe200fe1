//! Reads the text of the tutoring contract. The tests of the server read it, too.

use std::{collections::BTreeMap, env, fs, path::PathBuf};

use serde_json::Value;

/// The JSON blocks of each component, by the name of its tool.
pub(crate) fn blocks() -> BTreeMap<String, Vec<Value>> {
    let text = whole();
    let sections = text.split("- **Tool Call Name:** `").skip(1);
    sections.map(|section| (section.split('`').next().unwrap().to_owned(), json_blocks(section))).collect()
}

/// The JSON blocks of the part about what clients send, in their order: typed text, an answer, context.
#[allow(dead_code, reason = "not every test that reads the text reads this part")]
pub(crate) fn input_blocks() -> Vec<Value> {
    let text = whole();
    json_blocks(text.split("\n## 2.").next().unwrap())
}

fn whole() -> String {
    let folder = env::var_os("FORESTAGE_CONTRACTS").filter(|folder| !folder.is_empty()).map(PathBuf::from);
    let folder = folder.expect("FORESTAGE_CONTRACTS names the folder with the text of the contract");
    let files = fs::read_dir(&folder).unwrap().map(|file| file.unwrap().path());
    let is_it =
        |path: &PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("000-"));
    let path = files.into_iter().find(is_it).unwrap_or_else(|| panic!("{} has no 000-*", folder.display()));
    fs::read_to_string(path).unwrap()
}

fn json_blocks(section: &str) -> Vec<Value> {
    let section = section.split("\n---").next().unwrap();
    let blocks = section.split("```json\n").skip(1).map(|block| block.split("```").next().unwrap());
    blocks
        .map(|block| {
            serde_json::from_str(&without_comments(block)).unwrap_or_else(|error| panic!("{error}: {block}"))
        })
        .collect()
}

/// Its examples have comments, which are no JSON. Addresses have two slashes as well, but no blank before them.
fn without_comments(block: &str) -> String {
    let line = |line: &str| line.split(" //").next().unwrap().to_owned() + "\n";
    block.lines().map(line).collect()
}
