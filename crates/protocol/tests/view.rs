//! The reducer, event by event: what each event changes in a conversation, what it reports, and what comes out.

use forestage_protocol::{
    apply::{Applied, Change, RunEnd, ThreadView},
    event::Event,
};
use serde::Serialize;
use serde_json::{Value, json};

/// A conversation, and what the events before have changed in it.
#[derive(Default)]
struct Folded {
    view: ThreadView,
}

impl Folded {
    /// Applies events. Each must report the change beside it, with the code of its warning if it has one.
    fn check(&mut self, cases: &[(Value, &str)]) -> &mut Self {
        for (event, expected) in cases {
            let parsed = Event::from_json(&event.to_string());
            let applied = self.view.apply(&parsed.unwrap_or_else(|fault| panic!("{fault}: {event}")));
            assert_eq!(self.spell(&applied), *expected, "{event}");
        }
        self
    }

    /// Such as `m Text` for text that was added to the message `m`.
    fn spell(&self, applied: &Applied) -> String {
        let change = match applied.change {
            Change::Message { at, what } => {
                format!("{} {what:?}", self.view.message_at(at).expect("it was changed").id())
            }
            change => format!("{change:?}"),
        };
        match &applied.warning {
            Some(warning) => format!("{change} ({})", warning.code),
            None => change,
        }
    }

    fn messages(&self) -> Value {
        self.view.messages().map(to_value).collect()
    }

    fn ids(&self) -> Vec<&str> {
        self.view.messages().map(|message| &**message.id()).collect()
    }

    fn message(&self, id: &str) -> Value {
        to_value(self.view.message(id).expect("it is there"))
    }
}

fn to_value(value: impl Serialize) -> Value {
    serde_json::to_value(value).expect("prints")
}

fn event(kind: &str, members: Value) -> Value {
    with(json!({ "type": kind }), members)
}

fn with(mut event: Value, members: Value) -> Value {
    event.as_object_mut().expect("an object").extend(members.as_object().expect("an object").clone());
    event
}

/// Metadata with one member.
fn note(name: &str) -> Value {
    json!({ "metadata": { name: 1 } })
}

fn text(kind: &str, id: &str) -> Value {
    let event = event(&format!("TEXT_MESSAGE_{kind}"), json!({ "messageId": id }));
    if kind == "CONTENT" { with(event, json!({ "delta": "x" })) } else { event }
}

fn call(kind: &str, id: &str) -> Value {
    let more = match kind {
        "START" => json!({ "toolCallName": "look" }),
        "ARGS" => json!({ "delta": "{}" }),
        _ => json!({}),
    };
    with(event(&format!("TOOL_CALL_{kind}"), json!({ "toolCallId": id })), more)
}

fn result(id: &str, call: &str) -> Value {
    event("TOOL_CALL_RESULT", json!({ "messageId": id, "toolCallId": call, "content": id }))
}

fn activity(content: Value) -> Value {
    event("ACTIVITY_SNAPSHOT", json!({ "messageId": "a", "activityType": "plan", "content": content }))
}

fn activity_patch(operations: Value) -> Value {
    event("ACTIVITY_DELTA", json!({ "messageId": "a", "activityType": "list", "patch": operations }))
}

fn sealed(subtype: &str, id: &str) -> Value {
    let members = json!({ "subtype": subtype, "entityId": id, "encryptedValue": "s" });
    event("REASONING_ENCRYPTED_VALUE", members)
}

fn snapshot(messages: Value) -> Value {
    event("MESSAGES_SNAPSHOT", json!({ "messages": messages }))
}

fn started(messages: Value) -> Value {
    let input = json!({ "threadId": "t", "runId": "r", "messages": messages });
    event("RUN_STARTED", json!({ "threadId": "t", "runId": "r", "input": input }))
}

fn finished(more: Value) -> Value {
    with(event("RUN_FINISHED", json!({ "threadId": "t", "runId": "r" })), more)
}

/// An assistant's message with one call.
fn calling(id: &str, call: &str) -> Value {
    let call = json!({ "id": call, "type": "function", "function": { "name": "look", "arguments": "{}" } });
    json!({ "id": id, "role": "assistant", "toolCalls": [call] })
}

fn user(id: &str) -> Value {
    json!({ "id": id, "role": "user", "content": id })
}

