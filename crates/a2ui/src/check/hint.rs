//! What is not wrong, and yet looks like a mistake.

use super::{drawn::Drawn, notes::Notes};
use crate::{Version, surface::Surface};

/// Components that are no place to start.
const LEAVES: [&str; 12] = [
    "Modal",
    "Button",
    "Text",
    "Image",
    "Icon",
    "Video",
    "AudioPlayer",
    "Divider",
    "TextField",
    "CheckBox",
    "Slider",
    "DateTimeInput",
];

/// Parts of addresses under which there is no picture.
const PLACEHOLDERS: [&str; 8] = [
    "://example.com",
    "://www.example.com",
    "://example.org",
    "placeholder.com",
    "placehold.co",
    "placehold.it",
    "dummyimage.com",
    "://your-",
];

/// Looks a surface over.
pub(super) fn check(drawn: &Drawn<'_, '_>, known: Option<&Surface>, notes: &mut Notes) {
    layout(drawn, notes);
    pictures(drawn, notes);
    if drawn.version == Version::V0_8 {
        sequence(drawn, known, notes);
    }
}

fn layout(drawn: &Drawn<'_, '_>, notes: &mut Notes) {
    let Some(root) = drawn.root_id().and_then(|root| drawn.part(root)) else { return };
    if LEAVES.contains(&root.kind.as_ref()) {
        let message = format!("the root is a {}; put it into a Column or a Card", root.kind);
        notes.warn("leaf_root", root.item, message);
    }
}

fn pictures(drawn: &Drawn<'_, '_>, notes: &mut Notes) {
    for part in drawn.parts.iter().filter(|part| part.kind == "Image") {
        let raw = part.item.raw();
        if let Some(found) = PLACEHOLDERS.iter().find(|placeholder| raw.contains(**placeholder)) {
            let message = format!(
                "the picture of `{}` lies under `{}`, where there is none; leave it out or use an Icon",
                part.id,
                found.trim_start_matches("://")
            );
            notes.warn("placeholder_image", part.item, message);
        }
    }
}

fn sequence(drawn: &Drawn<'_, '_>, known: Option<&Surface>, notes: &mut Notes) {
    if let Some(item) = drawn.unordered {
        let message = "`beginRendering` comes before the components; send surfaceUpdate, dataModelUpdate, beginRendering";
        notes.warn("order", item, message);
    }
    let is_shown = drawn.created.is_some() || known.is_some_and(|surface| surface.root.is_some());
    let Some(part) = drawn.parts.first().filter(|_| !is_shown) else { return };
    let message =
        "no `beginRendering` follows; unless the surface is on the screen already, it is never shown";
    notes.warn("not_rendered", part.item, message);
}
