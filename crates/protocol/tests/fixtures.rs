//! The official schema fixtures, where `FORESTAGE_CONFORMANCE` says they are: every valid one reads and writes
//! as the same JSON, every invalid one is refused at the place the schema names. Without it these tests are ignored, and
//! counted as that.

use std::{
    collections::BTreeSet,
    env, fs,
    path::{Path, PathBuf},
    process::ExitCode,
};

use forestage_protocol::{
    content::ContentPart,
    enforce,
    event::Event,
    input::RunAgentInput,
    interrupt::{Interrupt, ResumeEntry},
    message::Message,
    schema,
    tool::Tool,
    wire::Wire,
};
use libtest_mimic::{Arguments, Trial};
use serde_json::Value;

/// A draft allowed `rawEvent: null`; 1.0 does not, and we follow 1.0.
const CONTRADICTED_BY_1_0: &str = "valid/TextMessageEndEvent/raw-event-null.json";

fn main() -> ExitCode {
    let is_missing = env::var_os("FORESTAGE_CONFORMANCE").is_none_or(|folder| folder.is_empty());
    let test = |name: &str, run: fn()| {
        let run = move || {
            run();
            Ok(())
        };
        Trial::test(name, run).with_ignored_flag(is_missing)
    };
    let tests = vec![
        test(
            "official_fixtures_are_judged_as_the_schema_judges_them",
            official_fixtures_are_judged_as_the_schema_judges_them,
        ),
        test(
            "our_schema_has_the_members_of_the_official_one",
            our_schema_has_the_members_of_the_official_one,
        ),
    ];
    libtest_mimic::run(&Arguments::from_args(), tests).exit_code()
}

fn folder() -> PathBuf {
    env::var_os("FORESTAGE_CONFORMANCE").map(PathBuf::from).expect("FORESTAGE_CONFORMANCE names a folder")
}

fn official_fixtures_are_judged_as_the_schema_judges_them() {
    let folder = folder().join("fixtures");
    let index = read(&folder.join("INDEX.json"));
    let fixtures = index["fixtures"].as_array().expect("a list of fixtures");
    let faults: Vec<String> = fixtures.iter().filter_map(|fixture| judge(&folder, fixture).err()).collect();
    assert!(fixtures.len() > 150, "only {} fixtures found", fixtures.len());
    assert!(faults.is_empty(), "{} of {} differ:\n{}", faults.len(), fixtures.len(), faults.join("\n"));
}

fn judge(folder: &Path, fixture: &Value) -> Result<(), String> {
    let (file, definition) = (text(fixture, "file"), text(fixture, "def"));
    let value = read(&folder.join(file));
    let shape = schema::shape(definition).ok_or_else(|| format!("{file}: no definition {definition}"))?;
    let verdict = enforce::check_shape(&shape, &mut value.clone());
    let valid = file.starts_with("valid/") && file != CONTRADICTED_BY_1_0;
    match verdict {
        Ok(()) if valid => same_json(file, &value),
        Ok(()) => Err(format!("{file}: accepted")),
        Err(fault) if valid => Err(format!("{file}: refused at {}: {fault}", fault.path)),
        Err(_) if file == CONTRADICTED_BY_1_0 => Ok(()),
        Err(fault) => {
            let expected = read(&folder.join(file.replace(".json", ".expect.json")));
            let place = text(&expected, "instanceLocation");
            if fault.path == place { Ok(()) } else { Err(format!("{file}: at {}, not {place}", fault.path)) }
        }
    }
}

fn same_json(file: &str, value: &Value) -> Result<(), String> {
    let text = value.to_string();
    let written = match file.split('/').nth(1).unwrap_or_default() {
        definition if definition.ends_with("Event") => rewrite::<Event>(&text),
        definition if definition.ends_with("Message") => rewrite::<Message>(&text),
        "RunAgentInput" => rewrite::<RunAgentInput>(&text),
        "Interrupt" => rewrite::<Interrupt>(&text),
        "ResumeEntry" => rewrite::<ResumeEntry>(&text),
        "Tool" => rewrite::<Tool>(&text),
        "ContentPart" => rewrite::<ContentPart>(&text),
        other => Err(format!("no way to read {other}")),
    };
    let written = written.map_err(|error| format!("{file}: {error}"))?;
    if written == *value { Ok(()) } else { Err(format!("{file}: written as {written}")) }
}

fn rewrite<T: Wire>(text: &str) -> Result<Value, String> {
    let value: T = enforce::strict_as(text).map_err(|fault| fault.to_string())?;
    serde_json::to_value(value).map_err(|error| error.to_string())
}

fn our_schema_has_the_members_of_the_official_one() {
    let official = read(&folder().join("fixtures/schema-1.0.json"));
    let ours = schema::document();
    for (name, definition) in official["$defs"].as_object().expect("definitions") {
        // Fragments that others are composed of, and single operations, have no definition of their own here.
        let Some(our_definition) = ours["$defs"].get(name) else {
            let fragment =
                ["BaseEvent", "Attributable", "BaseMessage", "FunctionCall"].contains(&name.as_str());
            assert!(
                fragment || definition.get("properties").is_none() || name.ends_with("Operation"),
                "{name}"
            );
            continue;
        };
        let members = all_members(definition, &official);
        let mut our_members = all_members(our_definition, &ours);
        // The one member of 1.1.
        if !members.contains("encryptedValueType") {
            our_members.remove("encryptedValueType");
        }
        assert_eq!(members, our_members, "members of {name}");
        let required = |definition: &Value| -> BTreeSet<String> {
            definition["required"]
                .as_array()
                .into_iter()
                .flatten()
                .filter_map(Value::as_str)
                .map(str::to_owned)
                .collect()
        };
        assert_eq!(required(definition), required(our_definition), "required members of {name}");
    }
}

fn all_members(definition: &Value, document: &Value) -> BTreeSet<String> {
    let mut members: BTreeSet<String> =
        definition["properties"].as_object().into_iter().flatten().map(|(name, _)| name.clone()).collect();
    for part in definition["allOf"].as_array().into_iter().flatten() {
        let name =
            part["$ref"].as_str().and_then(|reference| reference.rsplit('/').next()).expect("a reference");
        members.extend(all_members(&document["$defs"][name], document));
    }
    members
}

fn read(path: &Path) -> Value {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn text<'v>(value: &'v Value, name: &str) -> &'v str {
    value[name].as_str().unwrap_or_default()
}