#[test]
fn a_text_grows_and_its_metadata_gathers() {
    let mut folded = Folded::default();
    folded.check(&[
        (with(text("START", "m"), note("a")), "m Added"),
        (text("START", "m"), "Nothing"),
        (with(text("START", "m"), note("b")), "m Updated"),
        (with(text("CONTENT", "m"), json!({ "metadata": { "a": 2 } })), "m Text"),
        (text("CONTENT", "m"), "m Text"),
        (with(text("END", "m"), note("c")), "m Completed"),
        (text("CONTENT", "gone"), "Nothing (message_missing)"),
        (text("END", "gone"), "Nothing (message_missing)"),
    ]);
    let metadata = json!({ "a": 2, "b": 1, "c": 1 });
    let message = json!({ "id": "m", "role": "assistant", "content": "xx", "metadata": metadata });
    assert_eq!(folded.messages(), json!([message]));
}

#[test]
fn an_activity_is_replaced_unless_the_event_says_otherwise() {
    let mut folded = Folded::default();
    let kept = |content: Value| with(activity(content), json!({ "replace": false }));
    folded.check(&[
        (
            with(activity(json!({ "n": 1 })), json!({ "subagentRunId": "s", "metadata": { "a": 1 } })),
            "a Added",
        ),
        (kept(json!({ "n": 2 })), "Nothing"),
        (with(kept(json!({ "n": 2 })), note("b")), "a Updated"),
    ]);
    let expected = json!({ "id": "a", "role": "activity", "activityType": "plan", "content": { "n": 1 },
        "subagentRunId": "s", "metadata": { "a": 1, "b": 1 } });
    assert_eq!(folded.messages(), json!([expected]));
    folded.check(&[(with(activity(json!({ "n": 3 })), note("c")), "a Updated")]);
    let expected = json!({ "id": "a", "role": "activity", "activityType": "plan", "content": { "n": 3 },
        "metadata": { "a": 1, "b": 1, "c": 1 } });
    assert_eq!(folded.messages(), json!([expected]));
}

#[test]
fn an_activity_takes_no_text() {
    Folded::default().check(&[
        (activity(json!({})), "a Added"),
        (text("START", "a"), "Nothing (id_collision)"),
        (text("CONTENT", "a"), "Nothing (id_collision)"),
        (text("END", "a"), "Nothing (id_collision)"),
    ]);
}

#[test]
fn an_activity_takes_the_place_of_a_message_and_of_its_calls() {
    let mut folded = Folded::default();
    let (start, show) = (with(call("START", "c"), json!({ "parentMessageId": "a" })), activity(json!({})));
    folded.check(&[
        (start, "a ToolCallAdded { call: 0 }"),
        (with(show.clone(), json!({ "replace": false })), "Nothing"),
        (call("ARGS", "c"), "a Arguments { call: 0 }"),
        (with(show, note("n")), "a Updated"),
        (call("ARGS", "c"), "Nothing (tool_call_missing)"),
        (call("END", "c"), "Nothing (tool_call_missing)"),
    ]);
    let shown = json!({ "id": "a", "role": "activity", "activityType": "plan", "content": {} });
    assert_eq!(folded.messages(), json!([with(shown, note("n"))]));
}

#[test]
fn a_patch_of_an_activity_counts_whole_or_not_at_all() {
    let mut folded = Folded::default();
    let replace = |path: &str, value: Value| json!({ "op": "replace", "path": path, "value": value });
    let missing = json!([replace("/n", json!(5)), replace("/x", json!(5))]);
    folded.check(&[
        (activity(json!({ "n": 1 })), "a Added"),
        (activity_patch(json!([replace("/n", json!(2))])), "a Updated"),
        (activity_patch(missing.clone()), "Nothing (patch_failed)"),
        (with(activity_patch(missing), note("b")), "a Updated (patch_failed)"),
        (activity_patch(json!([replace("", json!([]))])), "Nothing (patch_failed)"),
        (with(activity_patch(json!([])), json!({ "messageId": "gone" })), "Nothing (activity_missing)"),
    ]);
    let expected = json!({ "id": "a", "role": "activity", "activityType": "list", "content": { "n": 2 } });
    assert_eq!(folded.messages(), json!([with(expected, note("b"))]));
    folded.check(&[(activity_patch(json!([replace("", json!({ "new": 1 }))])), "a Updated")]);
    assert_eq!(folded.message("a")["content"], json!({ "new": 1 }));
}

