//! Was this action possible? What a client says that a person did, held against the surface that was shown.
//!
//! A client sends the name of what was done, the component, and the values that the component sends along. A component
//! that is not on the screen, a name that it does not offer, a value that nobody could have entered: none of these is an
//! action. What could have been done is told with what the person typed, so that the surface can be shown with it again.

mod entered;
mod tree;

use forestage_protocol::Fault;
use serde_json::{Map, Value};

use self::{
    entered::Inputs,
    tree::{Instance, instances},
};
use crate::{
    function::failed_checks,
    surface::{DataModel, Path, ROOT, Scope, Surface},
    v0_8::UserAction,
};

/// What a person typed, and where it stands in the data of the surface.
pub type Typed = Vec<(Path, Value)>;

/// Checks an action, and returns what was typed before it.
pub fn verify(surface: &Surface, action: &UserAction) -> Result<Typed, Fault> {
    let id = plain_id(surface, &action.source_component_id);
    let component = surface.component(id).ok_or_else(|| {
        let text = format!("surface `{}` has no component `{}`", surface.id, action.source_component_id);
        Fault::new("unknown_component", "/sourceComponentId", text)
    })?;
    let event = component.properties.get("action").and_then(|action| action.get("event"));
    let offered = event.and_then(|event| event["name"].as_str());
    if offered != Some(action.name.as_str()) {
        let offers = offered.map_or("nothing".to_owned(), |name| format!("`{name}`"));
        let text = format!("`{id}` offers {offers}, not `{}`", action.name);
        return Err(Fault::new("action_not_offered", "/name", text));
    }
    let all = instances(surface);
    let inputs = Inputs::of(&all);
    let places: Vec<_> = all.iter().filter(|instance| instance.component.id == id).collect();
    let empty = Map::new();
    let context = event.and_then(|event| event["context"].as_object()).unwrap_or(&empty);
    let mut first = None;
    for place in &places {
        match at_place(surface, action, context, place, &inputs) {
            Ok(typed) => return Ok(typed),
            Err(fault) => _ = first.get_or_insert(fault),
        }
    }
    Err(first.unwrap_or_else(|| {
        Fault::new("hidden_component", "/sourceComponentId", format!("`{id}` is not on the screen"))
    }))
}

/// One component may be drawn several times, for each item of a list.
fn at_place(
    surface: &Surface,
    action: &UserAction,
    offered: &Map<String, Value>,
    place: &Instance<'_>,
    inputs: &Inputs<'_>,
) -> Result<Typed, Fault> {
    let mut typed = Typed::new();
    for (name, value) in &action.context {
        let Some(sent) = offered.get(name) else {
            let text = format!("the component sends no `{name}` along");
            return Err(Fault::new("invalid_context", format!("/context/{name}"), text));
        };
        let wrong = |text: String| Fault::new("invalid_context", format!("/context/{name}"), text);
        typed.extend(value_at(surface, sent, value, place, inputs).map_err(wrong)?);
    }
    for (name, sent) in offered {
        // What stands nowhere is sent by leaving it out.
        if !action.context.contains_key(name) && !sent.is_object() {
            let text = format!("the component sends `{name}` along, and it is missing");
            return Err(Fault::new("invalid_context", "/context", text));
        }
    }
    checks(surface, place, inputs, &typed)?;
    Ok(typed)
}

