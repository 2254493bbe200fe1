//! Rules: which fits, and what it says.

use std::time::Duration;

use forestage_runtime::policy::{Action, Judgement, OnExpiry, Policy, Risk};
use serde_json::{Value, json};

use crate::house;

/// Whether a predicate on `x` holds for these arguments.
#[track_caller]
fn check(predicate: &str, arguments: Value, holds: bool) {
    let text = format!("rules: [{{ tools: ['*'], when: {predicate}, action: deny }}]");
    let action = house(&text).policy.judge("t", &arguments).action;
    assert_eq!(action == Action::Deny, holds, "{predicate} {arguments}");
}

#[test]
fn the_first_rule_that_fits_decides() {
    let policy = house(
        "
rules:
  - { tools: [pay_safe], action: allow }
  - name: money
    tools: ['pay*', 'refund?']
    action: ask
    risk: high
    by: { role: manager, people: 2 }
    timeout: 15m
    on_expiry: cancel
    reason: Money leaves the house.
  - { tools: ['*'], when: { dry_run: { equals: false } }, action: ask }
otherwise: { action: deny, risk: medium, reason: Nobody said so. }
",
    )
    .policy;
    let money = Judgement {
        action: Action::Ask,
        risk: Risk::High,
        rule: Some("money".to_owned()),
        reason: Some("Money leaves the house.".to_owned()),
        role: Some("manager".to_owned()),
        people: 2,
        timeout: Some(Duration::from_secs(900)),
        on_expiry: OnExpiry::Cancel,
    };
    assert_eq!(policy.judge("pay_bill", &json!({})), money);
    assert_eq!(policy.judge("Refund1", &json!({})), money);
    let allowed = Judgement { rule: Some("rules[0]".to_owned()), ..Judgement::default() };
    assert_eq!(policy.judge("pay_safe", &json!({})), allowed);
    let asked = Judgement { action: Action::Ask, rule: Some("rules[2]".to_owned()), ..Judgement::default() };
    assert_eq!(policy.judge("refund12", &json!({ "dry_run": false })), asked);
    let rest = policy.judge("refund12", &json!({}));
    assert_eq!((rest.action, rest.risk, rest.rule), (Action::Deny, Risk::Medium, None));
    assert_eq!(rest.reason.as_deref(), Some("Nobody said so."));
}

#[test]
fn without_rules_everything_is_allowed() {
    assert_eq!(Policy::default().judge("t", &json!({})), Judgement::default());
    assert_eq!(house("rules: []").policy.judge("t", &json!({})), Judgement::default());
    assert_eq!(house("{}").policy.judge("t", &json!({})).action, Action::Allow);
}

#[test]
fn predicates_hold_for_values_of_their_type_only() {
    for (predicate, good, bad) in [
        ("above: 5", json!([5.1, 6]), json!([5, 4, "6", null, true, [6], {}])),
        ("below: 5", json!([4.9, -1]), json!([5, 6, "4"])),
        ("at_least: 5", json!([5, 5.0, 6]), json!([4.99, "5"])),
        ("at_most: 5", json!([5, 4]), json!([5.01, null])),
        ("above: 1, below: 3", json!([2]), json!([1, 3])),
        ("equals: 5", json!([5, 5.0]), json!(["5", 6])),
        ("equals: null", json!([null]), json!([0, "", false])),
        ("equals: { a: [1] }", json!([{ "a": [1] }]), json!([{ "a": [1], "b": 2 }])),
        ("one_of: [a, 2]", json!(["a", 2]), json!(["b", ["a"]])),
        ("matches: '^a+$'", json!(["aa"]), json!(["ab", 1, ["a"], null])),
        ("present: true", json!([null, 0, ""]), json!([])),
        ("above: 9007199254740992", json!([9007199254740993_u64]), json!([9007199254740992_u64])),
        ("equals: 18446744073709551615", json!([u64::MAX]), json!([u64::MAX - 1])),
    ] {
        let predicate = format!("{{ x: {{ {predicate} }} }}");
        for value in good.as_array().unwrap() {
            check(&predicate, json!({ "x": value }), true);
        }
        for value in bad.as_array().unwrap() {
            check(&predicate, json!({ "x": value }), false);
        }
        check(&predicate, json!({}), false);
        check(&predicate, json!(7), false);
    }
    check("{ x: { present: false } }", json!({}), true);
    check("{ x: { present: false } }", json!({ "x": null }), false);
}

#[test]
fn paths_lead_into_the_arguments_and_all_predicates_have_to_hold() {
    let arguments = json!({ "order": { "items": [{ "price": 7 }], "a.b": { "c/d": 1 } }, "x": 1 });
    check("{ order.items.0.price: { equals: 7 } }", arguments.clone(), true);
    check("{ /order/items/0/price: { equals: 7 } }", arguments.clone(), true);
    check("{ /order/a.b/c~1d: { equals: 1 } }", arguments.clone(), true);
    check("{ order.items.1.price: { equals: 7 } }", arguments.clone(), false);
    check("{ order.items.price: { present: true } }", arguments.clone(), false);
    check("{ x: { equals: 1 }, order.items.0.price: { above: 6 } }", arguments.clone(), true);
    check("{ x: { equals: 1 }, order.items.0.price: { above: 7 } }", arguments, false);
}