#[test]
fn reasoning_and_sealed_values_stay_with_their_owner() {
    let mut folded = Folded::default();
    let start = event("REASONING_MESSAGE_START", json!({ "messageId": "r", "role": "reasoning" }));
    folded.check(&[
        (with(start.clone(), json!({ "subagentRunId": "s" })), "r Added"),
        (start.clone(), "Nothing"),
        (with(start, note("a")), "r Updated"),
        (event("REASONING_MESSAGE_CONTENT", json!({ "messageId": "r", "delta": "hm" })), "r Text"),
        (event("REASONING_MESSAGE_END", json!({ "messageId": "r" })), "r Completed"),
        (with(sealed("message", "r"), json!({ "encryptedValueType": "k" })), "r Updated"),
        (call("START", "c"), "c ToolCallAdded { call: 0 }"),
        (sealed("tool-call", "c"), "c Updated"),
        (activity(json!({})), "a Added"),
        (sealed("message", "a"), "Nothing (entity_missing)"),
        (sealed("message", "gone"), "Nothing (entity_missing)"),
        (sealed("tool-call", "r"), "Nothing (entity_missing)"),
    ]);
    let expected = json!({ "id": "r", "role": "reasoning", "content": "hm", "subagentRunId": "s",
        "encryptedValue": "s", "encryptedValueType": "k" });
    assert_eq!(folded.message("r"), with(expected, note("a")));
    assert_eq!(folded.message("c")["toolCalls"][0]["encryptedValue"], "s");
}

#[test]
fn a_call_is_carried_by_the_message_it_names_or_by_one_of_its_own() {
    let mut folded = Folded::default();
    let under = |id: &str, parent: &str| with(call("START", id), json!({ "parentMessageId": parent }));
    folded.check(&[
        (snapshot(json!([user("u")])), "Messages"),
        (
            with(under("c1", "m"), json!({ "subagentRunId": "s", "metadata": { "a": 1 } })),
            "m ToolCallAdded { call: 0 }",
        ),
        (under("c2", "m"), "m ToolCallAdded { call: 1 }"),
        (with(call("ARGS", "c2"), note("a")), "m Arguments { call: 1 }"),
        (with(call("END", "c2"), note("b")), "m Completed"),
        (call("START", "c3"), "c3 ToolCallAdded { call: 0 }"),
        (under("c4", "u"), "c4 ToolCallAdded { call: 0 } (id_collision)"),
        (call("ARGS", "gone"), "Nothing (tool_call_missing)"),
        (call("END", "gone"), "Nothing (tool_call_missing)"),
    ]);
    assert_eq!(folded.ids(), ["u", "m", "c3", "c4"]);
    let of = |id: &str, arguments: &str, more: Value| {
        let function = json!({ "name": "look", "arguments": arguments });
        with(json!({ "id": id, "type": "function", "function": function }), more)
    };
    let calls = [of("c1", "", note("a")), of("c2", "{}", json!({ "metadata": { "a": 1, "b": 1 } }))];
    let expected = json!({ "id": "m", "role": "assistant", "toolCalls": calls, "subagentRunId": "s" });
    assert_eq!(folded.message("m"), expected);
}

#[test]
fn a_call_that_starts_again_changes_its_name_at_most() {
    let mut folded = Folded::default();
    folded.check(&[
        (call("START", "c"), "c ToolCallAdded { call: 0 }"),
        (call("START", "c"), "Nothing"),
        (with(call("START", "c"), note("a")), "c Updated"),
        (with(call("START", "c"), json!({ "toolCallName": "see" })), "c Updated (tool_call_renamed)"),
    ]);
    let calls = &folded.message("c")["toolCalls"];
    assert_eq!((calls.as_array().map(Vec::len), &calls[0]["function"]["name"]), (Some(1), &json!("see")));
}

