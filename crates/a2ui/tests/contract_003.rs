//! The examples of contract 003, word for word in meaning: A2UI 0.8 as models were taught it.

use forestage_a2ui::{
    Messages, Version,
    act::verify,
    bridge::{Profile, bridge, refusals},
    catalog::Catalogs,
    check::{Checker, Report},
    surface::{Data0_8, Surfaces},
    v0_9::ClientMessage,
};
use serde_json::{Value, json};

fn button() -> Value {
    json!([
        { "surfaceUpdate": { "surfaceId": "my-surface", "components": [
            { "id": "root", "component": { "Button": { "child": "btn-text", "action": { "name": "button_clicked" } } } },
            { "id": "btn-text", "component": { "Text": { "text": { "literalString": "Click Me" } } } },
        ] } },
        { "beginRendering": { "surfaceId": "my-surface", "root": "root" } },
    ])
}

fn form() -> Value {
    json!([
        { "surfaceUpdate": { "surfaceId": "my-form", "components": [
            { "id": "root", "component": { "Card": { "child": "form-col" } } },
            { "id": "form-col", "component": { "Column": { "children": { "explicitList": ["name-field", "submit-btn"] } } } },
            { "id": "name-field", "component": { "TextField": {
                "label": { "literalString": "Name" }, "text": { "path": "/form/name" },
            } } },
            { "id": "submit-btn", "component": { "Button": { "child": "btn-text", "action": {
                "name": "submit", "context": [{ "key": "userName", "value": { "path": "/form/name" } }],
            } } } },
            { "id": "btn-text", "component": { "Text": { "text": { "literalString": "Submit" } } } },
        ] } },
        { "dataModelUpdate": { "surfaceId": "my-form", "contents": [
            { "key": "form", "valueMap": [{ "key": "name", "valueString": "" }] },
        ] } },
        { "beginRendering": { "surfaceId": "my-form", "root": "root" } },
    ])
}

fn fold(surfaces: &mut Surfaces, payload: &Value) {
    let messages = Messages::from_value(payload).expect("reads");
    assert_eq!(
        messages.to_values(),
        *payload.as_array().expect("is a list"),
        "what is read is written as it was"
    );
    surfaces.fold(&messages).expect("folds");
}

#[track_caller]
fn codes(payload: &Value) -> (Vec<&'static str>, Vec<&'static str>) {
    let report = Checker::new(&Catalogs::basic()).check(&payload.to_string());
    assert_eq!(report.version, Some(Version::V0_8));
    let warnings = report.warnings.iter().map(|warning| warning.code).collect();
    (report.faults.iter().map(|fault| fault.code).collect(), warnings)
}

/// A surface of 0.8 that shows one component in a card.
fn showing(component: Value) -> Value {
    json!([
        { "surfaceUpdate": { "surfaceId": "s", "components": [
            { "id": "root", "component": { "Card": { "child": "it" } } }, { "id": "it", "component": component },
        ] } },
        { "beginRendering": { "surfaceId": "s", "root": "root" } },
    ])
}

fn text(id: &str, words: &str) -> Value {
    json!({ "id": id, "component": { "Text": { "text": { "literalString": words } } } })
}

/// What is said of a payload by somebody who knows what is on the screen.
fn report(surfaces: &Surfaces, payload: &Value) -> Report {
    Checker::new(&Catalogs::basic()).with_surfaces(surfaces).check(&payload.to_string())
}

fn warnings(surfaces: &Surfaces, payload: &Value) -> Vec<(&'static str, String)> {
    let report = report(surfaces, payload);
    assert_eq!(report.faults, [], "{payload}");
    report.warnings.into_iter().map(|it| (it.code, it.path.unwrap_or_default())).collect()
}

#[test]
fn the_examples_are_accepted() {
    assert_eq!(codes(&button()), (vec![], vec!["leaf_root"]), "rule 8 advises against a Button as the root");
    assert_eq!(codes(&form()), (vec![], vec![]));
}

#[test]
fn a_form_becomes_a_surface() {
    let mut surfaces = Surfaces::new();
    fold(&mut surfaces, &form());
    let surface = surfaces.get("my-form").expect("is there");
    assert!(surface.is_shown());
    assert_eq!(surface.model.value(), &json!({ "form": { "name": "" } }));
    let component = |id: &str| serde_json::to_value(surface.component(id)).expect("prints");
    let expected = json!({ "id": "name-field", "component": "TextField", "label": "Name", "value": { "path": "/form/name" } });
    assert_eq!(component("name-field"), expected);
    let action =
        json!({ "event": { "name": "submit", "context": { "userName": { "path": "/form/name" } } } });
    assert_eq!(component("submit-btn")["action"], action);
}

