//! Contract 000, component by component: every one is shown and answered over a socket, and nothing else is.

use std::{collections::BTreeSet, sync::Arc};

use forestage_its::{COMPONENTS, find};
use forestage_protocol::message::Message;
use forestage_runtime::{About, Agent, AgentError, RunContext, agent_fn, script};
use forestage_server::{Http, Keys};
use serde_json::{Value, json};

use crate::{support::*, wire::*};

/// Shows what the person asks for, as `{"name", "arguments"}`, and tells what comes of it: the faults of a call that cannot
/// be shown, or the answer with what was found out about it.
async fn showroom(ctx: RunContext) -> Result<(), AgentError> {
    if let Some(Message::Tool(answer)) = ctx.messages().last() {
        let found = answer.metadata.as_ref().and_then(|metadata| metadata.get("forestage").cloned());
        ctx.set_result(&json!({ "answer": answer.content.text(), "found": found }))?;
        return Ok(());
    }
    let wish: Value = serde_json::from_str(&ctx.last_user_text().unwrap_or_default())?;
    let name = wish["name"].as_str().unwrap_or_default();
    match wish["how"].as_str() {
        Some("call") => drop(ctx.call_client_tool(name, &wish["arguments"]).await?),
        Some("stream") => {
            let call = ctx.tool_call(name)?;
            for piece in wish["arguments"].to_string().as_bytes().chunks(3) {
                call.push(String::from_utf8_lossy(piece)).await?;
            }
            match wish["told"].as_bool() {
                Some(true) => ctx.set_result(&call.finish()?.err().map(|error| error.faults))?,
                _ => drop(call.end()),
            }
        }
        Some("warned") => {
            ctx.use_client_tool(name, &wish["arguments"]).await?.map_err(AgentError::from)?;
            ctx.set_result(&ctx.call_warnings(name, &wish["arguments"]))?;
        }
        _ => {
            let used = ctx.use_client_tool(name, &wish["arguments"]).await?;
            ctx.set_result(&used.err().map(|error| json!({ "code": error.code, "faults": error.faults })))?;
        }
    }
    Ok(())
}

pub(crate) async fn room() -> Running {
    let agent = agent_fn(About::new("shows components"), showroom);
    serve_agent(agent, Keys::default(), Http::default()).await
}

pub(crate) async fn show(server: &Running, thread: &str, run: &str, wish: &Value) -> Vec<Value> {
    let body = json!({ "thread_id": thread, "run_id": run, "messages": [user(run, &wish.to_string())] });
    let frames = stream(server, "/awp", &body).await;
    judge("its", &frames);
    frames
}

pub(crate) fn answering(thread: &str, name: &str, call: &Value, answer: &Value) -> Value {
    let message =
        json!({ "role": "tool", "tool_call_id": call, "name": name, "content": answer.to_string() });
    json!({ "thread_id": thread, "messages": [message] })
}

pub(crate) fn call_of(frames: &[Value]) -> (String, Value, Value) {
    let start = of(frames, "TOOL_CALL_START")[0];
    let pieces = of(frames, "TOOL_CALL_ARGS").into_iter();
    let arguments: String = pieces.map(|piece| piece["delta"].as_str().unwrap()).collect();
    let name = start["toolCallName"].as_str().unwrap().to_owned();
    (name, start["toolCallId"].clone(), serde_json::from_str(&arguments).unwrap())
}

/// What a server says no with.
fn refusal(told: &str) -> Value {
    code(told);
    serde_json::from_str::<Value>(told).unwrap()["error"].take()
}

