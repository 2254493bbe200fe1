//! The rules of order, one by one: streams that break them, each with the code and the event that is refused.

use forestage_protocol::{
    event::Event,
    verify::{Rule, Verifier},
};
use serde_json::{Value, json};

/// The first rule that a stream breaks, and the event that breaks it; the end of the stream counts as one.
fn broken(stream: &[Value]) -> Option<(&'static str, usize)> {
    let mut verifier = Verifier::default();
    for (at, event) in stream.iter().enumerate() {
        let event = Event::from_json(&event.to_string()).unwrap_or_else(|fault| panic!("{fault}: {event}"));
        if let Err(violation) = verifier.check(&event) {
            return Some((violation.rule.code(), at));
        }
    }
    verifier.finish().err().map(|violation| (violation.rule.code(), stream.len()))
}

/// The same for a run with these events in it. Its first event is number 1.
fn broken_in_run(events: &[Value]) -> Option<(&'static str, usize)> {
    broken(&[&[began("r")], events, &[ended("r")]].concat())
}

fn began(run: &str) -> Value {
    json!({ "type": "RUN_STARTED", "threadId": "t", "runId": run })
}

fn ended(run: &str) -> Value {
    json!({ "type": "RUN_FINISHED", "threadId": "t", "runId": run })
}

fn failed() -> Value {
    json!({ "type": "RUN_ERROR", "message": "no" })
}

/// An event of a subagent, or of the parent agent.
fn by(mut event: Value, subagent: Option<&str>) -> Value {
    if let Some(subagent) = subagent {
        event["subagentRunId"] = subagent.into();
    }
    event
}

fn step(kind: &str, name: &str) -> Value {
    json!({ "type": format!("STEP_{kind}"), "stepName": name })
}

fn text(kind: &str, id: &str) -> Value {
    match kind {
        "CONTENT" => json!({ "type": "TEXT_MESSAGE_CONTENT", "messageId": id, "delta": "x" }),
        kind => json!({ "type": format!("TEXT_MESSAGE_{kind}"), "messageId": id }),
    }
}

fn call(kind: &str, id: &str) -> Value {
    match kind {
        "START" => json!({ "type": "TOOL_CALL_START", "toolCallId": id, "toolCallName": "n" }),
        "ARGS" => json!({ "type": "TOOL_CALL_ARGS", "toolCallId": id, "delta": "x" }),
        kind => json!({ "type": format!("TOOL_CALL_{kind}"), "toolCallId": id }),
    }
}

fn called_in(id: &str, parent: &str) -> Value {
    json!({ "type": "TOOL_CALL_START", "toolCallId": id, "toolCallName": "n", "parentMessageId": parent })
}

fn span(kind: &str, id: &str) -> Value {
    json!({ "type": format!("REASONING_{kind}"), "messageId": id })
}

fn thought(kind: &str, id: &str) -> Value {
    match kind {
        "START" => json!({ "type": "REASONING_MESSAGE_START", "messageId": id, "role": "reasoning" }),
        "CONTENT" => json!({ "type": "REASONING_MESSAGE_CONTENT", "messageId": id, "delta": "x" }),
        kind => json!({ "type": format!("REASONING_MESSAGE_{kind}"), "messageId": id }),
    }
}

fn helper(kind: &str, id: &str) -> Value {
    match kind {
        "STARTED" => json!({ "type": "SUBAGENT_STARTED", "subagentRunId": id, "name": "n" }),
        "ERROR" => json!({ "type": "SUBAGENT_ERROR", "subagentRunId": id, "message": "no" }),
        kind => json!({ "type": format!("SUBAGENT_{kind}"), "subagentRunId": id }),
    }
}

fn sealed(subtype: &str, id: &str) -> Value {
    json!({ "type": "REASONING_ENCRYPTED_VALUE", "subtype": subtype, "entityId": id, "encryptedValue": "x" })
}

fn activity(kind: &str) -> Value {
    match kind {
        "DELTA" => json!({ "type": "ACTIVITY_DELTA", "messageId": "a", "activityType": "x", "patch": [] }),
        _ => json!({ "type": "ACTIVITY_SNAPSHOT", "messageId": "a", "activityType": "x", "content": {} }),
    }
}

