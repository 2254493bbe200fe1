//! House rules and tools of scripts: read, checked, and there for whoever runs them.

use std::{fs, path::Path, time::Duration};

use forestage_runtime::{
    Agent,
    house::HouseRules,
    policy::Action,
    script::{self, ScriptAgent},
    tool::Invocation,
};
use serde_json::{Value, json};

fn parse(text: &str) -> ScriptAgent {
    script::parse("it", text).unwrap_or_else(|errors| panic!("{errors:#?}"))
}

#[track_caller]
fn check(text: &str, expected: &[&str]) {
    let errors = script::parse("it", text).expect_err("the script is bad");
    let lines: Vec<_> = errors.iter().map(ToString::to_string).collect();
    assert_eq!(lines, expected);
}

const TOOLS: &str = "
tools:
  - name: find_table
    description: Finds a free table
    parameters: { type: object, properties: { day: { enum: [friday] }, people: { type: integer } }, required: [day] }
    result: { table: 7, for: '{{args.people}}', note: '{{args.day}} on {{thread}}' }
    takes: 3s
    repeatable: true
  - { name: ping }
";

#[test]
fn a_script_has_its_house_rules_inline() {
    let agent =
        parse("house:\n  rules: [{ tools: [pay], action: deny }]\n  review: { role: coach }\nrules: []");
    let house = agent.house();
    assert_eq!(house.policy.judge("pay", &json!({})).action, Action::Deny);
    assert_eq!(house.review.as_ref().unwrap().role.as_deref(), Some("coach"));
    assert!(parse("rules: []").house().review.is_none());
}

#[test]
fn mistakes_in_house_rules_are_told_with_those_of_the_script() {
    check(
        "house:\n  rules: [{ tools: [pay], action: aks }, { tools: [], action: ask, by: { people: 0 } }]\npace: fast\nrules: []",
        &[
            "it:2:35: house.rules[0].action: unknown name `aks`, did you mean `ask`?",
            "it:2:51: house.rules[1].tools: no tool is named; `\"*\"` is any",
            "it:2:82: house.rules[1].by.people: at least one person has to agree",
            "it:3:7: pace: `fast` is not a length of time; write 20ms, 1.5s, 10m, 2h or 1d",
        ],
    );
    check(
        "house: 3\nrules: []",
        &["it:1:8: house: expected house rules, or the path of a file with them, found the number 3"],
    );
    check(
        "house: rules.yaml\nrules: []",
        &["it:1:8: house: there is no folder in which `rules.yaml` could be; write the rules here"],
    );
}

#[test]
fn house_rules_may_be_in_a_file_beside_the_script() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    fs::create_dir(folder.path().join("house")).unwrap();
    write("a.yaml", "house: house/rules.yaml\nrules: []");
    let errors = |path: &Path| script::load_folder(path).err().unwrap().to_string();
    let missing = errors(folder.path());
    assert!(missing.starts_with("a.yaml:1:8: house: `house/rules.yaml` cannot be read: "), "{missing}");
    write("house/rules.yaml", "rules: [{ tools: ['*'] }]");
    assert_eq!(
        errors(folder.path()),
        "a.yaml:1:8: house: `house/rules.yaml` has mistakes\nhouse/rules.yaml:1:9: rules[0]: `action` is missing"
    );
    write("house/rules.yaml", "rules: [{ tools: ['*'], action: deny }]");
    assert_eq!(script::load_folder(folder.path()).unwrap().len(), 1);
    let house = HouseRules::load(folder.path().join("house/rules.yaml")).unwrap();
    assert_eq!(house.policy.judge("x", &json!({})).action, Action::Deny);
}

#[tokio::test(start_paused = true)]
async fn a_watched_folder_keeps_up_with_the_files_that_scripts_name() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("rules.house", "rules: []");
    write("a.yaml", "house: rules.house\nrules: []");
    let (changed, mut changes) = tokio::sync::mpsc::unbounded_channel();
    let (_, _watch) = script::watch_folder(folder.path(), move |agents| drop(changed.send(agents))).unwrap();
    changes.recv().await.unwrap();
    assert!(changes.try_recv().is_err(), "nothing has changed since");
    write("rules.house", "rules: [{ tools: ['*'], action: deny }]");
    let agents = tokio::time::timeout(Duration::from_secs(60), changes.recv()).await.unwrap().unwrap();
    assert_eq!(agents.len(), 1);
}

#[tokio::test(start_paused = true)]
async fn declared_tools_give_their_results() {
    let agent = parse(&format!("{TOOLS}rules: []"));
    let tools = agent.tools();
    let tool = tools.get("find_table").unwrap();
    let about = tool.about();
    assert_eq!((about.description.as_str(), about.repeatable), ("Finds a free table", true));
    let call = Invocation {
        key: "k".to_owned(),
        thread_id: "t1".into(),
        run_id: "r1".into(),
        tool_call_id: "c1".into(),
        owner: "ada".to_owned(),
        notes: Default::default(),
        progress: forestage_runtime::tool::Progress::default(),
    };
    let began = tokio::time::Instant::now();
    let result = tool.call(call.clone(), json!({ "day": "friday", "people": 4 })).await.unwrap();
    assert_eq!(result, json!({ "table": 7, "for": 4, "note": "friday on t1" }));
    assert_eq!(began.elapsed(), Duration::from_secs(3));
    let ping = tools.get("ping").unwrap();
    assert_eq!(ping.call(call, json!({})).await.unwrap(), Value::Null);
}

#[test]
fn known_arguments_have_to_fit_the_schema_of_their_tool() {
    let text = format!(
        "{TOOLS}rules:
  - do:
      - tool: {{ name: find_table, args: {{ day: friday, people: 4 }} }}
      - tool: {{ name: find_table, args: {{ day: '{{{{user}}}}' }} }}
      - tool: {{ name: of_the_client, args: {{ day: 3 }} }}
      - tool: {{ name: find_table, args: {{ day: monday }} }}
      - ask: {{ message: Well?, tool: {{ name: find_table, args: {{}} }} }}
"
    );
    check(
        &text,
        &[
            "it:15:23: rules[0].do[3].tool: the arguments of `find_table` do not fit: arguments.day: \"monday\" is not one of \
             \"friday\"",
            "it:16:46: rules[0].do[4].ask.tool: the arguments of `find_table` do not fit: arguments: \"day\" is a required \
             property",
        ],
    );
}

#[test]
fn declarations_are_checked() {
    check(
        "
tools:
  - { name: a, parameters: { type: array } }
  - { name: b, parameters: { properties: { x: { type: numbre } } } }
  - { name: c, result: '{{user}} {{args.x}}' }
  - { name: c }
  - { nmae: d }
rules: [{ do: [{ text: '{{args.x}}' }] }]
",
        &[
            "it:3:28: tools[0].parameters: arguments are an object, but the schema says `array`",
            "it:4:28: tools[1].parameters: this is not valid JSON Schema: \"numbre\" is not valid under any of the schemas \
             listed in the 'anyOf' keyword at /properties/x/type",
            "it:5:24: tools[2].result: a tool knows `{{args}}`, `{{thread}}` and `{{run}}` only",
            "it:6:13: tools[3].name: there is a tool `c` already",
            "it:7:7: tools[4].nmae: unknown key `nmae`, did you mean `name`?",
            "it:8:24: rules[0].do[0].text: `{{args}}` is known in the `result` of `tools` only",
        ],
    );
}