#[tokio::test]
async fn every_example_is_shown_and_answered() {
    let server = room().await;
    let examples =
        COMPONENTS.iter().flat_map(|entry| entry.examples().into_iter().map(move |ex| (entry, ex)));
    for (at, (entry, example)) in examples.enumerate() {
        let thread = format!("t{at}");
        let wish = json!({ "name": entry.name, "arguments": example.arguments });
        let frames = show(&server, &thread, &format!("r{at}"), &wish).await;
        let (name, call, arguments) = call_of(&frames);
        assert_eq!((name.as_str(), &arguments), (entry.name, &example.arguments));
        assert_eq!(frames.last().unwrap()["outcome"]["pendingToolCallIds"], json!([call]));

        let body = answering(&thread, &name, &call, &example.answer);
        let frames = stream(&server, "/awp", &body).await;
        judge("its", &frames);
        let result = &frames.last().unwrap()["result"];
        assert_eq!(result["answer"], example.answer.to_string(), "{name}");
        let graded = entry.check_answer(&example.arguments, &example.answer).unwrap();
        let found = graded.map_or(Value::Null, |grade| json!({ "check": grade }));
        assert_eq!(result["found"], found, "{name}: {}", example.about);

        let (status, told) = post(&server, "/awp", &body).await;
        let told = refusal(&told);
        assert_eq!(
            (status, &told["code"], &told["path"]),
            (422, &json!("already_answered"), &json!("messages[0].toolCallId"))
        );
    }
}

/// Things that no component takes for an answer, beside those in `rules.rs` of the components' own tests.
#[tokio::test]
async fn an_answer_that_does_not_fit_what_was_shown_is_refused_and_the_component_stays_open() {
    let server = room().await;
    for (at, entry) in COMPONENTS.iter().enumerate() {
        let example = entry.examples().remove(0);
        let (thread, run) = (format!("t{at}"), format!("r{at}"));
        let frames =
            show(&server, &thread, &run, &json!({ "name": entry.name, "arguments": example.arguments }))
                .await;
        let (name, call, _) = call_of(&frames);
        for wrong in [json!("a text"), json!([1]), json!(null)] {
            let (status, told) = post(&server, "/awp", &answering(&thread, &name, &call, &wrong)).await;
            let told = refusal(&told);
            assert_eq!((status, &told["code"]), (422, &json!("invalid_answer")), "{name}");
            assert_eq!(told["path"], "messages[0].content", "{name}");
        }
        // Every text of the answer is an id, a date or an action, so none can be another one.
        for (place, wrong) in spoiled(&example.answer) {
            if place.ends_with("current_code") || name.ends_with("progress_visualizer") {
                continue;
            }
            let (status, told) = post(&server, "/awp", &answering(&thread, &name, &call, &wrong)).await;
            let told = refusal(&told);
            assert_eq!((status, &told["code"]), (422, &json!("invalid_answer")), "{name} {place}");
            let paths =
                told["faults"].as_array().unwrap().iter().map(|fault| fault["path"].as_str().unwrap());
            let place = format!("messages[0].content{place}");
            assert!(paths.collect::<Vec<_>>().contains(&place.as_str()), "{place}: {told}");
        }
        stream(&server, "/awp", &answering(&thread, &name, &call, &example.answer)).await;
    }
}

/// An answer with one of its texts or numbers changed, in all ways, and where.
fn spoiled(answer: &Value) -> Vec<(String, Value)> {
    match answer {
        Value::String(_) => vec![(String::new(), json!("something else"))],
        Value::Number(_) => vec![(String::new(), json!(-7))],
        Value::Array(items) => {
            let spoil = |(at, item): (usize, &Value)| {
                let put = move |value| (at, value);
                spoiled(item)
                    .into_iter()
                    .map(|(place, value)| (format!("[{at}]{place}"), put(value)))
                    .collect::<Vec<_>>()
            };
            let all = items.iter().enumerate().flat_map(spoil);
            all.map(|(place, (at, value))| {
                let mut items = items.clone();
                items[at] = value;
                (place, items.into())
            })
            .collect()
        }
        Value::Object(members) => {
            let mut all = Vec::new();
            for (name, member) in members {
                for (place, value) in spoiled(member) {
                    let mut members = members.clone();
                    members.insert(name.clone(), value);
                    all.push((format!(".{name}{place}"), members.into()));
                }
            }
            all
        }
        _ => Vec::new(),
    }
}

