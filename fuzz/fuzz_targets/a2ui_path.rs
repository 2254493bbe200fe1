//! Paths into the data of a surface. A path prints as one that means the same; what was written there is found there and
//! nothing else changes its place; what was deleted is gone.

#![no_main]

use forestage_a2ui::surface::{DataModel, Path};
use libfuzzer_sys::fuzz_target;
use serde_json::{Value, json};

fuzz_target!(|input: (&str, &str)| {
    let (text, item) = input;
    // Nothing that is read here panics, whatever it is.
    let _ = Path::resolve_v0_8(text, &Path::root());
    let item = Path::parse(item).unwrap_or_else(|_| Path::root());
    let Ok(path) = Path::resolve(text, &item) else { return };
    let printed = path.to_string();
    if !path.is_root() {
        assert_eq!(Path::parse(&printed).as_ref(), Ok(&path), "{printed:?}");
    }
    let mut model = DataModel::new(json!({ "a": { "b": [0, { "c": null }] }, "list": [], "text": "x" }));
    let before = model.value().clone();
    match model.set(&path, json!("written")) {
        Ok(()) => {
            assert_eq!(model.get(&path), Some(&json!("written")), "what was written is there");
            if model.delete(&path).is_ok() {
                assert!(
                    matches!(model.get(&path), None | Some(Value::Null | Value::Object(_))),
                    "and then gone"
                );
            }
        }
        Err(_) => assert_eq!(model.value(), &before, "refused, and nothing has changed"),
    }
});
