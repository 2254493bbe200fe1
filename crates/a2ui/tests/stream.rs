//! What is released while a model still writes, and what is repaired on the way.

use forestage_a2ui::{
    stream::{Form, Piece, RepairKind, Report, Stream, read},
    surface::DataModel,
};
use proptest::prelude::*;
use serde_json::{Value, json};

/// The texts of the pieces, short enough for a table.
fn told(pieces: &[Piece]) -> Vec<String> {
    let told = pieces.iter().map(|piece| match piece {
        Piece::Component { source, component } => {
            format!("{} {component}", source.surface_id.as_deref().unwrap_or("?"))
        }
        Piece::Data { path, value, .. } => format!("{path} = {value}"),
        Piece::Message { message, released } => format!("message {released} {message}"),
        Piece::Rendered { arguments, released } => format!("rendered {released} {arguments}"),
        Piece::Rest(rest) => format!("rest {rest}"),
    });
    told.collect()
}

#[track_caller]
fn check(text: &str, expected: &[&str], repairs: &[RepairKind]) {
    let (pieces, report) = read(text);
    assert_eq!(told(&pieces), expected, "{text}");
    let found: Vec<_> = report.repairs.iter().map(|repair| repair.kind).collect();
    assert_eq!(found, repairs, "{text}");
}

const UPDATE: &str =
    r#"{"version":"v0.9","updateComponents":{"surfaceId":"s","components":[{"id":"a"},{"id":"b"}]}}"#;
const UPDATED: [&str; 3] = [
    r#"s {"id":"a"}"#,
    r#"s {"id":"b"}"#,
    r#"message 2 {"version":"v0.9","updateComponents":{"surfaceId":"s","components":[]}}"#,
];

