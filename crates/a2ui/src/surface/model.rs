//! The data that a surface shows and a person changes.

use serde_json::{Map, Value};

use super::path::Path;

/// The largest index that may be written. A larger one would make a list of that length.
pub const MAX_INDEX: usize = 10_000;

/// So many nulls, in all, are made up for items that were skipped.
pub const MAX_HOLES: usize = 100_000;

/// Values nest so deep in a model. With an event around it the model has to stay JSON that everybody reads.
pub const MAX_DEPTH: usize = 100;

/// Why nothing was written. The model is as it was.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ModelError {
    /// A text, a number or a boolean stands in the way.
    #[error("cannot write {path}: {at} is {found}")]
    Primitive {
        /// What was to be written.
        path: Path,
        /// Where the primitive stands.
        at: Path,
        /// What it is.
        found: &'static str,
    },
    /// A list has no names.
    #[error("cannot write {path}: {at} is a list, and `{segment}` is not an index")]
    NotAnIndex {
        /// What was to be written.
        path: Path,
        /// Where the list stands.
        at: Path,
        /// What was taken for an index.
        segment: String,
    },
    /// An index above [`MAX_INDEX`].
    #[error("cannot write {path}: the index {segment} is above {MAX_INDEX}")]
    IndexTooLarge {
        /// What was to be written.
        path: Path,
        /// The index.
        segment: String,
    },
    /// Deeper than [`MAX_DEPTH`].
    #[error("cannot write {path}: values nest to a depth of {MAX_DEPTH}")]
    TooDeep {
        /// What was to be written.
        path: Path,
    },
    /// More items were skipped than [`MAX_HOLES`].
    #[error("cannot write {path}: too many items were skipped in the lists of this model")]
    TooManyHoles {
        /// What was to be written.
        path: Path,
    },
}

/// The data of a surface: a JSON value that is read and written by path.
///
/// ```
/// use forestage_a2ui::surface::{DataModel, Path};
/// use serde_json::json;
///
/// let mut model = DataModel::default();
/// model.set(&Path::parse("/people/0/name")?, json!("Ada"))?;
/// assert_eq!(model.value(), &json!({ "people": [{ "name": "Ada" }] }));
/// assert_eq!(model.get(&Path::parse("/people/1")?), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct DataModel {
    value: Value,
    holes: usize,
}

impl Default for DataModel {
    fn default() -> Self {
        Self::new(Value::Object(Map::new()))
    }
}

/// How many items were skipped on the way does not matter.
impl PartialEq for DataModel {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

impl DataModel {
    /// A model that holds this.
    #[must_use]
    pub fn new(value: Value) -> Self {
        Self { value, holes: 0 }
    }

    /// The whole of it.
    #[must_use]
    pub fn value(&self) -> &Value {
        &self.value
    }

    /// The whole of it.
    #[must_use]
    pub fn into_value(self) -> Value {
        self.value
    }

    /// What stands at a path; nothing, not null, if nothing stands there.
    #[must_use]
    pub fn get(&self, path: &Path) -> Option<&Value> {
        path.segments().iter().try_fold(&self.value, |value, segment| member(value, segment))
    }

    /// Writes a value. What is missing on the way, or null, is made: a list if the next segment is an index, and an
    /// object otherwise. Items that are skipped are null.
    pub fn set(&mut self, path: &Path, value: Value) -> Result<(), ModelError> {
        if !fits(&value, MAX_DEPTH.saturating_sub(path.segments().len())) {
            return Err(ModelError::TooDeep { path: path.clone() });
        }
        if path.is_root() {
            *self = Self::new(value);
            return Ok(());
        }
        self.holes = self.holes_after(path)?;
        let segments = path.segments();
        let mut place = &mut self.value;
        for (at, segment) in segments.iter().enumerate() {
            // What the root becomes does not depend on the segment: a model is an object.
            let list = at > 0 && index(segment).is_some();
            place = enter(place, segment, list);
        }
        *place = value;
        Ok(())
    }

    /// Takes a value out and returns it. An item of a list leaves null behind, so that the others keep their places.
    /// Without a path to a value nothing happens.
    pub fn delete(&mut self, path: &Path) -> Result<Option<Value>, ModelError> {
        let Some((last, above)) = path.segments().split_last() else {
            return Ok(Some(std::mem::take(self).value));
        };
        self.holes_after(path)?;
        let holder = above.iter().try_fold(&mut self.value, |value, segment| member_mut(value, segment));
        Ok(match holder {
            Some(Value::Object(members)) => members.shift_remove(last),
            Some(Value::Array(items)) => index(last).and_then(|at| items.get_mut(at)).map(Value::take),
            _ => None,
        })
    }

