//! Mistakes are told with line, column, path and a sentence, and all at once.

use forestage_runtime::script;

/// What is wrong with a script, one line each.
fn check(text: &str, expected: &[&str]) {
    let errors = script::parse("it", text).expect_err("the script is bad");
    let lines: Vec<_> = errors.iter().map(ToString::to_string).collect();
    assert_eq!(lines, expected);
}

/// The same for a single step in a rule without conditions.
fn check_step(step: &str, expected: &str) {
    check(&format!("rules:\n- do:\n  - {step}\n"), &[expected]);
}

#[test]
fn several_mistakes_come_at_once_in_order() {
    let text = "
description: 3
rules:
";
    check(
        text,
        &[
            "it:2:14: description: expected a text, found the number 3",
            "it:3:6: rules: expected a list, found nothing",
        ],
    );
    let text = "
rules:
  - when: { sais: hello }
    do: []
  - do:
      - txt: hello
      - text: { text: hello, pace: fast }
      - step: { name: look, do: [{ sleep: 3 }, { tool: { nmae: x } }] }
";
    check(
        text,
        &[
            "it:3:13: rules[0].when.sais: unknown key `sais`, did you mean `says`?",
            "it:6:9: rules[1].do[0].txt: unknown name `txt`, did you mean `text`?",
            "it:7:36: rules[1].do[1].text.pace: `fast` is not a length of time; write 20ms, 1.5s, 10m, 2h or 1d",
            "it:8:43: rules[1].do[2].step.do[0].sleep: expected a length of time such as 20ms, found the number 3",
            "it:8:58: rules[1].do[2].step.do[1].tool.nmae: unknown key `nmae`, did you mean `name`?",
        ],
    );
}

#[test]
fn a_mistake_in_a_mapping_does_not_hide_the_others() {
    let text = "
descripton: x
history: sever
pace: fast
rules:
  - when: { sais: hello, first: 1 }
    do:
      - text: { text: hello, pace: fast, chunk: letter, role: nobody }
      - tool: { name: [], args: 3 }
capabilities: []
";
    check(
        text,
        &[
            "it:2:1: descripton: unknown key `descripton`, did you mean `description`?",
            "it:3:10: history: unknown name `sever`, did you mean `server`?",
            "it:4:7: pace: `fast` is not a length of time; write 20ms, 1.5s, 10m, 2h or 1d",
            "it:6:13: rules[0].when.sais: unknown key `sais`, did you mean `says`?",
            "it:6:33: rules[0].when.first: expected true or false, found the number 1",
            "it:8:36: rules[0].do[0].text.pace: `fast` is not a length of time; write 20ms, 1.5s, 10m, 2h or 1d",
            "it:8:49: rules[0].do[0].text.chunk: expected `word`, `char`, `all` or a number of characters, found the text `letter`",
            "it:8:63: rules[0].do[0].text.role: unknown name `nobody`, expected one of: assistant, user, system, developer",
            "it:9:23: rules[0].do[1].tool.name: expected a text, found a list",
            "it:9:33: rules[0].do[1].tool.args: expected a mapping, or one template such as \"{{answer.args}}\"",
            "it:10:15: capabilities: expected a mapping, found a list",
        ],
    );
    // What is missing because it is bad or misspelt is not told twice; what is missing besides is.
    check("rulez: []", &["it:1:1: rulez: unknown key `rulez`, did you mean `rules`?"]);
    check(
        "colour: 3",
        &[
            "it:1:1: colour: unknown key `colour`, expected one of: name, description, title, icon, order, group, history, capabilities, state, \
             pace, chunk, house, tools, rules",
            "it:1:1: `rules` is missing",
        ],
    );
}