#[test]
fn updates_need_no_second_begin_rendering_and_keep_what_they_do_not_name() {
    let mut surfaces = Surfaces::new();
    fold(&mut surfaces, &form());
    let text = json!({ "Text": { "text": { "literalString": "Updated status!" } } });
    fold(
        &mut surfaces,
        &json!([
            { "surfaceUpdate": { "surfaceId": "my-form", "components": [{ "id": "btn-text", "component": text }] } },
            { "dataModelUpdate": { "surfaceId": "my-form", "contents": [{ "key": "status", "valueString": "Complete" }] } },
        ]),
    );
    let surface = surfaces.get("my-form").expect("is there");
    assert_eq!(surface.component("btn-text").expect("is there").properties["text"], json!("Updated status!"));
    assert_eq!(surface.model.value(), &json!({ "form": { "name": "" }, "status": "Complete" }));
    assert!(surface.is_shown() && surface.components().len() == 5);
    let all = json!([{ "dataModelUpdate": { "surfaceId": "my-form", "path": "/", "contents": [{ "key": "form", "valueMap": [] }] } }]);
    fold(&mut surfaces, &all);
    let surface = surfaces.get("my-form").expect("is there");
    assert_eq!(surface.model.value(), &json!({ "form": {} }), "who names the root means all of it");
    fold(&mut surfaces, &json!([{ "deleteSurface": { "surfaceId": "my-form" } }]));
    assert!(surfaces.is_empty());
}

#[test]
fn what_is_never_shown_is_said() {
    let payload = json!([button()[0].clone()]);
    assert_eq!(codes(&payload), (vec![], vec!["not_rendered"]));
    let turned = json!([button()[1].clone(), button()[0].clone()]);
    assert_eq!(codes(&turned), (vec![], vec!["leaf_root", "order"]));
    let rootless =
        json!([button()[0].clone(), { "beginRendering": { "surfaceId": "my-surface", "root": "main" } }]);
    assert_eq!(codes(&rootless).0, ["no_root"]);
}

#[test]
fn a_change_of_a_surface_that_has_not_begun_is_said_to_be_never_shown_and_one_on_the_screen_is_not() {
    let update =
        |id: &str| json!([{ "surfaceUpdate": { "surfaceId": id, "components": [text("btn-text", "New")] } }]);
    let mut surfaces = Surfaces::new();
    fold(&mut surfaces, &json!([button()[0].clone()]));
    fold(&mut surfaces, &form());
    let never = [("not_rendered", "/0/surfaceUpdate/components/0".to_owned())];
    assert_eq!(warnings(&surfaces, &update("my-surface")), never, "its components are kept, and that is all");
    assert_eq!(warnings(&surfaces, &update("my-form")), [], "its neighbour is on the screen");
    fold(&mut surfaces, &json!([button()[1].clone()]));
    assert_eq!(warnings(&surfaces, &update("my-surface")), [], "it has begun");
}

#[test]
fn mistakes_are_told_with_their_place() {
    for (component, code) in [
        (json!({ "Text": { "text": "bare" } }), "invalid_prop"),
        (json!({ "Text": {} }), "missing_required_prop"),
        (json!({ "Text": { "text": { "literalString": "x" } }, "Icon": {} }), "several_component_types"),
        (json!({}), "missing_component_type"),
        (json!({ "Chart": {} }), "unknown_component"),
        (json!({ "Column": { "children": ["a"] } }), "invalid_prop"),
        (json!({ "Column": { "children": { "explicitList": ["gone"] } } }), "unresolved_child"),
        (json!({ "Row": { "children": { "template": { "componentId": "root" } } } }), "invalid_prop"),
    ] {
        let payload = json!([
            { "surfaceUpdate": { "surfaceId": "s", "components": [
                { "id": "root", "component": { "Card": { "child": "it" } } }, { "id": "it", "component": component },
            ] } },
            { "beginRendering": { "surfaceId": "s", "root": "root" } },
        ]);
        assert_eq!(codes(&payload).0, [code], "{payload}");
    }
    let entry =
        json!([{ "dataModelUpdate": { "surfaceId": "s", "contents": [{ "key": "a", "valueText": "x" }] } }]);
    assert_eq!(codes(&entry).0, ["invalid_value"]);
    let mut surfaces = Surfaces::new();
    fold(&mut surfaces, &form());
    for (child, expected) in [("btn-text", vec![]), ("gone", vec!["unresolved_child"])] {
        let card = json!({ "id": "root", "component": { "Card": { "child": child } } });
        let update = json!([{ "surfaceUpdate": { "surfaceId": "my-form", "components": [card] } }]);
        let told: Vec<_> = report(&surfaces, &update).faults.iter().map(|fault| fault.code).collect();
        assert_eq!(told, expected, "a change is held against what is on the screen: {child}");
    }
}

#[test]
fn a_literal_with_a_path_is_put_there() {
    let mut surfaces = Surfaces::new();
    let text = json!({ "Text": { "text": { "literalString": "x", "path": "/a/b" } } });
    let update =
        json!({ "surfaceUpdate": { "surfaceId": "s", "components": [{ "id": "r", "component": text }] } });
    assert_eq!(codes(&json!([update])).0, Vec::<&str>::new());
    fold(&mut surfaces, &json!([update]));
    let surface = surfaces.get("s").expect("is there");
    assert_eq!(surface.model.value(), &json!({ "a": { "b": "x" } }));
    assert_eq!(surface.component("r").expect("is there").properties["text"], json!({ "path": "/a/b" }));
}

