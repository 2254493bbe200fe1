//! What a certain client would refuse, and why.

use std::collections::HashSet;

use forestage_protocol::Fault;
use serde_json::Value;

use super::{Profile, references, write_0_8::words_of};
use crate::{
    Messages, Version,
    catalog::{Catalog, Catalogs, MINIMAL_0_9, same_catalog},
    check::Checker,
    surface::{Surface, Surfaces},
    v0_8, v0_9,
};

/// Faults that clients live with: something is missing on the screen, and nothing is refused.
const SHRUGGED_AT: [&str; 9] = [
    "unresolved_child",
    "child_cycle",
    "no_root",
    "too_deep",
    "unknown_component",
    "duplicate_id",
    "unknown_function",
    "invalid_call",
    "call_too_deep",
];

/// What a client would refuse in a payload, or never show, and why.
///
/// ```
/// use forestage_a2ui::bridge::{Profile, refusals};
///
/// let old = r#"{"beginRendering":{"surfaceId":"s","root":"r"}}"#;
/// assert_eq!(refusals(Profile::CopilotKit, old)[0].code, "version_not_spoken");
/// ```
#[must_use]
pub fn refusals(profile: Profile, payload: &str) -> Vec<Fault> {
    let messages = match Messages::read(payload) {
        Ok(messages) => messages,
        Err(fault) => return vec![fault],
    };
    if !profile.speaks(messages.version()) {
        let (name, version) = (profile.name(), messages.version().name());
        let message = format!(
            "{name} does not speak {version} and would show nothing; bridge it to {}",
            profile.version().name()
        );
        return vec![Fault::new("version_not_spoken", "", message)];
    }
    let catalogs =
        Catalogs::none().with(Catalog::minimal_0_9()).with(Catalog::basic_0_8()).with(Catalog::basic_0_9());
    let is_strict = profile == Profile::Python || messages.version() == Version::V0_8;
    let faults = Checker::new(&catalogs).check(payload);
    let is_strict_about = |code: &str| match code {
        "flat_check" | "needless_version" => true,
        "unknown_member" | "newer_word" | "invalid_style" | "begun_again" => profile == Profile::Python,
        _ => false,
    };
    let warnings = faults.warnings.into_iter().filter(|it| is_strict_about(it.code));
    let repaired = warnings.map(|it| Fault::new(it.code, it.path.unwrap_or_default(), it.message));
    let is_refused =
        |fault: &Fault| fault.code != "unresolved_binding" && (is_strict || !is_shrugged_at(fault));
    let faults = faults.faults.into_iter().filter(is_refused);
    let mut found: Vec<_> = faults.chain(repaired).collect();
    let mut surfaces = Surfaces::new();
    // A surface that is not created here may be on the screen already.
    let broken = surfaces.fold(&messages).err().filter(|fault| fault.code != "unknown_surface");
    found.extend(broken.filter(|_| found.is_empty()));
    if profile == Profile::Python && found.is_empty() {
        surfaces.iter().for_each(|surface| unreachable(surface, &mut found));
    }
    match &messages {
        Messages::V0_8(messages) => messages.iter().enumerate().for_each(|it| old(profile, it, &mut found)),
        Messages::V0_9(messages) => {
            (0..messages.len()).for_each(|index| new(profile, index, messages, &mut found));
            created(messages, &mut found);
        }
    }
    if let (Profile::Python, Messages::V0_8(messages)) = (profile, &messages) {
        order(messages, &mut found);
    }
    found
}

/// Whether a client of 0.9 goes on. A button without an action is one that does nothing.
fn is_shrugged_at(fault: &Fault) -> bool {
    let is_idle = fault.code == "missing_required_prop" && fault.message.contains("needs `action`");
    is_idle || SHRUGGED_AT.contains(&fault.code)
}