    /// Says whether a path can be written, and how many holes there are then.
    fn holes_after(&self, path: &Path) -> Result<usize, ModelError> {
        let (mut here, mut holes) = (Some(&self.value), self.holes);
        for (at, segment) in path.segments().iter().enumerate() {
            let length = match here {
                Some(Value::Array(items)) => Some(items.len()),
                Some(Value::Object(_)) => None,
                None | Some(Value::Null) => (at > 0 && index(segment).is_some()).then_some(0),
                Some(other) => return Err(primitive(path, at, other)),
            };
            if let Some(length) = length {
                holes += index_in(path, at)?.saturating_sub(length);
            }
            here = here.and_then(|value| member(value, segment));
        }
        match holes > MAX_HOLES && holes > self.holes {
            true => Err(ModelError::TooManyHoles { path: path.clone() }),
            false => Ok(holes),
        }
    }
}

/// The segment as an index of a list.
fn index_in(path: &Path, at: usize) -> Result<usize, ModelError> {
    let segment = &path.segments()[at];
    match index(segment) {
        Some(index) if index <= MAX_INDEX => Ok(index),
        Some(_) => Err(ModelError::IndexTooLarge { path: path.clone(), segment: segment.clone() }),
        None => {
            Err(ModelError::NotAnIndex { path: path.clone(), at: above(path, at), segment: segment.clone() })
        }
    }
}

fn primitive(path: &Path, at: usize, found: &Value) -> ModelError {
    let found = match found {
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        _ => "a text",
    };
    ModelError::Primitive { path: path.clone(), at: above(path, at), found }
}

/// The first segments of a path.
fn above(path: &Path, segments: usize) -> Path {
    let above = (segments..path.segments().len()).try_fold(path.clone(), |path, _| path.parent());
    above.unwrap_or_default()
}

/// Whether values nest no deeper.
fn fits(value: &Value, depth: usize) -> bool {
    match value {
        Value::Array(items) => depth > 0 && items.iter().all(|item| fits(item, depth - 1)),
        Value::Object(members) => depth > 0 && members.values().all(|member| fits(member, depth - 1)),
        _ => true,
    }
}

/// `0`, or digits that do not begin with it. Digits beyond any list are an index all the same.
fn index(segment: &str) -> Option<usize> {
    let is_index = match segment.as_bytes() {
        [b'0'] => true,
        [b'1'..=b'9', rest @ ..] => rest.iter().all(u8::is_ascii_digit),
        _ => false,
    };
    is_index.then(|| segment.parse().unwrap_or(usize::MAX))
}

fn member<'v>(value: &'v Value, segment: &str) -> Option<&'v Value> {
    match value {
        Value::Object(members) => members.get(segment),
        Value::Array(items) => items.get(index(segment)?),
        _ => None,
    }
}

fn member_mut<'v>(value: &'v mut Value, segment: &str) -> Option<&'v mut Value> {
    match value {
        Value::Object(members) => members.get_mut(segment),
        Value::Array(items) => items.get_mut(index(segment)?),
        _ => None,
    }
}