#[test]
fn an_icon_is_one_that_clients_have() {
    let icon = |name: Value| showing(json!({ "Icon": { "name": name } }));
    assert_eq!(codes(&icon(json!({ "literalString": "home" }))), (vec![], vec![]));
    assert_eq!(codes(&icon(json!({ "path": "/icon" }))), (vec![], vec![]), "the data may hold any");
    for unknown in
        [json!({ "literalString": "unicorn" }), json!({ "literalString": "unicorn", "path": "/icon" })]
    {
        let report = report(&Surfaces::new(), &icon(unknown));
        let fault = &report.faults[0];
        assert_eq!((report.faults.len(), fault.code), (1, "invalid_prop"));
        assert_eq!(fault.path, "/0/surfaceUpdate/components/1/component/Icon/name/literalString");
        assert!(
            fault.message.contains("`accountCircle`, `add`") && fault.message.contains("not `unicorn`"),
            "{fault:?}"
        );
    }
    let newer = icon(json!({ "literalString": "play" }));
    assert_eq!(codes(&newer), (vec![], vec!["newer_word"]), "0.9 has it, so it can be drawn");
    assert_eq!(refusals(Profile::WebCore0_8, &newer.to_string()), []);
    assert!(refusals(Profile::Python, &newer.to_string()).iter().any(|it| it.code == "newer_word"));
}

#[test]
fn messages_have_their_own_members_and_no_others() {
    let whole = || {
        let mut whole = form();
        whole.as_array_mut().expect("is a list").push(json!({ "deleteSurface": { "surfaceId": "my-form" } }));
        whole
    };
    assert_eq!(codes(&whole()), (vec![], vec![]));
    for (holder, name) in [
        ("/0", "extra"),
        ("/0/surfaceUpdate", "extra"),
        ("/0/surfaceUpdate/components/0", "extra"),
        ("/1/dataModelUpdate", "value"),
        ("/2/beginRendering", "theme"),
        ("/2/beginRendering", "components"),
        ("/3/deleteSurface", "extra"),
    ] {
        let mut payload = whole();
        payload.pointer_mut(holder).expect("is there")[name] = json!(1);
        let report = report(&Surfaces::new(), &payload);
        let told: Vec<_> = report.faults.iter().map(|it| (it.code, it.path.as_str())).collect();
        assert_eq!(told, [("unknown_member", format!("{holder}/{name}").as_str())]);
    }
    for (holder, name) in [
        ("/0/surfaceUpdate/components/1/component/Column/children", "extra"),
        ("/0/surfaceUpdate/components/3/component/Button/action", "extra"),
        ("/0/surfaceUpdate/components/3/component/Button/action/context/0", "extra"),
    ] {
        let mut payload = whole();
        payload.pointer_mut(holder).expect("is there")[name] = json!(1);
        assert_eq!(codes(&payload).0, ["invalid_prop"], "{holder}");
    }
    let mut heavy = whole();
    heavy[0]["surfaceUpdate"]["components"][0]["weight"] = json!("2");
    assert_eq!(codes(&heavy).0, ["wrong_type"]);
    heavy[0]["surfaceUpdate"]["components"][0]["weight"] = json!(2);
    assert_eq!(codes(&heavy).0, Vec::<&str>::new());
}

#[test]
fn begin_rendering_takes_a_catalog_and_the_styles_that_there_are() {
    let begun = |members: Value| {
        let mut payload = form();
        let begin = payload[2]["beginRendering"].as_object_mut().expect("is an object");
        begin.extend(members.as_object().expect("is an object").clone());
        payload
    };
    let good = begun(json!({
        "catalogId": forestage_a2ui::catalog::BASIC_0_8, "styles": { "font": "Roboto", "primaryColor": "#00bfFF" },
    }));
    assert_eq!(codes(&good), (vec![], vec![]));
    let mut surfaces = Surfaces::new();
    fold(&mut surfaces, &good);
    let surface = surfaces.get("my-form").expect("is there");
    assert_eq!(surface.root.as_deref(), Some("root"));
    assert_eq!(surface.catalog_id.as_deref(), Some(forestage_a2ui::catalog::BASIC_0_8));
    assert_eq!(json!(surface.theme), json!({ "font": "Roboto", "primaryColor": "#00bfFF" }));
    for (members, code) in [
        (json!({ "styles": { "primaryColor": "red" } }), "invalid_style"),
        (json!({ "styles": { "primaryColor": "#0bf" } }), "invalid_style"),
        (json!({ "styles": { "primaryColor": "#00bfFG" } }), "invalid_style"),
        (json!({ "styles": { "primaryColor": 255 } }), "invalid_style"),
        (json!({ "styles": { "font": 1 } }), "invalid_style"),
        (json!({ "styles": { "accent": "#00bfff" } }), "unknown_style"),
        (json!({ "styles": [] }), "wrong_type"),
        (json!({ "catalogId": "acme" }), "unknown_catalog"),
        (json!({ "root": 1 }), "missing_field"),
        (json!({ "surfaceId": "" }), "wrong_type"),
    ] {
        assert_eq!(codes(&begun(members.clone())).0[0], code, "{members}");
    }
}