#[test]
fn a_component_is_released_at_its_closing_brace() {
    let mut stream = Stream::default();
    let mut seen = Vec::new();
    for (at, letter) in UPDATE.char_indices() {
        let pieces = stream.push(&letter.to_string());
        seen.extend(pieces.into_iter().map(|piece| (at, piece)));
    }
    let ends: Vec<_> = seen.iter().map(|(at, _)| &UPDATE[..=*at]).collect();
    assert!(ends[0].ends_with(r#"{"id":"a"}"#) && ends[1].ends_with(r#"{"id":"b"}"#) && ends[2] == UPDATE);
    let Piece::Component { source, .. } = &seen[0].1 else { panic!("not a component") };
    assert_eq!((source.form, source.version.as_deref()), (Form::UpdateComponents, Some("v0.9")));
}

#[test]
fn messages_arrive_in_many_wrappings() {
    let string = Value::String(format!("[{UPDATE}]")).to_string();
    let lines = Value::String(format!("{UPDATE}\n{UPDATE}")).to_string();
    for text in [
        UPDATE.to_owned(),
        format!("[{UPDATE}]"),
        format!(r#"{{"a2ui_json":{UPDATE}}}"#),
        format!(r#"{{"a2ui_json":[{UPDATE}]}}"#),
        format!(r#"{{"a2ui_json":{string}}}"#),
        format!(r#"{{"a2ui_json":{{"messages":[{UPDATE}]}}}}"#),
        format!(r#"{{"a2ui_operations":[{UPDATE}]}}"#),
        format!(r#"{{"a2ui_operations":{string}}}"#),
        format!(r#"{{"messages":[{UPDATE}]}}"#),
        string.clone(),
    ] {
        check(&text, &UPDATED, &[]);
    }
    let twice: Vec<_> = UPDATED.into_iter().chain(UPDATED).collect();
    check(&format!("{UPDATE}\n{UPDATE}"), &twice, &[]);
    check(&format!(r#"{{"a2ui_json":{lines}}}"#), &twice, &[]);
}

#[test]
fn messages_of_0_8_and_others_come_whole() {
    check(
        r#"[{"surfaceUpdate":{"components":[{"id":"a"}],"surfaceId":"late"}},{"deleteSurface":{"surfaceId":"x"}}]"#,
        &[
            r#"late {"id":"a"}"#,
            r#"message 1 {"surfaceUpdate":{"components":[],"surfaceId":"late"}}"#,
            r#"message 0 {"deleteSurface":{"surfaceId":"x"}}"#,
        ],
        &[],
    );
    check(
        r#"[{"surfaceUpdate":{"components":[{"id":"a"},1]}}]"#,
        &[r#"? {"id":"a"}"#, r#"message 1 {"surfaceUpdate":{"components":[1]}}"#],
        &[],
    );
    check(r#"{"a2ui_json":[1],"why":"not"}"#, &["message 0 1", r#"rest {"why":"not"}"#], &[]);
}

#[test]
fn the_data_of_a_rendering_comes_item_by_item() {
    check(
        r#"{"surfaceId":"s","components":[{"id":"root"}],"data":{"title":"T","items":[{"n":1},{"n":2}],"":3}}"#,
        &[
            r#"s {"id":"root"}"#,
            "/ = {}",
            r#"/title = "T""#,
            "/items = []",
            r#"/items/0 = {"n":1}"#,
            r#"/items/1 = {"n":2}"#,
            r#"rendered 1 {"surfaceId":"s","components":[],"data":{"":3}}"#,
        ],
        &[],
    );
}

#[test]
fn what_models_get_wrong_is_repaired_and_told() {
    use RepairKind as Kind;
    let fenced = format!("Here it is:\n```json\n{UPDATE}\n```\nEnjoy!");
    check(&fenced, &UPDATED, &[Kind::Prose, Kind::Fence, Kind::Fence]);
    let in_string = json!({ "a2ui_json": format!("```json\n[{UPDATE}]\n```") }).to_string();
    check(&in_string, &UPDATED, &[Kind::Fence, Kind::Fence]);
    for (text, message, kinds) in [
        (r#"[{"a":1,},]"#, r#"{"a":1}"#, vec![Kind::TrailingComma, Kind::TrailingComma]),
        (r#"[{“a”: “b c”}]"#, r#"{"a":"b c"}"#, vec![Kind::SmartQuotes, Kind::SmartQuotes]),
        (r#"[{'a': 'b "c"'}]"#, r#"{"a":"b \"c\""}"#, vec![Kind::SingleQuotes, Kind::SingleQuotes]),
        (
            r#"[{a: 1, b_2: x}]"#,
            r#"{"a":1,"b_2":"x"}"#,
            vec![Kind::UnquotedKey, Kind::UnquotedKey, Kind::UnquotedText],
        ),
        ("[{\"a\":\"b\n\tc\"}]", r#"{"a":"b\n\tc"}"#, vec![Kind::RawControl, Kind::RawControl]),
        ("[{\"a\":1, // one\n/* two **/\"b\":2}]", r#"{"a":1,"b":2}"#, vec![Kind::Comment, Kind::Comment]),
        (
            r#"[{"a":True,"b":None,"c":.5,"d":+2}]"#,
            r#"{"a":true,"b":null,"c":0.5,"d":2}"#,
            vec![Kind::Literal; 4],
        ),
        (r#"[{"a" 1 "b":2}]"#, r#"{"a":1,"b":2}"#, vec![Kind::MissingColon, Kind::MissingComma]),
        (r#"[{"a":,"b"}]"#, r#"{"a":null,"b":null}"#, vec![Kind::MissingValue, Kind::MissingValue]),
        (r#"[{"a":"\${b} \' \ud800 \q"}]"#, r#"{"a":"\\${b} ' � \\q"}"#, vec![Kind::BadEscape; 4]),
        (r#"[{"a":1,"a":2}]"#, r#"{"a":2}"#, vec![Kind::RepeatedKey]),
        (r#"[{"a":{"b":1}]"#, r#"{"a":{"b":1}}"#, vec![Kind::MissingClose]),
    ] {
        check(text, &[&format!("message 0 {message}")], &kinds);
    }
}

#[test]
fn braces_that_were_lost_or_doubled_cost_no_component() {
    use RepairKind as Kind;
    let with = |components: &str| {
        format!(r#"[{{"version":"v0.9","updateComponents":{{"surfaceId":"s","components":{components}}}}}]"#)
    };
    check(&with(r#"[{"id":"a"}},{"id":"b"}]"#), &UPDATED, &[Kind::Stray]);
    check(&with(r#"[{"id":"a"},{"id":"b"}}]"#), &UPDATED, &[Kind::Stray]);
    check(&with(r#"[{"id":"a",{"id":"b"}]"#), &UPDATED, &[Kind::MissingClose]);
    check(&with(r#"[{"id":"a"},{"id":"b"}"#), &UPDATED, &[Kind::MissingClose]);
    check(&with(r#"[{"id":"a"},{"id":"b"]"#), &UPDATED, &[Kind::MissingClose]);
}

#[test]
fn quotes_that_are_not_escaped_inside_of_a_string_of_json_do_not_end_it() {
    use RepairKind as Kind;
    let raw = format!(r#"{{"a2ui_json": "[{UPDATE}]", "n": 1}}"#);
    let (pieces, report) = read(&raw);
    assert_eq!(told(&pieces[..3]), UPDATED);
    assert_eq!(told(&pieces[3..]), [r#"rest {"n":1}"#]);
    assert!(report.repairs.iter().all(|repair| repair.kind == Kind::UnescapedQuote), "{report:?}");
    check(
        r#"{"a2ui_json":"[{\"text\":\"say "hi" now\"}]"}"#,
        &[r#"message 0 {"text":"say \"hi\" now"}"#],
        &[Kind::UnescapedQuote, Kind::UnescapedQuote],
    );
    check(r#"{"a2ui_json":"[{\"text\":\"a\nb\"}]"}"#, &[r#"message 0 {"text":"a\nb"}"#], &[Kind::RawControl]);
}

#[test]
fn values_nest_to_a_limit() {
    let deep = format!("[{{\"a\":{}1{},\"b\":2}}]", "[".repeat(100_000), "]".repeat(100_000));
    let (pieces, report) = read(&deep);
    assert_eq!(report.repairs[0].kind, RepairKind::TooDeep);
    let Piece::Message { message, .. } = &pieces[0] else { panic!("not a message") };
    assert_eq!(message["b"], 2);
}

#[test]
fn a_cut_text_says_so() {
    let (pieces, report) = read(&UPDATE[..UPDATE.len() - 1]);
    assert_eq!(pieces.len(), 2);
    assert!(report.is_truncated);
    assert_eq!(
        report.repairs[0].to_string(),
        format!("at byte {}: {}", UPDATE.len() - 1, RepairKind::Truncated.sentence())
    );
    let (pieces, report) = read("no JSON here");
    assert!(pieces.is_empty() && !report.is_truncated && report.repairs[0].kind == RepairKind::Prose);
}

fn pushed<'t>(parts: impl IntoIterator<Item = &'t str>) -> (Vec<Piece>, Report) {
    let mut stream = Stream::default();
    let pieces = parts.into_iter().flat_map(|part| stream.push(part)).collect();
    (pieces, stream.finish())
}

/// Puts released components and data back where they came from.
fn rebuilt(pieces: Vec<Piece>) -> Vec<Value> {
    let (mut messages, mut components, mut data) = (Vec::new(), Vec::new(), None::<DataModel>);
    for piece in pieces {
        match piece {
            Piece::Component { component, .. } => components.push(component),
            Piece::Data { path, value, .. } => {
                data.get_or_insert_default().set(&path, value).expect("parts come in order");
            }
            Piece::Message { mut message, released } => {
                for body in ["updateComponents", "surfaceUpdate"] {
                    if let Some(list) =
                        message.pointer_mut(&format!("/{body}/components")).filter(|_| released > 0)
                    {
                        *list = Value::Array(std::mem::take(&mut components));
                    }
                }
                messages.push(message);
            }
            Piece::Rendered { mut arguments, .. } => {
                if let Some(list) = arguments.get_mut("components").and_then(Value::as_array_mut) {
                    list.append(&mut components);
                }
                if let Some(data) = data.take() {
                    arguments["data"] = data.into_value();
                }
                messages.push(arguments);
            }
            Piece::Rest(rest) => messages.push(rest),
        }
    }
    messages
}

fn json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        any::<String>().prop_map(Value::from),
        "[a-z{}\\[\\]\"'`/,:\\\\ é😀\n]{0,12}".prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 48, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::btree_map("[a-z$@ ]{0,6}", inner, 0..6).prop_map(Value::from_iter),
        ]
    })
}

fn object() -> impl Strategy<Value = Value> {
    prop::collection::btree_map("[a-z]{1,6}", json(), 0..4).prop_map(Value::from_iter)
}

fn message() -> impl Strategy<Value = Value> {
    prop_oneof![
        (prop::collection::vec(object(), 0..5), object()).prop_map(|(components, more)| {
            json!({ "version": "v0.9", "updateComponents": { "surfaceId": "s", "components": components, "more": more } })
        }),
        (prop::collection::vec(object(), 0..5)).prop_map(|components| {
            json!({ "surfaceUpdate": { "components": components, "surfaceId": "s" } })
        }),
        json().prop_map(|value| json!({ "updateDataModel": { "surfaceId": "s", "path": "/a", "value": value } })),
        object(),
    ]
}

/// Texts that are nearly JSON.
fn nearly() -> impl Strategy<Value = String> {
    let tokens = prop::sample::select(vec![
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "\"",
        "\\",
        "\\\"",
        "\\\\",
        "\\u",
        "d83d",
        "\\ude00",
        "'",
        "“",
        "”",
        "`",
        "```json\n",
        "//",
        "/*",
        "*/",
        "\n",
        "\u{5}",
        " ",
        "1",
        "-0",
        "1e999",
        "true",
        "None",
        "x",
        "é",
        "\"a\"",
        "\"a2ui_json\":",
        "{\"a2ui_json\":\"[",
        "\"surfaceId\":\"s\"",
        "\"components\":[",
        "{\"id\":\"a\"}",
        "\"updateComponents\":{",
        "\"data\":{",
        "\"[{\\\"a\\\":1}]\"",
    ]);
    prop::collection::vec(tokens, 0..40).prop_map(|tokens| tokens.concat())
}

#[test]
fn who_tells_of_a_control_character_does_not_depend_on_where_the_text_is_cut() {
    let text = "{\"a2ui_json\": \"[{,l,',,a\u{5}b\nc";
    let whole = read(text);
    assert!(whole.1.repairs.iter().filter(|it| it.kind == RepairKind::RawControl).count() == 2, "{whole:?}");
    for cut in 0..=text.len() {
        assert_eq!(pushed([&text[..cut], &text[cut..]]), whole, "cut at {cut}");
    }
}

#[test]
fn the_first_of_too_many_repairs_are_listed_however_the_text_is_cut() {
    let text = format!("{{\"a2ui_json\": \"[{}\n{}", "1,,".repeat(80), ",".repeat(80));
    let whole = read(&text);
    assert!(whole.1.repair_count > whole.1.repairs.len());
    assert!(whole.1.repairs.is_sorted_by_key(|it| it.offset));
    for cut in 0..=text.len() {
        assert_eq!(pushed([&text[..cut], &text[cut..]]), whole, "cut at {cut}");
    }
}

proptest! {
    #[test]
    fn valid_messages_are_what_serde_json_says(messages in prop::collection::vec(message(), 0..4), pretty: bool) {
        let list = Value::from(messages.clone());
        let text = if pretty { serde_json::to_string_pretty(&list) } else { serde_json::to_string(&list) }.expect("prints");
        for text in [text.clone(), json!({ "a2ui_json": text }).to_string(), json!({ "a2ui_json": list }).to_string()] {
            let (pieces, report) = read(&text);
            prop_assert_eq!(report, Report::default());
            prop_assert_eq!(rebuilt(pieces), messages.clone());
        }
    }

    #[test]
    fn a_rendering_is_put_together_again(components in prop::collection::vec(object(), 0..4), data in object()) {
        let arguments = json!({ "surfaceId": "s", "components": components, "data": data });
        let (pieces, report) = read(&arguments.to_string());
        prop_assert_eq!(report, Report::default());
        prop_assert_eq!(rebuilt(pieces), [arguments]);
    }

    #[test]
    fn any_split_gives_the_same(text in nearly(), cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..4)) {
        let mut bounds: Vec<_> = cuts.iter().map(|cut| cut.index(text.len() + 1)).filter(|cut| text.is_char_boundary(*cut)).collect();
        bounds.extend([0, text.len()]);
        bounds.sort_unstable();
        let whole = read(&text);
        prop_assert_eq!(&pushed(bounds.windows(2).map(|bounds| &text[bounds[0]..bounds[1]])), &whole);
        let letters: Vec<_> = text.char_indices().map(|(at, letter)| &text[at..at + letter.len_utf8()]).collect();
        prop_assert_eq!(&pushed(letters), &whole);
    }

    #[test]
    fn a_cut_text_gives_the_first_pieces(text in prop_oneof![nearly(), message().prop_map(|message| json!({ "a2ui_json": message.to_string() }).to_string())]) {
        let (whole, _) = read(&text);
        for cut in (0..text.len()).filter(|cut| text.is_char_boundary(*cut)) {
            let (pieces, _) = read(&text[..cut]);
            prop_assert!(whole.starts_with(&pieces), "{}", &text[..cut]);
        }
    }

    #[test]
    fn a_text_without_repairs_is_json(text in nearly()) {
        let (pieces, report) = read(&text);
        if report.repair_count == 0 && !text.trim_start().starts_with('"') {
            let values: Result<Vec<Value>, _> = serde_json::Deserializer::from_str(&text).into_iter().collect();
            prop_assert!(values.is_ok(), "{text}: {pieces:?}");
        }
    }
}