/// What opens something, what ends it, and the codes for opening it twice and for ending what is not open.
fn kinds() -> [(Value, Value, &'static str, &'static str); 6] {
    [
        (step("STARTED", "s"), step("FINISHED", "s"), "step_open", "step_not_open"),
        (text("START", "m"), text("END", "m"), "text_message_open", "text_message_not_open"),
        (call("START", "c"), call("END", "c"), "tool_call_open", "tool_call_not_open"),
        (span("START", "m"), span("END", "m"), "reasoning_span_open", "reasoning_span_not_open"),
        (thought("START", "m"), thought("END", "m"), "reasoning_message_open", "reasoning_message_not_open"),
        (helper("STARTED", "a"), helper("FINISHED", "a"), "subagent_active", "subagent_not_active"),
    ]
}

#[test]
fn a_run_does_not_finish_while_something_is_open() {
    for (open, end, ..) in kinds() {
        assert_eq!(broken_in_run(&[open.clone(), end]), None, "{open}");
        assert_eq!(broken_in_run(std::slice::from_ref(&open)), Some(("open_at_finish", 2)), "{open}");
        assert_eq!(broken(&[began("r"), open, failed()]), None, "but it may fail");
    }
}

#[test]
fn nothing_is_open_twice_at_a_time_or_ended_without_being_open() {
    for (open, end, twice, not_open) in kinds() {
        assert_eq!(broken_in_run(&[open.clone(), open.clone()]), Some((twice, 2)), "{open}");
        assert_eq!(broken_in_run(std::slice::from_ref(&end)), Some((not_open, 1)), "{end}");
        assert_eq!(broken_in_run(&[open, end.clone(), end.clone()]), Some((not_open, 3)), "{end}");
    }
    for (open, more, end, not_open) in [
        (text("START", "m"), text("CONTENT", "m"), text("END", "m"), "text_message_not_open"),
        (call("START", "c"), call("ARGS", "c"), call("END", "c"), "tool_call_not_open"),
        (thought("START", "m"), thought("CONTENT", "m"), thought("END", "m"), "reasoning_message_not_open"),
    ] {
        assert_eq!(broken_in_run(&[open.clone(), more.clone(), more.clone(), end.clone()]), None, "{more}");
        assert_eq!(broken_in_run(std::slice::from_ref(&more)), Some((not_open, 1)), "{more}");
        assert_eq!(broken_in_run(&[open, end, more.clone()]), Some((not_open, 3)), "{more}");
    }
}

#[test]
fn what_was_closed_is_opened_again_but_a_subagent_is_not() {
    for (open, end, ..) in kinds() {
        let again = [open.clone(), end.clone(), open.clone(), end];
        let expected = (open["type"] == "SUBAGENT_STARTED").then_some(("subagent_reused", 3));
        assert_eq!(broken_in_run(&again), expected, "{open}");
    }
}

#[test]
fn a_run_forgets_what_the_one_before_it_had_open() {
    for (open, end, _, not_open) in kinds() {
        let carried = [began("r1"), open.clone(), failed(), began("r2"), end.clone()];
        assert_eq!(broken(&carried), Some((not_open, 4)), "{open}");
        let whole = [began("r1"), open.clone(), failed(), began("r2"), open, end, ended("r2")];
        assert_eq!(broken(&whole), None);
    }
}

#[test]
fn runs_follow_each_other_in_order() {
    let late = |event: Value, after: &[Value]| broken(&[after, &[event]].concat());
    let custom = json!({ "type": "CUSTOM", "name": "n", "value": 1 });
    assert_eq!(broken(&[]), Some(("stream_truncated", 0)));
    assert_eq!(broken(&[began("r")]), Some(("stream_truncated", 1)));
    assert_eq!(broken(std::slice::from_ref(&custom)), Some(("first_event", 0)));
    assert_eq!(broken(&[ended("r")]), Some(("first_event", 0)));
    assert_eq!(broken(&[failed()]), None, "the run could not start");
    assert_eq!(broken(&[began("r"), began("r2")]), Some(("run_active", 1)));
    assert_eq!(late(custom.clone(), &[began("r"), ended("r")]), Some(("run_finished", 2)));
    assert_eq!(late(ended("r"), &[began("r"), ended("r")]), Some(("run_finished", 2)));
    assert_eq!(late(failed(), &[began("r"), ended("r")]), None, "an error may come late");
    assert_eq!(late(custom, &[began("r"), failed()]), Some(("run_errored", 2)));
    assert_eq!(late(failed(), &[began("r"), failed()]), Some(("run_errored", 2)));
    for end in [ended("r"), failed()] {
        assert_eq!(broken(&[began("r"), end, began("r2"), ended("r2")]), None);
    }
    assert_eq!(broken(&[began("r"), ended("x")]), Some(("run_id_mismatch", 1)));
    let mut elsewhere = ended("r");
    elsewhere["threadId"] = "u".into();
    assert_eq!(broken(&[began("r"), elsewhere]), Some(("thread_id_mismatch", 1)));
    let mut elsewhere = began("r2");
    elsewhere["threadId"] = "u".into();
    assert_eq!(broken(&[began("r"), ended("r"), elsewhere]), Some(("thread_id_mismatch", 2)));
}