#[test]
fn a_new_surface_under_the_id_of_another_one_is_warned_about() {
    let mut surfaces = Surfaces::new();
    assert_eq!(warnings(&surfaces, &form()), []);
    fold(&mut surfaces, &form());
    let expected = [("surface_exists", "/2/beginRendering".to_owned())];
    assert_eq!(warnings(&surfaces, &form()), expected);
    let update =
        json!([{ "surfaceUpdate": { "surfaceId": "my-form", "components": [text("btn-text", "Send")] } }]);
    assert_eq!(warnings(&surfaces, &update), [], "an update is none");
    let mut anew = form();
    anew.as_array_mut().expect("is a list").insert(0, json!({ "deleteSurface": { "surfaceId": "my-form" } }));
    assert_eq!(warnings(&surfaces, &anew), [], "who deletes it first means it");
    let other = Value::from(form().to_string().replace("my-form", "other"));
    assert_eq!(warnings(&surfaces, &other), []);
}

#[test]
fn a_component_replaces_the_one_with_its_id_wholly_and_a_new_one_is_added() {
    let mut surfaces = Surfaces::new();
    fold(&mut surfaces, &form());
    let plain =
        json!({ "id": "submit-btn", "component": { "Text": { "text": { "literalString": "Sent." } } } });
    fold(
        &mut surfaces,
        &json!([{ "surfaceUpdate": { "surfaceId": "my-form", "components": [plain, text("note", "New")] } }]),
    );
    let surface = surfaces.get("my-form").expect("is there");
    let component = |id: &str| serde_json::to_value(surface.component(id)).expect("prints");
    assert_eq!(component("submit-btn"), json!({ "id": "submit-btn", "component": "Text", "text": "Sent." }));
    assert_eq!(component("note")["text"], "New");
    assert_eq!((surface.components().len(), component("name-field")["label"].clone()), (6, json!("Name")));
    let mut heavy = text("note", "Heavy");
    heavy["weight"] = json!(2);
    for (component, weight) in [(heavy, json!(2)), (text("note", "Light"), Value::Null)] {
        let update = json!({ "surfaceUpdate": { "surfaceId": "my-form", "components": [component] } });
        fold(&mut surfaces, &json!([update]));
        let surface = surfaces.get("my-form").expect("is there");
        let printed = serde_json::to_value(surface.component("note")).expect("prints");
        assert_eq!(printed["weight"], weight, "what an update leaves out is gone: {update}");
    }
}

#[test]
fn a_button_sends_a_whole_form_with_every_field_as_it_was_typed() {
    let one = json!([{ "key": "userName", "value": { "path": "/form/name" } }]).to_string();
    let all = json!([{ "key": "sent", "value": { "path": "/form" } }]).to_string();
    let payload: Value = serde_json::from_str(&form().to_string().replace(&one, &all)).expect("is JSON");
    let mut surfaces = Surfaces::new();
    fold(&mut surfaces, &payload);
    let surface = surfaces.get("my-form").expect("is there");
    let typed = |sent: Value| {
        let action = json!({ "name": "submit", "surfaceId": "my-form", "sourceComponentId": "submit-btn",
            "timestamp": "2026-11-18T09:00:00Z", "context": { "sent": sent } });
        let Ok(ClientMessage::Action(action)) = ClientMessage::read(&json!({ "userAction": action })) else {
            panic!("{action}")
        };
        let typed = verify(surface, &action).map_err(|fault| fault.code)?;
        Ok(typed.into_iter().map(|(path, value)| (path.to_string(), value)).collect::<Vec<_>>())
    };
    assert_eq!(typed(json!({ "name": "Alice" })), Ok(vec![("/form/name".to_owned(), json!("Alice"))]));
    assert_eq!(
        typed(json!({ "name": "Alice", "role": "admin" })),
        Err("invalid_context"),
        "there is no such field"
    );
}

/// 0.9 lets an update leave the type out. It says nothing of properties, so those are replaced as they are in 0.8.
#[test]
fn a_component_of_0_9_without_its_type_keeps_the_type_and_none_of_its_properties() {
    let update = |components: Value| json!({ "version": "v0.9", "updateComponents": { "surfaceId": "s", "components": components } });
    let create = json!({ "version": "v0.9", "createSurface": { "surfaceId": "s", "catalogId": "c" } });
    let title = json!({ "id": "root", "component": "Text", "text": "Old", "variant": "h1", "accessibility": { "label": "Title" } });
    let mut surfaces = Surfaces::new();
    fold(&mut surfaces, &json!([create, update(json!([title]))]));
    let root = |surfaces: &Surfaces| {
        serde_json::to_value(surfaces.get("s").and_then(|surface| surface.component("root"))).expect("prints")
    };
    fold(&mut surfaces, &json!([update(json!([{ "id": "root", "text": "New" }]))]));
    assert_eq!(root(&surfaces), json!({ "id": "root", "component": "Text", "text": "New" }));
    let twice =
        json!([{ "id": "root", "component": "Icon", "name": "home" }, { "id": "root", "name": "star" }]);
    fold(&mut surfaces, &json!([update(twice)]));
    assert_eq!(root(&surfaces), json!({ "id": "root", "component": "Icon", "name": "star" }));
    let nobody = Messages::from_value(&json!([update(
        json!([{ "id": "root", "name": "x" }, { "id": "new", "text": "?" }])
    )]));
    let fault = surfaces.fold(&nobody.expect("reads")).expect_err("nobody knows what it is");
    assert_eq!(fault.code, "missing_component_type");
    assert_eq!(root(&surfaces)["name"], "star", "nothing of it counts");
}