fn new(profile: Profile, index: usize, messages: &[v0_9::Message], found: &mut Vec<Fault>) {
    let message = &messages[index];
    if let (Profile::Python, v0_9::Message::UpdateComponents { components, .. }) = (profile, message) {
        for (at, component) in components.iter().enumerate() {
            let path = format!("/{index}/updateComponents/components/{at}");
            let properties = component.properties.iter();
            properties.for_each(|(name, it)| extras(it, &format!("{path}/{name}"), found));
        }
    }
    if let v0_9::Message::UpdateComponents { surface_id, components } = message
        && profile != Profile::Python
    {
        let known = catalog_of(surface_id, messages);
        for (at, component) in components.iter().enumerate() {
            // What a client does not know, it does not look into.
            if component.kind.as_deref().is_some_and(|kind| known.component(kind).is_none()) {
                continue;
            }
            let path = format!("/{index}/updateComponents/components/{at}");
            let looked_at = component.properties.iter().filter(|(name, _)| *name != "accessibility");
            looked_at.for_each(|(name, it)| calls(it, &format!("{path}/{name}"), found));
        }
    }
    let v0_9::Message::CreateSurface { catalog_id: Some(id), .. } = message else { return };
    let own = profile.basic_catalog();
    if id != own && same_catalog(id, own) {
        let path = format!("/{index}/createSurface/catalogId");
        let message = format!("{} knows this catalog only as `{own}`", profile.name());
        found.push(Fault::new("catalog_name", path, message));
    }
}

/// The catalog with which a surface is created, if it is a small one.
fn catalog_of(surface_id: &str, messages: &[v0_9::Message]) -> Catalog {
    let is_minimal = messages.iter().any(|message| {
        matches!(message, v0_9::Message::CreateSurface { surface_id: id, catalog_id: Some(catalog), .. }
            if id == surface_id && catalog == MINIMAL_0_9)
    });
    if is_minimal { Catalog::minimal_0_9() } else { Catalog::basic_0_9() }
}

fn is_type(value: &Value) -> bool {
    let types = ["string", "number", "boolean", "array", "object", "any", "void"];
    value.as_str().is_some_and(|name| types.contains(&name))
}

/// A call without an object of arguments is no value, be there nothing to say in it.
fn calls(value: &Value, path: &str, found: &mut Vec<Fault>) {
    match value {
        Value::Object(members) if members.contains_key("call") => {
            let is_named = members["call"].is_string() && members.get("args").is_some_and(Value::is_object);
            if !is_named || !members.get("returnType").is_none_or(is_type) {
                let message =
                    "a call needs `args`, an object, even if it is empty; `returnType` is the name of a type";
                found.push(Fault::new("unreadable_call", path, message));
            }
        }
        Value::Object(members) => {
            members.iter().for_each(|(name, member)| calls(member, &format!("{path}/{name}"), found));
        }
        Value::Array(items) => items.iter().for_each(|item| calls(item, path, found)),
        _ => {}
    }
}

fn old(profile: Profile, (index, message): (usize, &v0_8::Message), found: &mut Vec<Fault>) {
    match message {
        v0_8::Message::SurfaceUpdate { components, .. } => {
            for (at, component) in components.iter().enumerate() {
                let path = format!("/{index}/surfaceUpdate/components/{at}");
                let properties = Value::Object(component.properties.clone());
                match profile {
                    Profile::Python => unnamed(&properties, &path, found),
                    _ => both(&properties, &path, found),
                }
                if profile == Profile::WebCore0_8 {
                    closed(component, components, &path, found);
                    mistaken(component, components, &path, found);
                }
            }
        }
        v0_8::Message::DataModelUpdate { contents, .. } => {
            let most = if profile == Profile::Python { 1 } else { 5 };
            if contents.iter().map(depth).max().unwrap_or_default() > most {
                let path = format!("/{index}/dataModelUpdate/contents");
                found.push(Fault::new(
                    "maps_too_deep",
                    path,
                    format!("{} takes maps to a depth of {most}", profile.name()),
                ));
            }
        }
        _ => {}
    }
}

/// Every reference has to lead to a component of the same message.
fn closed(component: &v0_8::Component, all: &[v0_8::Component], path: &str, found: &mut Vec<Fault>) {
    for id in references::of(&component.properties) {
        if !all.iter().any(|other| other.id == id) {
            let message = format!("`{}` refers to `{id}`, which is not in the same message", component.id);
            found.push(Fault::new("child_elsewhere", path, message));
        }
    }
}

/// A literal and a path at once.
fn both(value: &Value, path: &str, found: &mut Vec<Fault>) {
    match value {
        Value::Object(members) => {
            let literal = members.keys().any(|name| name.starts_with("literal"));
            if literal && members.contains_key("path") {
                found.push(Fault::new(
                    "literal_and_path",
                    path,
                    "a value has a literal or a path; both are refused",
                ));
            }
            members.iter().for_each(|(name, member)| both(member, &format!("{path}/{name}"), found));
        }
        Value::Array(items) => items.iter().for_each(|item| both(item, path, found)),
        _ => {}
    }
}

