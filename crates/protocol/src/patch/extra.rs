//! Members of an operation that RFC 6902 does not define for it.

use serde_json::{Map, Value};

/// What an operation carried beyond its own members.
///
/// RFC 6902 lets a reader ignore such members, but a log must hand them on: a
/// `value` left over on a `remove`, a `from` on an `add`, a vendor's comment.
/// Almost always empty, and then as small as a pointer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Extra(Option<Box<Map<String, Value>>>);

impl Extra {
    /// Whether nothing extra was carried.
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// The extra member called `name`.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.0.as_ref()?.get(name)
    }

    /// All extra members in the order they were read.
    pub fn iter(&self) -> impl Iterator<Item = (&String, &Value)> {
        self.0.iter().flat_map(|members| members.iter())
    }
}

impl From<Map<String, Value>> for Extra {
    fn from(members: Map<String, Value>) -> Extra {
        // One way to be empty, so that equal operations compare equal.
        Extra((!members.is_empty()).then(|| Box::new(members)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_extra_costs_one_word() {
        assert_eq!(size_of::<Extra>(), size_of::<usize>());
        assert_eq!(Extra::from(Map::new()), Extra::default());
        assert!(Extra::default().is_empty());
    }

    #[test]
    fn members_keep_their_order() {
        let members = [("z", 1), ("a", 2)].map(|(name, n)| (name.to_owned(), Value::from(n)));
        let extra = Extra::from(Map::from_iter(members));
        assert_eq!(extra.get("a"), Some(&Value::from(2)));
        assert_eq!(extra.iter().map(|(name, _)| name).collect::<Vec<_>>(), ["z", "a"]);
    }
}