/// `dataModelUpdate` without a path, with one, and with the root, by the contract and by the letter of 0.8.
#[test]
fn data_is_merged_by_the_contract_and_replaced_where_0_8_is_taken_strictly() {
    let update = |path: Option<&str>, key: &str, value: &str| {
        let mut body = json!({ "surfaceId": "s", "contents": [{ "key": key, "valueString": value }] });
        if let Some(path) = path {
            body["path"] = json!(path);
        }
        json!({ "dataModelUpdate": body })
    };
    let first = json!([
        update(None, "kept", "1"),
        { "dataModelUpdate": { "surfaceId": "s", "path": "/form", "contents": [
            { "key": "a", "valueString": "1" }, { "key": "n", "valueNumber": 2.5 }, { "key": "b", "valueBoolean": true } ] } },
    ]);
    let after = |rule: Data0_8, then: Value| {
        let mut surfaces = Surfaces::new().with_data_0_8(rule);
        fold(&mut surfaces, &first);
        fold(&mut surfaces, &json!([then]));
        surfaces.get("s").expect("is there").model.value().clone()
    };
    let form = json!({ "a": "1", "n": 2.5, "b": true });
    for (then, merged, replaced) in [
        (update(None, "new", "2"), json!({ "kept": "1", "form": form, "new": "2" }), json!({ "new": "2" })),
        (update(Some("/"), "new", "2"), json!({ "new": "2" }), json!({ "new": "2" })),
        (
            update(Some("/form"), "a", "2"),
            json!({ "kept": "1", "form": { "a": "2", "n": 2.5, "b": true } }),
            json!({ "kept": "1", "form": { "a": "2" } }),
        ),
    ] {
        assert_eq!(after(Data0_8::Merge, then.clone()), merged, "{then}");
        assert_eq!(after(Data0_8::Replace, then.clone()), replaced, "{then}");
    }
}

#[test]
fn what_is_replaced_has_no_value_any_more() {
    let shown =
        json!({ "id": "root", "component": { "Column": { "children": { "explicitList": ["it"] } } } });
    let it = json!({ "id": "it", "component": { "Text": { "text": { "path": "/form/name" } } } });
    let contents = |key: &str| json!([{ "key": key, "valueString": "x" }]);
    let payload = json!([
        { "surfaceUpdate": { "surfaceId": "s", "components": [shown, it] } },
        { "dataModelUpdate": { "surfaceId": "s", "path": "/form", "contents": contents("name") } },
        { "dataModelUpdate": { "surfaceId": "s", "contents": contents("other") } },
        { "beginRendering": { "surfaceId": "s", "root": "root" } },
    ]);
    let catalogs = Catalogs::basic();
    let codes = |checker: Checker<'_>| -> Vec<_> {
        checker.check(&payload.to_string()).faults.iter().map(|it| it.code).collect()
    };
    assert_eq!(codes(Checker::new(&catalogs)), Vec::<&str>::new());
    let strict = Checker::new(&catalogs).with_data_0_8(Data0_8::Replace);
    assert_eq!(codes(strict), ["unresolved_binding"]);
    let mut surfaces = Surfaces::new().with_data_0_8(Data0_8::Replace);
    fold(&mut surfaces, &payload);
    let again = json!([payload[0].clone(), payload[2].clone()]);
    let report = Checker::new(&catalogs).with_surfaces(&surfaces).check(&again.to_string());
    assert_eq!(report.faults.iter().map(|it| it.code).collect::<Vec<_>>(), ["unresolved_binding"]);
}

#[test]
fn text_that_nobody_should_read_is_warned_about() {
    for words in
        ["Lorem ipsum dolor sit amet", "TODO: write this", "Price: TBD", "[placeholder]", "Your text here"]
    {
        let label = json!({ "CheckBox": { "label": { "literalString": words }, "value": { "literalBoolean": true } } });
        let title =
            json!({ "Tabs": { "tabItems": [{ "title": { "literalString": words }, "child": "it" }] } });
        let it = json!({ "Text": { "text": { "literalString": words } } });
        for component in [it, label] {
            assert_eq!(codes(&showing(component)), (vec![], vec!["unfinished_text"]), "{words}");
        }
        assert_eq!(codes(&showing(title)).1, ["unfinished_text"], "{words}");
    }
    for words in ["Todo list", "What I have to do", "Who holds the place?", "Version 1.0"] {
        let it = json!({ "Text": { "text": { "literalString": words } } });
        assert_eq!(codes(&showing(it)), (vec![], vec![]), "{words}");
    }
    let payload = showing(json!({ "Text": { "text": { "literalString": "TODO" } } }));
    let expected = [("unfinished_text", "/0/surfaceUpdate/components/1/component/Text/text".to_owned())];
    assert_eq!(warnings(&Surfaces::new(), &payload), expected);
}

