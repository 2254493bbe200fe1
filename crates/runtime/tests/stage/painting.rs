//! Surfaces that are seen to grow while the call that draws them still comes in.

use std::sync::Arc;

use forestage_protocol::{event::Event, message::Message};
use forestage_runtime::{AgentError, RunContext, Stage, surface};
use serde_json::{Value, json};
use tokio::sync::Notify;

use crate::support::*;

/// The arguments of `render_a2ui` for a column of so many lines.
fn lines(count: usize) -> Value {
    let ids: Vec<_> = (0..count).map(|at| format!("line-{at}")).collect();
    let mut components = vec![json!({ "id": "root", "component": "Column", "children": ids })];
    components
        .extend(ids.iter().map(|id| json!({ "id": id, "component": "Text", "text": { "path": "/said" } })));
    json!({ "surfaceId": "s", "components": components, "data": { "said": "Hello", "items": [{ "n": 1 }, { "n": 2 }] } })
}

/// The same with a component that no catalog has at the end.
fn broken(count: usize) -> Value {
    let mut arguments = lines(count);
    let list = arguments["components"].as_array_mut().unwrap();
    list.push(json!({ "id": "last", "component": "Tex", "text": "x" }));
    arguments
}

/// Calls a tool with arguments in pieces of a few bytes.
async fn in_pieces(ctx: &RunContext, tool: &str, arguments: &str) -> Result<(), AgentError> {
    let call = ctx.tool_call(tool)?;
    for piece in arguments.as_bytes().chunks(9) {
        call.push(String::from_utf8_lossy(piece)).await?;
    }
    call.end();
    Ok(())
}

/// What activities say: the id, the status, and the messages that are new.
fn painted(events: &[Event]) -> Vec<(String, Option<String>, Vec<Value>)> {
    let seen = events.iter().filter_map(|event| match event {
        Event::ActivitySnapshot(it) => {
            let status = it.content.get("status").and_then(Value::as_str).map(str::to_owned);
            let operations = it.content.get("a2ui_operations").and_then(Value::as_array).cloned();
            Some((it.message_id.to_string(), status, operations.unwrap_or_default()))
        }
        Event::ActivityDelta(it) => {
            let patch = serde_json::to_value(&it.patch).unwrap();
            let patch = patch.as_array().unwrap();
            let added = patch.iter().filter(|it| it["path"] == "/a2ui_operations/-");
            let is_done = patch.iter().any(|it| it["op"] == "remove" && it["path"] == "/status");
            let status = (!is_done).then(|| "building".to_owned());
            Some((it.message_id.to_string(), status, added.map(|it| it["value"].clone()).collect()))
        }
        _ => None,
    });
    seen.collect()
}

/// The ids of the components that messages bring.
fn components(operations: &[Value]) -> Vec<String> {
    let lists = operations.iter().filter_map(|it| it["updateComponents"]["components"].as_array());
    lists.flatten().map(|it| it["id"].as_str().unwrap().to_owned()).collect()
}

async fn messages(stage: &Stage, thread: &str) -> Vec<Message> {
    let thread = stage.thread(OWNER, &thread.into()).await.unwrap();
    stage.conversation(&thread, None).await.unwrap().messages
}

/// The surfaces of a thread, without the names of their activities.
async fn shown(stage: &Stage, thread: &str) -> Vec<Value> {
    let shown = surface::shown(&messages(stage, thread).await);
    let shown = shown.iter().map(|it| {
        let mut it = serde_json::to_value(it).unwrap();
        it.as_object_mut().unwrap().remove("messageId");
        it
    });
    shown.collect()
}

/// The content of the only activity of a thread.
async fn content(stage: &Stage, thread: &str) -> Value {
    let messages = messages(stage, thread).await;
    let mut activities = messages.iter().filter_map(|message| match message {
        Message::Activity(it) => Some(serde_json::to_value(&it.content).unwrap()),
        _ => None,
    });
    let content = activities.next().unwrap();
    assert!(activities.next().is_none(), "one activity for life");
    content
}