/// A value of the context: what is offered itself, or what a person could have entered.
fn value_at(
    surface: &Surface,
    sent: &Value,
    value: &Value,
    place: &Instance<'_>,
    inputs: &Inputs<'_>,
) -> Result<Typed, String> {
    let path = sent.get("path").and_then(Value::as_str);
    let Some(path) = path else {
        // What a function makes of something looks different from one client to the next.
        let is_call = sent.get("call").is_some();
        return match is_call || sent == value {
            true => Ok(Typed::new()),
            false => Err(format!("the component sends {sent}, not {value}")),
        };
    };
    let path = Path::resolve(path, &place.item).map_err(|error| error.to_string())?;
    let mut typed = Typed::new();
    // What is sent may be one field, or a part of the data with fields in it.
    let mut known = surface.model.get(&path).cloned().unwrap_or_default();
    for (at, input) in inputs.below(&path) {
        let Some(entered) = inside(value, &path, at) else { continue };
        entered::check(input, entered)?;
        typed.push((at.clone(), entered.clone()));
        put(&mut known, &path, at, entered.clone());
    }
    match known == *value || inputs.is_inside(&path) {
        true => Ok(typed),
        false => Err(format!("{known} stands at {path}, not {value}, and nobody can change that")),
    }
}

/// What stands at a place in a part of the data.
fn inside<'v>(value: &'v Value, path: &Path, at: &Path) -> Option<&'v Value> {
    let steps = &at.segments()[path.segments().len()..];
    steps.iter().try_fold(value, |value, step| match value {
        Value::Array(items) => items.get(step.parse::<usize>().ok()?),
        other => other.get(step),
    })
}

fn put(known: &mut Value, path: &Path, at: &Path, entered: Value) {
    let steps = &at.segments()[path.segments().len()..];
    let at = steps.iter().try_fold(Path::root(), |path, step| path.child(step.as_str()));
    let mut model = DataModel::new(std::mem::take(known));
    if let Ok(at) = at {
        // What cannot be written there does not fit, and is found to differ.
        let _ = model.set(&at, entered);
    }
    *known = model.into_value();
}

/// A button whose checks fail cannot be pressed. What is not known of what was typed is taken for good.
fn checks(surface: &Surface, place: &Instance<'_>, inputs: &Inputs<'_>, typed: &Typed) -> Result<(), Fault> {
    let Some(rules) = place.component.properties.get("checks").and_then(Value::as_array) else {
        return Ok(());
    };
    let mut model = DataModel::new(surface.model.value().clone());
    for (path, value) in typed {
        // What cannot be written cannot be looked up either.
        let _ = model.set(path, value.clone());
    }
    let is_known = |path: &Path| !inputs.is_within(path) || typed.iter().any(|(typed, _)| typed == path);
    let known: Vec<_> =
        rules.iter().filter(|rule| paths_in(rule, &place.item).iter().all(is_known)).cloned().collect();
    let scope = Scope::new(&model).in_item(place.item.clone());
    // What we cannot evaluate, a client may be able to.
    let failed =
        failed_checks(&Value::Array(known), &scope).into_iter().find(|check| check.faults.is_empty());
    match failed {
        Some(check) => {
            let text = format!("this cannot be done yet: {}", check.message);
            Err(Fault::new("check_failed", "/name", text))
        }
        None => Ok(()),
    }
}

/// All paths that a value is bound to, those in functions included.
fn paths_in(value: &Value, item: &Path) -> Vec<Path> {
    let mut paths = Vec::new();
    let mut rest = vec![value];
    while let Some(value) = rest.pop() {
        match value {
            Value::Object(members) => {
                if let Some(Value::String(path)) = members.get("path") {
                    paths.extend(Path::resolve(path, item));
                }
                rest.extend(members.values());
            }
            Value::Array(items) => rest.extend(items),
            // A text with holes may mention any path, which is as good as one that is typed into.
            Value::String(text) if text.contains("${") => paths.push(Path::root()),
            _ => {}
        }
    }
    paths
}

/// Clients number the copies of a component: `a#2`, `item-[/list/0]`, `item:0`.
/// The outermost one is called `root` by clients of 0.9.
fn plain_id<'a>(surface: &'a Surface, id: &'a str) -> &'a str {
    if surface.component(id).is_some() {
        return id;
    }
    if id == ROOT {
        return surface.root.as_deref().unwrap_or(id);
    }
    let cut = ["-[", "#", ":"].into_iter().filter_map(|mark| id.find(mark)).min();
    cut.map_or(id, |at| &id[..at])
}
