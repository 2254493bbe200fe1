//! One component.

use super::{
    MAX_COMPONENTS,
    drawn::{Drawn, Part},
    members,
    notes::Notes,
    payload::Run,
    value::Walk,
};
use crate::{
    Version,
    catalog::{Catalog, Component, Property, listed},
    tape::{Item, Kind},
};

/// Checks a list of components.
pub(super) fn check_all<'t>(run: &mut Run<'t, '_>, drawn: &mut Drawn<'t, '_>, components: Item<'t>) {
    if components.kind() != Kind::List {
        let message = format!("`components` is a list, not {}", components.name());
        return run.notes.fault("wrong_type", components, message);
    }
    let before = drawn.parts.len();
    for component in components.items() {
        if drawn.parts.len() >= MAX_COMPONENTS {
            let message = format!("a surface has at most {MAX_COMPONENTS} components");
            return run.notes.fault("too_many_components", component, message);
        }
        check(&mut run.notes, drawn, component);
        if run.notes.is_full() {
            return;
        }
    }
    run.components += drawn.parts.len() - before;
    if components.items().next().is_none() {
        run.notes.fault("empty_components", components, "`components` is empty; send at least one component");
    }
}

fn check<'t>(notes: &mut Notes, drawn: &mut Drawn<'t, '_>, item: Item<'t>) {
    if item.kind() != Kind::Object {
        return notes.fault("wrong_type", item, format!("a component is an object, not {}", item.name()));
    }
    let Some(id) = item.get("id").and_then(Item::text).filter(|id| !id.is_empty()) else {
        return notes.fault("missing_id", item, "a component needs `id`, a text that no other component has");
    };
    if drawn.version == Version::V0_8 {
        wrapper(notes, item, &id);
    }
    let first_edge = drawn.edges.len() as u32;
    let found = kind_of(notes, drawn, item, &id);
    if let (Some((kind, properties)), Some(catalog)) = (&found, drawn.catalog) {
        match catalog.component(kind) {
            Some(component) => read(notes, drawn, catalog, component, *properties, &id),
            None => unknown(notes, catalog, item, kind),
        }
    }
    // Whatever is wrong with it, others may refer to it.
    let kind = found.map(|(kind, _)| kind).unwrap_or_default();
    let edges = first_edge..drawn.edges.len() as u32;
    let index = drawn.parts.len() as u32;
    let message = drawn.message;
    let earlier = drawn.ids.insert(id.clone(), index).map(|earlier| drawn.parts[earlier as usize].message);
    if earlier == Some(message) {
        notes.fault(
            "duplicate_id",
            item,
            format!("there are two components `{id}`; give each an id of its own"),
        );
    }
    drawn.parts.push(Part { id, kind, item, message, edges });
}

/// 0.8: what stands around the properties of a component.
fn wrapper(notes: &mut Notes, item: Item<'_>, id: &str) {
    members::check(
        notes,
        Version::V0_8,
        item,
        format_args!("component `{id}`"),
        &["id", "weight", "component"],
    );
    if let Some(weight) = item.get("weight").filter(|weight| weight.kind() != Kind::Number) {
        let message = format!("`weight` of `{id}` is a number, not {}", weight.name());
        notes.fault("wrong_type", weight, message);
    }
}

/// What the component is, and the object that holds its properties.
fn kind_of<'t>(
    notes: &mut Notes,
    drawn: &Drawn<'t, '_>,
    item: Item<'t>,
    id: &str,
) -> Option<(std::borrow::Cow<'t, str>, Item<'t>)> {
    let written = item.get("component");
    if drawn.version != Version::V0_8 {
        if let Some(kind) = written.and_then(Item::text).filter(|kind| !kind.is_empty()) {
            return Some((kind, item));
        }
        if let (None, Some(earlier)) = (written, drawn.part(id)) {
            return Some((earlier.kind.clone(), item));
        }
        let message = format!("`{id}` needs `component`, the name of a component such as \"Text\"");
        notes.fault("missing_component_type", written.unwrap_or(item), message);
        return None;
    }
    let mut kinds = written.into_iter().flat_map(Item::members);
    match (kinds.next(), kinds.next()) {
        (Some((kind, properties)), None) => Some((kind.text()?, properties)),
        (None, _) => {
            let message = format!("`{id}` needs `component`, an object such as {{\"Text\": {{…}}}}");
            notes.fault("missing_component_type", written.unwrap_or(item), message);
            None
        }
        (_, Some((second, _))) => {
            let message = format!(
                "`{id}` is two things; `component` has one member, and `{}` is a second",
                second.raw()
            );
            notes.fault("several_component_types", second, message);
            None
        }
    }
}

fn unknown(notes: &mut Notes, catalog: &Catalog, item: Item<'_>, kind: &str) {
    let at = item.get("component").unwrap_or(item);
    let message =
        format!("there is no component `{kind}`; use one of {}", listed(&catalog.component_names()));
    notes.fault("unknown_component", at, message);
}

fn read<'t>(
    notes: &mut Notes,
    drawn: &mut Drawn<'t, '_>,
    catalog: &Catalog,
    component: &Component,
    item: Item<'t>,
    id: &str,
) {
    let is_08 = drawn.version == Version::V0_8;
    let mut found = 0u64;
    for (key, value) in item.members() {
        let name = key.text().unwrap_or_default();
        let property = component.properties.iter().position(|property| property.name == *name);
        let mut walk = Walk { notes, drawn, catalog, component, property: "" };
        match property {
            Some(index) => {
                found |= 1 << (index & 63);
                let Property { name, shape, .. } = &component.properties[index];
                walk.property = name;
                walk.value(shape, value);
            }
            None if is_08 => walk.unknown(key, &name),
            None => walk.common(key, value, &name),
        }
    }
    let missing =
        |(index, property): &(usize, &Property)| property.is_required && found & (1 << (index & 63)) == 0;
    for (_, property) in component.properties.iter().enumerate().filter(missing) {
        let wanted = property.shape.wanted();
        let message = format!("{} `{id}` needs `{}`: {wanted}", component.name, property.name);
        notes.fault("missing_required_prop", item, message);
    }
}