#[tokio::test]
async fn a_component_is_seen_before_the_call_that_draws_it_is_complete() {
    let seen = Arc::new(Notify::new());
    let waits = Arc::clone(&seen);
    let stage = stage(move |ctx: RunContext| {
        let waits = Arc::clone(&waits);
        async move {
            let arguments = lines(3).to_string();
            let half = arguments.find("\"line-1\",\"component\"").unwrap();
            let call = ctx.tool_call(surface::RENDER)?;
            call.push(&arguments[..20]).await?;
            call.push(&arguments[20..half]).await?;
            waits.notified().await;
            for piece in arguments.as_bytes()[half..].chunks(9) {
                call.push(String::from_utf8_lossy(piece)).await?;
            }
            call.end();
            Ok(())
        }
    })
    .await;
    let started = start(&stage, input("t1", "r1", vec![user("m1", "go")])).await.unwrap();
    let mut follower = stage.follow_run(&started.thread_id, &started.run_id, started.before);
    let mut events = Vec::new();
    while !painted(&events).iter().any(|(.., operations)| !components(operations).is_empty()) {
        events.extend(read(&follower.next().await.unwrap().unwrap()));
    }
    assert!(!types(&events).contains(&"TOOL_CALL_END"), "{events:?}");
    let (_, status, operations) = painted(&events).pop().unwrap();
    assert_eq!(
        (status.as_deref(), components(&operations)),
        (Some("building"), vec!["root".into(), "line-0".into()])
    );
    assert!(shown(&stage, "t1").await.is_empty(), "what is not complete is on nobody's screen yet");
    seen.notify_one();
    events.extend(all(&mut follower).await);
    assert_eq!(types(&events).last(), Some(&"RUN_FINISHED"));
    let all = painted(&events);
    assert!(all.iter().all(|(id, ..)| *id == all[0].0), "one activity for life: {all:?}");
    assert_eq!(all.last().unwrap().1, None, "it is complete");
    assert_eq!(content(&stage, "t1").await.get("status"), None);
}

#[tokio::test]
async fn a_surface_that_grew_is_the_one_that_comes_at_once() {
    let stage = stage(|ctx: RunContext| async move {
        let created = json!({ "surfaceId": "s", "catalogId": "https://a2ui.org/specification/v0_9/catalogs/basic/catalog.json",
            "theme": { "primaryColor": "#00BFFF" } });
        let lines = lines(4);
        let messages = json!({ "a2ui_json": json!([
            { "version": "v0.9", "createSurface": created },
            { "version": "v0.9", "updateComponents": { "surfaceId": "s", "components": lines["components"] } },
            { "version": "v0.9", "updateDataModel": { "surfaceId": "s", "path": "/", "value": lines["data"] } },
        ]).to_string() });
        match ctx.last_user_text().as_deref() {
            Some("render") => in_pieces(&ctx, surface::RENDER, &lines.to_string()).await?,
            Some("render at once") => drop(ctx.draw_with(surface::RENDER, &lines).await??),
            Some("send") => in_pieces(&ctx, surface::SEND, &messages.to_string()).await?,
            _ => drop(ctx.draw_with(surface::SEND, &messages).await??),
        }
        Ok(())
    })
    .await;
    for way in ["render", "send"] {
        let at_once = format!("{way} at once");
        let grown = run(&stage, input(way, "r1", vec![user("m1", way)])).await;
        run(&stage, input(&at_once, "r1", vec![user("m1", &at_once)])).await;
        let (once, pieces) = (shown(&stage, &at_once).await, shown(&stage, way).await);
        assert_eq!((once.len(), &pieces), (1, &once), "{way}");
        let said: Vec<_> =
            painted(&grown).iter().flat_map(|(.., operations)| components(operations)).collect();
        assert_eq!(said, ["root", "line-0", "line-1", "line-2", "line-3"], "each is said once");
        assert!(painted(&grown).len() > 4, "{way} is seen to grow");
    }
}