#[test]
fn a_stream_that_answers_an_input_is_on_its_thread() {
    let check = |thread: &str| {
        let event = Event::from_json(&began("r").to_string()).expect("legal");
        Verifier::for_thread(thread.into()).check(&event).map_err(|violation| violation.rule)
    };
    assert_eq!(check("t"), Ok(()));
    assert_eq!(check("u"), Err(Rule::ThreadIdMismatch));
}

#[test]
fn a_verifier_knows_whether_a_run_is_open() {
    let mut verifier = Verifier::default();
    for (event, is_running) in
        [(began("r"), true), (ended("r"), false), (began("r"), true), (failed(), false)]
    {
        verifier.check(&Event::from_json(&event.to_string()).expect("legal")).expect("in order");
        assert_eq!(verifier.is_running(), is_running, "{event}");
    }
}

#[test]
fn questions_of_one_run_have_ids_of_their_own() {
    let asking = |ids: &[&str]| {
        let asked: Vec<_> = ids.iter().map(|id| json!({ "id": id, "reason": "confirmation" })).collect();
        let mut end = ended("r");
        end["outcome"] = json!({ "type": "interrupt", "interrupts": asked });
        broken(&[began("r"), end])
    };
    assert_eq!(asking(&["a", "b"]), None);
    assert_eq!(asking(&["a", "b", "a"]), Some(("interrupt_id_duplicate", 1)));
}

/// Openers with what goes on from them.
fn continued() -> Vec<(Value, Vec<Value>)> {
    vec![
        (text("START", "m"), vec![text("CONTENT", "m"), text("END", "m")]),
        (call("START", "c"), vec![call("ARGS", "c"), call("END", "c")]),
        (span("START", "m"), vec![span("END", "m")]),
        (thought("START", "m"), vec![thought("CONTENT", "m"), thought("END", "m")]),
    ]
}

#[test]
fn whatever_goes_on_has_the_tag_of_its_opener_or_none() {
    for (open, rest) in continued() {
        for opener in [None, Some("a")] {
            for at in 0..rest.len() {
                for (tag, fits) in [(None, true), (Some("a"), opener == Some("a")), (Some("b"), false)] {
                    let mut events = vec![by(open.clone(), opener)];
                    events.extend(rest[..at].iter().cloned());
                    events.push(by(rest[at].clone(), tag));
                    events.extend(rest[at + 1..].iter().cloned());
                    let expected = (!fits).then_some(("owner_mismatch", at + 2));
                    assert_eq!(broken_in_run(&events), expected, "{events:?}");
                }
            }
        }
    }
}

#[test]
fn whoever_opened_something_first_owns_it() {
    for (open, rest) in continued() {
        let whole = |tag| [vec![by(open.clone(), tag)], rest.clone()].concat();
        let again = |first, then| broken_in_run(&[whole(first), whole(then)].concat());
        let second = rest.len() + 2;
        assert_eq!(again(Some("a"), Some("a")), None, "{open}");
        assert_eq!(again(Some("a"), None), None, "{open}");
        assert_eq!(again(Some("a"), Some("b")), Some(("owner_mismatch", second)), "{open}");
        assert_eq!(again(None, Some("a")), Some(("owner_mismatch", second)), "{open}");
    }
    let shared = [by(span("START", "m"), Some("a")), by(thought("START", "m"), Some("b"))];
    assert_eq!(broken_in_run(&shared), Some(("owner_mismatch", 2)), "a span and its message are one's");
}

