//! `stream verify --profile` and `stream convert --to` with the contracts that are spoken beside AG-UI 1.0.

use serde_json::{Value, json};

use crate::support::{HELLO, jsonl, run, run_json};

/// A run with everything that the contracts write differently.
const RICH: [&str; 18] = [
    r#"{"type":"RUN_STARTED","threadId":"t","runId":"r","timestamp":1}"#,
    r#"{"type":"STEP_STARTED","stepName":"outer"}"#,
    r#"{"type":"STEP_STARTED","stepName":"inner"}"#,
    r#"{"type":"REASONING_START","messageId":"x"}"#,
    r#"{"type":"REASONING_ENCRYPTED_VALUE","subtype":"message","entityId":"x","encryptedValue":"s"}"#,
    r#"{"type":"REASONING_MESSAGE_START","messageId":"x","role":"reasoning"}"#,
    r#"{"type":"REASONING_MESSAGE_CONTENT","messageId":"x","delta":"hm"}"#,
    r#"{"type":"REASONING_MESSAGE_END","messageId":"x"}"#,
    r#"{"type":"REASONING_END","messageId":"x"}"#,
    r#"{"type":"CUSTOM","name":"meta:thumbs_up","value":{"by":"ada"}}"#,
    r#"{"type":"TOOL_CALL_START","toolCallId":"c","toolCallName":"look"}"#,
    r#"{"type":"TOOL_CALL_END","toolCallId":"c"}"#,
    r#"{"type":"TOOL_CALL_RESULT","messageId":"m1","toolCallId":"c","content":"found"}"#,
    r#"{"type":"TEXT_MESSAGE_START","messageId":"m","role":"assistant"}"#,
    r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":""}"#,
    r#"{"type":"TEXT_MESSAGE_END","messageId":"m"}"#,
    r#"{"type":"STEP_FINISHED","stepName":"inner"}"#,
    r#"{"type":"STEP_FINISHED","stepName":"outer"}"#,
];

const INTERRUPT: &str = r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r","outcome":{"type":"interrupt","interrupts":[{"id":"i","reason":"approval","toolCallId":"c"}]}}"#;
const FINISHED: &str = r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r","outcome":{"type":"success"}}"#;
const FAILED: &str = r#"{"type":"RUN_ERROR","message":"It broke"}"#;

fn rich(end: &str) -> String {
    jsonl(&[&RICH[..], &[end]].concat())
}

fn converted(to: &str, end: &str) -> String {
    let (code, stdout, stderr) = run(&["stream", "convert", "--to", to], rich(end));
    assert_eq!(code, 0, "{stderr}");
    stdout
}