/// A literal whose name does not say what it is.
fn unnamed(value: &Value, path: &str, found: &mut Vec<Fault>) {
    match value {
        Value::Object(members) => {
            if members.contains_key("literal") {
                let message =
                    "python wants `literalString`, `literalNumber`, `literalBoolean` or `literalArray`";
                found.push(Fault::new("unnamed_literal", path, message));
            }
            members.iter().for_each(|(name, member)| unnamed(member, &format!("{path}/{name}"), found));
        }
        Value::Array(items) => items.iter().for_each(|item| unnamed(item, path, found)),
        _ => {}
    }
}

/// Objects of 0.9 that have one member too many: calls, templates, checks, events.
fn extras(value: &Value, path: &str, found: &mut Vec<Fault>) {
    const SHAPES: [(&str, &[&str]); 5] = [
        ("call", &["call", "args", "returnType"]),
        ("componentId", &["componentId", "path"]),
        ("condition", &["condition", "message"]),
        ("event", &["event"]),
        ("functionCall", &["functionCall"]),
    ];
    match value {
        Value::Object(members) => {
            let shape = SHAPES.iter().find(|(sign, _)| members.contains_key(*sign));
            for name in
                shape.iter().flat_map(|(_, known)| members.keys().filter(|it| !known.contains(&it.as_str())))
            {
                let message =
                    format!("python refuses `{name}` beside `{}`", shape.map_or("", |(sign, _)| sign));
                found.push(Fault::new("unknown_member", format!("{path}/{name}"), message));
            }
            members.iter().for_each(|(name, member)| extras(member, &format!("{path}/{name}"), found));
        }
        Value::Array(items) => items.iter().for_each(|item| extras(item, path, found)),
        _ => {}
    }
}

/// Any text that is the id of a component is taken for a reference.
fn mistaken(component: &v0_8::Component, all: &[v0_8::Component], path: &str, found: &mut Vec<Fault>) {
    let words = words_of(component);
    for other in all.iter().filter(|other| words.contains(&other.id)) {
        let message =
            format!("a text is `{}`, which is also the id of a component, and is taken for it", other.id);
        found.push(Fault::new("text_is_an_id", path, message));
    }
}

fn depth(entry: &v0_8::Entry) -> usize {
    match &entry.value {
        v0_8::EntryValue::Map(entries) => 1 + entries.iter().map(depth).max().unwrap_or_default(),
        _ => 0,
    }
}

/// Every component has to hang below the root, where there is one.
fn unreachable(surface: &Surface, found: &mut Vec<Fault>) {
    let Some(root) = surface.root.clone().filter(|_| surface.is_shown()) else { return };
    let (mut open, mut seen) = (vec![root], HashSet::new());
    while let Some(id) = open.pop() {
        if let Some(component) = surface.component(&id).filter(|_| seen.insert(id.clone())) {
            open.extend(component.children());
        }
    }
    for component in surface.components().iter().filter(|component| !seen.contains(&component.id)) {
        let message = format!("nothing leads from the root to `{}`", component.id);
        found.push(Fault::new("unreachable", format!("/{}", component.id), message));
    }
}

/// What is said of a surface before it is created is lost. One that is created nowhere in here is on the screen already.
fn created(messages: &[v0_9::Message], found: &mut Vec<Fault>) {
    let creates = |message: &v0_9::Message, id: &str| {
        matches!(message, v0_9::Message::CreateSurface { .. }) && message.surface_id() == id
    };
    for (index, message) in messages.iter().enumerate() {
        let is_change =
            !matches!(message, v0_9::Message::CreateSurface { .. } | v0_9::Message::DeleteSurface { .. });
        let id = message.surface_id();
        let comes_later = messages[index..].iter().any(|later| creates(later, id));
        if is_change && comes_later && !messages[..index].iter().any(|before| creates(before, id)) {
            let message = format!("`{id}` is created only later; `createSurface` comes first");
            found.push(Fault::new("not_begun", format!("/{index}"), message));
        }
    }
}

/// A surface has to be begun before anything is said about it.
fn order(messages: &[v0_8::Message], found: &mut Vec<Fault>) {
    let mut begun = Vec::new();
    for (index, message) in messages.iter().enumerate() {
        match message {
            v0_8::Message::BeginRendering { surface_id, .. } => begun.push(surface_id),
            other if !begun.iter().any(|id| *id == other.surface_id()) => {
                let message = "python wants `beginRendering` before everything else about a surface";
                found.push(Fault::new("not_begun", format!("/{index}"), message));
            }
            _ => {}
        }
    }
}
