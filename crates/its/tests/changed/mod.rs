//! Arguments changed in every small way, judged by us and by a validator of somebody else's.

use forestage_its::Entry;
use serde_json::{Value, json};

/// Whether arguments are shown is what the validator says of them, for these and for every change of them.
pub(crate) fn agree(entry: &Entry, schema: &Value, arguments: &Value) {
    let validator = jsonschema::options().should_validate_formats(true).build(schema).unwrap();
    let changes = changes(arguments);
    assert!(changes.len() > 20, "{}: {} changes", entry.name, changes.len());
    let (mut shown, mut refused) = (0, 0);
    for changed in changes.iter().chain([arguments]) {
        let is_valid = validator.is_valid(changed);
        let faults = entry.check(changed).err();
        assert_eq!(faults.is_none(), is_valid, "{}: {faults:?}\n{changed}", entry.name);
        assert_eq!(entry.check_text(&changed.to_string()).is_ok(), is_valid, "{}", entry.name);
        *(if is_valid { &mut shown } else { &mut refused }) += 1;
    }
    assert!(shown > 5 && refused > 5, "{}: {shown} shown, {refused} refused", entry.name);
}

/// A value with one of its parts changed, in all ways.
fn changes(value: &Value) -> Vec<Value> {
    let mut all = vec![
        json!(null),
        json!(true),
        json!(-1),
        json!(0),
        json!(1.5),
        json!(""),
        json!("x"),
        json!({}),
        json!([]),
    ];
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                let mut less = members.clone();
                less.remove(name);
                all.push(less.into());
                all.extend(changes(member).into_iter().map(|part| {
                    let mut members = members.clone();
                    members.insert(name.clone(), part);
                    members.into()
                }));
            }
            let mut more = members.clone();
            more.insert("another".to_owned(), json!(1));
            all.push(more.into());
        }
        Value::Array(items) => {
            all.push(items.iter().chain(items).cloned().collect());
            for (at, item) in items.iter().enumerate() {
                all.extend(changes(item).into_iter().map(|part| {
                    let mut items = items.clone();
                    items[at] = part;
                    items.into()
                }));
            }
        }
        _ => {}
    }
    all
}
