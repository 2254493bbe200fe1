//! What the web packages know of the components is generated from them: the types of arguments and answers, their
//! schemas and their examples. `UPDATE=1` rewrites it.

#![expect(clippy::unwrap_used, reason = "a test that unwraps fails where it should")]

use std::{env, fmt::Write, fs, path::Path};

use forestage_its::{COMPONENTS, Entry, Grade};
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

const HEAD: &str =
    "// Generated from the components: UPDATE=1 cargo test -p forestage-its --test typescript\n";

#[test]
fn the_types_for_typescript_are_up_to_date() {
    let mut out = HEAD.to_owned();
    for entry in &COMPONENTS {
        let name = camel(entry.short);
        declare(&name, entry.arguments(), &mut out);
        declare(&format!("{name}Answer"), entry.answer(), &mut out);
    }
    declare("Grade", &grade(), &mut out);
    out += "\n/** Every component by the name of its tool. */\nexport interface ItsComponents {\n";
    for entry in &COMPONENTS {
        let name = camel(entry.short);
        writeln!(out, "  \"{}\": {{ arguments: {name}; answer: {name}Answer }};", entry.name).unwrap();
    }
    out += "}\n\n/** The name of a component. */\nexport type ItsName = keyof ItsComponents;\n";
    current("its.ts", &out);
}

#[test]
fn the_schemas_for_typescript_are_up_to_date() {
    let line = |entry: &Entry| {
        let about = json!({
            "description": entry.description(),
            "arguments": entry.arguments(),
            "answer": entry.answer(),
        });
        (entry.name.to_owned(), about)
    };
    let schemas: Map<_, _> = COMPONENTS.iter().map(line).collect();
    let head = "import type { ItsName } from \"./its.js\";\nimport type { Schema } from \"../its/schema.js\";\n\n\
        /** What each component shows, and the schemas of its arguments and answers. */\n\
        export const schemas: Record<ItsName, { description: string; arguments: Schema; answer: Schema }> =";
    constant("its-schema.ts", head, &schemas.into());
}

#[test]
fn the_examples_for_typescript_are_up_to_date() {
    let line = |entry: &Entry| {
        let examples = entry.examples().into_iter().map(
            |example| json!({ "about": example.about, "arguments": example.arguments, "answer": example.answer }),
        );
        (entry.name.to_owned(), examples.collect())
    };
    let examples: Map<_, _> = COMPONENTS.iter().map(line).collect();
    let head = "import type { ItsComponents } from \"./its.js\";\n\n\
        /** Examples of every component; the first is that of the contract. */\n\
        export const examples: { [N in keyof ItsComponents]: Array<{ about: string } & ItsComponents[N]> } =";
    constant("its-examples.ts", head, &examples.into());
}

/// The schema of a grade, which is no component's own.
fn grade() -> Value {
    let settings = SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true);
    settings.into_generator().into_root_schema_for::<Grade>().to_value()
}

fn constant(file: &str, head: &str, value: &Value) {
    current(file, &format!("{HEAD}{head} {};\n", serde_json::to_string_pretty(value).unwrap()));
}

/// Compares a generated file, or writes it.
fn current(file: &str, text: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/packages/react/src/generated");
    let path = folder.join(file);
    if env::var_os("UPDATE").is_some() {
        fs::create_dir_all(&folder).unwrap();
        fs::write(&path, text).unwrap();
    }
    let found = fs::read_to_string(&path).unwrap_or_default();
    assert!(found == text, "{file} is stale: UPDATE=1 cargo test -p forestage-its --test typescript");
}

/// `quick_quiz` as `QuickQuiz`.
fn camel(short: &str) -> String {
    let word = |word: &str| word[..1].to_uppercase() + &word[1..];
    short.split('_').map(word).collect()
}

fn declare(name: &str, schema: &Value, out: &mut String) {
    out.push('\n');
    about(schema, "", out);
    write!(out, "export interface {name} ").unwrap();
    object(schema, "", out);
    out.push('\n');
}

fn about(schema: &Value, indent: &str, out: &mut String) {
    if let Some(text) = schema["description"].as_str() {
        writeln!(out, "{indent}/** {} */", text.replace('\n', " ")).unwrap();
    }
}

fn object(schema: &Value, indent: &str, out: &mut String) {
    let required =
        |name: &str| schema["required"].as_array().is_some_and(|all| all.iter().any(|one| one == name));
    out.push_str("{\n");
    let inner = format!("{indent}  ");
    for (name, member) in schema["properties"].as_object().into_iter().flatten() {
        about(member, &inner, out);
        write!(out, "{inner}{name}{}: ", if required(name) { "" } else { "?" }).unwrap();
        kind(member, &inner, out);
        out.push_str(";\n");
    }
    write!(out, "{indent}}}").unwrap();
}

fn kind(schema: &Value, indent: &str, out: &mut String) {
    if let Some(values) = schema["enum"].as_array() {
        out.push_str(&values.iter().map(Value::to_string).collect::<Vec<_>>().join(" | "));
        return;
    }
    match schema["type"].as_str().unwrap_or_default() {
        "array" => {
            out.push_str("Array<");
            kind(&schema["items"], indent, out);
            out.push('>');
        }
        "object" if schema["properties"].is_object() => object(schema, indent, out),
        "object" => out.push_str("Record<string, unknown>"),
        "integer" | "number" => out.push_str("number"),
        name @ ("string" | "boolean") => out.push_str(name),
        name => panic!("no type for `{name}`"),
    }
}
