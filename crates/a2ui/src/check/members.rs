//! Members that messages do not have.
//!
//! Clients of 0.8 refuse a message that has one more. Those of 0.9 pass over it, except the Python packages, so there it is
//! a warning. What the candidate of 1.0 adds is still open.

use std::fmt::Display;

use super::notes::Notes;
use crate::{
    Version,
    catalog::listed,
    tape::{Item, Kind},
};

/// Reports members of an object other than these.
pub(super) fn check(notes: &mut Notes, version: Version, item: Item<'_>, what: impl Display, known: &[&str]) {
    if version == Version::V1_0 {
        return;
    }
    for (key, _) in item.members().filter(|(key, _)| !known.iter().any(|name| key.is(name))) {
        let message = format!("{what} has no member `{}`; it has {}", key.raw(), listed(known));
        match version {
            Version::V0_8 => notes.fault("unknown_member", key, message),
            _ => notes.warn("unknown_member", key, message),
        }
    }
}

/// The members of a message's body.
pub(super) fn of_body(kind: &str) -> &'static [&'static str] {
    match kind {
        "surfaceUpdate" | "updateComponents" => &["surfaceId", "components"],
        "dataModelUpdate" => &["surfaceId", "path", "contents"],
        "beginRendering" => &["surfaceId", "root", "catalogId", "styles"],
        "createSurface" => &["surfaceId", "catalogId", "theme", "sendDataModel"],
        "updateDataModel" => &["surfaceId", "path", "value"],
        _ => &["surfaceId"],
    }
}

/// The styles of `beginRendering`: a font and a colour.
pub(super) fn styles(notes: &mut Notes, item: Item<'_>) {
    if item.kind() != Kind::Object {
        return notes.fault("wrong_type", item, format!("`styles` is an object, not {}", item.name()));
    }
    for (key, value) in item.members() {
        let (fits, wanted) = match key.text().as_deref() {
            Some("font") => (value.is_text(), "the name of a font"),
            Some("primaryColor") => (is_colour(value), "a colour such as \"#00BFFF\""),
            _ => {
                let message =
                    format!("there is no style `{}`; there are `font` and `primaryColor`", key.raw());
                notes.fault("unknown_style", key, message);
                continue;
            }
        };
        if !fits {
            let message = format!("`{}` is {wanted}, not `{}`", key.raw(), value.raw());
            notes.fault("invalid_style", value, message);
        }
    }
}

/// Whether a value is a colour as themes write it: `#` and six hexadecimal digits.
pub(super) fn is_colour(item: Item<'_>) -> bool {
    let digits = item.text();
    let digits = digits.as_deref().and_then(|text| text.strip_prefix('#'));
    digits.is_some_and(|digits| digits.len() == 6 && digits.bytes().all(|it| it.is_ascii_hexdigit()))
}
