//! What bound values, functions, checks and actions come to.

use forestage_a2ui::{
    function::{ActionError, FunctionError, Offer, TemplateError, failed_checks, offer, parse_template},
    surface::{DataModel, Evaluated, Path, Scope},
};
use proptest::prelude::*;
use serde_json::{Value, json};

fn model() -> DataModel {
    DataModel::new(json!({
        "user": { "name": "Ada", "age": 36, "tags": ["a", "b"], "none": null, "empty": "" },
        "items": [{ "price": 9.5, "n": 1 }, { "price": 1234.5, "n": 2 }],
        "on": true,
        "loop": "${formatString(value: /loop)} ${formatString(value: /loop)}",
    }))
}

fn call(name: &str, args: Value) -> Value {
    json!({ "call": name, "args": args })
}

#[track_caller]
fn check(name: &str, args: Value, expected: Value) {
    let model = model();
    let found = Scope::new(&model).evaluate(&call(name, args.clone()));
    assert_eq!(found, Evaluated { value: Some(expected), faults: Vec::new() }, "{name} {args}");
}

#[track_caller]
fn check_fails(name: &str, args: Value, expected: &str) {
    let model = model();
    let found = Scope::new(&model).evaluate(&call(name, args));
    let faults: Vec<_> = found.faults.iter().map(ToString::to_string).collect();
    assert_eq!((found.value, faults), (None, vec![expected.to_owned()]), "{name}");
}

#[test]
fn literals_bindings_and_calls_are_resolved_in_their_scope() {
    let model = model();
    let scope = Scope::new(&model).in_item(Path::parse("/items/1").unwrap());
    for (value, expected) in [
        (json!("text"), Some(json!("text"))),
        (json!({ "path": "/user/name" }), Some(json!("Ada"))),
        (json!({ "path": "price" }), Some(json!(1234.5))),
        (json!({ "path": "" }), Some(json!({ "price": 1234.5, "n": 2 }))),
        (json!({ "@path": "n" }), Some(json!(2))),
        (json!({ "path": "absent" }), None),
        (json!({ "path": "/user/none" }), Some(json!(null))),
        (json!([{ "path": "n" }, { "path": "absent" }, 3]), Some(json!([2, null, 3]))),
        (json!({ "other": { "path": "n" } }), Some(json!({ "other": { "path": "n" } }))),
        (
            call("add", json!({ "a": { "path": "n" }, "b": call("multiply", json!({ "a": 2, "b": "3" })) })),
            Some(json!(8)),
        ),
    ] {
        assert_eq!(scope.evaluate(&value), Evaluated { value: expected, faults: Vec::new() }, "{value}");
    }
    let forbidden = scope.evaluate(&json!({ "path": "/__proto__/x" }));
    assert!(
        matches!(forbidden, Evaluated { value: None, faults } if matches!(faults[..], [FunctionError::Path(_)]))
    );
}

#[test]
fn values_are_validated() {
    for (value, expected) in [
        (json!("x"), true),
        (json!(""), false),
        (json!([]), false),
        (json!(null), false),
        (json!(0), true),
        (json!({}), true),
    ] {
        check("required", json!({ "value": value }), json!(expected));
    }
    check_fails("required", json!({ "value": { "path": "/absent" } }), "`required` needs `value`");
    check("regex", json!({ "value": 12345, "pattern": "^\\d{5}$" }), json!(true));
    check("length", json!({ "value": "né😀", "max": 4 }), json!(true));
    check("length", json!({ "value": "né😀", "max": 3 }), json!(false));
    check("length", json!({ "value": ["a"], "min": 2 }), json!(false));
    check_fails("length", json!({ "value": "x" }), "`min` of `length` must be given, or `max`");
    check("numeric", json!({ "value": "5", "min": 5, "max": 5 }), json!(true));
    check("numeric", json!({ "value": 4.9, "min": 5 }), json!(false));
    check_fails("numeric", json!({ "value": "five", "min": 5 }), "`value` of `numeric` must be a number");
    for (text, expected) in [
        ("a@b.nl", true),
        ("a.b+c@d-e.co.uk", true),
        ("a@b", false),
        ("@b.nl", false),
        ("a@b.n", false),
        ("a b@c.nl", false),
        ("a@@b.nl", false),
    ] {
        check("email", json!({ "value": text }), json!(expected));
    }
}

