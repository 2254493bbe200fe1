//! The schema for editors is the one that is committed.

use std::{env, fs, path::PathBuf};

use forestage_runtime::script;

#[test]
fn the_schema_is_current() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../spec/schema/script.json");
    let current = serde_json::to_string_pretty(&script::schema()).unwrap() + "\n";
    if fs::read_to_string(&path).unwrap_or_default() == current {
        return;
    }
    assert!(
        env::var_os("UPDATE").is_some(),
        "{} is stale (UPDATE=1 rewrites it):\n{current}",
        path.display()
    );
    fs::write(&path, current).unwrap();
}
