//! Mistakes are told with line, column, path and a sentence, and all at once.

use forestage_runtime::house::HouseRules;

#[track_caller]
fn check(text: &str, expected: &[&str]) {
    let errors = HouseRules::parse("it", text).expect_err("the rules are bad");
    let lines: Vec<_> = errors.iter().map(ToString::to_string).collect();
    assert_eq!(lines, expected);
}

#[test]
fn all_mistakes_come_at_once() {
    let text = "
rulez: []
rules:
  - tools: ['*']
    when: { amount: { over: 3, above: much }, x..y: { present: true }, z: {}, w: { matches: '(' } }
    action: aks
    risk: hihg
    by: { role: '', people: 0 }
    timeout: soon
  - action: ask
  - tools: []
    action: ask
    risk: critical
    on_expiry: approve
    timeout: 0s
    by: { people: 0, role: ' ' }
  - { tools: ['', 3], action: allow, timeout: 1m, by: {}, on_expiry: reject }
otherwise: { action: ask, risk: high, on_expiry: approve }
review: { role: 3, timeout: 0m }
moderation:
  input: { max_length: 0, patterns: [{ pattern: '(' }, { pattern: 'a*' }, { name: x }] }
  output: { max_length: many }
";
    check(
        text,
        &[
            "it:2:1: rulez: unknown key `rulez`, did you mean `rules`?",
            "it:5:23: rules[0].when.amount.over: unknown key `over`, expected one of: above, below, at_least, \
             at_most, equals, one_of, matches, present",
            "it:5:39: rules[0].when.amount.above: expected a number, found the text `much`",
            "it:5:93: rules[0].when.w.matches: this is not a regular expression: unclosed group",
            "it:6:13: rules[0].action: unknown name `aks`, did you mean `ask`?",
            "it:7:11: rules[0].risk: unknown name `hihg`, did you mean `high`?",
            "it:9:14: rules[0].timeout: `soon` is not a length of time; write 20ms, 1.5s, 10m, 2h or 1d",
            "it:10:5: rules[1]: `tools` is missing",
            "it:11:12: rules[2].tools: no tool is named; `\"*\"` is any",
            "it:14:16: rules[2].on_expiry: what has the risk `critical` is never approved by silence; write reject \
             or cancel",
            "it:15:14: rules[2].timeout: there has to be time to decide",
            "it:16:19: rules[2].by.people: at least one person has to agree",
            "it:16:28: rules[2].by.role: a role needs a name",
            "it:17:15: rules[3].tools[0]: an empty pattern fits no tool; `\"*\"` is any",
            "it:17:19: rules[3].tools[1]: expected a text, found the number 3",
            "it:17:47: rules[3].timeout: `timeout` means something with `action: ask` only",
            "it:17:55: rules[3].by: `by` means something with `action: ask` only",
            "it:17:70: rules[3].on_expiry: `on_expiry` means something with `action: ask` only",
            "it:18:50: otherwise.on_expiry: what has the risk `high` is never approved by silence; write reject or cancel",
            "it:19:17: review.role: expected a text, found the number 3",
            "it:19:29: review.timeout: there has to be time to decide",
            "it:21:24: moderation.input.max_length: this would refuse every text",
            "it:21:49: moderation.input.patterns[0].pattern: this is not a regular expression: unclosed group",
            "it:21:67: moderation.input.patterns[1].pattern: this is found in every text, so every text would be refused",
            "it:21:75: moderation.input.patterns[2]: `pattern` is missing",
            "it:22:25: moderation.output.max_length: expected a whole number from 0, found the text `many`",
        ],
    );
}

#[test]
fn conditions_are_paths_with_something_to_say() {
    check(
        "rules: [{ tools: ['*'], action: ask, when: { x..y: { present: true }, z: {} } }]",
        &[
            "it:1:52: rules[0].when.x..y: `x..y` is not a path; write `order.total` or `/order/total`",
            "it:1:74: rules[0].when.z: nothing is said about the argument; write above, below, at_least, at_most, \
             equals, one_of, matches or present",
        ],
    );
    // What is empty because all of it is bad is not told twice.
    check(
        "rules: [{ tools: [3], action: ask, when: { z: { above: x } } }]",
        &[
            "it:1:19: rules[0].tools[0]: expected a text, found the number 3",
            "it:1:56: rules[0].when.z.above: expected a number, found the text `x`",
        ],
    );
    check("rules: 3", &["it:1:8: rules: expected a list, found the number 3"]);
    check("- rules", &["it:1:1: expected a mapping, found a list"]);
}