#[tokio::test]
async fn bad_arguments_are_an_error_for_the_agent_and_nothing_is_shown() {
    let server = room().await;
    for (at, entry) in COMPONENTS.iter().enumerate() {
        let example = entry.examples().remove(0);
        let required =
            entry.arguments()["required"].as_array().unwrap().iter().map(|name| name.as_str().unwrap());
        for name in required {
            let mut arguments = example.arguments.clone();
            arguments.as_object_mut().unwrap().remove(name);
            let wish = json!({ "name": entry.name, "arguments": arguments });
            let frames = show(&server, &format!("t{at}-{name}"), "r1", &wish).await;
            assert!(of(&frames, "TOOL_CALL_START").is_empty(), "{}", entry.name);
            let result = &frames.last().unwrap()["result"];
            assert_eq!(result["code"], "invalid_arguments");
            let fault = &result["faults"][0];
            assert_eq!((&fault["code"], &fault["path"]), (&json!("missing_field"), &json!("arguments")));
            assert!(fault["message"].as_str().unwrap().contains(name));
        }
    }
}

/// What the schema allows is shown: the contract's own, and nothing beside it.
#[tokio::test]
async fn unwise_arguments_are_shown_and_the_agent_is_warned() {
    let server = room().await;
    for (at, (name, example, change, warning)) in [
        ("learning_track_carousel", 0, json!({ "tracks": [] }), ("too_few_items", "arguments.tracks")),
        ("topic_buttons", 0, json!({ "buttons": [] }), ("too_few_items", "arguments.buttons")),
        ("goal_selector", 0, json!({ "goals": [] }), ("too_few_items", "arguments.goals")),
        ("code_assessment", 0, json!({ "choices": null }), ("missing_field", "arguments")),
        ("skill_mapper", 0, json!({ "skills": [] }), ("too_few_items", "arguments.skills")),
        ("preference_cards", 0, json!({ "cards": [] }), ("too_few_items", "arguments.cards")),
        ("dnd_exercise", 0, json!({ "draggables": [] }), ("too_few_items", "arguments.draggables")),
        ("progress_visualizer", 0, json!({ "milestones": null }), ("missing_field", "arguments")),
        ("quick_quiz", 1, json!({ "options": [] }), ("too_few_items", "arguments.options")),
    ]
    .into_iter()
    .enumerate()
    {
        let entry = find(name).unwrap();
        let mut arguments = entry.examples().remove(example).arguments;
        for (member, value) in change.as_object().unwrap() {
            match value {
                Value::Null => drop(arguments.as_object_mut().unwrap().remove(member)),
                value => arguments[member] = value.clone(),
            }
        }
        let wish = json!({ "name": entry.name, "arguments": arguments, "how": "warned" });
        let frames = show(&server, &format!("t{at}"), "r1", &wish).await;
        assert_eq!(call_of(&frames).2, arguments, "{name}");
        let told = &frames.last().unwrap()["result"][0];
        assert_eq!((&told["code"], &told["path"]), (&json!(warning.0), &json!(warning.1)), "{name}");
    }
}

#[tokio::test]
async fn a_broken_component_is_never_shown_however_it_is_called() {
    let server = room().await;
    let broken = json!({ "quiz_id": "q", "question_text": "?", "options": [{ "id": "a" }] });
    for (how, thread) in [("call", "t1"), ("stream", "t2")] {
        let wish = json!({ "name": "its:render_quick_quiz", "arguments": broken, "how": how });
        let frames = show(&server, thread, "r1", &wish).await;
        assert_eq!(kinds(&frames), ["RUN_STARTED", "RUN_ERROR"], "{how}");
        let last = frames.last().unwrap();
        assert_eq!(last["code"], "invalid_arguments");
        assert!(
            last["message"].as_str().unwrap().contains("arguments.options[0]: `text` is missing"),
            "{last}"
        );
    }
    let wish = json!({ "name": "its:render_quick_quiz", "arguments": broken, "how": "stream", "told": true });
    let frames = show(&server, "t3", "r1", &wish).await;
    assert_eq!(kinds(&frames), ["RUN_STARTED", "RUN_FINISHED"], "the agent was told and went on");
    assert_eq!(frames.last().unwrap()["result"][0]["path"], "arguments.options[0]");
    let whole = find("quick_quiz").unwrap().examples().remove(0).arguments;
    let wish = json!({ "name": "its:render_quick_quiz", "arguments": whole, "how": "stream", "told": true });
    assert_eq!(call_of(&show(&server, "t4", "r1", &wish).await).2, whole);
}