#[test]
fn logic_and_arithmetic_follow_javascript() {
    check("and", json!({ "values": [1, "x", []] }), json!(true));
    check("or", json!({ "values": [0, "", null] }), json!(false));
    check("not", json!({ "value": "" }), json!(true));
    check("equals", json!({ "a": 1, "b": 1.0 }), json!(true));
    check("equals", json!({ "a": 1, "b": "1" }), json!(false));
    check("notEquals", json!({ "a": null, "b": false }), json!(true));
    check("subtract", json!({ "a": "5", "b": true }), json!(4));
    check("add", json!({ "a": 0.1, "b": 0.2 }), json!(0.30000000000000004));
    check("divide", json!({ "a": 1, "b": 0 }), json!(null));
    check("greater_than", json!({ "a": "10", "b": 9 }), json!(true));
    check("lessThan", json!({ "a": 10, "b": 9 }), json!(false));
    check("contains", json!({ "string": "abc", "substring": "b" }), json!(true));
    check("starts_with", json!({ "string": 123, "prefix": 12 }), json!(true));
    check("endsWith", json!({ "string": "abc", "suffix": "b" }), json!(false));
    check("capitalize", json!({ "value": "éa" }), json!("Éa"));
    check_fails("and", json!({ "values": [true] }), "`values` of `and` must be a list of two values or more");
    check_fails("add", json!({ "a": null, "b": 1 }), "`add` needs `a`");
    check_fails("nothing", json!({}), "there is no function `nothing`");
}

