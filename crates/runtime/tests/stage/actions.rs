//! What people do on surfaces: once, and only what they can do.

use std::sync::Arc;

use forestage_protocol::{input::RunAgentInput, message::Message};
use forestage_runtime::{OnBusy, RunContext, Stage, StartRun, surface};
use serde_json::{Value, json};

use crate::support::*;

/// A form with a check, a field, a picker, a dialog and a list.
fn form() -> Value {
    let catalog = "https://a2ui.org/specification/v0_9/catalogs/basic/catalog.json";
    let mail = json!({ "path": "/mail" });
    let check =
        json!({ "condition": { "call": "email", "args": { "value": mail } }, "message": "no address" });
    let event = |name: &str, context: Value| json!({ "event": { "name": name, "context": context } });
    json!([
        { "version": "v0.9", "createSurface": { "surfaceId": "f", "catalogId": catalog } },
        { "version": "v0.9", "updateComponents": { "surfaceId": "f", "components": [
            { "id": "root", "component": "Column", "children": ["mail", "size", "send", "rows"] },
            { "id": "mail", "component": "TextField", "label": "Mail", "value": mail },
            { "id": "size", "component": "Slider", "min": 1, "max": 5, "value": { "path": "/size" } },
            { "id": "send", "component": "Button", "child": "t", "checks": [check],
              "action": event("send", json!({ "mail": mail, "size": { "path": "/size" }, "from": "here" })) },
            { "id": "rows", "component": "List", "children": { "componentId": "row", "path": "/rows" } },
            { "id": "row", "component": "Button", "child": "t", "action": event("pick", json!({ "id": { "path": "id" } })) },
            { "id": "t", "component": "Text", "text": "Go" },
            { "id": "gone", "component": "Button", "child": "t", "action": event("gone", json!({})) } ] } },
        { "version": "v0.9", "updateDataModel": { "surfaceId": "f", "path": "/",
            "value": { "mail": "", "size": 2, "rows": [{ "id": "a" }, { "id": "b" }] } } },
    ])
}

/// Draws the form, and changes something else when somebody acts.
async fn stage_with_form() -> Arc<Stage> {
    stage(|ctx: RunContext| async move {
        match ctx.messages().last() {
            Some(Message::Tool(_)) => {
                let text = json!({ "id": "t", "component": "Text", "text": "Again" });
                let change = json!([{ "version": "v0.9", "updateComponents": { "surfaceId": "f", "components": [text] } }]);
                ctx.draw(&change).await??;
            }
            _ => _ = ctx.draw(&form()).await??,
        }
        Ok(())
    })
    .await
}

fn acting(run: &str, name: &str, component: &str, at: u32, context: Value) -> RunAgentInput {
    let action = json!({
        "name": name, "surfaceId": "f", "sourceComponentId": component, "context": context,
        "timestamp": format!("2026-11-16T10:00:{at:02}.000Z"),
    });
    let properties = json!({ "a2uiAction": { "userAction": action } });
    RunAgentInput { forwarded_props: Some(properties.into()), ..input("t1", run, vec![]) }
}

fn sending(run: &str, mail: &str, at: u32) -> RunAgentInput {
    acting(run, "send", "send", at, json!({ "mail": mail, "size": 4, "from": "here" }))
}

async fn messages(stage: &Arc<Stage>) -> Vec<Message> {
    let thread = stage.thread(OWNER, &"t1".into()).await.unwrap();
    stage.conversation(&thread, None).await.unwrap().messages
}

async fn told(stage: &Arc<Stage>) -> usize {
    let messages = messages(stage).await;
    let calls = messages.iter().flat_map(|message| message.tool_calls());
    calls.filter(|call| call.function.name == surface::LOG_EVENT).count()
}

async fn data(stage: &Arc<Stage>) -> Value {
    surface::shown(&messages(stage).await)[0].data_model.clone()
}

#[tokio::test]
async fn of_many_equal_clicks_at_once_one_counts() {
    let stage = stage_with_form().await;
    run(&stage, input("t1", "r0", vec![user("m1", "go")])).await;
    let clicks = (0..24).map(|number| {
        let stage = stage.clone();
        let on_busy = if number % 2 == 0 { OnBusy::Queue } else { OnBusy::Reject };
        let input = sending(&format!("r{}", number + 1), "ada@example.org", 1);
        tokio::spawn(
            async move { stage.start(StartRun { on_busy, ..StartRun::new("it", input, OWNER) }).await },
        )
    });
    let clicks: Vec<_> = clicks.collect();
    let (mut started, mut refused) = (Vec::new(), Vec::new());
    for click in clicks {
        match click.await.unwrap() {
            Ok(run) => started.push(run),
            Err(refusal) => refused.push(refusal.code),
        }
    }
    for run in &started {
        events_of(&stage, run).await;
    }
    assert_eq!(started.len(), 1, "{refused:?}");
    assert!(refused.iter().all(|code| matches!(*code, "already_acted" | "thread_busy")), "{refused:?}");
    assert_eq!(told(&stage).await, 1);
}

#[tokio::test]
async fn what_was_typed_survives_updates_and_is_there_for_whoever_comes_later() {
    let stage = stage_with_form().await;
    run(&stage, input("t1", "r0", vec![user("m1", "go")])).await;
    run(&stage, sending("r1", "ada@example.org", 1)).await;
    let expected = json!({ "mail": "ada@example.org", "size": 4, "rows": [{ "id": "a" }, { "id": "b" }] });
    assert_eq!(data(&stage).await, expected);
    let shown = surface::shown(&messages(&stage).await);
    assert_eq!(shown[0].components.iter().find(|it| it.id == "t").unwrap().properties["text"], "Again");
    let activities = messages(&stage).await.iter().filter(|it| matches!(it, Message::Activity(_))).count();
    assert_eq!(activities, 1, "one activity for life");
}