#[test]
fn steps_are_known_by_owner_and_name() {
    let (start, finish) = (step("STARTED", "s"), step("FINISHED", "s"));
    let both = [start.clone(), by(start.clone(), Some("a")), finish.clone(), by(finish.clone(), Some("a"))];
    assert_eq!(broken_in_run(&both), None);
    let others = [by(start.clone(), Some("a")), finish.clone()];
    assert_eq!(broken_in_run(&others), Some(("step_owner", 2)));
    let theirs = [start.clone(), by(finish, Some("a"))];
    assert_eq!(broken_in_run(&theirs), Some(("step_owner", 2)));
    let twice = [by(start.clone(), Some("a")), by(start, Some("a"))];
    assert_eq!(broken_in_run(&twice), Some(("step_open", 2)));
}

#[test]
fn a_call_belongs_to_the_owner_of_its_message() {
    let said = |tag: Option<&str>| [by(text("START", "m"), tag), text("END", "m")];
    let check = |message: Option<&str>, tag: Option<&str>| {
        broken_in_run(&[&said(message)[..], &[by(called_in("c", "m"), tag), call("END", "c")]].concat())
    };
    assert_eq!((check(Some("a"), Some("a")), check(Some("a"), None), check(None, None)), (None, None, None));
    assert_eq!(check(Some("a"), Some("b")), Some(("parent_owner_mismatch", 3)));
    assert_eq!(check(None, Some("b")), Some(("parent_owner_mismatch", 3)));
    // Without a tag it is the message's owner's.
    let inherited = [&said(Some("a"))[..], &[called_in("c", "m"), by(call("END", "c"), Some("b"))]].concat();
    assert_eq!(broken_in_run(&inherited), Some(("owner_mismatch", 4)));
    let moved = [
        &[by(call("START", "c"), Some("b")), call("END", "c")][..],
        &said(Some("a")),
        &[called_in("c", "m")],
    ];
    assert_eq!(broken_in_run(&moved.concat()), Some(("parent_owner_mismatch", 5)));
}

#[test]
fn a_subagent_has_a_parent_that_was_started() {
    let mut child = helper("STARTED", "b");
    child["parentSubagentRunId"] = "a".into();
    let ends = [helper("FINISHED", "b"), helper("FINISHED", "a")];
    let known = [&[helper("STARTED", "a"), child.clone()][..], &ends].concat();
    assert_eq!(broken_in_run(&known), None);
    assert_eq!(broken_in_run(&[child]), Some(("subagent_parent_unknown", 1)));
    let failing = [helper("STARTED", "a"), helper("ERROR", "a")];
    assert_eq!(broken_in_run(&failing), None);
    let twice = [&failing[..], &[helper("ERROR", "a")]].concat();
    assert_eq!(broken_in_run(&twice), Some(("subagent_not_active", 3)));
}

#[test]
fn sealed_values_and_activities_are_their_owners() {
    let said = [by(text("START", "m"), Some("a")), text("END", "m")];
    let thinking = [by(thought("START", "m"), Some("a")), thought("END", "m")];
    let calling = [by(call("START", "m"), Some("a")), call("END", "m")];
    for (before, subtype) in [(&said, "message"), (&thinking, "message"), (&calling, "tool-call")] {
        for (tag, fits) in [(None, true), (Some("a"), true), (Some("b"), false)] {
            let events = [&before[..], &[by(sealed(subtype, "m"), tag)]].concat();
            assert_eq!(broken_in_run(&events), (!fits).then_some(("owner_mismatch", 3)), "{events:?}");
        }
    }
    let shown = by(activity("SNAPSHOT"), Some("a"));
    for (tag, fits) in [(None, true), (Some("a"), true), (Some("b"), false)] {
        let events = [shown.clone(), by(activity("DELTA"), tag)];
        assert_eq!(broken_in_run(&events), (!fits).then_some(("owner_mismatch", 2)), "{events:?}");
    }
    // One that replaces has another owner from then on; one that does not, has not.
    for (replace, owner) in [(None, "b"), (Some(true), "b"), (Some(false), "a")] {
        let mut again = by(activity("SNAPSHOT"), Some("b"));
        if let Some(replace) = replace {
            again["replace"] = replace.into();
        }
        let events = [shown.clone(), again, by(activity("DELTA"), Some(owner))];
        assert_eq!(broken_in_run(&events), None, "{events:?}");
    }
}