#[test]
fn a_modal_with_nothing_beside_it_is_warned_about() {
    let drawn = |root: Value, beside: Option<Value>| {
        let modal = json!({ "Modal": { "entryPointChild": "open", "contentChild": "inside" } });
        let mut components = vec![
            json!({ "id": "root", "component": root }),
            json!({ "id": "modal", "component": modal }),
            text("open", "Open"),
            text("inside", "Do you want to delete everything?"),
        ];
        components.extend(beside);
        json!([
            { "surfaceUpdate": { "surfaceId": "s", "components": components } },
            { "beginRendering": { "surfaceId": "s", "root": "root" } },
        ])
    };
    let card = json!({ "Card": { "child": "modal" } });
    assert_eq!(codes(&drawn(card, None)), (vec![], vec!["modal_alone"]));
    let column = json!({ "Column": { "children": { "explicitList": ["modal", "text"] } } });
    assert_eq!(codes(&drawn(column, Some(text("text", "Three files")))), (vec![], vec![]));
    let root = json!({ "Modal": { "entryPointChild": "open", "contentChild": "inside" } });
    assert_eq!(codes(&drawn(root, None)), (vec![], vec!["leaf_root", "modal_alone"]));
    assert_eq!(codes(&form()), (vec![], vec![]));
}

#[test]
fn what_can_be_drawn_is_written_so_that_clients_of_0_9_take_it() {
    let tabs = showing(json!({ "Tabs": { "tabItems": [] } }));
    assert_eq!(codes(&tabs).0, Vec::<&str>::new());
    for payload in [tabs, form(), showing(json!({ "Icon": { "name": { "literalString": "play" } } }))] {
        let bridged =
            bridge(&Messages::from_value(&payload).expect("reads"), Profile::WebCore0_9).expect("folds");
        let written = Value::from(bridged.messages.to_values()).to_string();
        assert_eq!(refusals(Profile::WebCore0_9, &written), [], "{written}");
    }
}

#[test]
fn each_message_needs_its_members() {
    for (message, code) in [
        (json!({ "surfaceUpdate": { "components": [text("a", "x")] } }), "missing_field"),
        (json!({ "surfaceUpdate": { "surfaceId": "s" } }), "empty_components"),
        (json!({ "surfaceUpdate": { "surfaceId": "s", "components": [] } }), "empty_components"),
        (json!({ "surfaceUpdate": { "surfaceId": "s", "components": text("a", "x") } }), "wrong_type"),
        (
            json!({ "surfaceUpdate": { "surfaceId": "s", "components": [{ "component": { "Divider": {} } }] } }),
            "missing_id",
        ),
        (
            json!({ "surfaceUpdate": { "surfaceId": "s", "components": [{ "id": "a" }] } }),
            "missing_component_type",
        ),
        (json!({ "dataModelUpdate": { "contents": [] } }), "missing_field"),
        (json!({ "dataModelUpdate": { "surfaceId": "s" } }), "missing_field"),
        (json!({ "dataModelUpdate": { "surfaceId": "s", "path": 1, "contents": [] } }), "wrong_type"),
        (
            json!({ "dataModelUpdate": { "surfaceId": "s", "contents": [{ "valueString": "x" }] } }),
            "missing_field",
        ),
        (json!({ "beginRendering": { "root": "a" } }), "missing_field"),
        (json!({ "beginRendering": { "surfaceId": "s" } }), "missing_field"),
        (json!({ "deleteSurface": {} }), "missing_field"),
    ] {
        assert_eq!(codes(&json!([message])).0[0], code, "{message}");
        assert!(code == "empty_components" || Messages::from_value(&message).is_err(), "{message}");
    }
    for value in [
        json!({ "valueString": 1 }),
        json!({ "valueNumber": "1" }),
        json!({ "valueBoolean": "true" }),
        json!({ "valueMap": {} }),
        json!({ "valueString": "x", "valueNumber": 1 }),
        json!({}),
    ] {
        let mut entry = value;
        entry["key"] = json!("a");
        let update = json!([{ "dataModelUpdate": { "surfaceId": "s", "contents": [entry] } }]);
        assert_eq!(codes(&update).0, ["invalid_value"], "{update}");
    }
}

#[test]
fn a_first_drawing_without_components_or_with_a_root_that_is_none_shows_nothing() {
    let begin = |root: &str| json!({ "beginRendering": { "surfaceId": "my-surface", "root": root } });
    assert_eq!(codes(&json!([begin("root")])).0, ["no_root"]);
    assert_eq!(codes(&json!([button()[0].clone(), begin("main")])).0, ["no_root"]);
    assert_eq!(codes(&json!([button()[0].clone(), begin("btn-text")])).0, Vec::<&str>::new());
    let mut surfaces = Surfaces::new();
    fold(&mut surfaces, &json!([button()[0].clone()]));
    assert!(!surfaces.get("my-surface").expect("is kept").is_shown(), "it is kept, and not shown");
    fold(&mut surfaces, &json!([begin("root")]));
    assert!(surfaces.get("my-surface").expect("is kept").is_shown());
}

#[test]
fn components_name_their_children_and_texts_and_never_contain_them() {
    let inside = || json!({ "id": "x", "component": { "Text": { "text": { "literalString": "x" } } } });
    for (component, code) in [
        (json!({ "Card": { "child": inside() } }), "invalid_prop"),
        (json!({ "Column": { "children": { "explicitList": [inside()] } } }), "invalid_prop"),
        (json!({ "Column": { "children": [inside()] } }), "invalid_prop"),
        (json!({ "Modal": { "entryPointChild": inside(), "contentChild": "root" } }), "invalid_prop"),
        (
            json!({ "Button": { "child": { "literalString": "Go" }, "action": { "name": "go" } } }),
            "invalid_prop",
        ),
        (json!({ "Card": { "text": { "literalString": "Hi" } } }), "unknown_prop"),
        (
            json!({ "Button": { "label": { "literalString": "Go" }, "action": { "name": "go" } } }),
            "unknown_prop",
        ),
    ] {
        assert_eq!(codes(&showing(component.clone())).0[0], code, "{component}");
    }
}

