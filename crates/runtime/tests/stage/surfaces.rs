//! What agents draw, how it changes, and what people do with it.

use std::sync::Arc;

use forestage_protocol::{event::Event, input::RunAgentInput, message::Message};
use forestage_runtime::{
    About, Agent, AgentError, Agents, Limits, RunContext, Stage, StartRun, agent_fn, house::HouseRules,
    surface, tool::Tools, with_house,
};
use serde_json::{Value, json};

use crate::support::*;

/// The form of contract 003.
fn form() -> Value {
    json!([
        { "surfaceUpdate": { "surfaceId": "my-form", "components": [
            { "id": "card", "component": { "Card": { "child": "form-col" } } },
            { "id": "form-col", "component": { "Column": { "children": { "explicitList": ["name-field", "submit-btn"] } } } },
            { "id": "name-field", "component": { "TextField": {
                "label": { "literalString": "Name" }, "text": { "path": "/form/name" } } } },
            { "id": "submit-btn", "component": { "Button": { "child": "btn-text", "action": {
                "name": "submit", "context": [{ "key": "userName", "value": { "path": "/form/name" } }] } } } },
            { "id": "btn-text", "component": { "Text": { "text": { "literalString": "Submit" } } } },
        ] } },
        { "dataModelUpdate": { "surfaceId": "my-form", "contents": [
            { "key": "form", "valueMap": [{ "key": "name", "valueString": "" }] } ] } },
        { "beginRendering": { "surfaceId": "my-form", "root": "card" } },
    ])
}

fn greeting(text: &str) -> Value {
    json!([
        { "version": "v0.9", "createSurface": { "surfaceId": "hi",
            "catalogId": "https://a2ui.org/specification/v0_9/catalogs/basic/catalog.json" } },
        { "version": "v0.9", "updateComponents": { "surfaceId": "hi", "components": [
            { "id": "root", "component": "Column", "children": ["text"] },
            { "id": "text", "component": "Text", "text": text } ] } },
    ])
}

type Plan = fn(RunContext) -> std::pin::Pin<Box<dyn Future<Output = Result<(), AgentError>> + Send>>;

async fn on_stage(plan: Plan) -> Arc<Stage> {
    with_agent(agent_fn(About::new("draws"), plan)).await
}

async fn with_agent(agent: Arc<dyn Agent>) -> Arc<Stage> {
    let store = forestage_store::open("memory:").await.unwrap();
    Stage::new(store, Agents::from([("it".to_owned(), agent)]), Limits::default())
}

/// Draws the form at first, and then says what was done on it.
async fn with_form() -> Arc<Stage> {
    on_stage(|ctx| {
        Box::pin(async move {
            match ctx.messages().last() {
                Some(Message::Tool(done)) => _ = ctx.say(done.content.text()).await?,
                _ => _ = ctx.draw(&form()).await??,
            }
            Ok(())
        })
    })
    .await
}

fn action(change: impl FnOnce(&mut Value)) -> Value {
    let mut action = json!({
        "name": "submit", "surfaceId": "my-form", "sourceComponentId": "submit-btn",
        "timestamp": "2026-11-15T20:46:09.657Z", "context": { "userName": "Alice" },
    });
    change(&mut action);
    json!({ "a2uiAction": { "userAction": action } })
}

fn acting(run: &str, properties: Value) -> RunAgentInput {
    RunAgentInput { forwarded_props: Some(properties.into()), ..input("t1", run, vec![]) }
}

async fn surfaces(stage: &Arc<Stage>) -> Value {
    let thread = stage.thread(OWNER, &"t1".into()).await.unwrap();
    let conversation = stage.conversation(&thread, None).await.unwrap();
    serde_json::to_value(surface::shown(&conversation.messages)).unwrap()
}

fn operations(event: &Event) -> Value {
    let event = serde_json::to_value(event).unwrap();
    match event["type"].as_str() {
        Some("ACTIVITY_SNAPSHOT") => event["content"]["a2ui_operations"].clone(),
        _ => event["patch"].as_array().into_iter().flatten().map(|it| it["value"].clone()).collect(),
    }
}

fn activities(events: &[Event]) -> Vec<&Event> {
    events
        .iter()
        .filter(|event| matches!(event, Event::ActivitySnapshot(_) | Event::ActivityDelta(_)))
        .collect()
}