#[test]
fn what_a_snapshot_or_a_history_brings_in_has_an_owner() {
    let message = json!({ "id": "m", "role": "assistant", "subagentRunId": "a", "toolCalls": [
        { "id": "c", "type": "function", "function": { "name": "n", "arguments": "{}" } }] });
    let reasoning = json!({ "id": "r", "role": "reasoning", "content": "x", "subagentRunId": "a" });
    let shown =
        json!({ "id": "a", "role": "activity", "activityType": "x", "content": {}, "subagentRunId": "a" });
    let messages = json!([message, reasoning, shown]);
    let snapshot = json!({ "type": "MESSAGES_SNAPSHOT", "messages": messages });
    let mut history = began("r");
    history["input"] = json!({ "threadId": "t", "runId": "r", "messages": messages });
    let foreign = [
        by(sealed("message", "m"), Some("b")),
        by(sealed("tool-call", "c"), Some("b")),
        by(sealed("message", "r"), Some("b")),
        by(thought("START", "r"), Some("b")),
        by(activity("DELTA"), Some("b")),
    ];
    for event in foreign {
        assert_eq!(broken_in_run(&[snapshot.clone(), event.clone()]), Some(("owner_mismatch", 2)), "{event}");
        assert_eq!(broken(&[history.clone(), event.clone()]), Some(("owner_mismatch", 1)), "{event}");
    }
    // A snapshot changes who owns a message; a result is its tool's.
    let changed = [
        by(text("START", "m"), Some("b")),
        text("END", "m"),
        snapshot,
        by(sealed("message", "m"), Some("b")),
    ];
    assert_eq!(broken_in_run(&changed), Some(("owner_mismatch", 4)));
    let result = json!({ "type": "TOOL_CALL_RESULT", "messageId": "x", "toolCallId": "c", "content": "y" });
    let events = [by(result, Some("a")), by(sealed("message", "x"), Some("b"))];
    assert_eq!(broken_in_run(&events), Some(("owner_mismatch", 2)));
}

#[test]
fn of_two_activities_with_one_id_a_history_brings_in_the_first_and_a_snapshot_the_last() {
    let shown = |owner: &str| json!({ "id": "a", "role": "activity", "activityType": "x", "content": {}, "subagentRunId": owner });
    let messages = json!([shown("first"), shown("last")]);
    let mut history = began("r");
    history["input"] = json!({ "threadId": "t", "runId": "r", "messages": messages });
    let snapshot = json!({ "type": "MESSAGES_SNAPSHOT", "messages": messages });
    for (before, owner, other) in
        [(vec![history], "first", "last"), (vec![began("r"), snapshot], "last", "first")]
    {
        let then = |event: Value| broken(&[&before[..], &[event, ended("r")]].concat());
        assert_eq!(then(by(activity("DELTA"), Some(owner))), None);
        assert_eq!(then(by(activity("DELTA"), Some(other))), Some(("owner_mismatch", before.len())));
        assert_eq!(
            then(by(sealed("message", "a"), Some("b"))),
            None,
            "an activity is not a message of a kind that is sealed"
        );
    }
}

#[test]
fn a_violation_names_who_opened_what_and_who_goes_on() {
    for (owner, named) in [(None, "the parent agent"), (Some("a"), "subagent `a`")] {
        let mut verifier = Verifier::default();
        let events = [began("r"), by(text("START", "m"), owner), by(text("END", "m"), Some("b"))];
        let mut events =
            events.map(|event| Event::from_json(&event.to_string()).expect("an event")).into_iter();
        let violation = events.find_map(|event| verifier.check(&event).err()).expect("it is another's");
        let message = violation.message;
        assert!(message.contains("`m`") && message.contains("`b`") && message.ends_with(named), "{message}");
    }
}

#[test]
fn every_rule_of_order_is_broken_by_a_test_here() {
    let tests = include_str!("order.rs");
    // Chunks are expanded before they are verified, and tested there.
    let codes = Rule::ALL.iter().map(|rule| rule.code()).filter(|code| !code.starts_with("chunk_"));
    let untested: Vec<_> = codes.filter(|code| !tests.contains(&format!("\"{code}\""))).collect();
    assert_eq!(untested, [""; 0]);
}
