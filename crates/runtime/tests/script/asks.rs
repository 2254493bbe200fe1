//! Questions: asked, answered, and gone on from, whatever happens to the process meanwhile.

use std::{sync::Arc, time::Duration};

use forestage_runtime::Stage;
use forestage_store::InterruptQuery;
use serde_json::{Value, json};
use tokio::time::Instant;

use crate::support::*;

const TWICE: &str = "
state: { log: [] }
rules:
  - when: { answers: pick }
    do:
      - text: { text: 'Picked {{answer.thing}}. ', chunk: all }
      - tool: { name: look, args: { thing: '{{answer.thing}}' }, result: found }
      - ask: { message: 'Keep {{answer.thing}}?', answers: [{ when: { value: { keep: true } }, do: [{ text: Kept. }] }] }
      - patch: [{ op: add, path: /log/-, value: '{{answer.keep}}' }]
      - ask: { message: 'Sure?', answers: [{ when: { matches: 'y(e+)s' }, do: [{ text: 'Sure: {{1}}.' }] }, { do: [{ text: Unsure. }] }] }
      - text: { text: ' The end of {{state.log.0}}.', chunk: all }
  - when: { first: true, says: 'start*' }
    do:
      - text: { text: 'Begun. ', chunk: all }
      - ask: { message: 'Name?', schema: { type: string }, answers: [{ do: [{ text: 'Hello {{answer}}. ' }] }] }
      - tool: { name: pick }
  - do: [{ text: 'the wrong rule' }]
";

/// A stage on a file, as if the process had just been started.
async fn restarted(file: &str) -> Arc<Stage> {
    stage_on(forestage_store::open(&format!("sqlite:{file}")).await.unwrap(), TWICE)
}

#[tokio::test]
async fn a_script_goes_on_where_it_asked_after_every_restart() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("log.db").display().to_string();

    let stage = restarted(&file).await;
    let first = say(&stage, "r1", "start").await;
    assert_eq!(question(&first)["message"], "Name?");
    assert_eq!(question(&first)["responseSchema"], json!({"type": "string"}));
    stage.close().await;

    // The agent has spoken by now, and still it is its first word on this thread.
    let stage = restarted(&file).await;
    let second = play(&stage, "it", answering("r2", vec![answer(&question_id(&first), json!("Ada"))])).await;
    assert_eq!(text(&second), "Hello Ada. ", "what was said before is not said again");
    let call = find(&second, "TOOL_CALL_START")["toolCallId"].as_str().unwrap();
    let third = play(&stage, "it", input("r3", vec![tool_answer("a1", call, "{\"thing\":\"pear\"}")])).await;
    assert_eq!(text(&third), "Picked pear. ");
    assert_eq!(question(&third)["message"], "Keep pear?");
    stage.close().await;

    // The last message is the answer of another tool now, and still the turn began with `pick`.
    let stage = restarted(&file).await;
    let fourth =
        play(&stage, "it", answering("r4", vec![answer(&question_id(&third), json!({"keep": true}))])).await;
    assert_eq!((text(&fourth), question(&fourth)["message"].clone()), ("Kept.".to_owned(), json!("Sure?")));
    stage.close().await;

    let stage = restarted(&file).await;
    let fifth =
        play(&stage, "it", answering("r5", vec![answer(&question_id(&fourth), json!("yeees"))])).await;
    assert_eq!(text(&fifth), "Sure: eee. The end of true.");
    assert_eq!(types(&fifth).iter().filter(|kind| **kind == "TOOL_CALL_START").count(), 0);
    assert_eq!(state(&stage).await, json!({"log": [true]}));
}