#[tokio::test]
async fn a_wrong_answer_to_a_quiz_is_taken_and_the_agent_is_told_that_it_is_wrong() {
    let server = room().await;
    let example = find("quick_quiz").unwrap().examples().remove(0);
    let wish = json!({ "name": "its:render_quick_quiz", "arguments": example.arguments });
    let (name, call, _) = call_of(&show(&server, "t1", "r1", &wish).await);
    let mut body = answering("t1", &name, &call, &json!({ "selected_option_id": "option_berlin" }));
    // Who says so themselves is not believed.
    body["messages"][0]["metadata"] = json!({ "forestage": { "check": { "correct": true } } });
    let frames = stream(&server, "/awp", &body).await;
    let found = &frames.last().unwrap()["result"]["found"];
    assert_eq!(*found, json!({ "check": { "correct": false, "right": 0, "total": 1 } }));
}

#[tokio::test]
async fn an_answer_without_a_key_has_no_grade_and_clients_cannot_give_one() {
    let server = room().await;
    let example = find("quick_quiz").unwrap().examples().remove(1);
    let wish = json!({ "name": "its:render_quick_quiz", "arguments": example.arguments });
    let (name, call, _) = call_of(&show(&server, "t1", "r1", &wish).await);
    let mut body = answering("t1", &name, &call, &example.answer);
    body["messages"][0]["metadata"] = json!({ "forestage": { "check": { "correct": true } }, "mine": 1 });
    let frames = stream(&server, "/awp", &body).await;
    assert_eq!(frames.last().unwrap()["result"]["found"], Value::Null);
}

#[tokio::test]
async fn the_other_doors_check_answers_as_well() {
    let server = room().await;
    let example = find("skill_slider").unwrap().examples().remove(0);
    let wish = json!({ "name": "its:render_skill_slider", "arguments": example.arguments });
    let (_, call, _) = call_of(&show(&server, "t1", "r1", &wish).await);
    let answer = json!({ "skill_id": "skill_js_arrays", "selected_value": 11 });
    let message = json!({ "id": "a", "role": "tool", "toolCallId": call, "content": answer.to_string() });
    let body = json!({ "threadId": "t1", "runId": "r2", "messages": [message] });
    let (status, told) = post(&server, "/v1/agents/general-agent/runs", &body).await;
    let told = refusal(&told);
    assert_eq!((status, &told["code"]), (422, &json!("invalid_answer")));
    assert_eq!(told["path"], "messages[0].content.selected_value");
    assert_eq!(told["faults"][0]["code"], "out_of_range");
}

#[tokio::test]
async fn a_component_that_nobody_knows_yet_is_shown_and_answered_as_it_is() {
    let server = room().await;
    let wish = json!({ "name": "its:render_hologram", "arguments": { "beam": [1, { "x": null }] } });
    let (name, call, arguments) = call_of(&show(&server, "t1", "r1", &wish).await);
    assert_eq!(arguments, wish["arguments"]);
    let answer = json!(["whatever", { "it": "wants" }]);
    let frames = stream(&server, "/awp", &answering("t1", &name, &call, &answer)).await;
    assert_eq!(frames.last().unwrap()["result"], json!({ "answer": answer.to_string(), "found": null }));
}

#[tokio::test]
async fn nobody_answers_for_somebody_else() {
    let script = include_str!("../../../../examples/agents/tutor.yaml");
    let server = server_for(script, &["ada", "bob"]).await;
    let body =
        json!({ "thread_id": "t1", "run_id": "r1", "messages": [user("m", "a quiz, please")] }).to_string();
    let (status, frames) = post_as(&server, "/awp", Some("key-ada"), &body).await;
    assert_eq!(status, 200, "{frames}");
    let (name, call, _) = call_of(&sse(&frames));
    let answer = answering("t1", &name, &call, &json!({ "selected_option_id": "option_paris" })).to_string();
    assert_eq!(post_as(&server, "/awp", Some("key-bob"), &answer).await.0, 404, "there is no such thread");
    assert_eq!(post_as(&server, "/awp", None, &answer).await.0, 401);
    assert_eq!(post_as(&server, "/awp", Some("key-ada"), &answer).await.0, 200);
}

