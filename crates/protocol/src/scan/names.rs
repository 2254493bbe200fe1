//! The names in the objects around the place where a scan is.

use std::{borrow::Cow, collections::HashSet};

/// Most objects have fewer members than this, and their names are compared one by one.
const FEW: usize = 16;

/// The names of one object.
#[derive(Default)]
pub(super) struct Names<'a> {
    few: Vec<Cow<'a, str>>,
    many: HashSet<Cow<'a, str>>,
}

impl<'a> Names<'a> {
    /// Adds a name. Returns it if it was there already.
    pub(super) fn add(&mut self, name: Cow<'a, str>) -> Result<(), Cow<'a, str>> {
        if self.few.contains(&name) || self.many.contains(&name) {
            return Err(name);
        }
        if self.few.len() < FEW {
            self.few.push(name);
        } else {
            self.many.insert(name);
        }
        Ok(())
    }
}

/// A name as it is meant: two spellings of one name are one name. One that no reader can make sense of, such as half of a
/// surrogate pair, is taken as it is spelled.
pub(super) fn meant(quoted: &str) -> Cow<'_, str> {
    let spelled = quoted.trim_matches('"');
    if !spelled.contains('\\') {
        return Cow::Borrowed(spelled);
    }
    serde_json::from_str(quoted).map_or(Cow::Borrowed(spelled), Cow::Owned)
}
