//! Which rule is played.

use forestage_protocol::message::SystemMessage;
use serde_json::json;

use crate::support::*;

const RULES: &str = "
rules:
  - when: { answers: get_* }
    do: [{ text: 'got {{answer.city}}' }]
  - when: { says: 'book*table for ?' }
    do: [{ text: 'table:{{1}}' }]
  - when: { matches: '(\\d+) (apple|pear)s?' }
    do: [{ text: '{{2}} x {{1}}' }]
  - when: { contains: 'Where' }
    do: [{ tool: { name: get_location } }]
  - when: { state: { mode: quiet } }
    do: [{ custom: { name: silence } }]
  - when: { says: hush }
    do: [{ state: { mode: quiet, more: 1 } }]
  - when: { first: true }
    do: [{ text: welcome }]
  - when: { first: false, says: '*again*' }
    do: [{ text: as before }]
";

#[tokio::test]
async fn the_first_rule_that_fits_is_played() {
    let stage = stage(RULES).await;
    let cases = [
        ("Something", "welcome"),
        ("Book a nice TABLE for 3", "table: a nice "),
        ("3 apples please", "apple x 3"),
        ("not again", "as before"),
    ];
    for (at, (said, expected)) in cases.into_iter().enumerate() {
        assert_eq!(text(&say(&stage, &format!("r{at}"), said).await), expected, "{said}");
    }
}

#[tokio::test]
async fn a_run_that_no_rule_fits_fails_and_says_so() {
    let stage = stage(RULES).await;
    say(&stage, "r1", "x").await;
    let events = say(&stage, "r2", "book a table for 33").await;
    let told = "no rule of script `it` fits; one without `when` fits always";
    assert_eq!(error(&events), ("no_rule".to_owned(), told.to_owned()));
}

#[tokio::test]
async fn the_state_decides() {
    let stage = stage(RULES).await;
    say(&stage, "r1", "hush").await;
    assert_eq!(find(&say(&stage, "r2", "x").await, "CUSTOM")["name"], "silence");
}

#[tokio::test]
async fn the_answer_of_a_clients_tool_has_its_rule_and_its_value() {
    let stage = stage(RULES).await;
    let events = say(&stage, "r1", "where am I").await;
    let call = find(&events, "TOOL_CALL_START")["toolCallId"].as_str().unwrap();
    let answer = tool_answer("a1", call, &json!({"city": "Porto"}).to_string());
    assert_eq!(text(&play(&stage, "it", input("r2", vec![answer])).await), "got Porto");
}

#[tokio::test]
async fn what_a_person_said_before_is_not_said_again_by_the_answer_of_a_tool() {
    let stage = stage(
        "
rules:
  - when: { contains: where }
    do: [{ tool: { name: get_location } }]
  - do: [{ text: 'you said {{user}}' }]
",
    )
    .await;
    let events = say(&stage, "r1", "where am I").await;
    let call = find(&events, "TOOL_CALL_START")["toolCallId"].as_str().unwrap();
    let events = play(&stage, "it", input("r2", vec![tool_answer("a1", call, "Porto")])).await;
    assert_eq!(text(&events), "you said where am I", "the first rule would call the tool for ever");
}

#[tokio::test]
async fn a_client_that_owns_the_history_sends_it() {
    let stage = stage(
        "history: client\nrules: [{ when: { first: true }, do: [{ text: new }] }, { do: [{ text: old }] }]",
    )
    .await;
    assert_eq!(text(&say(&stage, "r1", "x").await), "new");
    assert_eq!(text(&say(&stage, "r2", "x").await), "new", "what is not sent was not said");
}

#[tokio::test]
async fn instructions_stand_beside_what_is_said() {
    let stage = stage("rules: [{ when: { says: hello }, do: [{ text: hi }] }]").await;
    let rules = SystemMessage::new("s1", "be kind").into();
    let events = play(&stage, "it", input("r1", vec![user("m1", "hello"), rules])).await;
    assert_eq!(text(&events), "hi");
}
