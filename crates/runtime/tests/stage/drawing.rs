//! How things are drawn: in pieces, between tags, with mistakes, and by agents that stop in the middle.

use forestage_protocol::event::Event;
use forestage_runtime::{AgentError, RunContext, house::HouseRules, surface, tool::Tools, with_house};
use serde_json::{Value, json};

use crate::support::*;

/// A surface of 0.9 with a line of text.
fn greeting(text: &str) -> Value {
    json!([
        { "version": "v0.9", "createSurface": { "surfaceId": "hi",
            "catalogId": "https://a2ui.org/specification/v0_9/catalogs/basic/catalog.json" } },
        { "version": "v0.9", "updateComponents": { "surfaceId": "hi", "components": [
            { "id": "root", "component": "Column", "children": ["text"] },
            { "id": "text", "component": "Text", "text": text } ] } },
    ])
}

fn broken() -> Value {
    json!([{ "version": "v0.9", "updateComponents": { "surfaceId": "hi",
        "components": [{ "id": "root", "component": "Tex", "text": "x" }] } }])
}

/// What people see of surfaces: a status, `drawn`, `changed` or `nothing`, each with its activity.
fn seen(events: &[Event]) -> Vec<(String, String)> {
    let seen = events.iter().filter_map(|event| match event {
        Event::ActivitySnapshot(it) => {
            let status = it.content.get("status").and_then(Value::as_str);
            let is_empty = it.content.get("a2ui_operations").is_some_and(|it| *it == json!([]));
            Some((status.unwrap_or(if is_empty { "nothing" } else { "drawn" }), &it.message_id))
        }
        Event::ActivityDelta(it) => Some(("changed", &it.message_id)),
        _ => None,
    });
    seen.map(|(what, id)| (what.to_owned(), id.to_string())).collect()
}

fn words(events: &[Event]) -> Vec<String> {
    seen(events).into_iter().map(|(what, _)| what).collect()
}

fn said(events: &[Event]) -> String {
    let pieces = events.iter().filter_map(|event| match event {
        Event::TextMessageContent(piece) => Some(piece.delta.as_str()),
        _ => None,
    });
    pieces.collect()
}

async fn in_pieces(ctx: &RunContext, arguments: &str) -> Result<(), AgentError> {
    let call = ctx.tool_call(surface::SEND)?;
    let (first, second) = arguments.split_at(arguments.len() / 2);
    call.push(first).await?;
    call.push(second).await?;
    call.end();
    Ok(())
}

#[tokio::test]
async fn what_comes_in_pieces_is_being_built_until_it_is_drawn_in_the_same_place() {
    let stage = stage(|ctx: RunContext| async move {
        let text = ctx.last_user_text().unwrap_or_default();
        in_pieces(&ctx, &json!({ "a2ui_json": greeting(&text) }).to_string()).await
    })
    .await;
    let first = seen(&run(&stage, input("t1", "r1", vec![user("m1", "one")])).await);
    assert_eq!([first[0].0.as_str(), first[1].0.as_str()], ["building", "changed"]);
    assert_eq!(first[0].1, first[1].1, "one activity for life");
    let then = seen(&run(&stage, input("t1", "r2", vec![user("m2", "two")])).await);
    let expected = ["building", "changed", "nothing"];
    assert_eq!(then.iter().map(|(what, _)| what.as_str()).collect::<Vec<_>>(), expected);
    assert_eq!((&then[1].1, &then[2].1), (&first[0].1, &then[0].1), "what was announced is taken back");
}

#[tokio::test]
async fn nothing_stays_in_the_making_when_the_agent_stops() {
    let stage = stage(|ctx: RunContext| async move {
        let call = ctx.tool_call(surface::SEND)?;
        call.push("{\"a2ui_json\": [").await?;
        call.push("{\"version\"").await?;
        match ctx.last_user_text().as_deref() {
            Some("fail") => Err(AgentError::new("tired", "I cannot go on")),
            _ => {
                std::mem::forget(call);
                ctx.cancelled().await;
                Err(forestage_runtime::Stop::Cancelled.into())
            }
        }
    })
    .await;
    let events = run(&stage, input("t1", "r1", vec![user("m1", "fail")])).await;
    assert_eq!(words(&events).last().map(String::as_str), Some("failed"));
    assert_eq!(types(&events).last(), Some(&"RUN_ERROR"));

    let started = start(&stage, input("t2", "r1", vec![user("m1", "wait")])).await.unwrap();
    let mut follower = stage.follow_run(&started.thread_id, &started.run_id, started.before);
    let mut events = Vec::new();
    while !words(&events).iter().any(|what| what == "building") {
        events.extend(read(&follower.next().await.unwrap().unwrap()));
    }
    stage.cancel(OWNER, &"t2".into(), &"r1".into()).await.unwrap();
    events.extend(all(&mut follower).await);
    assert_eq!(words(&events), ["building", "failed"]);
}