#[test]
fn sentences_are_filled_in() {
    for (template, expected) in [
        ("plain", "plain"),
        ("Hi ${/user/name}!", "Hi Ada!"),
        ("${/user/age} ${/on} ${/user/none}${/absent}|", "36 true |"),
        ("${/user/tags} ${/items/0}", r#"["a","b"] {"price":9.5,"n":1}"#),
        (r"\${/user/name} ${'}'}", "${/user/name} }"),
        ("${formatNumber(value: ${/items/1/price}, decimals: 2)}", "1,234.50"),
        ("${ add ( a: add(a: 1, b: 2), b: 3. ) }", "6"),
        (r#"${'it\'s'} ${"a\nb"}"#, "it's a\nb"),
        ("${}${ }${null}${true}${1.50}", "true1.5"),
        ("${${/user/name}}", "Ada"),
    ] {
        check("formatString", json!({ "value": template }), json!(expected));
    }
    for (template, expected) in [
        ("${/a", TemplateError::Unclosed),
        ("${'a}", TemplateError::Unclosed),
        ("${/a b}", TemplateError::Trailing { rest: "b".to_owned() }),
        ("${1.2.3}", TemplateError::Number { text: "1.2.3".to_owned() }),
        ("${f(1)}", TemplateError::Colon { function: "f".to_owned(), argument: "1".to_owned() }),
        ("${f(a: 1}", TemplateError::Parenthesis { function: "f".to_owned() }),
    ] {
        assert_eq!(parse_template(template), Err(expected), "{template}");
    }
    assert_eq!(
        parse_template("${/a} ${f(x: b, y: ${/c})}"),
        Ok(["/a", "b", "/c"].map(String::from).to_vec())
    );
    let nested = |depth: usize| format!("{}1{}", "${".repeat(depth), "}".repeat(depth));
    assert_eq!(parse_template(&nested(100)), Ok(vec![]));
    assert_eq!(parse_template(&nested(101)), Err(TemplateError::TooDeep));
}

#[test]
fn numbers_are_written_as_a_browser_writes_them() {
    for (args, expected) in [
        (json!({ "value": 1234567.891 }), "1,234,567.891"),
        (json!({ "value": 0.12345 }), "0.123"),
        (json!({ "value": 1.005, "decimals": 2 }), "1.01"),
        (json!({ "value": 999.999, "decimals": 1 }), "1,000.0"),
        (json!({ "value": -1234.5, "grouping": false }), "-1234.5"),
        (json!({ "value": "12" }), "12"),
        (json!({ "value": null }), "0"),
    ] {
        check("formatNumber", args, json!(expected));
    }
    for (args, expected) in [
        (json!({ "value": 1234.5, "currency": "USD" }), "$1,234.50"),
        (json!({ "value": -3, "currency": "EUR" }), "-€3.00"),
        (json!({ "value": 1234.5, "currency": "JPY" }), "¥1,235"),
        (json!({ "value": 5, "currency": "CHF" }), "CHF\u{a0}5.00"),
        (json!({ "value": 5, "currency": "dollars" }), "5.00"),
        (json!({ "value": 5.25, "currency": "USD", "decimals": 0 }), "$5"),
    ] {
        check("formatCurrency", args, json!(expected));
    }
    let model = model();
    let price = call("formatCurrency", json!({ "value": -1234.5, "currency": "EUR" }));
    for (locale, expected) in
        [("nl", "€\u{a0}-1.234,50"), ("de", "-1.234,50\u{a0}€"), ("fr", "-1\u{202f}234,50\u{a0}€")]
    {
        assert_eq!(Scope::new(&model).in_locale(locale).evaluate(&price).value, Some(json!(expected)));
    }
}

#[test]
fn dates_follow_their_pattern() {
    let date = "2026-03-05T14:07:09.045Z";
    for (value, format, expected) in [
        (json!(date), "yyyy-MM-dd HH:mm:ss.SSS", "2026-03-05 14:07:09.045"),
        (json!(date), "EEEE, MMMM do, yy", "Thursday, March 5th, 26"),
        (json!(date), "E d MMM h:mm a", "Thu 5 Mar 2:07 PM"),
        (json!(date), "h 'o''clock' aaaa", "2 o'clock p.m."),
        (json!(date), "QQQ w I D'' XXX O", "2026-03-05T14:07:09.045Z"),
        (json!(date), "QQQ w I XXX O", "Q1 10 10 Z GMT+0"),
        (json!(date), "PPPp", "March 5th, 2026 at 2:07 PM"),
        (json!(date), "YYYY", "2026-03-05T14:07:09.045Z"),
        (json!(date), "n", "2026-03-05T14:07:09.045Z"),
        (json!(date), "ISO", "2026-03-05T14:07:09.045Z"),
        (json!("2026-03-05"), "MM/dd/yyyy", "03/05/2026"),
        (json!("2026-12-31T23:30:00-01:30"), "yyyy-MM-dd HH:mm", "2027-01-01 01:00"),
        (json!(86_400_000), "yyyy-MM-dd", "1970-01-02"),
        (json!(-1), "yyyy-MM-dd HH:mm:ss.SSS", "1969-12-31 23:59:59.999"),
        (json!(""), "yyyy", ""),
        (json!("soon"), "yyyy", ""),
        (json!(null), "yyyy", ""),
    ] {
        check("formatDate", json!({ "value": value, "format": format }), json!(expected));
    }
    let model = model();
    let scope = Scope::new(&model).at_utc_offset(120);
    let local = |value: &str| {
        scope.evaluate(&call("formatDate", json!({ "value": value, "format": "HH:mm xxx" }))).value
    };
    assert_eq!(local("2026-03-05T14:00Z"), Some(json!("16:00 +02:00")));
    assert_eq!(local("2026-03-05T14:00"), Some(json!("14:00 +02:00")));
}

#[test]
fn counts_choose_their_words() {
    let words = |value: Value| json!({ "value": value, "one": "one item", "few": "few items", "other": "many items" });
    check("pluralize", words(json!(1)), json!("one item"));
    check("pluralize", words(json!("0")), json!("many items"));
    check("pluralize", words(json!(2)), json!("many items"));
    let model = model();
    let polish = Scope::new(&model).in_locale("pl").evaluate(&call("pluralize", words(json!(3))));
    assert_eq!(polish.value, Some(json!("few items")));
    check_fails("pluralize", json!({ "value": 1 }), "`pluralize` needs `other`");
}

#[test]
fn no_value_takes_forever() {
    let nested =
        |depth: usize| (0..depth).fold(json!(true), |value, _| call("not", json!({ "value": value })));
    let model = model();
    let scope = Scope::new(&model);
    assert_eq!(scope.evaluate(&nested(5)).value, Some(json!(false)));
    assert!(scope.evaluate(&nested(6)).faults.contains(&FunctionError::TooDeep));
    let looping = scope.evaluate(&call("formatString", json!({ "value": { "path": "/loop" } })));
    assert!(
        looping.faults.contains(&FunctionError::TooDeep) || looping.faults.contains(&FunctionError::TooMuch)
    );
    let many: serde_json::Map<_, _> = (0..1001).map(|number| (format!("a{number}"), json!(1))).collect();
    check_fails("add", Value::Object(many), "`add` has more than 1000 arguments");
    let large = DataModel::new(json!({ "text": "x".repeat(1 << 20) }));
    let often = call("or", json!({ "values": vec![json!({ "path": "/text" }); 1000] }));
    assert!(Scope::new(&large).evaluate(&often).faults.contains(&FunctionError::TooMuch));
}

#[test]
fn checks_that_do_not_hold_are_told_with_their_message() {
    let model = model();
    let checks = json!([
        { "condition": call("required", json!({ "value": { "path": "/user/name" } })), "message": "a name, please" },
        { "condition": call("required", json!({ "value": { "path": "/user/empty" } })), "message": "say something" },
        { "condition": { "path": "/on" }, "message": "switch it on" },
        { "condition": false, "message": "never" },
        { "call": "numeric", "args": { "value": { "path": "/user/age" }, "max": 20 }, "message": "too old" },
        { "condition": call("nothing", json!({})), "message": "unknown" },
        { "message": "without a condition" },
    ]);
    let failed = failed_checks(&checks, &Scope::new(&model));
    let told: Vec<_> =
        failed.iter().map(|failed| (failed.rule, failed.message.as_str(), failed.faults.len())).collect();
    assert_eq!(
        told,
        [
            (1, "say something", 0),
            (3, "never", 0),
            (4, "too old", 0),
            (5, "unknown", 1),
            (6, "without a condition", 0)
        ]
    );
}

#[test]
fn an_action_offers_the_values_of_the_moment() {
    let model = model();
    let scope = Scope::new(&model).in_item(Path::parse("/items/0").unwrap());
    let action = json!({ "event": { "name": "buy", "context": {
        "who": { "path": "/user/name" }, "price": { "path": "price" }, "fixed": [1], "absent": { "path": "x" },
        "total": call("formatCurrency", json!({ "value": { "path": "price" }, "currency": "USD" })),
    } } });
    let context =
        json!({ "who": "Ada", "price": 9.5, "fixed": [1], "total": "$9.50" }).as_object().unwrap().clone();
    assert_eq!(offer(&action, &scope), Ok(Offer::Event { name: "buy".to_owned(), context, faults: vec![] }));
    let open = |url: &str| offer(&json!({ "functionCall": call("openUrl", json!({ "url": url })) }), &scope);
    assert_eq!(
        open("https://example.com"),
        Ok(Offer::Call { function: "openUrl".to_owned(), faults: vec![] })
    );
    assert!(matches!(open("javascript:alert(1)"), Ok(Offer::Call { faults, .. }) if faults.len() == 1));
    assert_eq!(offer(&json!({}), &scope), Err(ActionError::Neither));
    assert_eq!(offer(&json!({ "event": {} }), &scope), Err(ActionError::NoName));
}

proptest! {
    #[test]
    fn any_template_and_any_pattern_end(text in "[$\\{}()/a-z0-9:,.'\" \\\\é]{0,40}", number in any::<f64>()) {
        let model = model();
        let scope = Scope::new(&model);
        for (name, args) in [
            ("formatString", json!({ "value": text })),
            ("formatDate", json!({ "value": number, "format": text })),
            ("formatDate", json!({ "value": text, "format": "PPPPpppp" })),
            ("regex", json!({ "value": text, "pattern": text })),
            ("formatNumber", json!({ "value": number, "decimals": 2 })),
            ("formatCurrency", json!({ "value": number, "currency": text })),
            ("pluralize", json!({ "value": number, "other": text })),
        ] {
            let _ = scope.evaluate(&call(name, args));
        }
    }
}