#[tokio::test]
async fn what_cannot_be_done_is_refused_with_its_reason() {
    let stage = stage_with_form().await;
    run(&stage, input("t1", "r0", vec![user("m1", "go")])).await;
    let context = |mail: Value, size: Value, from: &str| json!({ "mail": mail, "size": size, "from": from });
    let cases = [
        ("send", "send", context(json!("nobody"), json!(2), "here"), "check_failed"),
        ("send", "send", context(json!("a@b.org"), json!(9), "here"), "invalid_context"),
        ("send", "send", context(json!("a@b.org"), json!("2"), "here"), "invalid_context"),
        ("send", "send", context(json!(["a@b.org"]), json!(2), "here"), "invalid_context"),
        ("send", "send", context(json!("a@b.org"), json!(2), "elsewhere"), "invalid_context"),
        ("send", "send", json!({ "mail": "a@b.org", "size": 2 }), "invalid_context"),
        ("gone", "gone", json!({}), "hidden_component"),
        ("pick", "row-[/rows/0]", json!({ "id": "c" }), "invalid_context"),
        ("pick", "send", json!({ "id": "a" }), "action_not_offered"),
        ("pick", "nowhere", json!({ "id": "a" }), "unknown_component"),
    ];
    for (name, component, context, code) in cases {
        let refused = start(&stage, acting("r1", name, component, 1, context.clone())).await.unwrap_err();
        assert_eq!(refused.code, code, "{name} {component} {context}: {refused}");
    }
    assert_eq!(told(&stage).await, 0);
    run(&stage, acting("r1", "pick", "row-[/rows/1]", 1, json!({ "id": "b" }))).await;
    assert_eq!(told(&stage).await, 1);
}

#[tokio::test]
async fn a_surface_that_was_taken_away_or_drawn_anew_takes_no_old_clicks() {
    let stage = stage(|ctx: RunContext| async move {
        let text = ctx.last_user_text().unwrap_or_default();
        let delete = json!([{ "version": "v0.9", "deleteSurface": { "surfaceId": "f" } }]);
        let other = json!({ "surfaceId": "f", "components": [{ "id": "root", "component": "Divider" }] });
        match text.as_str() {
            "delete" => _ = ctx.draw(&delete).await??,
            "replace" => {
                ctx.draw(&delete).await??;
                ctx.draw_with(surface::RENDER, &other).await??;
            }
            _ => _ = ctx.draw(&form()).await??,
        }
        Ok(())
    })
    .await;
    run(&stage, input("t1", "r0", vec![user("m1", "go")])).await;
    run(&stage, input("t1", "r1", vec![user("m2", "replace")])).await;
    let refused = start(&stage, sending("r2", "a@b.org", 1)).await.unwrap_err();
    assert_eq!(refused.code, "unknown_component");
    run(&stage, input("t1", "r3", vec![user("m3", "delete")])).await;
    let refused = start(&stage, sending("r4", "a@b.org", 1)).await.unwrap_err();
    assert_eq!(
        (refused.code, refused.path.as_deref()),
        ("unknown_surface", Some("forwardedProps.a2uiAction.surfaceId"))
    );
}

#[tokio::test]
async fn actions_come_in_the_words_of_both_versions() {
    let stage = stage_with_form().await;
    run(&stage, input("t1", "r0", vec![user("m1", "go")])).await;
    let action = |at: u32| {
        json!({ "name": "pick", "surfaceId": "f", "sourceComponentId": "row", "context": { "id": "a" },
            "timestamp": format!("2026-11-16T10:00:{at:02}.000Z") })
    };
    let forms = [
        json!({ "userAction": action(1) }),
        json!({ "version": "v0.9", "action": action(2) }),
        json!({ "action": action(3) }),
    ];
    for (index, form) in forms.into_iter().enumerate() {
        let properties = json!({ "a2uiAction": form });
        let run_id = format!("r{}", index + 1);
        run(
            &stage,
            RunAgentInput { forwarded_props: Some(properties.into()), ..input("t1", &run_id, vec![]) },
        )
        .await;
    }
    assert_eq!(told(&stage).await, 3);
}

#[tokio::test]
async fn the_catalog_is_called_as_the_client_of_the_run_calls_it() {
    let stage = stage_with_form().await;
    let own = "https://a2ui.org/specification/v0_9/basic_catalog.json";
    let entry = json!({ "catalogId": own, "components": {} }).to_string();
    let context = json!([{ "description": "A2UI Component Schema — available components", "value": entry }]);
    let with = RunAgentInput {
        context: serde_json::from_value(context).unwrap(),
        ..input("t1", "r0", vec![user("m1", "go")])
    };
    let named = |events: &[forestage_protocol::event::Event]| {
        let events = serde_json::to_value(events).unwrap();
        let drawn =
            events.as_array().unwrap().iter().find(|it| it["type"] == "ACTIVITY_SNAPSHOT").unwrap().clone();
        drawn["content"]["a2ui_operations"][0]["createSurface"]["catalogId"].as_str().unwrap().to_owned()
    };
    assert_eq!(named(&run(&stage, with).await), own);
    let without = input("t2", "r0", vec![user("m1", "go")]);
    assert_eq!(
        named(&run(&stage, without).await),
        "https://a2ui.org/specification/v0_9/catalogs/basic/catalog.json"
    );
}
