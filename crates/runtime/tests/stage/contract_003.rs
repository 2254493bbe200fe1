//! Contract 003 as agents meet it: what is drawn, what they are told of it, and what becomes of data.

use std::sync::Arc;

use forestage_protocol::{event::Event, input::RunAgentInput, message::Message};
use forestage_runtime::{
    About, Agent, AgentError, Agents, Limits, RunContext, Stage, agent_fn, house::HouseRules, surface,
    tool::Tools, with_house,
};
use serde_json::{Value, json};

use crate::support::*;

fn text(id: &str, words: &str) -> Value {
    json!({ "id": id, "component": { "Text": { "text": { "literalString": words } } } })
}

/// A surface of 0.8 in a column.
fn column(id: &str, children: &[&str], mut components: Vec<Value>) -> Value {
    let root = json!({ "Column": { "children": { "explicitList": children } } });
    components.insert(0, json!({ "id": "root", "component": root }));
    json!([
        { "surfaceUpdate": { "surfaceId": id, "components": components } },
        { "beginRendering": { "surfaceId": id, "root": "root" } },
    ])
}

fn greeting_0_9(words: &str) -> Value {
    json!([
        { "version": "v0.9", "createSurface": { "surfaceId": "hi",
            "catalogId": "https://a2ui.org/specification/v0_9/catalogs/basic/catalog.json" } },
        { "version": "v0.9", "updateComponents": { "surfaceId": "hi", "components": [
            { "id": "root", "component": "Column", "children": ["text"] },
            { "id": "text", "component": "Text", "text": words } ] } },
    ])
}

/// An agent that sends these payloads, each with a call, and returns what it is told of them.
fn sends(payloads: fn() -> Vec<Value>) -> Arc<dyn Agent> {
    agent_fn(About::new("draws"), move |ctx: RunContext| async move {
        let mut told = Vec::new();
        for payload in payloads() {
            let result = ctx.use_tool(surface::SEND, json!({ "a2ui_json": payload })).await?;
            told.push(match result {
                Ok(text) => serde_json::from_str(&text)?,
                Err(error) => json!({ "error": error.code, "faults": error.faults }),
            });
        }
        ctx.set_result(&told).map_err(|error| AgentError::new("no", error.to_string()))?;
        Ok(())
    })
}

async fn on_stage(agent: Arc<dyn Agent>, limits: Limits) -> Arc<Stage> {
    let store = forestage_store::open("memory:").await.unwrap();
    Stage::new(store, Agents::from([("it".to_owned(), agent)]), limits)
}

/// What the agent was told, and the surfaces in the end.
async fn played(agent: Arc<dyn Agent>, limits: Limits) -> (Value, Value) {
    let stage = on_stage(agent, limits).await;
    let events = run(&stage, input("t1", "r1", vec![user("m1", "go")])).await;
    let Some(Event::RunFinished(end)) = events.last() else { panic!("{events:?}") };
    let thread = stage.thread(OWNER, &"t1".into()).await.unwrap();
    let messages = stage.conversation(&thread, None).await.unwrap().messages;
    let shown = serde_json::to_value(surface::shown(&messages)).unwrap();
    (end.result.as_ref().unwrap().to_value().unwrap(), shown)
}

async fn told(payloads: fn() -> Vec<Value>) -> (Value, Value) {
    played(sends(payloads), Limits::default()).await
}

fn codes(told: &Value) -> Vec<&str> {
    let list = told["warnings"].as_array().or_else(|| told["faults"].as_array()).into_iter().flatten();
    list.filter_map(|it| it["code"].as_str()).collect()
}