#[tokio::test(start_paused = true)]
async fn what_was_waited_for_is_not_waited_for_again() {
    let stage = stage_doing(
        "- text: { text: a b c, pace: 4s }\n- sleep: 1m\n- tool: { name: x, result: 1, takes: 1m }\n\
         - usage: { inputTokens: 5 }\n- ask: { message: Well? }\n- text: '{{answer}}'\n- usage: { inputTokens: 7 }",
    )
    .await;
    let began = Instant::now();
    let asked = say(&stage, "r1", "x").await;
    assert!(began.elapsed() >= Duration::from_secs(132));
    assert_eq!(asked.last().unwrap()["usage"], json!([{"inputTokens": 5}]));
    let began = Instant::now();
    let answered =
        play(&stage, "it", answering("r2", vec![answer(&question_id(&asked), json!("fine"))])).await;
    assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
    assert_eq!(text(&answered), "fine");
    assert_eq!(answered.last().unwrap()["usage"], json!([{"inputTokens": 7}]), "each run reports its own");
}

#[tokio::test]
async fn words_that_come_with_an_answer_do_not_change_the_rule() {
    let stage = stage("rules: [{ when: { says: start }, do: [{ ask: { message: Well? } }, { text: 'on {{user}}' }] }, { do: [{ text: wrong }] }]").await;
    let asked = say(&stage, "r1", "start").await;
    let mut request = answering("r2", vec![answer(&question_id(&asked), json!(1))]);
    request.messages = vec![user("m2", "and another thing")];
    assert_eq!(text(&play(&stage, "it", request).await), "on start");
}

const APPROVAL: &str = "
- ask:
    message: 'Send to {{user}}?'
    tool: { name: send, args: { to: '{{user}}' } }
    expires: 10m
    metadata: { risk: high }
    answers:
      - when: { value: { approved: true, args: {} } }
        do: [{ toolResult: '{{answer.args}}' }, { text: changed }]
      - when: { value: { approved: true } }
        do: [{ toolResult: sent }, { text: sent }]
      - when: { cancelled: true }
        do: [{ toolResult: cancelled }, { text: cancelled }]
- text: ' done'
";

async fn decide(
    decision: impl Fn(&str) -> forestage_protocol::interrupt::ResumeEntry,
) -> (Vec<Value>, Vec<Value>) {
    let stage = stage_doing(APPROVAL.trim_start()).await;
    let asked = say(&stage, "r1", "Bob").await;
    let decided = play(&stage, "it", answering("r2", vec![decision(&question_id(&asked))])).await;
    (asked, decided)
}

#[tokio::test]
async fn a_question_about_a_call_is_shown_with_it_and_answers_it() {
    let (asked, decided) = decide(|id| answer(id, json!({"approved": true}))).await;
    let question = question(&asked);
    let call = find(&asked, "TOOL_CALL_START")["toolCallId"].clone();
    assert_eq!((&question["reason"], &question["toolCallId"]), (&json!("tool_call"), &call));
    assert_eq!(question["metadata"], json!({"risk": "high"}));
    assert!(question["expiresAt"].is_string());
    let result = find(&decided, "TOOL_CALL_RESULT");
    assert_eq!((&result["toolCallId"], &result["content"]), (&call, &json!("sent")));
    assert_eq!(text(&decided), "sent done");
}

#[tokio::test]
async fn the_answer_chooses_what_follows() {
    let (_, changed) = decide(|id| answer(id, json!({"approved": true, "args": {"to": "Eve"}}))).await;
    assert_eq!(find(&changed, "TOOL_CALL_RESULT")["content"], "{\"to\":\"Eve\"}");
    assert_eq!(text(&changed), "changed done");
    let (_, refused) = decide(|id| answer(id, json!({"approved": false}))).await;
    assert_eq!(text(&refused), " done", "an answer that nothing fits goes on behind the question");
    let (_, gone) = decide(cancelled).await;
    assert_eq!(text(&gone), "cancelled done");
}

#[tokio::test]
async fn a_subagent_asks_inside_a_repetition() {
    let stage = stage_doing(
        "- repeat: { times: 2, do: [{ subagent: { name: s, do: [{ ask: { message: 'Number {{n}}?' } }, { text: '{{n}}={{answer}} ' }] } }] }",
    )
    .await;
    let first = say(&stage, "r1", "x").await;
    let second = play(&stage, "it", answering("r2", vec![answer(&question_id(&first), json!(10))])).await;
    assert_eq!(
        (text(&second), question(&second)["message"].clone()),
        ("1=10 ".to_owned(), json!("Number 2?"))
    );
    let third = play(&stage, "it", answering("r3", vec![answer(&question_id(&second), json!(20))])).await;
    assert_eq!(text(&third), "2=20 ");
}