#[test]
fn an_answer_stands_behind_its_call_and_the_answers_before_it() {
    let mut folded = Folded::default();
    folded.check(&[
        (snapshot(json!([calling("m", "c"), user("u")])), "Messages"),
        (with(result("r1", "c"), note("a")), "r1 Added"),
        (result("r2", "c"), "r2 Added"),
        (result("r3", "unknown"), "r3 Added"),
        (result("r4", "c"), "r4 Added"),
    ]);
    assert_eq!(folded.ids(), ["m", "r1", "r2", "r4", "u", "r3"]);
    let again = json!({ "content": "new", "subagentRunId": "s", "metadata": { "b": 1 } });
    folded.check(&[(with(result("r1", "c"), again), "r1 Updated")]);
    assert_eq!(folded.ids(), ["m", "r1", "r2", "r4", "u", "r3"], "it is the same answer");
    let expected = json!({ "id": "r1", "role": "tool", "toolCallId": "c", "content": "new",
        "subagentRunId": "s", "metadata": { "a": 1, "b": 1 } });
    assert_eq!(folded.message("r1"), expected);
}

#[test]
fn an_answer_stands_behind_those_that_a_snapshot_brought_in() {
    let mut folded = Folded::default();
    let answer = json!({ "id": "r1", "role": "tool", "toolCallId": "c", "content": "x" });
    folded.check(&[
        (snapshot(json!([calling("m", "c"), answer, user("u")])), "Messages"),
        (result("r2", "c"), "r2 Added"),
    ]);
    assert_eq!(folded.ids(), ["m", "r1", "r2", "u"]);
}

#[test]
fn an_answer_with_the_id_of_another_message_is_a_message_of_its_own() {
    let mut folded = Folded::default();
    folded.check(&[
        (snapshot(json!([calling("m", "c"), user("u")])), "Messages"),
        (result("u", "c"), "u Added"),
    ]);
    let roles: Vec<_> = folded.view.messages().map(|message| to_value(message)["role"].clone()).collect();
    assert_eq!(roles, ["assistant", "tool", "user"]);
    assert_eq!(folded.message("u")["role"], "tool", "the first of them is the one that its id finds");
    let mut folded = Folded::default();
    folded.check(&[
        (snapshot(json!([user("u"), calling("m", "c")])), "Messages"),
        (result("u", "c"), "u Added"),
    ]);
    assert_eq!(folded.message("u")["role"], "user", "the first of them is the one that its id finds");
}

#[test]
fn what_an_input_brings_in_is_new_once_and_its_calls_can_be_answered() {
    let mut folded = Folded::default();
    folded.check(&[
        (started(json!([calling("m", "c"), user("u")])), "Messages"),
        (started(json!([calling("m", "other")])), "Run"),
        (call("ARGS", "c"), "m Arguments { call: 0 }"),
        (call("ARGS", "other"), "Nothing (tool_call_missing)"),
        (result("r", "c"), "r Added"),
    ]);
    assert_eq!(folded.ids(), ["m", "r", "u"]);
}

#[test]
fn a_run_ends_with_the_calls_that_wait_unless_it_names_them() {
    let pending = |events: &[Value], outcome: Value| {
        let mut folded = Folded::default();
        for event in [&[started(json!([]))], events, &[finished(json!({ "outcome": outcome }))]].concat() {
            folded.view.apply(&Event::from_json(&event.to_string()).expect("an event"));
        }
        match folded.view.end() {
            Some(RunEnd::Success { pending_tool_call_ids, .. }) => to_value(pending_tool_call_ids),
            end => panic!("{end:?}"),
        }
    };
    let calls = [call("START", "c1"), call("START", "c2"), result("r", "c1"), result("x", "elsewhere")];
    let success = |ids: Value| json!({ "type": "success", "pendingToolCallIds": ids });
    assert_eq!(pending(&calls, json!({ "type": "success" })), json!(["c2"]));
    assert_eq!(pending(&calls, success(json!([]))), json!(["c2"]), "an empty list names none");
    assert_eq!(pending(&calls, success(json!(["c9"]))), json!(["c9"]));
    assert_eq!(
        pending(&[&calls[..], &[started(json!([]))]].concat(), json!({ "type": "success" })),
        json!([])
    );
}