#[tokio::test]
async fn what_no_client_takes_is_refused_and_not_said_to_be_drawn() {
    let (told, shown) = told(|| {
        let icon = |name: &str| json!({ "id": "it", "component": { "Icon": { "name": { "literalString": name } } } });
        let mut member = column("b", &["it"], vec![text("it", "x")]);
        member[1]["beginRendering"]["theme"] = json!("dark");
        let mut colour = column("c", &["it"], vec![text("it", "x")]);
        colour[1]["beginRendering"]["styles"] = json!({ "primaryColor": "red" });
        vec![
            column("a", &["it"], vec![icon("unicorn")]),
            column("d", &["it"], vec![icon("home")]),
            member,
            colour,
        ]
    })
    .await;
    assert_eq!((&told[0]["error"], codes(&told[0])), (&json!("invalid_a2ui"), vec!["invalid_prop"]));
    assert_eq!((&told[1]["status"], &told[1]["surfaceIds"]), (&json!("rendered"), &json!(["d"])));
    assert_eq!((&told[2]["error"], codes(&told[2])), (&json!("invalid_a2ui"), vec!["unknown_member"]));
    assert_eq!((&told[3]["error"], codes(&told[3])), (&json!("invalid_a2ui"), vec!["invalid_style"]));
    let ids: Vec<_> = shown.as_array().unwrap().iter().map(|it| it["surfaceId"].as_str().unwrap()).collect();
    assert_eq!(ids, ["d"]);
}