/// The place of a member. [`DataModel::holes_after`] has seen that it can be one.
fn enter<'v>(value: &'v mut Value, segment: &str, list: bool) -> &'v mut Value {
    if !value.is_object() && !value.is_array() {
        *value = if list { Value::Array(Vec::new()) } else { Value::Object(Map::new()) };
    }
    match value {
        Value::Array(items) => {
            let at = index(segment).unwrap_or_default();
            if items.len() <= at {
                items.resize(at + 1, Value::Null);
            }
            &mut items[at]
        }
        other => &mut other[segment],
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn path(text: &str) -> Path {
        Path::parse(text).expect("a path")
    }

    #[track_caller]
    fn set(model: Value, at: &str, value: Value) -> Result<Value, String> {
        let mut model = DataModel::new(model);
        let before = model.clone();
        match model.set(&path(at), value) {
            Ok(()) => Ok(model.into_value()),
            Err(error) => {
                assert_eq!(model, before, "a failure leaves the model as it was");
                Err(error.to_string())
            }
        }
    }

    #[test]
    fn what_is_missing_on_the_way_is_made() {
        for (model, at, expected) in [
            (json!({}), "/a/b", json!({ "a": { "b": 1 } })),
            (json!({}), "/a/0/b", json!({ "a": [{ "b": 1 }] })),
            (json!({}), "/a/2", json!({ "a": [null, null, 1] })),
            (json!({}), "/0/x", json!({ "0": { "x": 1 } })),
            (json!({ "a": null }), "/a/b", json!({ "a": { "b": 1 } })),
            (json!({ "a": { "0": 2 } }), "/a/1", json!({ "a": { "0": 2, "1": 1 } })),
            (json!({ "a": [] }), "/a/01", Value::Null),
            (json!(null), "/a", json!({ "a": 1 })),
            (json!([5]), "/0", json!([1])),
            (json!({ "a": 2 }), "/", json!(1)),
        ] {
            let written = set(model, at, json!(1));
            assert_eq!(written.unwrap_or_default(), expected, "{at}");
        }
    }

    #[test]
    fn what_cannot_be_written_says_why_and_leaves_the_model_as_it_was() {
        for (model, at, expected) in [
            (json!({ "a": "x" }), "/a/b", "cannot write /a/b: /a is a text"),
            (json!({ "a": [true] }), "/a/0/b/c", "cannot write /a/0/b/c: /a/0 is a boolean"),
            (json!(1), "/a", "cannot write /a: / is a number"),
            (json!({ "a": [] }), "/a/-", "cannot write /a/-: /a is a list, and `-` is not an index"),
            (json!({}), "/a/b/10001", "cannot write /a/b/10001: the index 10001 is above 10000"),
            (
                json!({}),
                "/a/99999999999999999999/1",
                "cannot write /a/99999999999999999999/1: the index 99999999999999999999 is above 10000",
            ),
        ] {
            assert_eq!(set(model, at, json!(1)), Err(expected.to_owned()));
        }
        assert_eq!(set(json!({ "m": {} }), "/m/10001", json!(1)), Ok(json!({ "m": { "10001": 1 } })));
    }

    #[test]
    fn skipped_items_are_counted_over_the_life_of_a_model() {
        let mut model = DataModel::default();
        for list in 0..10 {
            assert_eq!(model.set(&path(&format!("/l{list}/{MAX_INDEX}")), json!(1)), Ok(()));
        }
        let error = model.set(&path("/one/more/1"), json!(1)).expect_err("too many");
        assert_eq!(error, ModelError::TooManyHoles { path: path("/one/more/1") });
        assert_eq!(model.set(&path("/one/more/0"), json!(1)), Ok(()));
        let deep = format!("/a{}", "/10000".repeat(20));
        assert!(DataModel::default().set(&path(&deep), json!(1)).is_err());
    }

    #[test]
    fn values_nest_to_a_limit() {
        let nested = |depth| (0..depth).fold(json!(1), |value, _| json!([value]));
        let deep = path(&"/a".repeat(60));
        assert_eq!(DataModel::default().set(&deep, nested(40)), Ok(()));
        let error = DataModel::default().set(&deep, nested(41)).expect_err("too deep");
        assert_eq!(error, ModelError::TooDeep { path: deep });
        assert!(DataModel::default().set(&Path::root(), nested(101)).is_err());
    }

    #[test]
    fn reading_finds_what_is_there_and_never_fails() {
        let model = DataModel::new(json!({ "a": [{ "b": null }], "": 1 }));
        assert_eq!(model.get(&path("/a/0/b")), Some(&Value::Null));
        for absent in ["/a/1", "/a/x", "/a/0/b/c", "/a/00", "/b"] {
            assert_eq!(model.get(&path(absent)), None, "{absent}");
        }
    }

    #[test]
    fn deleting_keeps_the_places_of_items() {
        let mut model = DataModel::new(json!({ "a": [1, 2, 3], "b": { "c": 4 }, "d": 5 }));
        assert_eq!(model.delete(&path("/a/1")), Ok(Some(json!(2))));
        assert_eq!(model.delete(&path("/b/c")), Ok(Some(json!(4))));
        assert_eq!(model.delete(&path("/x/y")), Ok(None));
        assert_eq!(model.delete(&path("/a/9")), Ok(None));
        assert!(matches!(model.delete(&path("/a/x")), Err(ModelError::NotAnIndex { .. })));
        assert!(matches!(model.delete(&path("/d/x")), Err(ModelError::Primitive { .. })));
        assert_eq!(model.value(), &json!({ "a": [1, null, 3], "b": {}, "d": 5 }));
        assert!(model.delete(&Path::root()).is_ok());
        assert_eq!(model, DataModel::default());
    }

    proptest! {
        #[test]
        fn what_was_written_is_read(paths in prop::collection::vec("(/(a|b|0|1|2|~1)){0,4}", 0..8)) {
            let mut model = DataModel::default();
            for (number, at) in paths.iter().map(|text| path(text)).enumerate() {
                let before = model.clone();
                match model.set(&at, json!({ "n": number })) {
                    Ok(()) => prop_assert_eq!(model.get(&at), Some(&json!({ "n": number }))),
                    Err(_) => prop_assert_eq!(&model, &before),
                }
            }
        }
    }
}