fn events(text: &str) -> Vec<Value> {
    let lines = text.lines().map(|line| line.strip_prefix("data: ").unwrap_or(line));
    lines.filter(|line| !line.is_empty()).map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn verdict(profile: &str, stream: impl AsRef<[u8]>) -> (i32, Value) {
    run_json(&["stream", "verify", "--json", "--profile", profile], stream)
}

fn broken(profile: &str, events: &[&str]) -> String {
    let (code, verdict) = verdict(profile, jsonl(events));
    assert_eq!(code, 1, "{profile} takes {events:#?}");
    verdict["error"]["code"].as_str().unwrap().to_owned()
}

#[test]
fn what_is_converted_to_a_contract_is_legal_there() {
    let older = ["agui-0.0.36", "agui-0.0.44", "agui-0.0.45", "agui-0.0.53", "agui-0.0.59"];
    for profile in ["agora", "its", "net", "trainer2"].into_iter().chain(older) {
        for end in [FINISHED, INTERRUPT, FAILED] {
            let stream = converted(profile, end);
            // A run that waits is open on the wire of these two, and goes on there.
            if matches!(profile, "agora" | "trainer2") && end == INTERRUPT {
                continue;
            }
            let (code, verdict) = verdict(profile, &stream);
            assert_eq!(code, 0, "{profile}: {verdict:#} {stream}");
        }
    }
}

#[test]
fn a_line_is_not_warned_of_what_it_is_about() {
    let part = r#"{"type":"binary","mimeType":"image/png","url":"http://x/y"}"#;
    let snapshot = format!(
        r#"{{"type":"MESSAGES_SNAPSHOT","messages":[{{"id":"u","role":"user","content":[{part}]}}]}}"#
    );
    let thinking = [
        RICH[0],
        r#"{"type":"THINKING_START"}"#,
        r#"{"type":"THINKING_TEXT_MESSAGE_START"}"#,
        r#"{"type":"THINKING_TEXT_MESSAGE_CONTENT","delta":"hm"}"#,
        r#"{"type":"THINKING_TEXT_MESSAGE_END"}"#,
        r#"{"type":"THINKING_END"}"#,
        FINISHED,
    ];
    let warned = |profile: &str, events: &[&str]| {
        let (code, verdict) = verdict(profile, jsonl(events));
        assert_eq!(code, 0, "{profile}: {verdict:#}");
        !verdict["warnings"].as_array().unwrap().is_empty()
    };
    assert!(!warned("agui-0.0.44", &thinking), "this is how the line reasons");
    assert!(warned("agui-0.0.45", &thinking) && warned("agui", &thinking), "no page shows it there");
    let parts = [RICH[0], &snapshot, FINISHED];
    assert!(!warned("agui-0.0.45", &parts) && warned("agui", &parts));
}

#[test]
fn each_contract_has_the_framing_that_it_is_sent_with() {
    assert!(converted("agora", FINISHED).starts_with('{'));
    assert!(converted("its", FINISHED).starts_with("data: {"));
    assert!(converted("net", FINISHED).starts_with("data: {"));
    assert!(converted("trainer2", FINISHED).starts_with('{'));
}

#[test]
fn agora_is_written_with_snapshots_one_step_and_the_end_after_the_error() {
    let frames = events(&converted("agora", FAILED));
    let kinds: Vec<_> = frames.iter().map(|frame| frame["type"].as_str().unwrap()).collect();
    assert_eq!(kinds[..4], ["RUN_STARTED", "STATE_SNAPSHOT", "STEP_STARTED", "STEP_FINISHED"]);
    assert_eq!(kinds[kinds.len() - 2..], ["RUN_ERROR", "RUN_FINISHED"]);
    let arguments = frames.iter().find(|frame| frame["type"] == "TOOL_CALL_ARGS").unwrap();
    assert_eq!(arguments["delta"], "{}", "a call without arguments has the empty ones");
    assert!(!kinds.contains(&"TEXT_MESSAGE_CONTENT"), "a piece of nothing is left out");
    let asked = events(&converted("agora", INTERRUPT));
    assert_eq!(asked.last().unwrap()["name"], "agora:tool_approval_request");
}

#[test]
fn net_is_written_with_words_for_outcomes_and_meta() {
    let frames = events(&converted("net", INTERRUPT));
    let last = frames.last().unwrap();
    assert_eq!(last["outcome"], "interrupt");
    let payload = json!({ "functionName": "look", "functionArguments": {} });
    assert_eq!(last["interrupt"], json!({ "id": "i", "payload": payload }));
    let find = |kind: &str| frames.iter().find(|frame| frame["type"] == kind).unwrap();
    assert_eq!(find("REASONING_START")["encryptedContent"], "s");
    assert_eq!(find("REASONING_MESSAGE_START")["role"], "assistant");
    assert_eq!(
        (&find("META")["metaType"], &find("META")["payload"]["by"]),
        (&json!("thumbs_up"), &json!("ada"))
    );
}

#[test]
fn a_stream_of_one_contract_is_not_one_of_another() {
    assert_eq!(verdict("agui", converted("net", FINISHED)).0, 1, "an outcome is no word in 1.0");
    assert_eq!(verdict("agui", converted("agora", FAILED)).0, 1, "an error is the end in 1.0");
    assert_eq!(broken("agora", &HELLO), "agora_no_first_snapshot");
    assert_eq!(broken("net", &[RICH[0], FINISHED]), "net_outcome");
}

#[test]
fn empty_pieces_and_overlapping_steps_are_legal_in_1_0_and_not_in_agora() {
    assert_eq!(verdict("agui", rich(FINISHED)).0, 0, "it has both");
    let text = |role: &str, delta: &str| {
        [
            format!(r#"{{"type":"TEXT_MESSAGE_START","messageId":"m","role":"{role}"}}"#),
            format!(r#"{{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"{delta}"}}"#),
            r#"{"type":"TEXT_MESSAGE_END","messageId":"m"}"#.to_owned(),
        ]
    };
    let both = |role: &str, delta: &str| {
        let text = text(role, delta);
        let within = text.iter().map(String::as_str).collect::<Vec<_>>();
        let agui = verdict("agui", jsonl(&[&[A_START][..], &within, &[FINISHED]].concat())).0;
        (agui, verdict("agora", jsonl(&[&[A_START, A_FIRST][..], &within, &[A_LAST, A_END]].concat())).0)
    };
    assert_eq!(both("assistant", "x"), (0, 0));
    assert_eq!(both("assistant", ""), (0, 1));
    for role in ["user", "system", "developer"] {
        assert_eq!(both(role, "x"), (0, 1), "{role}");
    }
}

const A_START: &str = r#"{"type":"RUN_STARTED","threadId":"t","runId":"r","timestamp":1705318200000}"#;
const A_FIRST: &str = r#"{"type":"STATE_SNAPSHOT","snapshot":{"threadId":"t","runId":"r","currentAgent":"a","status":"processing"}}"#;
const A_LAST: &str = r#"{"type":"STATE_SNAPSHOT","snapshot":{"threadId":"t","runId":"r","currentAgent":"a","status":"completed"}}"#;
const A_END: &str = r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r","result":null}"#;

#[test]
fn agora_has_a_rule_for_each_thing_that_it_asks_for() {
    let within = |events: &[&str]| -> String {
        let all = [&[A_START, A_FIRST][..], events, &[A_LAST, A_END]].concat();
        broken("agora", &all)
    };
    assert_eq!(verdict("agora", jsonl(&[A_START, A_FIRST, A_LAST, A_END])).0, 0);
    assert_eq!(verdict("agora", jsonl(&[A_START, A_FIRST, FAILED, A_END])).0, 0);
    let step = |name: &str| format!(r#"{{"type":"STEP_STARTED","stepName":"{name}"}}"#);
    assert_eq!(within(&[&step("routing"), &step("thinking")]), "agora_step_open");
    assert_eq!(
        within(&[r#"{"type":"RUN_ERROR","message":"x","timestamp":"2025-01-01T00:00:00Z"}"#]),
        "agora_timestamp"
    );
    assert_eq!(within(&[r#"{"type":"STEP_STARTED","step_name":"x"}"#]), "agora_snake_case");
    assert_eq!(within(&[FAILED]), "agora_run_not_finished");
    assert_eq!(broken("agora", &[A_START, A_FIRST, FAILED]), "agora_run_not_finished");
    assert_eq!(broken("agora", &[A_START, A_FIRST, A_END]), "agora_no_last_snapshot");
    assert_eq!(
        broken("agora", &[A_START, r#"{"type":"STATE_SNAPSHOT","snapshot":{"status":"processing"}}"#]),
        "agora_snapshot"
    );
    let text = r#"{"type":"TEXT_MESSAGE_START","messageId":"m","role":"assistant"}"#;
    assert_eq!(
        within(&[text, r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":""}"#]),
        "agora_empty_delta"
    );
    assert_eq!(within(&[r#"{"type":"TEXT_MESSAGE_START","messageId":"m","role":"user"}"#]), "agora_role");
    let call = r#"{"type":"TOOL_CALL_START","toolCallId":"c","toolCallName":"n"}"#;
    let piece = r#"{"type":"TOOL_CALL_ARGS","toolCallId":"c","delta":"{}"}"#;
    let end = r#"{"type":"TOOL_CALL_END","toolCallId":"c"}"#;
    assert_eq!(within(&[call, end]), "agora_tool_order");
    assert_eq!(
        within(&[
            call,
            piece,
            r#"{"type":"TOOL_CALL_RESULT","messageId":"m","toolCallId":"c","content":"x","role":"tool"}"#
        ]),
        "agora_tool_order"
    );
    assert_eq!(
        within(&[call, piece, r#"{"type":"TOOL_CALL_END","toolCallId":"c","result":"x"}"#]),
        "agora_result_in_end"
    );
    assert_eq!(
        within(&[
            call,
            piece,
            end,
            r#"{"type":"TOOL_CALL_RESULT","messageId":"m","toolCallId":"c","content":"x"}"#
        ]),
        "agora_role"
    );
    assert_eq!(
        within(&[r#"{"type":"CUSTOM","name":"agora:tool_approval_request","value":{"toolName":"x"}}"#]),
        "agora_payload"
    );
    let request = |risk: &str| {
        format!(
            r#"{{"type":"CUSTOM","name":"agora:tool_approval_request","value":{{"toolName":"x","toolDescription":"","parameters":{{}},"reasoning":"","riskLevel":"{risk}","approvalId":"a"}}}}"#
        )
    };
    assert_eq!(within(&[&request("huge")]), "agora_payload");
    for risk in ["low", "medium", "high", "critical"] {
        assert_eq!(verdict("agora", jsonl(&[A_START, A_FIRST, &request(risk), A_LAST, A_END])).0, 0);
    }
    assert_eq!(
        within(&[r#"{"type":"CUSTOM","name":"agora:error","value":{"message":"x"}}"#]),
        "agora_payload"
    );
    assert_eq!(
        within(&[r#"{"type":"CUSTOM","name":"agora:tool_approval_response","value":{}}"#]),
        "agora_direction"
    );
    // The details of an error are optional, and objects where they are there.
    let error = |details: &str| {
        format!(
            r#"{{"type":"CUSTOM","name":"agora:error","value":{{"errorCode":"e","message":"m"{details}}}}}"#
        )
    };
    for details in ["", r#","details":{}"#, r#","details":{"reason":"profanity"}"#] {
        assert_eq!(verdict("agora", jsonl(&[A_START, A_FIRST, &error(details), A_END])).0, 0, "{details}");
    }
    assert_eq!(within(&[&error(r#","details":7"#)]), "agora_payload");
    let (_, told) = verdict("agora", jsonl(&[A_START, A_FIRST, &error(r#","details":7"#)]));
    assert_eq!(told["error"]["path"], "/value/details");
}

#[test]
fn net_has_a_rule_for_each_thing_that_it_asks_for() {
    let started = r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#;
    let after = |event: &str| broken("net", &[started, event]);
    assert_eq!(after(r#"{"type":"SUBAGENT_STARTED","subagentRunId":"s"}"#), "net_unknown_event");
    assert_eq!(after(r#"{"type":"STEP_STARTED","stepName":"x","timestamp":null}"#), "net_null");
    assert_eq!(
        after(r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r","outcome":"cancelled"}"#),
        "net_outcome"
    );
    assert_eq!(
        after(r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r","outcome":"interrupt"}"#),
        "net_interrupt"
    );
    assert_eq!(
        after(r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r","interrupt":{"id":"i"}}"#),
        "net_interrupt"
    );
    assert_eq!(after(r#"{"type":"TEXT_MESSAGE_START","messageId":"m","role":"user"}"#), "net_role");
    assert_eq!(after(r#"{"type":"REASONING_MESSAGE_START","messageId":"m","role":"reasoning"}"#), "net_role");
    assert_eq!(
        after(r#"{"type":"REASONING_MESSAGE_CONTENT","messageId":"m","delta":""}"#),
        "net_empty_delta"
    );
    assert_eq!(after(r#"{"type":"META","metaType":"tag","payload":[]}"#), "net_meta");
    let snapshot = |part: &str| {
        format!(
            r#"{{"type":"MESSAGES_SNAPSHOT","messages":[{{"id":"m","role":"user","content":[{part}]}}]}}"#
        )
    };
    assert_eq!(after(&snapshot(r#"{"type":"binary","mimeType":"image/png"}"#)), "net_content");
    assert_eq!(after(&snapshot(r#"{"type":"image","source":{"type":"url","value":"x"}}"#)), "net_content");
    let fine = snapshot(r#"{"type":"binary","mimeType":"image/png","id":"f1"}"#);
    let end = r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r","outcome":"success"}"#;
    assert_eq!(verdict("net", jsonl(&[started, &fine, end])).0, 0);
}

#[test]
fn its_has_a_rule_for_each_thing_that_it_asks_for() {
    let started = r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#;
    let call = r#"{"type":"TOOL_CALL_START","toolCallId":"c","toolCallName":"its:render_quick_quiz"}"#;
    let half = r#"{"type":"TOOL_CALL_ARGS","toolCallId":"c","delta":"{\"quiz_id\":"}"#;
    let end = r#"{"type":"TOOL_CALL_END","toolCallId":"c"}"#;
    assert_eq!(broken("its", &[started, call, half, end]), "its_arguments");
    let whole = half.replace("quiz_id\\\":", "quiz_id\\\":7}");
    assert_eq!(
        broken("its", &[started, call, &whole, end]),
        "its_arguments",
        "no quiz has a number for an id"
    );
    assert_eq!(broken("its", &[started, r#"{"type":"ITS_QUIZ"}"#]), "its_private_event");
    assert_eq!(broken("its", &[started, &call.replace("render_quick_quiz", "")]), "its_component_name");
    assert_eq!(
        broken(
            "its",
            &[r#"{"type":"RUN_STARTED","threadId":"t","runId":"r","timestamp":"2024-07-30T10:30:00Z"}"#]
        ),
        "its_timestamp"
    );
}

/// Two turns: in the first, somebody lets a call pass; the second shows a view and fails.
const TURNS: [&str; 14] = [
    r#"{"type":"RUN_STARTED","threadId":"t","runId":"r1"}"#,
    r#"{"type":"TOOL_CALL_START","toolCallId":"c","toolCallName":"pay_out"}"#,
    r#"{"type":"TOOL_CALL_ARGS","toolCallId":"c","delta":"{\"amount\":5}"}"#,
    r#"{"type":"TOOL_CALL_END","toolCallId":"c"}"#,
    r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r1","outcome":{"type":"interrupt","interrupts":[{"id":"i","reason":"tool_call","toolCallId":"c","metadata":{"tool":"pay_out"}}]}}"#,
    r#"{"type":"RUN_STARTED","threadId":"t","runId":"r2","input":{"threadId":"t","runId":"r2","messages":[],"resume":[{"interruptId":"i","status":"resolved","payload":{"approved":true}}]}}"#,
    r#"{"type":"TOOL_CALL_RESULT","messageId":"m1","toolCallId":"c","content":"{\"paid\":true}"}"#,
    r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r2"}"#,
    r#"{"type":"RUN_STARTED","threadId":"t","runId":"r3"}"#,
    r#"{"type":"TEXT_MESSAGE_START","messageId":"m2","role":"assistant"}"#,
    r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m2","delta":"Look:\n```a2ui\n{\"viewId\":\"v\"}\n"}"#,
    r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m2","delta":"```"}"#,
    r#"{"type":"TEXT_MESSAGE_END","messageId":"m2"}"#,
    r#"{"type":"RUN_ERROR","message":"It broke"}"#,
];

#[test]
fn trainer2_is_written_as_turns_with_gates_whole_messages_and_views() {
    let (code, stream, stderr) = run(&["stream", "convert", "--to", "trainer2"], jsonl(&TURNS));
    assert_eq!(code, 0, "{stderr}");
    let frames = events(&stream);
    let told: Vec<_> = frames
        .iter()
        .map(|frame| (frame["type"].as_str().unwrap(), frame["runId"].as_str().unwrap()))
        .collect();
    let expected = [
        ("RUN_STARTED", "r1"),
        ("TOOL_CALL_PROPOSED", "r1"),
        ("TOOL_CALL_APPROVED", "r1"),
        ("TOOL_CALL_STARTED", "r1"),
        ("TOOL_CALL_RESULT", "r1"),
        ("RUN_FINISHED", "r1"),
        ("RUN_STARTED", "r3"),
        ("TEXT_MESSAGE_CHUNK", "r3"),
        ("CUSTOM", "r3"),
        ("RUN_ERROR", "r3"),
    ];
    assert_eq!(told, expected);
    assert_eq!((&frames[1]["label"], &frames[1]["args"]), (&json!("pay out"), &json!({ "amount": 5 })));
    assert_eq!(frames[4]["result"], json!({ "paid": true }));
    assert_eq!((&frames[7]["delta"], &frames[8]["value"]["view"]["viewId"]), (&json!("Look:"), &json!("v")));
    assert_eq!(frames[9]["code"], "agent_error");
    let (code, verdict) = verdict("trainer2", &stream);
    assert_eq!(code, 0, "{verdict:#}");
}

#[test]
fn trainer2_has_a_rule_for_each_thing_that_it_asks_for() {
    let event = |kind: &str, more: &str| format!(r#"{{"type":"{kind}","threadId":"t","runId":"r"{more}}}"#);
    let (started, end) = (event("RUN_STARTED", ""), event("RUN_FINISHED", ""));
    let about = r#","toolCallId":"c","toolName":"pay","label":"Paying","args":{}"#;
    let (proposed, begun) = (event("TOOL_CALL_PROPOSED", about), event("TOOL_CALL_STARTED", about));
    let says = |text: &str| event("TEXT_MESSAGE_CHUNK", &format!(r#","messageId":"m","delta":"{text}""#));
    let after = |events: &[&str]| broken("trainer2", &[&[started.as_str()], events].concat());
    let fine = |events: &[&str]| verdict("trainer2", jsonl(events)).0 == 0;

    assert_eq!(after(&[&event("STEP_STARTED", r#","stepName":"x""#)]), "trainer2_unknown_event");
    assert_eq!(after(&[&event("RUN_FINISHED", r#","reason":null"#)]), "trainer2_null");
    assert_eq!(after(&[r#"{"type":"RUN_FINISHED","threadId":"t"}"#]), "trainer2_ids");
    assert_eq!(after(&[r#"{"type":"RUN_FINISHED","threadId":"t","runId":"other"}"#]), "trainer2_ids");
    assert_eq!(after(&[&started]), "trainer2_order");
    assert_eq!(after(&[&end, &says("late")]), "trainer2_order");
    assert_eq!(broken("trainer2", &[&says("early")]), "trainer2_order");
    assert_eq!(after(&[&says("")]), "trainer2_text");
    assert_eq!(after(&[&says("one"), &says("two")]), "trainer2_text");
    assert_eq!(after(&[&says("So:\\n```a2ui\\n{}\\n```")]), "trainer2_text");
    assert_eq!(after(&[&begun.replace(r#","label":"Paying""#, "")]), "trainer2_call");
    assert_eq!(after(&[&begun.replace(r#""args":{}"#, r#""args":"{}""#)]), "trainer2_call");
    assert_eq!(after(&[&begun, &begun]), "trainer2_call");
    assert_eq!(after(&[&begun, &event("TOOL_CALL_RESULT", r#","toolCallId":"c""#)]), "trainer2_call");
    assert_eq!(after(&[&event("CUSTOM", r#","name":"confetti","value":{"view":{}}"#)]), "trainer2_view");
    assert_eq!(after(&[&event("CUSTOM", r#","name":"A2UI_RENDER","value":{}"#)]), "trainer2_view");
    assert_eq!(after(&[&proposed, &begun]), "trainer2_gate");
    assert_eq!(after(&[&event("TOOL_CALL_APPROVED", r#","toolCallId":"c""#)]), "trainer2_gate");
    assert_eq!(after(&[&event("ASSISTANT_DRAFT_PROPOSED", "")]), "trainer2_gate");
    assert_eq!(broken("trainer2", &[&event("RUN_STAGED", r#","payload":{}"#)]), "trainer2_gate");
    assert_eq!(after(&[&event("RUN_ERROR", r#","message":"x""#)]), "trainer2_error");

    let null = event("CUSTOM", r#","name":"A2UI_RENDER","value":{"view":null}"#);
    let result = event("TOOL_CALL_RESULT", r#","toolCallId":"c","result":null"#);
    let approved = event("TOOL_CALL_APPROVED", r#","toolCallId":"c""#);
    let refused = event("RUN_ERROR", r#","message":"no","code":"invalid_answer""#);
    assert!(fine(&[&started, &proposed, &refused, &approved, &begun, &result, &null, &says("Hi"), &end]));
    assert!(fine(&[&started, &refused]), "an error is the end where nothing waits");
    let staged = event("RUN_STAGED", r#","payload":{"message":"x","context":{}}"#);
    assert_eq!(broken("trainer2", &[&staged, &started]), "trainer2_gate");
    assert!(fine(&[&staged, &event("RUN_STAGE_APPROVED", ""), &started, &end]));
    assert!(
        fine(&[&staged, &event("RUN_STAGE_DENIED", ""), &end]),
        "a run that was not let pass never began"
    );
}

#[test]
fn an_unknown_contract_is_a_wrong_call_that_names_those_there_are() {
    let (code, _, stderr) = run(&["stream", "verify", "--profile", "nobody"], "");
    assert_eq!(code, 2);
    assert!(stderr.contains("agui") && stderr.contains("agora") && stderr.contains("net"), "{stderr}");
}

#[test]
fn older_clients_have_a_rule_for_each_thing_that_they_refuse() {
    const BEGUN: &str = r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#;
    const TEXT: &str = r#"{"type":"TEXT_MESSAGE_START","messageId":"m","role":"assistant"}"#;
    let cases: [(&str, &[&str], &str); 9] = [
        ("agui-0.0.44", &[BEGUN, r#"{"type":"REASONING_START","messageId":"x"}"#], "agui0_unknown_event"),
        (
            "agui-0.0.45",
            &[BEGUN, r#"{"type":"SUBAGENT_STARTED","subagentRunId":"s","name":"n"}"#],
            "agui0_unknown_event",
        ),
        (
            "agui-0.0.45",
            &[
                r#"{"type":"RUN_STARTED","threadId":"t","runId":"r","input":{"threadId":"t","runId":"r","messages":[]}}"#,
            ],
            "agui0_input",
        ),
        (
            "agui-0.0.45",
            &[BEGUN, r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r","outcome":{"type":"cancelled"}}"#],
            "agui0_outcome",
        ),
        (
            "agui-0.0.36",
            &[BEGUN, r#"{"type":"TEXT_MESSAGE_START","messageId":"m","role":"user"}"#],
            "agui0_role",
        ),
        (
            "agui-0.0.45",
            &[BEGUN, TEXT, r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":""}"#],
            "agui0_empty_delta",
        ),
        (
            "agui-0.0.59",
            &[BEGUN, r#"{"type":"TOOL_CALL_RESULT","messageId":"m","toolCallId":"c","content":[]}"#],
            "agui0_content",
        ),
        ("agui-0.0.36", &[BEGUN, TEXT, r#"{"type":"STATE_SNAPSHOT","snapshot":{}}"#], "agui0_interleaved"),
        ("agui-0.0.45", &[BEGUN, FAILED, BEGUN], "agui0_next_run"),
    ];
    for (profile, events, code) in cases {
        assert_eq!(broken(profile, events), code, "{profile}");
    }
}

#[test]
fn what_clients_of_a_line_read_no_further_is_left_out_and_reported() {
    let next = HELLO.map(|event| event.replace(r#""r""#, r#""r2""#).replace(r#""m""#, r#""m2""#));
    let twice = jsonl(&[&HELLO[..], &next.each_ref().map(String::as_str)].concat());
    let (code, stdout, stderr) = run(&["stream", "convert", "--to", "agui-0.0.36"], &twice);
    assert_eq!(code, 0, "{stderr}");
    assert_eq!(events(&stdout).iter().filter(|event| event["type"] == "RUN_FINISHED").count(), 1);
    assert!(stderr.contains("stream_over"), "{stderr}");
    let (_, stdout, stderr) = run(&["stream", "convert", "--to", "agui-0.0.45"], &twice);
    assert_eq!(events(&stdout).iter().filter(|event| event["type"] == "RUN_FINISHED").count(), 2, "{stderr}");
}