#[test]
fn what_does_not_fit_together_is_told_with_what_cannot_be_read() {
    let text = "
name: a/b
rules:
  - when: { sais: 'book *' }
    do:
      - txt: hello
      - text: '{{1}} {{answer}}'
      - handoff: itt
  - do:
      - text: '{{n}}'
      - activity: { type: [], content: {} }
      - patch: [{ op: add, path: /a, value: '{{usr}}' }]
";
    // `{{1}}` and `{{answer}}` may follow from the condition and the step that cannot be read, so they wait; so do the
    // `type` and the `value` that are there, but bad.
    check(
        text,
        &[
            "it:2:7: name: `a/b` is not a name: letters, digits, `-`, `_` and `.` are allowed",
            "it:4:13: rules[0].when.sais: unknown key `sais`, did you mean `says`?",
            "it:6:9: rules[0].do[0].txt: unknown name `txt`, did you mean `text`?",
            "it:8:18: rules[0].do[2].handoff: there is no agent `itt` to hand over to",
            "it:11:27: rules[1].do[1].activity.type: expected a text, found a list",
            "it:12:45: rules[1].do[2].patch[0].value: unknown name `usr` in a template, did you mean `user`?",
        ],
    );
}

#[test]
fn what_is_missing_or_too_much_is_named() {
    check("description: nothing else", &["it:1:1: `rules` is missing"]);
    check_step("tool: { args: {} }", "it:3:11: rules[0].do[0].tool: `name` is missing");
    check_step(
        "text: hello\n    pace: 20ms",
        "it:4:5: rules[0].do[0]: one key is allowed here, found `text` and `pace`; what belongs to the first goes \
         below it, indented",
    );
    check_step(
        "text: hello\n    sleep: 20ms",
        "it:4:5: rules[0].do[0]: one key is allowed here, found `text` and `sleep`; each begins with a dash of its own",
    );
    check_step(
        "text: [a]",
        "it:3:11: rules[0].do[0].text: expected a text or a mapping with `text`, found a list",
    );
    check_step(
        "tool: { name: x, args: [1] }",
        "it:3:28: rules[0].do[0].tool.args: expected a mapping, or one template such as \"{{answer.args}}\"",
    );
    check_step("tool: [find, {}]", "it:3:11: rules[0].do[0].tool: expected a mapping, found a list");
    check_step("tool: find", "it:3:11: rules[0].do[0].tool: expected a mapping, found the text `find`");
    check_step(
        "repeat: { times: -1, do: [] }",
        "it:3:22: rules[0].do[0].repeat.times: expected a whole number from 0, found the number -1",
    );
    check_step("[text]", "it:3:5: rules[0].do[0]: expected a mapping with one key, found a list");
    check(
        "rules: [{ when: { first: 1 }, do: [] }]",
        &["it:1:26: rules[0].when.first: expected true or false, found the number 1"],
    );
    check("capabilities: []\nrules: []", &["it:1:15: capabilities: expected a mapping, found a list"]);
    check_step(
        "say",
        "it:3:5: rules[0].do[0]: unknown name `say`, expected one of: text, reasoning, step, tool, \
        toolResult, state, patch, activity, custom, sleep, subagent, handoff, ask, repeat, error, result, usage, raw",
    );
}

#[test]
fn text_that_is_no_yaml_is_told_where_it_breaks() {
    let errors = script::parse("it", "rules: [\n  { do: ]").unwrap_err();
    assert_eq!((errors.len(), errors[0].line), (1, 2));
    assert!(errors[0].message.starts_with("this is not YAML: "), "{}", errors[0]);
    check("rules: []\nrules: []", &["it:2:1: the key `rules` is here twice"]);
    check_step(
        "text: {{user}}",
        "it:3:12: a key has to be text; a value that begins with a template needs quotes: \"{{user}}\"",
    );
    check("rules: []\n---\nrules: []", &["it:3:1: a file holds one document"]);
}