#[tokio::test]
async fn an_agent_that_draws_under_a_live_id_is_told_that_it_changes_what_is_there() {
    let (told, shown) = told(|| {
        let old = |words: &str| column("old", &["it"], vec![text("it", words)]);
        let update =
            json!([{ "surfaceUpdate": { "surfaceId": "old", "components": [text("it", "three")] } }]);
        let again = {
            let mut list = greeting_0_9("three").as_array().cloned().unwrap_or_default();
            list.insert(0, json!({ "version": "v0.9", "deleteSurface": { "surfaceId": "hi" } }));
            Value::from(list)
        };
        vec![old("one"), old("two"), update, greeting_0_9("one"), greeting_0_9("two"), again]
    })
    .await;
    for (index, warnings) in [vec![], vec!["surface_exists"], vec![], vec![], vec!["surface_exists"], vec![]]
        .into_iter()
        .enumerate()
    {
        assert_eq!((&told[index]["status"], codes(&told[index])), (&json!("rendered"), warnings), "{told}");
    }
    assert_eq!(told[1]["warnings"][0]["path"], "/1/beginRendering");
    assert_eq!(told[4]["warnings"][0]["path"], "/0/createSurface");
    let words = |index: usize| {
        let components = shown[index]["components"].as_array().unwrap().iter();
        components.filter_map(|it| it["text"].as_str()).collect::<Vec<_>>()
    };
    assert_eq!(
        (words(0), words(1)),
        (vec!["three"], vec!["three"]),
        "there is one surface for each id: {shown}"
    );
    assert_eq!(shown.as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn an_agent_is_told_of_unfinished_text_and_of_a_modal_that_nobody_sees() {
    let (told, _) = told(|| {
        let modal = json!({ "Modal": { "entryPointChild": "open", "contentChild": "inside" } });
        let modal = json!({ "id": "modal", "component": modal });
        let picture = json!({ "Image": { "url": { "literalString": "https://placeholder.com/a.jpg" } } });
        vec![
            column("a", &["it"], vec![text("it", "Lorem ipsum dolor")]),
            column("b", &["modal"], vec![modal, text("open", "Open"), text("inside", "Delete all?")]),
            column("c", &["it"], vec![json!({ "id": "it", "component": picture })]),
        ]
    })
    .await;
    let expected = ["unfinished_text", "modal_alone", "placeholder_image"];
    for (index, code) in expected.into_iter().enumerate() {
        assert_eq!((&told[index]["status"], codes(&told[index])), (&json!("rendered"), vec![code]), "{told}");
    }
}

fn data() -> Vec<Value> {
    let update = |key: &str| json!([{ "dataModelUpdate": { "surfaceId": "s", "contents": [{ "key": key, "valueString": "x" }] } }]);
    vec![column("s", &["it"], vec![text("it", "Hello")]), update("a"), update("b")]
}

#[tokio::test]
async fn data_of_0_8_is_merged_unless_the_house_or_the_server_takes_it_strictly() {
    let house = |text: &str| with_house(sends(data), Tools::new(), HouseRules::parse("house", text).unwrap());
    let strict = Limits { strict_a2ui_0_8: true, ..Limits::default() };
    let (merged, replaced) = (json!({ "a": "x", "b": "x" }), json!({ "b": "x" }));
    for (agent, limits, expected) in [
        (sends(data), Limits::default(), &merged),
        (house("surfaces: true"), Limits::default(), &merged),
        (house("strict_a2ui_0_8: true"), Limits::default(), &replaced),
        (sends(data), strict, &replaced),
        (house("strict_a2ui_0_8: false"), strict, &replaced),
    ] {
        let (_, shown) = played(agent, limits).await;
        assert_eq!(&shown[0]["dataModel"], expected);
    }
}

#[tokio::test]
async fn what_was_drawn_strictly_is_read_back_as_it_was() {
    let agent = agent_fn(About::new("draws"), |ctx: RunContext| async move {
        let at = ctx.messages().iter().filter(|it| it.role() == "user").count() - 1;
        ctx.draw(&data()[at]).await??;
        Ok(())
    });
    let house = HouseRules::parse("house", "strict_a2ui_0_8: true").unwrap();
    let stage = on_stage(with_house(agent, Tools::new(), house), Limits::default()).await;
    for at in 1..=3 {
        let events = run(&stage, input("t1", &format!("r{at}"), vec![user(&format!("m{at}"), "go")])).await;
        assert_eq!(types(&events).last(), Some(&"RUN_FINISHED"), "{events:?}");
    }
    let thread = stage.thread(OWNER, &"t1".into()).await.unwrap();
    let messages = stage.conversation(&thread, None).await.unwrap().messages;
    let shown = serde_json::to_value(surface::shown(&messages)).unwrap();
    assert_eq!(shown[0]["dataModel"], json!({ "b": "x" }), "across runs, too");
}

#[tokio::test]
async fn the_tool_takes_a_list_of_messages_and_a_text_with_one() {
    let (told, shown) = told(|| {
        let list = |id: &str| column(id, &["it"], vec![text("it", "Hello")]);
        vec![list("a"), Value::from(list("b").to_string())]
    })
    .await;
    assert_eq!(
        told,
        json!([
            { "status": "rendered", "surfaceIds": ["a"] },
            { "status": "rendered", "surfaceIds": ["b"] },
        ])
    );
    assert_eq!(shown.as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn components_without_begin_rendering_are_kept_and_never_shown_and_the_agent_is_told() {
    let (told, shown) = told(|| {
        let whole = column("s", &["it"], vec![text("it", "Hello")]);
        vec![json!([whole[0].clone()])]
    })
    .await;
    assert_eq!((&told[0]["status"], codes(&told[0])), (&json!("not_shown"), vec!["not_rendered"]));
    let sentence = told[0]["warnings"][0]["message"].as_str().unwrap();
    assert!(sentence.contains("beginRendering") && sentence.contains("never shown"), "{sentence}");
    assert_eq!(shown, json!([]));
}

#[tokio::test]
async fn an_agent_is_told_with_every_call_that_its_surface_is_not_shown_until_it_begins() {
    let (told, shown) = told(|| {
        let whole = column("s", &["it"], vec![text("it", "One")]);
        let update = |words: &str| json!([{ "surfaceUpdate": { "surfaceId": "s", "components": [text("it", words)] } }]);
        vec![json!([whole[0].clone()]), update("Two"), json!([whole[1].clone()]), update("Three")]
    })
    .await;
    let is_never_shown = |it: &Value| codes(it).contains(&"not_rendered");
    let said = told.as_array().unwrap().iter().map(|it| (it["status"].as_str().unwrap(), is_never_shown(it)));
    let expected = [("not_shown", true), ("not_shown", true), ("rendered", false), ("rendered", false)];
    assert_eq!(said.collect::<Vec<_>>(), expected, "{told}");
    let mut words = shown[0]["components"].as_array().unwrap().iter().map(|it| (&it["id"], &it["text"]));
    assert_eq!(words.next_back(), Some((&json!("it"), &json!("Three"))), "{shown}");
}

/// An agent that draws the next of these payloads in each run.
async fn changes(payloads: fn() -> Vec<Value>) -> Vec<Vec<Value>> {
    let agent = agent_fn(About::new("draws"), move |ctx: RunContext| async move {
        let at = ctx.messages().iter().filter(|it| it.role() == "user").count() - 1;
        ctx.draw(&payloads()[at]).await??;
        Ok(())
    });
    let stage = on_stage(agent, Limits::default()).await;
    let mut seen = Vec::new();
    for at in 1..=payloads().len() {
        let events = run(&stage, input("t1", &format!("r{at}"), vec![user(&format!("m{at}"), "go")])).await;
        let events = events.iter().map(|event| serde_json::to_value(event).unwrap());
        seen.push(events.filter(|it| it["type"].as_str().unwrap().starts_with("ACTIVITY_")).collect());
    }
    seen
}

#[tokio::test]
async fn an_update_replaces_adds_and_is_shown_by_itself_with_nothing_that_did_not_change() {
    let seen = changes(|| {
        let bound = json!({ "id": "status", "component": { "Text": { "text": { "path": "/status" } } } });
        let data = |key: &str, value: &str| json!({ "key": key, "valueString": value });
        let mut first = column("s", &["it", "status"], vec![text("it", "One"), bound]);
        let contents = json!([data("status", "Waiting"), data("other", "x")]);
        first
            .as_array_mut()
            .unwrap()
            .insert(1, json!({ "dataModelUpdate": { "surfaceId": "s", "contents": contents } }));
        let children = json!({ "explicitList": ["it", "status", "new"] });
        let root = json!({ "id": "root", "component": { "Column": { "children": children } } });
        vec![
            first,
            json!([{ "surfaceUpdate": { "surfaceId": "s", "components": [text("it", "Two")] } }]),
            json!([{ "surfaceUpdate": { "surfaceId": "s", "components": [root, text("new", "Three")] } }]),
            json!([{ "dataModelUpdate": { "surfaceId": "s", "contents": [data("status", "Complete")] } }]),
        ]
    })
    .await;
    let added = |at: usize| -> Vec<Value> {
        assert_eq!(seen[at].len(), 1, "{:?}", seen[at]);
        assert_eq!(seen[at][0]["messageId"], seen[0][0]["messageId"], "it is the same surface");
        let patch = seen[at][0]["patch"].as_array().unwrap().iter();
        patch.filter(|it| it["path"] == "/a2ui_operations/-").map(|it| it["value"].clone()).collect()
    };
    let components = |list: Value| json!([{ "version": "v0.9", "updateComponents": { "surfaceId": "s", "components": list } }]);
    let two = json!({ "id": "it", "component": "Text", "text": "Two" });
    assert_eq!(json!(added(1)), components(json!([two])));
    let root = json!({ "id": "root", "component": "Column", "children": ["it", "status", "new"] });
    let new = json!({ "id": "new", "component": "Text", "text": "Three" });
    assert_eq!(json!(added(2)), components(json!([root, new])));
    let write = json!({ "surfaceId": "s", "path": "/status", "value": "Complete" });
    assert_eq!(
        json!(added(3)),
        json!([{ "version": "v0.9", "updateDataModel": write }]),
        "what is bound follows"
    );
}

/// A call, the result of another tool, an activity, tags in a text, and a view: whichever way it comes, it is in one store.
#[tokio::test]
async fn all_ways_to_draw_lead_to_one_store_of_surfaces() {
    let agent = agent_fn(About::new("draws"), |ctx: RunContext| async move {
        let list = |id: &str| column(id, &["it"], vec![text("it", "Hello")]);
        ctx.draw(&list("called")).await??;
        let id = ctx.tool_call("weather")?.end();
        ctx.tool_result(&id, json!({ "a2ui_operations": list("result") }).to_string()).await?;
        let content = json!({ "operations": list("activity") }).as_object().cloned().unwrap_or_default();
        ctx.activity_as("mine".into(), surface::ACTIVITY, content).await?;
        ctx.say(format!("<a2ui-json>{}</a2ui-json>", list("tags"))).await?;
        let view = |id: &str| json!({ "kind": "a2ui.v1", "viewId": id, "root": { "type": "text", "text": "Hello" } });
        ctx.say(format!("```a2ui\n{}\n```", view("fenced"))).await?;
        Ok(())
    });
    let house = HouseRules::parse("house", "views: true").unwrap();
    let stage = on_stage(with_house(agent, Tools::new(), house), Limits::default()).await;
    let events = run(&stage, input("t1", "r1", vec![user("m1", "go")])).await;
    assert_eq!(types(&events).last(), Some(&"RUN_FINISHED"), "{events:?}");
    let thread = stage.thread(OWNER, &"t1".into()).await.unwrap();
    let messages = stage.conversation(&thread, None).await.unwrap().messages;
    let shown = surface::shown(&messages);
    let ids: Vec<_> = shown.iter().map(|it| it.surface_id.as_str()).collect();
    assert_eq!(ids, ["called", "result", "activity", "tags", "a2ui-view"]);
    for it in &shown {
        let words: Vec<_> =
            it.components.iter().filter_map(|it| it.properties.get("text")?.as_str()).collect();
        assert_eq!(words, ["Hello"], "{}", it.surface_id);
    }
}

/// A form of 0.8 with three fields, and a button that sends them and more.
fn questionnaire(id: &str) -> Value {
    let field = |name: &str| json!({ "id": name, "component": { "TextField": { "label": { "literalString": name }, "text": { "path": format!("/form/{name}") } } } });
    let check =
        json!({ "CheckBox": { "label": { "literalString": "Sure" }, "value": { "path": "/form/sure" } } });
    let sent = |key: &str, value: Value| json!({ "key": key, "value": value });
    let context = json!([
        sent("who", json!({ "path": "/form/name" })),
        sent("where", json!({ "path": "/form/city" })),
        sent("sure", json!({ "path": "/form/sure" })),
        sent("kind", json!({ "literalString": "new" })),
        sent("count", json!({ "literalNumber": 2 })),
    ]);
    let button = json!({ "Button": { "child": "go", "action": { "name": "submit", "context": context } } });
    let components = vec![
        field("name"),
        field("city"),
        json!({ "id": "sure", "component": check }),
        json!({ "id": "send", "component": button }),
        text("go", "Send"),
    ];
    let mut drawing = column(id, &["name", "city", "sure", "send"], components);
    let entry = |key: &str, value: &str| json!({ "key": key, "valueString": value });
    let form = json!([entry("name", "Ada"), entry("city", "Ulm"), { "key": "sure", "valueBoolean": false }]);
    let data =
        json!({ "surfaceId": id, "contents": [{ "key": "form", "valueMap": form }, entry("kept", id)] });
    drawing.as_array_mut().unwrap().insert(1, json!({ "dataModelUpdate": data }));
    drawing
}

#[tokio::test]
async fn a_click_is_told_as_a_call_and_its_result_with_every_value_as_it_was_then() {
    let agent = agent_fn(About::new("asks"), |ctx: RunContext| async move {
        if matches!(ctx.messages().last(), Some(Message::Tool(_))) {
            ctx.set_result(&ctx.messages()).map_err(|error| AgentError::new("no", error.to_string()))?;
            return Ok(());
        }
        ctx.draw(&questionnaire("one")).await??;
        ctx.draw(&questionnaire("two")).await??;
        Ok(())
    });
    let stage = on_stage(agent, Limits::default()).await;
    run(&stage, input("t1", "r1", vec![user("m1", "go")])).await;
    let mut expected = Vec::new();
    for (run_id, surface_id, time, name, city, sure) in [
        ("r2", "two", "2026-11-15T20:46:09.000Z", "Bella", "Bonn", true),
        ("r3", "two", "2026-11-15T20:47:10.000Z", "Cleo", "", false),
        ("r4", "one", "2026-11-15T20:48:11.000Z", "Dora", "Kiel", true),
    ] {
        let context = json!({ "who": name, "where": city, "sure": sure, "kind": "new", "count": 2 });
        let action = json!({ "name": "submit", "surfaceId": surface_id, "sourceComponentId": "send", "timestamp": time, "context": context });
        let click = RunAgentInput {
            forwarded_props: Some(json!({ "a2uiAction": { "userAction": action } }).into()),
            ..input("t1", run_id, Vec::new())
        };
        let events = run(&stage, click).await;
        let Some(Event::RunFinished(end)) = events.last() else { panic!("{events:?}") };
        let mut heard = end.result.as_ref().expect("it was told").to_value().unwrap();
        let heard = heard.as_array_mut().unwrap();
        let mut told: Vec<Value> = heard.split_off(heard.len() - expected.len() - 2);
        for call in
            told.iter_mut().filter_map(|message| message.pointer_mut("/toolCalls/0/function/arguments"))
        {
            *call = serde_json::from_str(call.as_str().unwrap()).unwrap();
        }
        let id = |part: &str| format!("{run_id}-a2ui-{part}");
        let call = json!({ "id": id("event"), "type": "function", "function": { "name": "log_a2ui_event", "arguments": action } });
        let sentence = format!(
            "User performed action \"submit\" on surface \"{surface_id}\" (component: send). Context: {context}"
        );
        expected.push(json!({ "id": id("action"), "role": "assistant", "content": "", "toolCalls": [call] }));
        expected.push(
            json!({ "id": id("result"), "role": "tool", "content": sentence, "toolCallId": id("event") }),
        );
        assert_eq!(told, expected, "one click behind the other");
    }
    for (name, value) in
        [("kind", json!("old")), ("count", json!(3)), ("sure", json!("yes")), ("who", json!(["Eve"]))]
    {
        let mut context = json!({ "who": "Eve", "where": "", "sure": true, "kind": "new", "count": 2 });
        context[name] = value;
        let action = json!({ "name": "submit", "surfaceId": "one", "sourceComponentId": "send", "timestamp": "later", "context": context });
        let click = RunAgentInput {
            forwarded_props: Some(json!({ "a2uiAction": { "userAction": action } }).into()),
            ..input("t1", "r5", Vec::new())
        };
        let refused = start(&stage, click).await.unwrap_err();
        let place = format!("forwardedProps.a2uiAction.context.{name}");
        assert_eq!(
            (refused.code, refused.path),
            ("invalid_context", Some(place)),
            "nobody could have sent that"
        );
    }
    let thread = stage.thread(OWNER, &"t1".into()).await.unwrap();
    let messages = stage.conversation(&thread, None).await.unwrap().messages;
    let shown = serde_json::to_value(surface::shown(&messages)).unwrap();
    let data = |name: &str, city: &str, sure: bool, kept: &str| json!({ "form": { "name": name, "city": city, "sure": sure }, "kept": kept });
    assert_eq!(
        (&shown[0]["dataModel"], &shown[1]["dataModel"]),
        (&data("Dora", "Kiel", true, "one"), &data("Cleo", "", false, "two")),
        "what was typed stays with its surface"
    );
}
