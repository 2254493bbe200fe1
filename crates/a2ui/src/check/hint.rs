//! What is not wrong, and yet looks like a mistake.

use super::{
    drawn::{Drawn, Part},
    notes::Notes,
};
use crate::{
    Version,
    surface::Surface,
    tape::{Item, Kind},
};

/// Components that are no place to start.
const LEAVES: [&str; 14] = [
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
    "MultipleChoice",
    "ChoicePicker",
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

/// Properties whose text people read.
const READ: [&str; 5] = ["text", "label", "title", "description", "altText"];

/// Parts of texts that nobody wrote for people to read, in lower case.
const STAND_INS: [&str; 5] =
    ["lorem ipsum", "placeholder", "your text here", "text goes here", "insert text here"];

/// Words that stand where something is still to be written. In lower case they may mean something else.
const TO_BE_DONE: [&str; 4] = ["TODO", "FIXME", "TBD", "XXX"];

/// Looks a surface over.
pub(super) fn check(drawn: &Drawn<'_, '_>, known: Option<&Surface>, notes: &mut Notes) {
    layout(drawn, notes);
    pictures(drawn, notes);
    texts(drawn, notes);
    modals(drawn, known, notes);
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

fn texts(drawn: &Drawn<'_, '_>, notes: &mut Notes) {
    for part in &drawn.parts {
        unfinished(part, properties(drawn, part), notes);
    }
}

/// The object that holds the properties of a component.
fn properties<'t>(drawn: &Drawn<'t, '_>, part: &Part<'t>) -> Item<'t> {
    let inner = part.item.get("component").and_then(|kinds| kinds.members().next());
    match inner {
        Some((_, properties)) if drawn.version == Version::V0_8 => properties,
        _ => part.item,
    }
}

/// Looks for unfinished texts in an object, and in the lists in it: tabs and options have titles and labels of their own.
fn unfinished(part: &Part<'_>, item: Item<'_>, notes: &mut Notes) {
    for (key, value) in item.members() {
        match value.kind() {
            Kind::List => value.items().for_each(|item| unfinished(part, item, notes)),
            _ if READ.iter().any(|name| key.is(name)) => {
                let literal = if value.is_text() { Some(value) } else { value.get("literalString") };
                let Some(found) = literal.and_then(Item::text).and_then(|text| stand_in(&text)) else {
                    continue;
                };
                let (kind, id) = (&part.kind, &part.id);
                let message = format!("{kind} `{id}` says `{found}`; write what people should read");
                notes.warn("unfinished_text", value, message);
            }
            _ => {}
        }
    }
}

/// What gives a text away as unfinished.
fn stand_in(text: &str) -> Option<&'static str> {
    let lower = text.to_lowercase();
    let word = || {
        let mut words = text.split(|sign: char| !sign.is_alphanumeric());
        words.find_map(|word| TO_BE_DONE.into_iter().find(|it| *it == word))
    };
    STAND_INS.into_iter().find(|part| lower.contains(part)).or_else(word)
}

/// People see a modal's trigger alone. Where there is nothing else to see, an alert may have been meant.
fn modals(drawn: &Drawn<'_, '_>, known: Option<&Surface>, notes: &mut Notes) {
    // Of a surface that is only changed, the rest is not in the payload.
    if drawn.created.is_none() || known.is_some_and(|surface| surface.root.is_some()) {
        return;
    }
    let Some(root) = drawn.root_id().and_then(|root| drawn.ids.get(root)).copied() else { return };
    let (mut open, mut seen, mut modal) = (vec![root], vec![false; drawn.parts.len()], None);
    while let Some(index) = open.pop() {
        if std::mem::replace(&mut seen[index as usize], true) {
            continue;
        }
        let part = &drawn.parts[index as usize];
        match part.kind.as_ref() {
            "Modal" => modal = Some(part),
            "Column" | "Row" | "List" | "Card" | "Tabs" => {
                open.extend(drawn.edges_of(part).iter().filter_map(|edge| drawn.ids.get(&edge.child)));
            }
            _ => return,
        }
    }
    let Some(modal) = modal else { return };
    let message = format!(
        "people see only what opens `{}`, a Modal; an alert or a confirmation that should be seen at once is a Card or a \
         Column",
        modal.id
    );
    notes.warn("modal_alone", modal.item, message);
}

fn sequence(drawn: &Drawn<'_, '_>, known: Option<&Surface>, notes: &mut Notes) {
    if let Some(item) = drawn.unordered {
        let message = "`beginRendering` comes before the components; send surfaceUpdate, dataModelUpdate, beginRendering";
        notes.warn("order", item, message);
    }
    if let (Some(begun), Some(known)) = (drawn.created, known.filter(|surface| surface.root.is_some())) {
        let message = format!(
            "there is a surface `{0}` already, and this changes it; give a new surface an id of its own, and leave \
             `beginRendering` out to change `{0}`",
            known.id
        );
        notes.warn("surface_exists", begun, message);
    }
    let is_shown = drawn.created.is_some() || known.is_some_and(|surface| surface.root.is_some());
    let Some(part) = drawn.parts.first().filter(|_| !is_shown) else { return };
    let message =
        "no `beginRendering` follows; unless the surface is on the screen already, it is never shown";
    notes.warn("not_rendered", part.item, message);
}