#[test]
fn patterns_are_checked() {
    let text = "rules: [{ when: { matches: '(' }, do: [] }]";
    check(text, &["it:1:28: rules[0].when.matches: this is not a regular expression: unclosed group"]);
    let text = "rules: [{ when: { says: a, contains: b }, do: [] }]";
    check(text, &["it:1:38: rules[0].when.contains: one of `says`, `matches` and `contains` is enough"]);
    let text = "rules: [{ when: { says: a, answers: b }, do: [] }]";
    check(
        text,
        &[
            "it:1:25: rules[0].when.says: a person says something or a tool `answers`: both at once never happens",
        ],
    );
}

#[test]
fn names_in_templates_are_known_where_they_stand_for_something() {
    check_step(
        "text: 'Hi {{usr}}'",
        "it:3:11: rules[0].do[0].text: unknown name `usr` in a template, did you mean `user`?",
    );
    check_step("text: '{{n}}'", "it:3:11: rules[0].do[0].text: `{{n}}` is known inside `repeat` only");
    check_step(
        "text: '{{1}}'",
        "it:3:11: rules[0].do[0].text: `{{1}}` is nothing: the condition catches 0 texts",
    );
    check_step(
        "state: { deep: [{ a: '{{answer.x}}' }] }",
        "it:3:26: rules[0].do[0].state.deep[0].a: `{{answer}}` is known in a rule with `answers` and after an `ask` only",
    );
    let fine = "
rules:
  - when: { matches: '(a)(b)' }
    do:
      - repeat: { times: 2, do: [{ text: '{{n}} {{1}} {{2}} {{state.x}} {{thread}} {{run}} {{agent}} {{user}}' }] }
      - ask: { message: 'Well?', answers: [{ when: { says: 'x*' }, do: [{ text: '{{answer}} {{1}}' }] }] }
      - text: '{{answer}}'
";
    assert!(script::parse("it", fine).is_ok());
}

#[test]
fn members_that_belong_together_are_checked() {
    check_step(
        "handoff: itt",
        "it:3:14: rules[0].do[0].handoff: there is no agent `itt` to hand over to, did you mean `it`?",
    );
    check_step(
        "patch: [{ op: add, path: /a }]",
        "it:3:30: rules[0].do[0].patch[0].path: this operation needs `value`",
    );
    check_step(
        "patch: [{ op: ad, path: /a }]",
        "it:3:19: rules[0].do[0].patch[0].op: unknown name `ad`, did you mean `add`?",
    );
    check_step(
        "activity: { id: x }",
        "it:3:15: rules[0].do[0].activity: an activity has either `content`, to show it, or `patch`, to change it",
    );
    check_step("activity: { content: {} }", "it:3:15: rules[0].do[0].activity: an activity needs a `type`");
    check_step(
        "toolResult: 3",
        "it:3:17: rules[0].do[0].toolResult: there is no `ask` with a `tool` before, so there is no call to answer",
    );
    check_step("raw: { a: 1 }", "it:3:10: rules[0].do[0].raw: an event needs a `type`");
    check(
        "history: client\nrules: [{ do: [{ ask: { message: Well? } }] }]",
        &[
            "it:2:34: rules[0].do[0].ask.message: a script with `history: client` cannot ask: the server forgets where \
           it stood",
        ],
    );
    check(
        "name: a/b\nrules: []",
        &["it:1:7: name: `a/b` is not a name: letters, digits, `-`, `_` and `.` are allowed"],
    );
    check("history: sever\nrules: []", &["it:1:10: history: unknown name `sever`, did you mean `server`?"]);
}

#[test]
fn hostile_files_are_refused() {
    let deep = format!("rules: {}", "[".repeat(200));
    assert!(script::parse("it", &deep).unwrap_err()[0].message.contains("too deep"));
    let mut bomb = "state: { a0: &a0 [x, x, x, x, x, x, x, x, x, x]".to_owned();
    for level in 1..9 {
        let alias = format!("*a{}", level - 1);
        bomb += &format!(", a{level}: &a{level} [{}]", vec![alias; 10].join(", "));
    }
    bomb += " }\nrules: []";
    assert!(script::parse("it", &bomb).unwrap_err()[0].message.contains("too large"));
}
