//! The components and functions of a catalog, one line each.

use crate::catalog::{Catalog, Property, Shape};

/// What can be drawn.
pub(super) fn components(catalog: &Catalog) -> String {
    let line = |name: &&str| {
        let component = catalog.component(name)?;
        let more = if component.is_open { "; and more" } else { "" };
        Some(format!("- `{name}`: {}{more}", properties(&component.properties)))
    };
    let lines: Vec<_> = catalog.component_names().iter().filter_map(line).collect();
    format!(
        "### Components\n\nEvery component has an `id`; `weight` is how much room it takes in a row or column. \
         Properties with a star are required.\n\n{}",
        lines.join("\n")
    )
}

/// What can be called; nothing where a catalog names no functions.
pub(super) fn functions(catalog: &Catalog) -> String {
    let line = |name: &&str| {
        let function = catalog.function(name)?;
        let any = match function.any_of.is_empty() {
            true => String::new(),
            false => format!("; at least one of {}", crate::catalog::listed(&function.any_of)),
        };
        Some(format!("- `{name}`: {}{any}", properties(&function.arguments)))
    };
    let lines: Vec<_> = catalog.function_names().iter().filter_map(line).collect();
    if lines.is_empty() {
        return String::new();
    }
    format!(
        "### Functions\n\nA value may be computed: `{{\"call\": \"<name>\", \"args\": {{…}}}}`. `checks` of an input are a \
         list of `{{\"condition\": <call>, \"message\": \"<text>\"}}`.\n\n{}",
        lines.join("\n")
    )
}

fn properties(properties: &[Property]) -> String {
    if properties.is_empty() {
        return "nothing else".to_owned();
    }
    let one = |property: &Property| {
        let star = if property.is_required { "*" } else { "" };
        format!("`{}`{star} {}", property.name, wanted(&property.shape))
    };
    properties.iter().map(one).collect::<Vec<_>>().join("; ")
}

/// What fits. Objects are told with their members, which a fault need not do.
fn wanted(shape: &Shape) -> String {
    match shape {
        Shape::Object { members, .. } if !members.is_empty() => {
            format!("an object ({})", properties(members))
        }
        Shape::List { item, at_least } => {
            let least = if *at_least > 0 { format!(" (at least {at_least})") } else { String::new() };
            format!("a list{least}, each item {}", wanted(item))
        }
        Shape::Either(shapes) => shapes.iter().map(wanted).collect::<Vec<_>>().join(", or "),
        other => other.wanted(),
    }
}
