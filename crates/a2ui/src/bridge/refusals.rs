//! What a certain client would refuse, and why.

use forestage_protocol::Fault;
use serde_json::Value;

use super::{Profile, references};
use crate::{
    Messages, Version,
    catalog::{Catalog, Catalogs, same_catalog},
    check::Checker,
    v0_8, v0_9,
};

/// Faults that clients live with: something is missing on the screen, and nothing is refused.
const SHRUGGED_AT: [&str; 5] =
    ["unresolved_binding", "unresolved_child", "child_cycle", "no_root", "too_deep"];

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
    let warnings =
        faults.warnings.into_iter().filter(|it| matches!(it.code, "flat_check" | "needless_version"));
    let repaired = warnings.map(|it| Fault::new(it.code, it.path.unwrap_or_default(), it.message));
    let faults = faults.faults.into_iter().filter(|fault| is_strict || !SHRUGGED_AT.contains(&fault.code));
    let mut found: Vec<_> = faults.chain(repaired).collect();
    match &messages {
        Messages::V0_8(messages) => messages.iter().enumerate().for_each(|it| old(profile, it, &mut found)),
        Messages::V0_9(messages) => messages.iter().enumerate().for_each(|it| new(profile, it, &mut found)),
    }
    if let (Profile::Python, Messages::V0_8(messages)) = (profile, &messages) {
        order(messages, &mut found);
    }
    found
}

fn new(profile: Profile, (index, message): (usize, &v0_9::Message), found: &mut Vec<Fault>) {
    let v0_9::Message::CreateSurface { catalog_id: Some(id), .. } = message else { return };
    let own = profile.basic_catalog();
    if id != own && same_catalog(id, own) {
        let path = format!("/{index}/createSurface/catalogId");
        let message = format!("{} knows this catalog only as `{own}`", profile.name());
        found.push(Fault::new("catalog_name", path, message));
    }
}

fn old(profile: Profile, (index, message): (usize, &v0_8::Message), found: &mut Vec<Fault>) {
    match message {
        v0_8::Message::SurfaceUpdate { components, .. } => {
            for (at, component) in components.iter().enumerate() {
                let path = format!("/{index}/surfaceUpdate/components/{at}");
                closed(component, components, &path, found);
                both(&Value::Object(component.properties.clone()), &path, found);
                if profile == Profile::WebCore0_8 {
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
        v0_8::Message::BeginRendering { styles: Some(styles), .. } => {
            for name in styles.keys().filter(|name| !matches!(name.as_str(), "font" | "primaryColor")) {
                let path = format!("/{index}/beginRendering/styles/{name}");
                found.push(Fault::new(
                    "unknown_style",
                    path,
                    "styles are `font` and `primaryColor` and no others",
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

/// Any text that is the id of a component is taken for a reference.
fn mistaken(component: &v0_8::Component, all: &[v0_8::Component], path: &str, found: &mut Vec<Fault>) {
    let mut properties = component.properties.clone();
    properties.shift_remove("action");
    references::each_mut(&mut properties, &mut String::clear);
    let written = Value::Object(properties).to_string();
    for other in all.iter().filter(|other| written.contains(&Value::from(other.id.as_str()).to_string())) {
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