#[test]
fn the_root_is_a_layout_or_it_is_warned_about() {
    let drawn = |root: Value| {
        json!([
            { "surfaceUpdate": { "surfaceId": "s", "components": [
                { "id": "root", "component": root }, text("a", "A"), text("b", "B") ] } },
            { "beginRendering": { "surfaceId": "s", "root": "root" } },
        ])
    };
    let children = json!({ "explicitList": ["a", "b"] });
    for layout in [
        json!({ "Column": { "children": children } }),
        json!({ "Row": { "children": children } }),
        json!({ "List": { "children": children } }),
        json!({ "Card": { "child": "a" } }),
        json!({ "Tabs": { "tabItems": [{ "title": { "literalString": "A" }, "child": "a" }] } }),
    ] {
        assert_eq!(codes(&drawn(layout.clone())), (vec![], vec![]), "{layout}");
    }
    for leaf in [
        json!({ "Text": { "text": { "literalString": "x" } } }),
        json!({ "Button": { "child": "a", "action": { "name": "go" } } }),
        json!({ "Modal": { "entryPointChild": "a", "contentChild": "b" } }),
        json!({ "Image": { "url": { "path": "/a" } } }),
        json!({ "Icon": { "name": { "literalString": "home" } } }),
        json!({ "TextField": { "label": { "literalString": "x" } } }),
    ] {
        let (faults, warnings) = codes(&drawn(leaf.clone()));
        assert!(faults.is_empty() && warnings.contains(&"leaf_root"), "{leaf}: {faults:?} {warnings:?}");
    }
}

#[test]
fn the_catalog_of_0_8_has_eighteen_components() {
    let catalog = forestage_a2ui::catalog::Catalog::basic_0_8();
    let expected = [
        "AudioPlayer",
        "Button",
        "Card",
        "CheckBox",
        "Column",
        "DateTimeInput",
        "Divider",
        "Icon",
        "Image",
        "List",
        "Modal",
        "MultipleChoice",
        "Row",
        "Slider",
        "Tabs",
        "Text",
        "TextField",
        "Video",
    ];
    assert_eq!(catalog.component_names(), expected);
    let listed = json!({ "explicitList": ["it"] });
    let words = json!({ "literalString": "x" });
    for (component, new) in [
        (json!({ "AudioPlayer": { "url": words } }), "AudioPlayer"),
        (json!({ "Button": { "child": "t", "action": { "name": "go" } } }), "Button"),
        (json!({ "Card": { "child": "t" } }), "Card"),
        (json!({ "CheckBox": { "label": words, "value": { "literalBoolean": true } } }), "CheckBox"),
        (json!({ "Column": { "children": { "explicitList": ["t"] } } }), "Column"),
        (json!({ "DateTimeInput": { "value": { "path": "/when" } } }), "DateTimeInput"),
        (json!({ "Divider": {} }), "Divider"),
        (json!({ "Icon": { "name": { "literalString": "home" } } }), "Icon"),
        (json!({ "Image": { "url": words } }), "Image"),
        (json!({ "List": { "children": { "explicitList": ["t"] } } }), "List"),
        (json!({ "Modal": { "entryPointChild": "t", "contentChild": "t" } }), "Modal"),
        (json!({ "MultipleChoice": { "selections": { "path": "/some" }, "options": [] } }), "ChoicePicker"),
        (json!({ "Row": { "children": { "explicitList": ["t"] } } }), "Row"),
        (json!({ "Slider": { "value": { "literalNumber": 1 } } }), "Slider"),
        (json!({ "Tabs": { "tabItems": [{ "title": words, "child": "t" }] } }), "Tabs"),
        (json!({ "Text": { "text": words } }), "Text"),
        (json!({ "TextField": { "label": words } }), "TextField"),
        (json!({ "Video": { "url": words } }), "Video"),
    ] {
        let payload = json!([
            { "surfaceUpdate": { "surfaceId": "s", "components": [
                { "id": "root", "component": { "Column": { "children": listed } } },
                { "id": "it", "component": component },
                text("t", "Words") ] } },
            { "beginRendering": { "surfaceId": "s", "root": "root" } },
        ]);
        assert_eq!(codes(&payload).0, Vec::<&str>::new(), "{component}");
        let mut surfaces = Surfaces::new();
        fold(&mut surfaces, &payload);
        let surface = surfaces.get("s").expect("is there");
        assert_eq!(surface.component("it").expect("is there").kind, new);
        let bridged =
            bridge(&Messages::from_value(&payload).expect("reads"), Profile::WebCore0_9).expect("folds");
        let written = Value::from(bridged.messages.to_values()).to_string();
        assert_eq!(refusals(Profile::WebCore0_9, &written), [], "{written}");
    }
}

