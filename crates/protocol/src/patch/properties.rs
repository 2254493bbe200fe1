//! Laws that hold for any document and any patch.
//!
//! Random patches rarely apply, so these are steered: each operation picks its
//! pointers among those of the document as the operations before have left it,
//! sometimes with one step further, which may or may not lead somewhere.

use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde_json::{Value, json};

use super::{Operation, Patch, Pointer, diff};

fn document() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (0..3).prop_map(Value::from),
        "[ab]{0,2}".prop_map(Value::from),
    ];
    let key = || select(vec!["a", "b", "c", "0", "", "m~n", "x/y"]);
    leaf.prop_recursive(4, 24, 5, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((key(), inner), 0..6).prop_map(Value::from_iter),
        ]
    })
}

#[derive(Clone, Debug)]
struct Seed {
    op: &'static str,
    path: Index,
    step: Option<&'static str>,
    from: Index,
    value: Value,
    careless: bool,
}

fn seeds() -> impl Strategy<Value = Vec<Seed>> {
    let op = select(vec!["add", "remove", "replace", "move", "copy", "test"]);
    let step = select(vec!["/a", "/d", "/0", "/1", "/-", "/", "/m~0n", "/01"]);
    let step = prop::option::of(step);
    let seed = (op, any::<Index>(), step, any::<Index>(), document(), prop::bool::weighted(0.2));
    let seed = seed.prop_map(|(op, path, step, from, value, careless)| Seed {
        op,
        path,
        step,
        from,
        value,
        careless,
    });
    prop::collection::vec(seed, 0..8)
}

fn steer(document: &Value, seeds: &[Seed]) -> Value {
    let mut current = document.clone();
    let mut operations = Vec::new();
    for seed in seeds {
        let operation = grow(seed, &current);
        let mut next = current.clone();
        if reference(&mut next, &json!([operation])).is_ok() {
            current = next;
            operations.push(operation);
        } else if seed.careless {
            operations.push(operation);
        }
    }
    Value::from(operations)
}

fn grow(seed: &Seed, document: &Value) -> Value {
    let pointers = pointers(document);
    let target = seed.path.get(&pointers);
    let path = format!("{target}{}", seed.step.unwrap_or_default());
    let found = target.resolve(document).filter(|_| seed.op == "test");
    let value = found.unwrap_or(&seed.value);
    json!({"op": seed.op, "path": path, "from": seed.from.get(&pointers), "value": value})
}

fn pointers(document: &Value) -> Vec<Pointer> {
    let mut found = Vec::new();
    collect(Pointer::default(), document, &mut found);
    found
}

fn collect(here: Pointer, value: &Value, found: &mut Vec<Pointer>) {
    let children: Vec<(String, &Value)> = match value {
        Value::Array(items) => (0..).map(|n: usize| n.to_string()).zip(items).collect(),
        Value::Object(members) => members.iter().map(|(key, value)| (key.clone(), value)).collect(),
        _ => Vec::new(),
    };
    found.push(here.clone());
    for (token, child) in children {
        let mut below = here.clone();
        below.push(&token);
        collect(below, child, found);
    }
}

fn read(patch: &Value) -> Patch {
    serde_json::from_value(patch.clone()).expect("a well-formed patch")
}

/// The verdict of the `json-patch` crate: the failing operation, if any. Its
/// way back after a failure is not asked: in version 4.2 undoing a `move` to an
/// enclosing place panics, and a `move` that fails halfway loses its value.
fn reference(document: &mut Value, patch: &Value) -> Result<(), usize> {
    let patch: json_patch::Patch = serde_json::from_value(patch.clone()).expect("a patch");
    json_patch::patch_unsafe(document, &patch).map_err(|error| error.operation)
}

/// Where we differ on purpose: the crate refuses to remove the whole document
/// and to move it onto itself, for us that leaves null and nothing changed.
fn leaves_the_root(operation: &Operation) -> bool {
    match operation {
        Operation::Remove { path, .. } => path.as_str().is_empty(),
        Operation::Move { from, .. } => from.as_str().is_empty(),
        _ => false,
    }
}

proptest! {
    // Nothing is persisted: a failing input belongs into a named test.
    #![proptest_config(ProptestConfig {
        cases: 256,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn we_agree_with_the_json_patch_crate(before in document(), seeds in seeds()) {
        let mut patch = read(&steer(&before, &seeds));
        patch.0.retain(|operation| !leaves_the_root(operation));
        let (mut ours, mut theirs) = (before.clone(), before);
        let verdict = patch.apply(&mut ours).map_err(|error| error.operation);
        let expected = reference(&mut theirs, &json!(patch));
        prop_assert_eq!(verdict, expected);
        if verdict.is_ok() {
            prop_assert_eq!(ours, theirs);
        }
    }

    #[test]
    fn a_failed_patch_leaves_no_trace(before in document(), seeds in seeds()) {
        let mut patch = read(&steer(&before, &seeds));
        patch.0.push(Operation::test(Pointer::default(), "in no document"));
        let mut after = before.clone();
        prop_assert!(patch.apply(&mut after).is_err());
        prop_assert_eq!(after.to_string(), before.to_string());
    }

    #[test]
    fn a_patch_applies_like_its_operations_one_by_one(before in document(), seeds in seeds()) {
        let patch = read(&steer(&before, &seeds));
        let (mut at_once, mut stepwise) = (before.clone(), before);
        let mut steps = patch.iter().map(|operation| Patch(vec![operation.clone()]));
        let verdict = steps.try_for_each(|step| step.apply(&mut stepwise));
        if patch.apply(&mut at_once).is_ok() {
            prop_assert_eq!(at_once.to_string(), stepwise.to_string());
        } else {
            prop_assert!(verdict.is_err());
        }
    }

    #[test]
    fn a_patch_survives_reading_and_writing(before in document(), seeds in seeds()) {
        let written = steer(&before, &seeds);
        let patch = read(&written);
        prop_assert_eq!(json!(patch), written.clone());
        let text = serde_json::to_string(&patch).expect("writes");
        prop_assert_eq!(serde_json::from_str::<Patch>(&text).expect("reads"), patch);
    }

    #[test]
    fn a_diff_leads_from_before_to_after(before in document(), after in document()) {
        let mut patched = before.clone();
        diff(&before, &after).apply(&mut patched).expect("a diff applies");
        prop_assert_eq!(patched, after);
    }

    #[test]
    fn a_diff_finds_its_way_after_any_patch(before in document(), seeds in seeds()) {
        let mut after = before.clone();
        let _ = read(&steer(&before, &seeds)).apply(&mut after);
        let mut patched = before.clone();
        diff(&before, &after).apply(&mut patched).expect("a diff applies");
        prop_assert_eq!(&patched, &after);
        prop_assert!(diff(&patched, &after).is_empty());
    }
}
