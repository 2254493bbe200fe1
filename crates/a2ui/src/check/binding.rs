//! Does what is shown have a value?

use std::borrow::Cow;

use super::{
    drawn::{Drawn, Write},
    notes::Notes,
    value::Walk,
};
use crate::{
    surface::Surface,
    tape::{Item, Kind, Lookup},
};

/// So deep maps may lie in each other where 0.8 says what is in the data model.
const MAX_MAPS: usize = 32;

/// So often a binding is held against something written. Payloads that need more are taken to be complete.
const MAX_LOOKS: usize = 2_000_000;

/// The properties into which people write; the path need not exist before they do.
const WRITTEN: [(&str, &str); 9] = [
    ("TextField", "value"),
    ("TextField", "text"),
    ("CheckBox", "value"),
    ("ChoicePicker", "value"),
    ("MultipleChoice", "selections"),
    ("Slider", "value"),
    ("DateTimeInput", "value"),
    ("Rating", "value"),
    ("FileUpload", "value"),
];

impl<'t> Walk<'_, 't, '_, '_> {
    /// Notes that a path is shown. Paths that begin elsewhere than at the root depend on the item of a template.
    pub(super) fn shows(&mut self, path: Cow<'t, str>, item: Item<'t>) {
        if !path.starts_with('/') {
            return;
        }
        match WRITTEN.contains(&(self.component.name.as_str(), self.property)) {
            true => self.drawn.writes.push(Write { path, value: None, is_entered: true }),
            false => self.drawn.bindings.push((path, item)),
        }
    }
}

/// Checks the entries of a map of 0.8, and notes which paths they give a value.
pub(super) fn check_contents<'t>(
    notes: &mut Notes,
    drawn: &mut Drawn<'t, '_>,
    path: &str,
    contents: Item<'t>,
    depth: usize,
) {
    if depth > MAX_MAPS {
        let message = format!("maps lie in each other to a depth of {MAX_MAPS}");
        return notes.fault("too_deep", contents, message);
    }
    for entry in contents.items() {
        let Some(key) = entry.get("key").and_then(Item::text) else {
            notes.fault("missing_field", entry, "an entry of `contents` needs `key`");
            continue;
        };
        let inner =
            if key == "." { path.to_owned() } else { format!("{}/{key}", path.trim_end_matches('/')) };
        let mut values = entry.members().filter(|(name, _)| !name.is("key"));
        match (values.next(), values.next()) {
            (Some((name, value)), None) if fits(name, value) => {
                if name.is("valueMap") {
                    check_contents(notes, drawn, &inner, value, depth + 1);
                }
                let value = Some(value).filter(|value| !is_made(*value));
                drawn.writes.push(Write { path: inner.into(), value, is_entered: false });
            }
            _ => {
                let wanted = "exactly one of `valueString`, `valueNumber`, `valueBoolean`, `valueMap`";
                notes.fault(
                    "invalid_value",
                    entry,
                    format!("the entry `{key}` needs {wanted}, of that type"),
                );
            }
        }
    }
}

fn fits(name: Item<'_>, value: Item<'_>) -> bool {
    match name.raw() {
        "valueString" => value.is_text(),
        "valueNumber" => value.kind() == Kind::Number,
        "valueBoolean" => value.kind() == Kind::Flag,
        "valueMap" => value.kind() == Kind::List,
        _ => false,
    }
}

/// Maps are noted entry by entry, and a text that looks like JSON holds what nobody has read.
fn is_made(value: Item<'_>) -> bool {
    value.kind() == Kind::List || value.is_text() && value.raw().starts_with(['[', '{'])
}

/// Checks that everything shown has a value, where the payload says what there is.
pub(super) fn check<'t>(drawn: &Drawn<'t, '_>, known: Option<&Surface>, notes: &mut Notes) {
    if !drawn.has_data {
        return;
    }
    let (mut left, mut lookup) = (MAX_LOOKS, Lookup::default());
    for (path, item) in &drawn.bindings {
        left = left.saturating_sub(drawn.writes.len());
        if left == 0 {
            return;
        }
        let is_written = drawn.writes.iter().any(|write| reaches(write, path, &mut lookup));
        let known = known.filter(|_| drawn.is_kept(path));
        if !is_written && known.is_none_or(|surface| !surface.has(path)) {
            let message =
                format!("nothing is at `{path}` in the data model; send it, or show something else");
            notes.fault("unresolved_binding", *item, message);
        }
    }
}

/// Whether a path has a value because of a write: it lies on the way there, or in what was written.
fn reaches<'t>(write: &Write<'t>, path: &str, lookup: &mut Lookup<'t>) -> bool {
    let (mut written, mut asked) = (segments(&write.path), segments(path));
    loop {
        match (written.next(), asked.next()) {
            (Some(one), Some(other)) if one == other => {}
            (Some(_), Some(_)) => return false,
            (_, None) => return true,
            (None, Some(first)) => {
                let Some(value) = write.value else { return true };
                let inner = lookup.step(value, &first);
                return inner
                    .and_then(|inner| asked.try_fold(inner, |it, segment| lookup.step(it, &segment)))
                    .is_some();
            }
        }
    }
}

fn segments(path: &str) -> impl Iterator<Item = Cow<'_, str>> {
    path.split('/').filter(|segment| !segment.is_empty()).map(|segment| match segment.contains('~') {
        true => Cow::Owned(segment.replace("~1", "/").replace("~0", "~")),
        false => Cow::Borrowed(segment),
    })
}