#[tokio::test]
async fn few_events_paint_a_large_surface() {
    let stage = stage(|ctx: RunContext| async move {
        in_pieces(&ctx, surface::RENDER, &lines(1_000).to_string()).await
    })
    .await;
    let events = run(&stage, input("t1", "r1", vec![user("m1", "go")])).await;
    let painted = painted(&events);
    assert!((50..250).contains(&painted.len()), "{} events", painted.len());
    let said: usize = painted.iter().map(|(.., operations)| components(operations).len()).sum();
    assert_eq!(said, 1_001, "each component is said once");
}

#[tokio::test]
async fn a_call_that_turns_out_bad_takes_away_what_was_painted() {
    let stage = stage(|ctx: RunContext| async move {
        in_pieces(&ctx, surface::RENDER, &broken(3).to_string()).await?;
        let first = ctx.take_drawn().unwrap().expect_err("is broken");
        assert_eq!((first.code.as_str(), first.faults[0].code), ("invalid_a2ui", "unknown_component"));
        if ctx.last_user_text().as_deref() == Some("twice") {
            in_pieces(&ctx, surface::RENDER, &broken(2).to_string()).await?;
        }
        Ok(())
    })
    .await;
    let events = run(&stage, input("once", "r1", vec![user("m1", "once")])).await;
    let told = painted(&events);
    assert!(
        told.iter().any(|(.., operations)| components(operations).contains(&"line-2".to_owned())),
        "{told:?}"
    );
    let ends: Vec<_> = told
        .iter()
        .rev()
        .take(2)
        .rev()
        .map(|(id, status, _)| (id == &told[0].0, status.as_deref()))
        .collect();
    assert_eq!(ends, [(true, Some("retrying")), (true, Some("failed"))]);
    assert_eq!(
        content(&stage, "once").await.get("a2ui_operations"),
        None,
        "nothing lingers as if it were good"
    );
    assert!(shown(&stage, "once").await.is_empty());

    let events = run(&stage, input("twice", "r1", vec![user("m1", "twice")])).await;
    let told = painted(&events);
    let second = told.iter().rfind(|(id, ..)| *id != told[0].0).unwrap();
    assert_eq!(
        (&second.1, &second.2),
        (&None, &vec![json!({ "version": "v0.9", "deleteSurface": { "surfaceId": "s" } })])
    );
}

#[tokio::test]
async fn what_was_painted_does_not_outlive_an_agent_that_stops() {
    let stage = stage(|ctx: RunContext| async move {
        let arguments = lines(3).to_string();
        let call = ctx.tool_call(surface::RENDER)?;
        call.push(&arguments[..20]).await?;
        call.push(&arguments[20..arguments.len() / 2]).await?;
        Err(AgentError::new("tired", "I cannot go on"))
    })
    .await;
    let events = run(&stage, input("t1", "r1", vec![user("m1", "go")])).await;
    let statuses: Vec<_> =
        painted(&events).into_iter().map(|(_, status, _)| status.unwrap_or_default()).collect();
    assert_eq!(statuses.last().map(String::as_str), Some("failed"), "{statuses:?}");
    let content = content(&stage, "t1").await;
    assert_eq!((&content["status"], content.get("a2ui_operations")), (&json!("failed"), None));
}

#[tokio::test]
async fn a_surface_that_people_work_with_changes_at_once() {
    let stage = stage(|ctx: RunContext| async move {
        let arguments = if ctx.messages().len() == 1 { lines(1) } else { lines(3) };
        in_pieces(&ctx, surface::RENDER, &arguments.to_string()).await
    })
    .await;
    let first = painted(&run(&stage, input("t1", "r1", vec![user("m1", "one")])).await);
    let events = run(&stage, input("t1", "r2", vec![user("m2", "two")])).await;
    let end = types(&events).iter().position(|it| *it == "TOOL_CALL_END").unwrap();
    assert!(painted(&events[..end]).iter().all(|(.., operations)| operations.is_empty()), "{events:?}");
    let changed = painted(&events[end..]);
    assert_eq!(
        (&changed[0].0, components(&changed[0].2)),
        (&first[0].0, vec!["root".into(), "line-1".into(), "line-2".into()])
    );
}