#[tokio::test]
async fn an_answer_is_known_around_its_question_and_nowhere_else() {
    let stage = stage(
        "
rules:
  - when: { says: 'go *' }
    do:
      - ask:
          message: One?
          tool: { name: one }
          answers:
            - when: { says: 'the *' }
              do:
                - ask: { message: Two?, tool: { name: two }, answers: [{ do: [{ toolResult: 2 }, { text: '{{answer}}' }] }] }
                - text: '/{{1}}'
      - text: '/{{answer}}/{{1}}'
      - toolResult: 1
",
    )
    .await;
    let first = say(&stage, "r1", "go north").await;
    let second =
        play(&stage, "it", answering("r2", vec![answer(&question_id(&first), json!("the first"))])).await;
    let third =
        play(&stage, "it", answering("r3", vec![answer(&question_id(&second), json!("second"))])).await;
    assert_eq!(text(&third), "second/first/the first/north");
    let calls = [&first, &second].map(|events| find(events, "TOOL_CALL_START")["toolCallId"].clone());
    let results = third.iter().filter(|event| event["type"] == "TOOL_CALL_RESULT");
    let answered: Vec<_> =
        results.map(|event| (event["toolCallId"].clone(), event["content"].clone())).collect();
    let [one, two] = calls;
    assert_eq!(answered, [(two, json!("2")), (one, json!("1"))]);
}

/// What becomes of a yes to the first script when the second has taken its place.
async fn answered_after(before: &str, after: &str) -> Vec<Value> {
    let store = forestage_store::open("memory:").await.unwrap();
    let doing = |steps: &str| stage_on(store.clone(), &format!("rules: [{{ do: [{steps}] }}]"));
    let asked = say(&doing(before), "r1", "x").await;
    let yes = answer(&question_id(&asked), json!({"approved": true}));
    play(&doing(after), "it", answering("r2", vec![yes])).await
}

#[tokio::test]
async fn an_answer_to_one_question_does_not_answer_another() {
    let pay = |message: &str, euros: u32| {
        format!(
            "{{ ask: {{ message: '{message}', tool: {{ name: pay, args: {{ eur: {euros} }} }} }} }}, {{ toolResult: 'paid {euros}' }}"
        )
    };
    let before = pay("Pay?", 5);
    for (other, why) in [
        (pay("Pay?", 5000), "other arguments"),
        (pay("Pay more?", 5), "other words"),
        (before.replace("name: pay", "name: gift"), "another tool"),
        (before.replace("message:", "reason: review, message:"), "another reason"),
    ] {
        let events = answered_after(&before, &other).await;
        assert_eq!(events.last().unwrap()["code"], "resume_diverged", "{why}");
        assert!(!types(&events).contains(&"TOOL_CALL_RESULT"), "{why}");
    }
    for same in [before.clone(), format!("{{ text: hello }}, {before}")] {
        let events = answered_after(&before, &same).await;
        assert_eq!(find(&events, "TOOL_CALL_RESULT")["content"], "paid 5");
        assert!(
            !types(&events).contains(&"TEXT_MESSAGE_START"),
            "what comes before the question is not said"
        );
    }
}

#[tokio::test]
async fn a_question_about_a_call_is_kept_with_the_tool_and_its_arguments() {
    let stage =
        stage_doing("- ask: { message: Send it?, tool: { name: send_email, args: { to: ada, copies: 2 } } }")
            .await;
    say(&stage, "r1", "go").await;
    let kept = stage.store().interrupts(InterruptQuery::of(OWNER)).await.unwrap();
    let question: Value = serde_json::from_slice(&kept[0].json).unwrap();
    assert_eq!(question["metadata"]["tool"], "send_email");
    assert_eq!(question["metadata"]["arguments"], json!({ "to": "ada", "copies": 2 }));
}
