//! A document on the first line, a patch on the second. A refused patch leaves the document as it was, to the
//! byte. One that applies grows and deepens it no more than the limits say, and does what its operations do
//! one by one. The difference between before and after leads from one to the other, both ways.

#![no_main]

use forestage_protocol::patch::{Limits, Patch, diff};
use libfuzzer_sys::{Corpus, fuzz_target};
use serde_json::Value;

const LIMITS: Limits = Limits { max_operations: 32, max_depth: 12, max_growth: 4096 };

fuzz_target!(|text: &str| -> Corpus {
    let Some((document, patch)) = text.split_once('\n') else { return Corpus::Reject };
    let (Ok(before), Ok(patch)) = (serde_json::from_str::<Value>(document), serde_json::from_str(patch))
    else {
        return Corpus::Reject;
    };
    comes_back(&patch);
    let mut after = before.clone();
    let verdict = patch.apply_with(&mut after, &LIMITS);
    match verdict {
        Ok(()) => {
            is_bounded(&before, &after);
            assert_eq!(stepwise(&patch, &before), Ok(after.clone()));
        }
        Err(error) => {
            assert!(error.operation < patch.len());
            assert_eq!(after.to_string(), before.to_string(), "{error}");
        }
    }
    differ(&before, &after);
    differ(&after, &before);
    Corpus::Keep
});

fn comes_back(patch: &Patch) {
    let text = serde_json::to_string(patch).expect("a patch is JSON");
    assert_eq!(serde_json::from_str::<Patch>(&text).as_ref().ok(), Some(patch), "{text}");
}

/// Every value inserted costs two bytes of growth at least.
fn is_bounded(before: &Value, after: &Value) {
    let (old, new) = (Size::of(before), Size::of(after));
    assert!(new.values <= old.values + LIMITS.max_growth / 2, "{} values", new.values);
    assert!(new.depth <= old.depth.max(LIMITS.max_depth), "{} deep", new.depth);
}

fn stepwise(patch: &Patch, before: &Value) -> Result<Value, String> {
    let mut document = before.clone();
    for operation in patch.iter() {
        let step = Patch(vec![operation.clone()]);
        step.apply(&mut document).map_err(|error| error.to_string())?;
    }
    Ok(document)
}

fn differ(before: &Value, after: &Value) {
    let patch = diff(before, after);
    let mut patched = before.clone();
    patch.apply(&mut patched).unwrap_or_else(|error| panic!("{error}: {patch:?}"));
    assert_eq!(&patched, after);
    assert!(diff(&patched, after).is_empty());
}

struct Size {
    values: usize,
    depth: usize,
}

impl Size {
    fn of(value: &Value) -> Size {
        let children: Vec<Size> = match value {
            Value::Array(items) => items.iter().map(Size::of).collect(),
            Value::Object(members) => members.values().map(Size::of).collect(),
            _ => return Size { values: 1, depth: 0 },
        };
        Size {
            values: 1 + children.iter().map(|child| child.values).sum::<usize>(),
            depth: 1 + children.iter().map(|child| child.depth).max().unwrap_or(0),
        }
    }
}