#[tokio::test]
async fn attempts_are_counted_and_the_agent_hears_how_to_repair() {
    let stage = stage(|ctx: RunContext| async move {
        let mut told = Vec::new();
        for _ in 0..3 {
            let error = ctx.draw(&broken()).await?.expect_err("is broken");
            let hint = error.hint.unwrap_or_default();
            assert!(
                hint.contains("unknown_component at /0/updateComponents/components/0/component"),
                "{hint}"
            );
            told.push((error.code, hint.lines().last().unwrap_or_default().to_owned()));
        }
        let good = ctx.draw(&greeting("too late")).await?.expect_err("it is over");
        told.push((good.code, good.hint.unwrap_or_default().lines().last().unwrap_or_default().to_owned()));
        ctx.set_result(&told).map_err(|error| AgentError::new("no", error.to_string()))?;
        Ok(())
    })
    .await;
    let events = run(&stage, input("t1", "r1", vec![user("m1", "go")])).await;
    assert_eq!(words(&events), ["retrying", "retrying", "failed"]);
    let Some(Event::RunFinished(end)) = events.last() else { panic!("{events:?}") };
    let told = end.result.as_ref().unwrap().to_value().unwrap();
    let codes: Vec<_> = told.as_array().unwrap().iter().map(|it| it[0].as_str().unwrap()).collect();
    assert_eq!(codes, ["invalid_a2ui", "invalid_a2ui", "a2ui_recovery_exhausted", "a2ui_recovery_exhausted"]);
    assert!(told[0][1].as_str().unwrap().contains("2 attempts left"), "{told}");
    assert!(told[1][1].as_str().unwrap().contains("last attempt"), "{told}");
    assert!(told[2][1].as_str().unwrap().contains("Do not try again"), "{told}");
    let again = run(&stage, input("t1", "r2", vec![user("m2", "go")])).await;
    assert_eq!(words(&again), ["retrying", "retrying", "failed"], "each run has its own attempts");
}

#[tokio::test]
async fn a_tool_that_draws_is_used_like_any_other_and_says_what_came_of_it() {
    let stage = stage(|ctx: RunContext| async move {
        let arguments = json!({ "a2ui_json": [{ "surfaceUpdate": { "surfaceId": "s", "components": [
            { "id": "root", "component": { "Column": { "children": { "explicitList": [] } } } } ] } }] });
        let hidden: Value =
            serde_json::from_str(&ctx.use_tool(surface::SEND, arguments).await??).unwrap_or_default();
        assert_eq!(
            (&hidden["status"], &hidden["warnings"][0]["code"]),
            (&json!("not_shown"), &json!("not_rendered"))
        );
        let begin = json!({ "a2ui_json": { "beginRendering": { "surfaceId": "s", "root": "root" } } });
        let shown: Value =
            serde_json::from_str(&ctx.use_tool(surface::SEND, begin).await??).unwrap_or_default();
        assert_eq!((&shown["status"], &shown["surfaceIds"]), (&json!("rendered"), &json!(["s"])));
        let error =
            ctx.use_tool(surface::RENDER, json!({ "surfaceId": "x", "components": [] })).await?.unwrap_err();
        assert_eq!(error.code, "invalid_a2ui");
        Ok(())
    })
    .await;
    let events = run(&stage, input("t1", "r1", vec![user("m1", "go")])).await;
    assert_eq!(types(&events).last(), Some(&"RUN_FINISHED"), "{events:?}");
    assert_eq!(words(&events), ["building", "drawn", "retrying", "failed"]);
}

#[tokio::test]
async fn a_surface_that_is_never_begun_is_not_said_to_be_in_the_making_for_ever() {
    let stage = stage(|ctx: RunContext| async move {
        let update = json!([{ "surfaceUpdate": { "surfaceId": "s", "components": [
            { "id": "root", "component": { "Column": { "children": { "explicitList": [] } } } } ] } }]);
        let begin = json!([{ "beginRendering": { "surfaceId": "s", "root": "root" } }]);
        let payload = if ctx.messages().len() == 1 { update } else { begin };
        ctx.draw(&payload).await??;
        Ok(())
    })
    .await;
    let first = seen(&run(&stage, input("t1", "r1", vec![user("m1", "go")])).await);
    assert_eq!([first[0].0.as_str(), first[1].0.as_str()], ["building", "failed"]);
    let then = seen(&run(&stage, input("t1", "r2", vec![user("m2", "on")])).await);
    assert_eq!(then, [("drawn".to_owned(), first[0].1.clone())], "and what was sent is kept");
}