#[test]
fn a_modal_keeps_what_opens_it_apart_from_what_it_opens() {
    let modal = showing(json!({ "Modal": { "entryPointChild": "open", "contentChild": "inside" } }));
    let mut surfaces = Surfaces::new();
    fold(&mut surfaces, &Value::from(modal.as_array().expect("is a list").clone()));
    let modal = surfaces.get("s").and_then(|it| it.component("it")).expect("is there");
    assert_eq!(json!(modal.properties), json!({ "trigger": "open", "content": "inside" }));
}

#[test]
fn values_are_literals_of_their_kind_or_paths() {
    let slider = |value: Value| json!({ "Slider": { "value": value } });
    let check = |value: Value| json!({ "CheckBox": { "label": { "literalString": "x" }, "value": value } });
    let choice = |value: Value| json!({ "MultipleChoice": { "selections": value, "options": [] } });
    let words = |value: Value| json!({ "Text": { "text": value } });
    let path = || json!({ "path": "/a" });
    for component in [
        words(json!({ "literalString": "x" })),
        words(path()),
        slider(json!({ "literalNumber": 2.5 })),
        slider(path()),
        check(json!({ "literalBoolean": false })),
        check(path()),
        choice(json!({ "literalArray": ["a"] })),
        choice(path()),
    ] {
        assert_eq!(codes(&showing(component.clone())).0, Vec::<&str>::new(), "{component}");
    }
    for (component, property, drawn) in [
        (words(json!({ "literalString": "x" })), "text", json!("x")),
        (slider(json!({ "literalNumber": 2.5 })), "value", json!(2.5)),
        (check(json!({ "literalBoolean": false })), "value", json!(false)),
        (choice(json!({ "literalArray": ["a"] })), "value", json!(["a"])),
        (choice(path()), "value", path()),
    ] {
        let mut surfaces = Surfaces::new();
        fold(&mut surfaces, &showing(component.clone()));
        let it = surfaces.get("s").and_then(|surface| surface.component("it")).expect("is there");
        assert_eq!(it.properties[property], drawn, "{component} is drawn with what it says");
    }
    for component in [
        words(json!({ "literalNumber": 1 })),
        words(json!({ "literalString": 1 })),
        words(json!({ "path": 1 })),
        words(json!({})),
        words(json!("bare")),
        slider(json!({ "literalString": "1" })),
        slider(json!({ "literalNumber": "1" })),
        check(json!({ "literalBoolean": "yes" })),
        choice(json!({ "literalArray": [1] })),
        choice(json!({ "literalString": "a" })),
    ] {
        assert_eq!(codes(&showing(component.clone())).0, ["invalid_prop"], "{component}");
    }
}

#[test]
fn children_are_listed_or_drawn_for_every_item() {
    let row = |children: Value| json!({ "Row": { "children": children } });
    let template = |members: Value| json!({ "template": members });
    let good = json!({ "componentId": "root2", "dataBinding": "/items" });
    let mut payload = showing(row(template(good)));
    payload[0]["surfaceUpdate"]["components"].as_array_mut().expect("is a list").push(text("root2", "x"));
    assert_eq!(codes(&payload), (vec![], vec![]));
    let mut surfaces = Surfaces::new();
    fold(&mut surfaces, &payload);
    let surface = surfaces.get("s").expect("is there");
    let children = &surface.component("it").expect("is there").properties["children"];
    assert_eq!(children, &json!({ "componentId": "root2", "path": "/items" }));
    for (children, code) in [
        (template(json!({ "componentId": "root", "dataBinding": 1 })), "invalid_prop"),
        (template(json!({ "dataBinding": "/items" })), "invalid_prop"),
        (template(json!({ "componentId": "gone", "dataBinding": "/items" })), "unresolved_child"),
        (json!({ "explicitList": "root" }), "invalid_prop"),
        (json!({ "explicitList": [1] }), "invalid_prop"),
        (
            json!({ "explicitList": [], "template": { "componentId": "root", "dataBinding": "/a" } }),
            "invalid_prop",
        ),
        (json!({}), "invalid_prop"),
    ] {
        assert_eq!(codes(&showing(row(children.clone()))).0, [code], "{children}");
    }
}

#[test]
fn what_is_bound_follows_the_data() {
    let mut surfaces = Surfaces::new();
    let shown = showing(json!({ "Text": { "text": { "path": "/status" } } }));
    fold(&mut surfaces, &shown);
    let data = |value: &str| json!([{ "dataModelUpdate": { "surfaceId": "s", "contents": [{ "key": "status", "valueString": value }] } }]);
    for status in ["Waiting", "Complete"] {
        fold(&mut surfaces, &data(status));
        let bridged = bridge(&Messages::from_value(&shown).expect("reads"), Profile::WebCore0_9);
        assert!(bridged.is_ok());
        let surface = surfaces.get("s").expect("is there");
        let bound = &surface.component("it").expect("is there").properties["text"];
        assert_eq!(bound, &json!({ "path": "/status" }), "the component is as it was");
        assert!(surface.has("/status"));
        assert_eq!(surface.model.value()["status"], status);
    }
}

#[test]
fn begin_rendering_twice_is_warned_about() {
    let mut payload = form();
    let begin = payload[2].clone();
    payload.as_array_mut().expect("is a list").push(begin);
    assert_eq!(codes(&payload), (vec![], vec!["begun_again"]));
}
