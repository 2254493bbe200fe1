//! Examples, with what comes out of them.

use forestage_protocol::{
    Warning,
    apply::ThreadView,
    chunks::Expander,
    codec::{length, proto, sse},
    compact::compact,
    compat::Boundary,
    enforce,
    event::Event,
    patch::Patch,
    pipeline::{Fold, Reader},
    verify::Verifier,
};
use serde_json::{Value, json};

use crate::members::table;

/// A run, with what each event is for.
const RUN: [(&str, &str); 13] = [
    (
        r#"{"type":"RUN_STARTED","threadId":"t1","runId":"r1","protocolVersion":"1.0"}"#,
        "The run opens. The version is the producer's own.",
    ),
    (r#"{"type":"STATE_SNAPSHOT","snapshot":{"bed":"tomatoes","valve":"closed"}}"#, "The state, whole."),
    (r#"{"type":"TEXT_MESSAGE_START","messageId":"m1","role":"assistant"}"#, "A message opens under its id."),
    (r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m1","delta":"Let me "}"#, "Text to append."),
    (r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m1","delta":"look."}"#, "More of it."),
    (r#"{"type":"TEXT_MESSAGE_END","messageId":"m1"}"#, "The message is complete."),
    (
        r#"{"type":"TOOL_CALL_START","toolCallId":"c1","toolCallName":"read_moisture","parentMessageId":"m1"}"#,
        "A call opens; message `m1` carries it.",
    ),
    (r#"{"type":"TOOL_CALL_ARGS","toolCallId":"c1","delta":"{\"depth"}"#, "Arguments are text in pieces."),
    (r#"{"type":"TOOL_CALL_ARGS","toolCallId":"c1","delta":"\":10}"}"#, "Only the whole need be JSON."),
    (r#"{"type":"TOOL_CALL_END","toolCallId":"c1"}"#, "The arguments are complete."),
    (
        r#"{"type":"TOOL_CALL_RESULT","messageId":"a1","toolCallId":"c1","content":"18 %"}"#,
        "The answer becomes a message of role `tool`.",
    ),
    (
        r#"{"type":"STATE_DELTA","delta":[{"op":"replace","path":"/valve","value":"open"}]}"#,
        "A change of the state, as JSON Patch.",
    ),
    (
        r#"{"type":"RUN_FINISHED","threadId":"t1","runId":"r1","outcome":{"type":"success"}}"#,
        "The run ends; everything it opened is closed.",
    ),
];

/// What is wrong with an event, and the event.
const ENFORCED: [(&str, &str); 20] = [
    ("unknown event type", r#"{"type":"META","metaType":"like"}"#),
    ("unknown property", r#"{"type":"CUSTOM","name":"app.tick","value":1,"colour":"red"}"#),
    ("unknown name, optional", r#"{"type":"TEXT_MESSAGE_START","messageId":"m1","role":"narrator"}"#),
    (
        "unknown name, required",
        r#"{"type":"REASONING_ENCRYPTED_VALUE","subtype":"step","entityId":"m1","encryptedValue":"x"}"#,
    ),
    (
        "unknown alternative, optional",
        r#"{"type":"RUN_FINISHED","threadId":"t1","runId":"r1","outcome":{"type":"paused"}}"#,
    ),
    (
        "unknown alternative in a list",
        r#"{"type":"MESSAGES_SNAPSHOT","messages":[{"id":"n1","role":"narrator","content":"Meanwhile"}]}"#,
    ),
    (
        "… whose container needs it",
        r#"{"type":"TOOL_CALL_RESULT","messageId":"a1","toolCallId":"c1","content":[{"type":"image","source":{"type":"ipfs","value":"Qm"}}]}"#,
    ),
    ("unknown patch operation", r#"{"type":"STATE_DELTA","delta":[{"op":"merge","path":"/a","value":1}]}"#),
    (
        "unknown keys of an open object",
        r#"{"type":"CUSTOM","name":"app.tick","value":null,"metadata":{"any":{"key":null}}}"#,
    ),
    ("whole number with a fraction", r#"{"type":"STEP_STARTED","stepName":"plan","timestamp":5.0}"#),
    ("wrong type", r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m1","delta":42}"#),
    ("missing member", r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m1"}"#),
    ("null for absent", r#"{"type":"TEXT_MESSAGE_START","messageId":"m1","role":null}"#),
    ("null for what is required", r#"{"type":"TEXT_MESSAGE_END","messageId":null}"#),
    ("number that is not whole", r#"{"type":"STEP_STARTED","stepName":"plan","timestamp":1.5}"#),
    ("role of another kind", r#"{"type":"TEXT_MESSAGE_START","messageId":"m1","role":"tool"}"#),
    (
        "alternative that does not say which",
        r#"{"type":"RUN_FINISHED","threadId":"t1","runId":"r1","outcome":{}}"#,
    ),
    ("constant that differs", r#"{"type":"REASONING_MESSAGE_START","messageId":"m1","role":"assistant"}"#),
    (
        "empty list of questions",
        r#"{"type":"RUN_FINISHED","threadId":"t1","runId":"r1","outcome":{"type":"interrupt","interrupts":[]}}"#,
    ),
    ("bad JSON Pointer", r#"{"type":"STATE_DELTA","delta":[{"op":"remove","path":"a"}]}"#),
];

/// Events in shapes of before 1.0, in the order of a stream.
const RETIRED: [&str; 11] = [
    r#"{"type":"THINKING_START","title":"Plan"}"#,
    r#"{"type":"THINKING_TEXT_MESSAGE_START"}"#,
    r#"{"type":"THINKING_TEXT_MESSAGE_CONTENT","delta":"Hm"}"#,
    r#"{"type":"THINKING_TEXT_MESSAGE_END"}"#,
    r#"{"type":"THINKING_END"}"#,
    r#"{"type":"TOOL_CALL_START","toolCallId":"c1","toolCallName":"look","parentMessageId":null}"#,
    r#"{"type":"STEP_STARTED","stepName":"plan","rawEvent":null}"#,
    r#"{"type":"SUBAGENT_FINISHED","subagentRunId":"s1","result":null}"#,
    r#"{"type":"RUN_FINISHED","threadId":"t1","runId":"r1","result":null,"outcome":null}"#,
    r#"{"type":"MESSAGES_SNAPSHOT","messages":[{"id":"u1","role":"user","content":[{"type":"binary","mimeType":"image/png","url":"https://example.com/a.png","filename":"a.png"}]}]}"#,
    r#"{"type":"RUN_STARTED","threadId":"t1","runId":"r2","input":{"threadId":"t1","runId":"r2","messages":[],"state":null,"tools":[{"name":"n","description":"d","parameters":null}],"forwardedProps":null,"resume":[{"interruptId":"i1","status":"cancelled","payload":null}]}}"#,
];

const CHUNKS: [&str; 6] = [
    r#"{"type":"TEXT_MESSAGE_CHUNK","messageId":"m1","delta":"I "}"#,
    r#"{"type":"TEXT_MESSAGE_CHUNK","messageId":"m2","delta":"You ","subagentRunId":"s1"}"#,
    r#"{"type":"RAW","event":{"tokens":7}}"#,
    r#"{"type":"TEXT_MESSAGE_CHUNK","delta":"am"}"#,
    r#"{"type":"CUSTOM","name":"app.tick","value":1,"subagentRunId":"s1"}"#,
    r#"{"type":"TOOL_CALL_CHUNK","toolCallId":"c1","toolCallName":"go","delta":"{}"}"#,
];

const LONG: [&str; 10] = [
    r#"{"type":"RUN_STARTED","threadId":"t1","runId":"r1"}"#,
    r#"{"type":"STATE_SNAPSHOT","snapshot":{"step":1}}"#,
    r#"{"type":"TEXT_MESSAGE_START","messageId":"m1"}"#,
    r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m1","delta":"Hel","timestamp":1000}"#,
    r#"{"type":"STATE_DELTA","delta":[{"op":"replace","path":"/step","value":2}]}"#,
    r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m1","delta":"lo","timestamp":1020,"metadata":{"k":1}}"#,
    r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m1","delta":"!","rawEvent":{"done":true}}"#,
    r#"{"type":"TEXT_MESSAGE_END","messageId":"m1"}"#,
    r#"{"type":"STATE_DELTA","delta":[{"op":"remove","path":"/absent"}]}"#,
    r#"{"type":"RUN_FINISHED","threadId":"t1","runId":"r1"}"#,
];

/// Documents, and patches for them.
const PATCHES: [(&str, &str); 6] = [
    (r#"{"a":1}"#, r#"[{"op":"add","path":"/b","value":null}]"#),
    (r#"{"a":1}"#, r#"[{"op":"replace","path":"/a","value":2},{"op":"remove","path":"/absent"}]"#),
    (r#"{"a":[1,3]}"#, r#"[{"op":"add","path":"/a/1","value":2},{"op":"add","path":"/a/-","value":4}]"#),
    (r#"{"a":1}"#, r#"[{"op":"test","path":"/a","value":1.0},{"op":"remove","path":"/a"}]"#),
    (r#"{"a":1}"#, r#"[{"op":"add","path":"/__proto__/x","value":1}]"#),
    (r#"{"a":1}"#, r#"[{"op":"remove","path":""}]"#),
];

pub(crate) fn run() -> String {
    let rows = RUN.iter().map(|(event, about)| [format!("`{event}`"), (*about).to_owned()]);
    table(["event", "what it says"], rows)
}

pub(crate) fn conversation() -> String {
    let mut fold = Fold::new(Reader::default(), ThreadView::default());
    for (event, _) in RUN {
        fold.read_json(event, |_| ()).expect("a legal stream");
    }
    fold.finish().expect("a whole run");
    assert_eq!(fold.take_warnings(), []);
    let messages = fold.view().messages().map(|message| format!("    {}", json!(message)));
    let messages = messages.collect::<Vec<_>>().join(",\n");
    let (state, end) = (fold.view().state(), json!(fold.view().end()));
    block(&format!(
        "{{\n  \"messages\": [\n{messages}\n  ],\n  \"state\": {state},\n  \"outcome\": {end}\n}}"
    ))
}

pub(crate) fn enforced() -> String {
    let rows = ENFORCED.iter().map(|(what, event)| {
        let mut warnings = Vec::new();
        let result = enforce::enforce(parse(event), &mut warnings);
        [(*what).to_owned(), format!("`{event}`"), verdict(event, result, &warnings)]
    });
    table(["what", "event", "result"], rows)
}

pub(crate) fn retired() -> String {
    let mut boundary = Boundary::default();
    boundary.enter_run(&"r1".into());
    let rows = RETIRED.iter().zip(1..).map(|(event, index)| {
        let mut value = parse(event);
        let mut warnings = Vec::new();
        boundary.upgrade(&mut value, index, &mut warnings);
        assert!(!warnings.is_empty(), "{event} is not retired");
        let event_now = enforce::enforce(value, &mut warnings).expect("well formed").expect("an event");
        let paths: Vec<String> = warnings.iter().map(place).collect();
        [format!("`{event}`"), format!("`{}`", event_now.to_json()), paths.join(", ")]
    });
    table(["retired", "read as", "warned at"], rows)
}

pub(crate) fn chunks() -> String {
    let (mut expander, mut out) = (Expander::default(), Vec::new());
    for event in events(&CHUNKS) {
        expander.expand(event, &mut out).expect("legal chunks");
    }
    becomes(&CHUNKS, &out)
}

pub(crate) fn compaction() -> String {
    let short = compact(events(&LONG)).expect("no chunks");
    let mut verifier = Verifier::default();
    short.iter().for_each(|event| verifier.check(event).expect("a legal stream"));
    assert_eq!(view(&short), view(&events(&LONG)));
    becomes(&LONG, &short)
}

fn becomes(before: &[&str], after: &[Event]) -> String {
    let after: Vec<String> = after.iter().map(Event::to_json).collect();
    format!("{}becomes\n{}", block(&before.join("\n")), block(&after.join("\n")))
}

pub(crate) fn patches() -> String {
    let rows = PATCHES.iter().map(|(before, patch)| {
        let mut document = parse(before);
        let patch_read: Patch = serde_json::from_str(patch).expect("a patch");
        let result = match patch_read.apply(&mut document) {
            Ok(()) => format!("`{document}`"),
            Err(error) => {
                assert_eq!(document, parse(before));
                format!("unchanged: `{}`", error.kind.code())
            }
        };
        [format!("`{before}`"), format!("`{patch}`"), result]
    });
    table(["before", "patch", "after"], rows)
}

/// One event, and the whole run of the first section, in bytes.
pub(crate) fn sizes() -> String {
    let run: Vec<Event> = RUN.iter().map(|(event, _)| event_of(event)).collect();
    let one = &run[3..4];
    format!(
        "Framing included, the first delta of section 1 takes {} bytes as SSE and {} as protobuf; all of its run, \
         {} and {}.\n",
        in_sse(one),
        in_proto(one),
        in_sse(&run),
        in_proto(&run)
    )
}

fn in_sse(events: &[Event]) -> usize {
    events.iter().map(|event| sse::frame(event.to_json().as_bytes(), None).len()).sum()
}

fn in_proto(events: &[Event]) -> usize {
    let mut out = Vec::new();
    for event in events {
        let mut bytes = Vec::new();
        proto::encode(event, &mut bytes);
        length::encode(&bytes, &mut out);
    }
    out.len()
}

/// What became of an event: how it goes on, or why it does not.
fn verdict(before: &str, result: Result<Option<Event>, enforce::Fault>, warnings: &[Warning]) -> String {
    let said: Vec<String> =
        warnings.iter().map(|warning| format!("`{}`{}", warning.code, at(warning))).collect();
    match result {
        Err(fault) if fault.path.is_empty() => format!("**fails**: `{}`", fault.code),
        Err(fault) => format!("**fails**: `{}` at `{}`", fault.code, fault.path),
        Ok(None) => format!("dropped: {}", said.join(", ")),
        Ok(Some(event)) if event.to_json() == before => "kept as it is".to_owned(),
        Ok(Some(event)) if said.is_empty() => format!("`{}`", event.to_json()),
        Ok(Some(event)) => format!("`{}`, {}", event.to_json(), said.join(", ")),
    }
}

fn at(warning: &Warning) -> String {
    warning.path.as_ref().map(|path| format!(" at `{path}`")).unwrap_or_default()
}

fn place(warning: &Warning) -> String {
    format!("`{}`", warning.path.as_deref().unwrap_or_default())
}

fn view(events: &[Event]) -> Value {
    let mut view = ThreadView::default();
    events.iter().for_each(|event| drop(view.apply(event)));
    json!([view.messages().collect::<Vec<_>>(), view.state(), view.end()])
}

fn events(texts: &[&str]) -> Vec<Event> {
    texts.iter().map(|text| event_of(text)).collect()
}

fn event_of(text: &str) -> Event {
    Event::from_json(text).expect("a legal event")
}

fn parse(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

fn block(text: &str) -> String {
    format!(
        "```json
{text}
```
"
    )
}