#[test]
fn questions_wait_until_another_run_has_finished() {
    let mut folded = Folded::default();
    let asked = json!({ "outcome": { "type": "interrupt", "interrupts": [{ "id": "i", "reason": "x" }] } });
    let waiting = |folded: &Folded| folded.view.pending_interrupts().len();
    let failed = event("RUN_ERROR", json!({ "message": "no", "code": "broken" }));
    folded.check(&[(started(json!([])), "Run"), (finished(asked), "Run")]);
    assert!(matches!(folded.view.end(), Some(RunEnd::Interrupt { interrupts }) if interrupts.len() == 1));
    assert_eq!(waiting(&folded), 1);
    folded.check(&[(started(json!([])), "Run")]);
    assert_eq!((waiting(&folded), folded.view.end()), (1, None), "a run is open");
    folded.check(&[(failed, "Run")]);
    let end = RunEnd::Error { message: "no".to_owned(), code: Some("broken".to_owned()) };
    assert_eq!((waiting(&folded), folded.view.end()), (1, Some(&end)));
    folded.check(&[
        (started(json!([])), "Run"),
        (finished(json!({ "outcome": { "type": "cancelled" } })), "Run"),
    ]);
    assert_eq!((waiting(&folded), folded.view.end()), (0, Some(&RunEnd::Cancelled)));
}

#[test]
fn a_snapshot_replaces_removes_and_adds() {
    let mut folded = Folded::default();
    let renewed = with(user("b"), json!({ "content": "new" }));
    folded.check(&[
        (snapshot(json!([user("a"), user("b"), calling("m", "c")])), "Messages"),
        (snapshot(json!([user("x"), renewed.clone(), user("y"), user("y")])), "Messages"),
        (call("ARGS", "c"), "Nothing (tool_call_missing)"),
    ]);
    assert_eq!(folded.messages(), json!([renewed, user("x"), user("y")]));
}

#[test]
fn a_snapshot_leaves_reasoning_and_activities_that_it_does_not_speak_of() {
    let reasoning = |id: &str| json!({ "id": id, "role": "reasoning", "content": id });
    let shown =
        |id: &str, kind: &str| json!({ "id": id, "role": "activity", "activityType": kind, "content": {} });
    let owning = |types: Value| {
        let scope = json!({ "metadata": { "@ag-ui/client": { "authoritativeActivityTypes": types } } });
        with(snapshot(json!([user("u")])), scope)
    };
    let all = json!([user("u"), reasoning("r"), shown("p", "plan"), shown("q", "quiz")]);
    for (given, left) in [
        (snapshot(json!([user("u")])), &["u", "r", "p", "q"][..]),
        (snapshot(json!([user("u"), reasoning("s")])), &["u", "p", "q", "s"]),
        (snapshot(json!([user("u"), shown("o", "plan")])), &["u", "r", "o"]),
        (owning(json!(null)), &["u", "r"]),
        (owning(json!(["plan"])), &["u", "r", "q"]),
        (owning(json!(["plan", 7])), &["u", "r", "p", "q"]),
        (owning(json!("plan")), &["u", "r", "p", "q"]),
        (
            with(snapshot(json!([shown("o", "plan")])), json!({ "metadata": { "@ag-ui/client": 7 } })),
            &["r", "p", "q", "o"],
        ),
    ] {
        let mut folded = Folded::default();
        folded.check(&[(snapshot(all.clone()), "Messages"), (given.clone(), "Messages")]);
        assert_eq!(folded.ids(), left, "{given}");
    }
}

#[test]
fn a_state_is_replaced_or_patched_whole() {
    let mut folded = Folded::default();
    let patch = |path: &str| {
        let operations = json!([{ "op": "add", "path": "/b", "value": 2 }, { "op": "remove", "path": path }]);
        event("STATE_DELTA", json!({ "delta": operations }))
    };
    folded.check(&[
        (event("STATE_SNAPSHOT", json!({ "snapshot": { "a": 1 } })), "State"),
        (patch("/x"), "Nothing (patch_failed)"),
    ]);
    assert_eq!(folded.view.state(), &json!({ "a": 1 }));
    folded.check(&[(patch("/a"), "State")]);
    assert_eq!(folded.view.state(), &json!({ "b": 2 }));
}

#[test]
fn a_chunk_that_nobody_expanded_changes_nothing() {
    let chunk = event("TEXT_MESSAGE_CHUNK", json!({ "messageId": "m", "delta": "x" }));
    Folded::default().check(&[(chunk, "Nothing (chunk_not_expanded)")]);
}