#[tokio::test]
async fn messages_between_tags_are_drawn_and_never_said() {
    let stage = stage(|ctx: RunContext| async move {
        let said = format!("Look: <a2ui-json>{}</a2ui-json> Nice, or 1 < 2?", greeting("Hello"));
        let text = ctx.text()?;
        let mut rest = said.as_str();
        while !rest.is_empty() {
            let (piece, behind) = rest.split_at(rest.len().min(7));
            text.push(piece).await?;
            rest = behind;
        }
        Ok(())
    })
    .await;
    let events = run(&stage, input("t1", "r1", vec![user("m1", "go")])).await;
    assert_eq!(said(&events), "Look:  Nice, or 1 < 2?");
    assert_eq!(words(&events), ["drawn"]);
    let thread = stage.thread(OWNER, &"t1".into()).await.unwrap();
    let shown = surface::shown(&stage.conversation(&thread, None).await.unwrap().messages);
    assert_eq!(shown[0].surface_id, "hi");
}

#[tokio::test]
async fn what_is_wrong_between_tags_is_repaired_or_seen_to_have_failed() {
    let stage = stage(|ctx: RunContext| async move {
        let payload = match ctx.last_user_text().as_deref() {
            Some("cut") => greeting("Hello").to_string().trim_end_matches("}]").to_owned(),
            _ => broken().to_string(),
        };
        ctx.say(format!("<a2ui-json>\n```json\n{payload}\n```\n</a2ui-json>")).await?;
        Ok(())
    })
    .await;
    let cut = run(&stage, input("t1", "r1", vec![user("m1", "cut")])).await;
    assert_eq!((words(&cut), said(&cut)), (vec!["drawn".to_owned()], String::new()));
    let wrong = run(&stage, input("t2", "r1", vec![user("m1", "wrong")])).await;
    assert_eq!(words(&wrong), ["retrying", "failed"]);
}

#[tokio::test]
async fn where_the_house_draws_nothing_tags_are_text() {
    let agent =
        forestage_runtime::agent_fn(forestage_runtime::About::new("says"), |ctx: RunContext| async move {
            ctx.say("<a2ui-json>[]</a2ui-json>").await?;
            Ok(())
        });
    let house = HouseRules::parse("house", "surfaces: false").unwrap();
    let agents = forestage_runtime::Agents::from([("it".to_owned(), with_house(agent, Tools::new(), house))]);
    let store = forestage_store::open("memory:").await.unwrap();
    let stage = forestage_runtime::Stage::new(store, agents, forestage_runtime::Limits::default());
    let events = run(&stage, input("t1", "r1", vec![user("m1", "go")])).await;
    assert_eq!(said(&events), "<a2ui-json>[]</a2ui-json>");
}

#[tokio::test]
async fn an_agent_that_comes_back_to_its_question_goes_on_from_what_it_had_drawn() {
    let stage = stage(|ctx: RunContext| async move {
        ctx.draw(&greeting("before")).await??;
        let text = json!({ "id": "text", "component": "Text", "text": "and then" });
        let change =
            json!([{ "version": "v0.9", "updateComponents": { "surfaceId": "hi", "components": [text] } }]);
        ctx.draw(&change).await??;
        ctx.ask(forestage_runtime::Question::new("confirmation", "Go on?")).await?;
        let text = json!({ "id": "text", "component": "Text", "text": "after" });
        let change =
            json!([{ "version": "v0.9", "updateComponents": { "surfaceId": "hi", "components": [text] } }]);
        ctx.draw(&change).await??;
        Ok(())
    })
    .await;
    let first = run(&stage, input("t1", "r1", vec![user("m1", "go")])).await;
    let end = serde_json::to_value(first.last().unwrap()).unwrap();
    let id = end["outcome"]["interrupts"][0]["id"].as_str().unwrap().to_owned();
    assert_eq!(words(&first), ["drawn", "changed"]);
    let resumed = forestage_protocol::input::RunAgentInput {
        resume: Some(vec![answer(&id, json!(true))]),
        ..input("t1", "r2", vec![])
    };
    let then = run(&stage, resumed).await;
    assert_eq!(
        (types(&then).last(), words(&then)),
        (Some(&"RUN_FINISHED"), vec!["changed".to_owned()]),
        "{then:?}"
    );
}