#[tokio::test]
async fn a_person_who_cannot_answer_says_why() {
    let server = room().await;
    let example = find("quick_quiz").unwrap().examples().remove(0);
    let wish = json!({ "name": "its:render_quick_quiz", "arguments": example.arguments });
    let (name, call, _) = call_of(&show(&server, "t1", "r1", &wish).await);
    let mut body = answering("t1", &name, &call, &json!({ "selected_option_id": "made_up" }));
    body["messages"][0]["error"] = json!("dismissed");
    assert_eq!(post(&server, "/awp", &body).await.0, 422, "an answer is an answer");
    body["messages"][0]["content"] = json!("closed by the learner");
    let frames = stream(&server, "/awp", &body).await;
    assert_eq!(frames.last().unwrap()["result"]["answer"], "closed by the learner");
}

/// The example, from the first component to the last.
#[tokio::test]
async fn the_tutor_shows_all_components_in_one_lesson() {
    let agent: Arc<dyn Agent> = script::builtin().remove("tutor").unwrap();
    let server = serve_agent(agent, Keys::default(), Http::default()).await;
    let body = json!({ "thread_id": "t1", "run_id": "r0", "messages": [user("hello", "teach me")] });
    let mut frames = stream(&server, "/awp", &body).await;
    let mut shown = BTreeSet::new();
    while !of(&frames, "TOOL_CALL_START").is_empty() {
        judge("its", &frames);
        let (name, call, arguments) = call_of(&frames);
        let entry = find(&name).unwrap();
        let answer = entry.examples().remove(0).answer;
        entry.check_answer(&arguments, &answer).unwrap();
        assert!(shown.insert(entry.name), "{name} comes once");
        frames = stream(&server, "/awp", &answering("t1", &name, &call, &answer)).await;
    }
    assert_eq!(text(&frames), "That was the lesson.");
    assert_eq!(shown, COMPONENTS.iter().map(|entry| entry.name).collect());
}

#[tokio::test]
async fn the_tutor_goes_another_way_after_a_wrong_answer() {
    let agent: Arc<dyn Agent> = script::builtin().remove("tutor").unwrap();
    let server = serve_agent(agent, Keys::default(), Http::default()).await;
    let body = json!({ "thread_id": "t1", "run_id": "r0", "messages": [user("m", "a quiz, please")] });
    let (name, call, _) = call_of(&stream(&server, "/awp", &body).await);
    let wrong = json!({ "selected_option_id": "option_london" });
    let frames = stream(&server, "/awp", &answering("t1", &name, &call, &wrong)).await;
    assert_eq!(text(&frames), "That is not right. Say `quiz` to try again.");
}

const SLIDERS: &str = r#"
rules:
  - when: { says: "careful *" }
    do:
      - tool:
          name: "its:render_skill_slider"
          args: { skill_id: s, skill_name: S, prompt_text: How?, min_value: 0, max_value: "{{1}}" }
          failed: [{ text: "{{answer.code}} at {{answer.faults.0.path}}" }]
  - do:
      - tool:
          name: "its:render_skill_slider"
          args: { skill_id: s, skill_name: S, prompt_text: How?, min_value: 0, max_value: "{{user}}" }
"#;

#[tokio::test]
async fn a_script_deals_with_a_component_that_cannot_be_shown_or_fails() {
    let server = serve_script(SLIDERS, Keys::default(), Http::default()).await;
    let says =
        |run: &str, text: &str| json!({ "thread_id": run, "run_id": run, "messages": [user(run, text)] });
    let frames = stream(&server, "/awp", &says("r1", "careful ten")).await;
    assert_eq!(text(&frames), "invalid_arguments at arguments.max_value");
    assert!(of(&frames, "TOOL_CALL_START").is_empty());
    let frames = stream(&server, "/awp", &says("r2", "ten")).await;
    assert_eq!(kinds(&frames), ["RUN_STARTED", "RUN_ERROR"]);
    assert_eq!(frames.last().unwrap()["code"], "invalid_arguments");
}

#[tokio::test]
async fn a_script_with_a_broken_component_is_not_loaded() {
    let broken = "rules: [{ do: [{ tool: { name: \"its:render_quick_quiz\", args: { quiz_id: q } } }] }]";
    let errors = script::parse("quiz", broken).unwrap_err();
    assert!(errors[0].message.contains("`question_text` is missing"), "{errors:?}");
}