#[tokio::test]
async fn what_0_8_draws_is_in_the_log_as_0_9() {
    let stage = with_form().await;
    let events = run(&stage, input("t1", "r1", vec![user("m1", "go")])).await;
    let expected = [
        "RUN_STARTED",
        "TOOL_CALL_START",
        "TOOL_CALL_ARGS",
        "TOOL_CALL_END",
        "ACTIVITY_SNAPSHOT",
        "TOOL_CALL_RESULT",
        "RUN_FINISHED",
    ];
    assert_eq!(types(&events), expected);
    let drawn = operations(activities(&events)[0]);
    assert_eq!(drawn[0]["createSurface"]["surfaceId"], "my-form");
    let name = json!({ "path": "/form/name" });
    let sent = json!({ "event": { "name": "submit", "context": { "userName": name } } });
    let expected = json!({ "surfaceId": "my-form", "components": [
        { "id": "root", "component": "Card", "child": "form-col" },
        { "id": "form-col", "component": "Column", "children": ["name-field", "submit-btn"] },
        { "id": "name-field", "component": "TextField", "label": "Name", "value": name },
        { "id": "submit-btn", "component": "Button", "child": "btn-text", "action": sent },
        { "id": "btn-text", "component": "Text", "text": "Submit" },
    ] });
    assert_eq!(drawn[1]["updateComponents"], expected);
    let Event::ToolCallResult(result) = &events[5] else { panic!("{events:?}") };
    assert_eq!(result.content.text(), r#"{"status":"rendered","surfaceIds":["my-form"]}"#);
    let Event::RunFinished(end) = &events[6] else { panic!("{events:?}") };
    assert!(end.outcome.is_none(), "nobody has to answer the call: {end:?}");
    assert_eq!(surfaces(&stage).await[0]["dataModel"], json!({ "form": { "name": "" } }));
}

#[tokio::test]
async fn a_change_says_only_what_differs_and_has_the_same_activity_in_a_later_run() {
    let stage = on_stage(|ctx| {
        Box::pin(async move {
            let text = ctx.last_user_text().unwrap_or_default();
            ctx.draw(&greeting(&text)).await??;
            Ok(())
        })
    })
    .await;
    let first = run(&stage, input("t1", "r1", vec![user("m1", "one")])).await;
    let then = run(&stage, input("t1", "r2", vec![user("m2", "two")])).await;
    let (Event::ActivitySnapshot(first), Event::ActivityDelta(then)) =
        (activities(&first)[0], activities(&then)[0])
    else {
        panic!("{first:?} {then:?}")
    };
    assert_eq!(first.message_id, then.message_id);
    let text = json!({ "id": "text", "component": "Text", "text": "two" });
    let expected =
        json!([{ "version": "v0.9", "updateComponents": { "surfaceId": "hi", "components": [text] } }]);
    assert_eq!(operations(&then.clone().into()), expected);
    let again = run(&stage, input("t1", "r3", vec![user("m3", "two")])).await;
    assert!(activities(&again).is_empty(), "nothing has changed");
}

#[tokio::test]
async fn an_agent_of_0_8_goes_on_with_the_names_it_knows() {
    let stage = on_stage(|ctx| {
        Box::pin(async move {
            let text = ctx.last_user_text().unwrap_or_default();
            let column = json!({ "Column": { "children": { "explicitList": ["form-col", "note"] } } });
            let change = json!([{ "surfaceUpdate": { "surfaceId": "my-form", "components": [
                { "id": "card", "component": column },
                { "id": "note", "component": { "Text": { "text": { "literalString": text } } } } ] } }]);
            let payload = if ctx.messages().len() == 1 { form() } else { change };
            ctx.draw(&payload).await??;
            Ok(())
        })
    })
    .await;
    let first = run(&stage, input("t1", "r1", vec![user("m1", "go")])).await;
    let first = serde_json::to_value(activities(&first)[0]).unwrap();
    assert_eq!(
        first["content"]["operations"][0]["surfaceUpdate"]["surfaceId"], "my-form",
        "older clients look there"
    );
    run(&stage, input("t1", "r2", vec![user("m2", "Thank you")])).await;
    let components = surfaces(&stage).await[0]["components"].take();
    let root = components.as_array().unwrap().iter().find(|it| it["id"] == "root").unwrap();
    assert_eq!((&root["component"], &root["children"]), (&json!("Column"), &json!(["form-col", "note"])));
}

#[tokio::test]
async fn an_agent_is_told_what_is_wrong_and_people_see_that_it_tries_again() {
    let stage = on_stage(|ctx| {
        Box::pin(async move {
            let bad = json!([{ "version": "v0.9", "updateComponents": { "surfaceId": "hi",
                "components": [{ "id": "root", "component": "Tex", "text": "x" }] } }]);
            let error = ctx.draw(&bad).await?.expect_err("no such component");
            assert_eq!(error.code, "invalid_a2ui");
            assert!(error.faults.iter().any(|fault| fault.code == "unknown_component"), "{error:?}");
            if ctx.last_user_text().as_deref() == Some("try again") {
                ctx.draw(&greeting("Hello")).await??;
            }
            Ok(())
        })
    })
    .await;
    let events = run(&stage, input("t1", "r1", vec![user("m1", "once")])).await;
    let statuses = |events: &[Event]| -> Vec<Value> {
        let contents =
            activities(events).into_iter().map(|it| serde_json::to_value(it).unwrap()["content"].take());
        contents.map(|content| content.get("status").cloned().unwrap_or(Value::Null)).collect()
    };
    assert_eq!(statuses(&events), ["retrying", "failed"]);
    assert_eq!(types(&events).last(), Some(&"RUN_FINISHED"), "what cannot be drawn does not end the run");
    let events = run(&stage, input("t1", "r2", vec![user("m2", "try again")])).await;
    assert_eq!(statuses(&events), [json!("retrying"), Value::Null, Value::Null]);
    assert_eq!(surfaces(&stage).await.as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn results_and_activities_draw_as_calls_do() {
    let stage = on_stage(|ctx| {
        Box::pin(async move {
            let call = ctx.tool_call("weather")?;
            let id = call.end();
            let result = json!({ "a2ui_operations": greeting("Rain") }).to_string();
            ctx.tool_result(&id, result).await?;
            let content = json!({ "operations": form() }).as_object().cloned().unwrap_or_default();
            ctx.activity_as("mine".into(), surface::ACTIVITY, content).await?;
            Ok(())
        })
    })
    .await;
    run(&stage, input("t1", "r1", vec![user("m1", "go")])).await;
    let shown = surfaces(&stage).await;
    assert_eq!((&shown[0]["surfaceId"], &shown[1]["surfaceId"]), (&json!("hi"), &json!("my-form")));
    assert_eq!(shown[1]["messageId"], "mine");
}

#[tokio::test]
async fn a_click_becomes_a_part_of_the_conversation_and_what_was_typed_stays() {
    let stage = with_form().await;
    run(&stage, input("t1", "r1", vec![user("m1", "go")])).await;
    run(&stage, acting("r2", action(|_| ()))).await;
    let said = conversation(&stage, "t1").await;
    let sentence = r#"User performed action "submit" on surface "my-form" (component: submit-btn). Context: {"userName":"Alice"}"#;
    assert_eq!(said.last(), Some(&pair("assistant", sentence)));
    assert!(said.contains(&pair("tool", sentence)), "{said:?}");
    assert_eq!(surfaces(&stage).await[0]["dataModel"], json!({ "form": { "name": "Alice" } }));
}

#[tokio::test]
async fn an_agent_that_draws_in_answer_to_a_click_leaves_alone_what_was_typed() {
    let stage = on_stage(|ctx| {
        Box::pin(async move {
            let status = json!([{ "dataModelUpdate": { "surfaceId": "my-form", "contents": [
                { "key": "status", "valueString": "Thank you" } ] } }]);
            let clicked = matches!(ctx.messages().last(), Some(Message::Tool(_)));
            ctx.draw(&if clicked { status } else { form() }).await??;
            Ok(())
        })
    })
    .await;
    run(&stage, input("t1", "r1", vec![user("m1", "go")])).await;
    run(&stage, acting("r2", action(|_| ()))).await;
    let expected = json!({ "form": { "name": "Alice" }, "status": "Thank you" });
    assert_eq!(surfaces(&stage).await[0]["dataModel"], expected);
}

#[tokio::test]
async fn a_client_that_sends_what_it_knows_does_not_hear_the_last_answer_again() {
    let stage = with_form().await;
    run(&stage, input("t1", "r1", vec![user("m1", "go")])).await;
    let click = RunAgentInput { messages: vec![user("m1", "go")], ..acting("r2", action(|_| ())) };
    run(&stage, click).await;
    let thread = stage.thread(OWNER, &"t1".into()).await.unwrap();
    assert_eq!(stage.store().runs("t1".into()).await.unwrap().len(), 2);
    assert_eq!(thread.head, Some("r2".into()));
    assert_eq!(conversation(&stage, "t1").await.len(), 7);
}

#[tokio::test]
async fn what_was_never_offered_is_refused_and_nothing_happens_twice() {
    let stage = with_form().await;
    run(&stage, input("t1", "r1", vec![user("m1", "go")])).await;
    type Change = fn(&mut Value);
    let cases: [(Change, &str, &str); 8] = [
        (|it| it["surfaceId"] = "other".into(), "unknown_surface", "surfaceId"),
        (|it| it["sourceComponentId"] = "other".into(), "unknown_component", "sourceComponentId"),
        (|it| it["sourceComponentId"] = "btn-text".into(), "action_not_offered", "name"),
        (|it| it["name"] = "delete".into(), "action_not_offered", "name"),
        (|it| it["context"]["admin"] = true.into(), "invalid_context", "context.admin"),
        (|it| it["context"]["userName"] = json!({ "a": 1 }), "invalid_context", "context.userName"),
        (|it| it["timestamp"] = Value::Null, "invalid_action", "timestamp"),
        (|it| *it = json!("submit"), "invalid_action", ""),
    ];
    for (change, code, path) in cases {
        let refused =
            stage.start(StartRun::new("it", acting("r2", action(change)), OWNER)).await.unwrap_err();
        let expected = format!("forwardedProps.a2uiAction.{path}");
        assert_eq!(
            (refused.code, refused.path.as_deref()),
            (code, Some(expected.trim_end_matches('.'))),
            "{refused}"
        );
    }
    run(&stage, acting("r2", action(|_| ()))).await;
    let again = stage.start(StartRun::new("it", acting("r3", action(|_| ())), OWNER)).await.unwrap_err();
    assert_eq!(again.code, "already_acted");
    run(&stage, acting("r3", action(|it| it["timestamp"] = "2026-11-15T20:46:10.000Z".into()))).await;
}

#[tokio::test]
async fn where_the_house_says_so_the_calls_are_the_clients() {
    let agent = agent_fn(About::new("draws"), |ctx: RunContext| async move {
        let call = ctx.tool_call(surface::SEND)?;
        call.push(json!({ "a2ui_json": form() }).to_string()).await?;
        Ok(())
    });
    let house = HouseRules::parse("house", "surfaces: false").unwrap();
    let stage = with_agent(with_house(agent, Tools::new(), house)).await;
    let events = run(&stage, input("t1", "r1", vec![user("m1", "go")])).await;
    assert!(activities(&events).is_empty());
    let Some(Event::RunFinished(end)) = events.last() else { panic!("{events:?}") };
    assert!(format!("{:?}", end.outcome).contains("pending_tool_call_ids"), "{end:?}");
}

#[tokio::test]
async fn a_form_of_a_view_is_sent_from_its_surface_without_what_was_left_empty() {
    let stage = on_stage(|ctx| {
        Box::pin(async move {
            match ctx.last_user_text().as_deref() {
                Some("A2UI_ACTION") => {
                    let action = &ctx.context()["ui"]["a2uiAction"];
                    ctx.say(action["action"]["values"].to_string()).await?;
                }
                _ => {
                    let field = |kind: &str, name: &str| json!({ "type": kind, "name": name, "label": name });
                    let fields = [
                        field("field.text", "name"),
                        field("field.text", "goals"),
                        field("field.number", "age"),
                        field("field.number", "height"),
                    ];
                    let form = json!({ "type": "form", "id": "profile", "fields": fields });
                    ctx.show_view(json!({ "kind": "a2ui.v1", "viewId": "v", "root": form })).await?;
                }
            }
            Ok(())
        })
    })
    .await;
    run(&stage, input("t1", "r1", vec![user("m1", "go")])).await;
    let components = surfaces(&stage).await[0]["components"].take();
    let button = components.as_array().unwrap().iter().find(|it| it["component"] == "Button").unwrap();
    let values = json!({ "name": "Ada", "goals": "", "age": "36", "height": "" });
    let click = action(|it| {
        it["name"] = button["action"]["event"]["name"].clone();
        it["surfaceId"] = json!("a2ui-view");
        it["sourceComponentId"] = button["id"].clone();
        it["context"] = json!({ "formId": "profile", "values": values });
    });
    run(&stage, acting("r2", click)).await;
    assert_eq!(
        conversation(&stage, "t1").await.last(),
        Some(&pair("assistant", r#"{"name":"Ada","age":36}"#))
    );
}

#[tokio::test]
async fn an_agent_is_told_why_a_view_is_not_shown() {
    let stage = on_stage(|ctx| {
        Box::pin(async move {
            let text = json!({ "type": "text", "text": "x" });
            let view = |id: &str| json!({ "kind": "a2ui.v1", "viewId": id, "root": text });
            ctx.show_view(view("v")).await?;
            assert!(ctx.take_refused_view().is_none(), "it is shown");
            for at in 0..2 {
                match at {
                    0 => ctx.show_view(view("")).await?,
                    _ => ctx.custom("A2UI_RENDER", json!({ "view": view("") })).await?,
                }
                let error = ctx.take_refused_view().expect("it is not shown");
                assert_eq!((error.code.as_str(), error.path.as_deref()), ("invalid_view", Some("viewId")));
                assert!(error.message.contains("viewId: must not be empty"), "{error:?}");
                assert!(ctx.take_refused_view().is_none(), "once for each");
            }
            Ok(())
        })
    })
    .await;
    let events = run(&stage, input("t1", "r1", vec![user("m1", "go")])).await;
    assert_eq!(types(&events).last(), Some(&"RUN_FINISHED"), "{events:?}");
    assert_eq!(activities(&events).len(), 1, "one view was shown");
}
