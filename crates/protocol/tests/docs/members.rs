//! Shapes in the words of the page: a member is a name, bold where it is required, and a type where the type
//! is not the usual one.

use forestage_protocol::{
    schema,
    wire::{Field, Shape},
};

/// Members on one line, without the types that go without saying.
pub(crate) fn list<'f>(fields: impl Iterator<Item = &'f Field>, usual: fn(&Shape) -> bool) -> String {
    let members: Vec<String> = fields.map(|field| member(field, usual)).collect();
    if members.is_empty() { "–".to_owned() } else { members.join(", ") }
}

fn member(field: &Field, usual: fn(&Shape) -> bool) -> String {
    match usual(&field.shape) {
        true => name(field),
        false => format!("{}: {}", name(field), kind(&field.shape)),
    }
}

/// The name of a member, bold where it has to be there.
pub(crate) fn name(field: &Field) -> String {
    match field.required {
        true => format!("**{}**", field.name),
        false => field.name.to_owned(),
    }
}

/// What a value of this shape is.
pub(crate) fn kind(shape: &Shape) -> String {
    match shape {
        Shape::Any => "any".to_owned(),
        Shape::Present => "any but null".to_owned(),
        Shape::Object => "object".to_owned(),
        Shape::Text => "string".to_owned(),
        Shape::Pointer => "JSON Pointer".to_owned(),
        Shape::Bool => "boolean".to_owned(),
        Shape::Integer { min: 0, .. } => "integer ≥ 0".to_owned(),
        Shape::Integer { .. } => "integer".to_owned(),
        Shape::Name(names) => quoted(names.members),
        Shape::List { item: Shape::Operation, .. } => "JsonPatch".to_owned(),
        Shape::List { item, min: 0 } => format!("{}[]", kind(item)),
        Shape::List { item, min } => format!("{}[{min}..]", kind(item)),
        Shape::TextOrParts(item) => format!("string or {}[]", kind(item)),
        Shape::Struct(known) => schema_name(known.name),
        Shape::Union(union) => schema_name(union.name),
        Shape::Operation => "JsonPatchOperation".to_owned(),
    }
}

fn quoted(members: &[&str]) -> String {
    members.iter().map(|member| format!("`\"{member}\"`")).collect::<Vec<_>>().join(" / ")
}

/// The name that AG-UI gives to a type of ours.
fn schema_name(ours: &str) -> String {
    let is_it = |name: &String| match schema::shape(name) {
        Some(Shape::Struct(known)) => known.name == ours,
        Some(Shape::Union(union)) => union.name == ours,
        _ => false,
    };
    schema::names().into_iter().find(is_it).expect("everything has a definition")
}

pub(crate) fn is_text(shape: &Shape) -> bool {
    matches!(shape, Shape::Text)
}

pub(crate) fn is_bool(shape: &Shape) -> bool {
    matches!(shape, Shape::Bool)
}

/// Documentation on one line.
pub(crate) fn sentence(doc: &str) -> String {
    doc.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A Markdown table.
pub(crate) fn table<const N: usize>(head: [&str; N], rows: impl IntoIterator<Item = [String; N]>) -> String {
    let mut lines = vec![line(&head.map(str::to_owned)), format!("|{}", "---|".repeat(N))];
    lines.extend(rows.into_iter().map(|row| line(&row)));
    lines.join("\n") + "\n"
}

fn line(cells: &[String]) -> String {
    format!("| {} |", cells.join(" | "))
}
