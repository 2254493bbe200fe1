//! Contract 003, component by component and message by message: everything that each may say, and what becomes of it.

use forestage_a2ui::{
    Messages,
    bridge::{draw_view, view_action, whole_0_8},
    catalog::{BASIC_0_8, Catalogs},
    check::Checker,
    surface::Surfaces,
    v0_8::ClientMessage,
    v1::View,
};
use serde_json::{Value, json};

/// A component of 0.8 with all that it may have, what it is drawn as, and which of its properties it needs.
type Case = (Value, Value, &'static [&'static str]);

fn literal(words: &str) -> Value {
    json!({ "literalString": words })
}

fn path(path: &str) -> Value {
    json!({ "path": path })
}

fn components() -> Vec<Case> {
    let mut all = shown();
    all.extend(arranged());
    all.extend(asked());
    all
}

/// What people look at.
fn shown() -> Vec<Case> {
    vec![
        (
            json!({ "Text": { "text": literal("Hello"), "usageHint": "h2" } }),
            json!({ "component": "Text", "text": "Hello", "variant": "h2" }),
            &["text"],
        ),
        (
            json!({ "Image": { "url": path("/picture"), "altText": literal("A cat"), "fit": "scale-down", "usageHint": "avatar" } }),
            json!({ "component": "Image", "url": path("/picture"), "description": "A cat", "fit": "scaleDown", "variant": "avatar" }),
            &["url"],
        ),
        (
            json!({ "Icon": { "name": literal("home") } }),
            json!({ "component": "Icon", "name": "home" }),
            &["name"],
        ),
        (
            json!({ "Video": { "url": literal("https://a2ui.org/v.mp4") } }),
            json!({ "component": "Video", "url": "https://a2ui.org/v.mp4" }),
            &["url"],
        ),
        (
            json!({ "AudioPlayer": { "url": path("/song"), "description": literal("A song") } }),
            json!({ "component": "AudioPlayer", "url": path("/song"), "description": "A song" }),
            &["url"],
        ),
        (
            json!({ "Divider": { "axis": "vertical" } }),
            json!({ "component": "Divider", "axis": "vertical" }),
            &[],
        ),
    ]
}

/// What holds others.
fn arranged() -> Vec<Case> {
    vec![
        (
            json!({ "Row": { "children": { "explicitList": ["c", "a", "b"] }, "distribution": "spaceBetween", "alignment": "end" } }),
            json!({ "component": "Row", "children": ["c", "a", "b"], "justify": "spaceBetween", "align": "end" }),
            &["children"],
        ),
        (
            json!({ "Column": { "children": { "explicitList": ["b", "a"] }, "distribution": "center", "alignment": "stretch" } }),
            json!({ "component": "Column", "children": ["b", "a"], "justify": "center", "align": "stretch" }),
            &["children"],
        ),
        (
            json!({ "List": { "children": { "template": { "componentId": "a", "dataBinding": "/people" } }, "direction": "horizontal", "alignment": "start" } }),
            json!({ "component": "List", "children": { "componentId": "a", "path": "/people" }, "direction": "horizontal", "align": "start" }),
            &["children"],
        ),
        (json!({ "Card": { "child": "b" } }), json!({ "component": "Card", "child": "b" }), &["child"]),
        (
            json!({ "Tabs": { "tabItems": [{ "title": literal("One"), "child": "b" }, { "title": path("/two"), "child": "a" }] } }),
            json!({ "component": "Tabs", "tabs": [{ "title": "One", "child": "b" }, { "title": path("/two"), "child": "a" }] }),
            &["tabItems"],
        ),
        (
            json!({ "Modal": { "entryPointChild": "b", "contentChild": "a" } }),
            json!({ "component": "Modal", "trigger": "b", "content": "a" }),
            &["entryPointChild", "contentChild"],
        ),
    ]
}

/// What people do something with.
fn asked() -> Vec<Case> {
    let context = json!([
        { "key": "who", "value": path("/form/name") },
        { "key": "kind", "value": literal("new") },
        { "key": "count", "value": { "literalNumber": 2 } },
        { "key": "sure", "value": { "literalBoolean": false } },
    ]);
    let sent = json!({ "who": path("/form/name"), "kind": "new", "count": 2, "sure": false });
    vec![
        (
            json!({ "Button": { "child": "a", "action": { "name": "submit", "context": context }, "primary": true } }),
            json!({ "component": "Button", "child": "a", "action": { "event": { "name": "submit", "context": sent } }, "variant": "primary" }),
            &["child", "action"],
        ),
        (
            json!({ "CheckBox": { "label": literal("Agree"), "value": path("/form/agree") } }),
            json!({ "component": "CheckBox", "label": "Agree", "value": path("/form/agree") }),
            &["label", "value"],
        ),
        (
            json!({ "TextField": { "label": literal("Name"), "text": path("/form/name"), "textFieldType": "longText", "validationRegexp": "^[a-z]+$" } }),
            json!({ "component": "TextField", "label": "Name", "value": path("/form/name"), "variant": "longText", "validationRegexp": "^[a-z]+$" }),
            &["label"],
        ),
        (
            json!({ "DateTimeInput": { "value": path("/form/when"), "enableDate": true, "enableTime": false } }),
            json!({ "component": "DateTimeInput", "value": path("/form/when"), "enableDate": true, "enableTime": false }),
            &["value"],
        ),
        (
            json!({ "MultipleChoice": { "selections": path("/form/some"), "options": [{ "label": literal("Red"), "value": "r" }, { "label": path("/green"), "value": "g" }], "maxAllowedSelections": 2, "variant": "chips", "filterable": true } }),
            json!({ "component": "ChoicePicker", "value": path("/form/some"), "options": [{ "label": "Red", "value": "r" }, { "label": path("/green"), "value": "g" }], "variant": "multipleSelection", "displayStyle": "chips", "filterable": true }),
            &["selections", "options"],
        ),
        (
            json!({ "Slider": { "value": path("/form/much"), "label": literal("How much"), "minValue": -5, "maxValue": 20 } }),
            json!({ "component": "Slider", "value": path("/form/much"), "label": "How much", "min": -5, "max": 20 }),
            &["value"],
        ),
    ]
}

fn text(id: &str, words: &str) -> Value {
    json!({ "id": id, "component": { "Text": { "text": literal(words) } } })
}

/// A surface with the component `it`, whose children may be `a`, `b` and `c`.
fn drawing(component: &Value) -> Value {
    let children = json!({ "explicitList": ["it", "a", "b", "c"] });
    json!([
        { "surfaceUpdate": { "surfaceId": "s", "components": [
            { "id": "top", "component": { "Column": { "children": children } } },
            { "id": "it", "weight": 3, "component": component },
            text("a", "A"), text("b", "B"), text("c", "C"),
        ] } },
        { "beginRendering": { "surfaceId": "s", "root": "top" } },
    ])
}

fn faults(payload: &Value) -> Vec<(&'static str, String)> {
    let report = Checker::new(&Catalogs::basic()).check(&payload.to_string());
    report.faults.into_iter().map(|fault| (fault.code, fault.path)).collect()
}

fn fold(surfaces: &mut Surfaces, payload: &Value) {
    surfaces.fold(&Messages::from_value(payload).expect("reads")).expect("folds");
}

/// A surface as it is kept.
fn kept(surfaces: &Surfaces, id: &str) -> Value {
    let surface = surfaces.get(id).expect("is there");
    json!({
        "root": surface.root, "catalog": surface.catalog_id, "theme": surface.theme, "data": surface.model.value(),
        "components": surface.components(), "shown": surface.is_shown(),
    })
}

#[test]
fn every_component_is_drawn_with_all_that_it_says() {
    for (old, mut new, _) in components() {
        assert_eq!(faults(&drawing(&old)), [], "{old}");
        let mut surfaces = Surfaces::new();
        fold(&mut surfaces, &drawing(&old));
        let surface = surfaces.get("s").expect("is there");
        new["id"] = json!("it");
        new["weight"] = json!(3);
        assert_eq!(json!(surface.component("it")), new, "{old}");
        // And back, for clients that know nothing else.
        let written: Vec<Value> = whole_0_8(surface).iter().map(|message| message.to_value()).collect();
        let list = written[0]["surfaceUpdate"]["components"].as_array().expect("is a list");
        let it = list.iter().find(|it| it["id"] == "it").expect("is there");
        let mut before = old.clone();
        if let Some(choice) = before.get_mut("MultipleChoice").and_then(Value::as_object_mut) {
            // Of how many may be chosen, only whether it is one is known later.
            choice.remove("maxAllowedSelections");
        }
        assert_eq!(*it, json!({ "id": "it", "weight": 3, "component": before }), "written for 0.8");
    }
}

#[test]
fn what_a_component_may_leave_out_is_not_asked_for_and_the_rest_is() {
    for (old, _, needed) in components() {
        let (kind, properties) = old.as_object().and_then(|it| it.iter().next()).expect("has a kind");
        for name in properties.as_object().expect("has properties").keys() {
            let mut without = old.clone();
            without[kind].as_object_mut().expect("has properties").remove(name);
            let told: Vec<_> = faults(&drawing(&without)).into_iter().map(|(code, _)| code).collect();
            let expected: &[&str] =
                if needed.contains(&name.as_str()) { &["missing_required_prop"] } else { &[] };
            assert_eq!(told, expected, "{kind} without {name}");
            for wrong in [json!(null), json!([7]), json!({ "literalString": 7 }), json!({ "path": 7 })] {
                let mut with = old.clone();
                with[kind][name] = wrong.clone();
                let told: Vec<_> = faults(&drawing(&with)).into_iter().map(|(code, _)| code).collect();
                assert_eq!(told, ["invalid_prop"], "{kind}.{name} is {wrong}");
            }
        }
        let mut more = old.clone();
        more[kind]["colour"] = json!("red");
        let place = format!("/0/surfaceUpdate/components/1/component/{kind}/colour");
        assert_eq!(faults(&drawing(&more)), [("unknown_prop", place)], "{kind}");
    }
}

#[test]
fn words_that_a_property_takes_are_those_of_the_catalog() {
    let spread = ["center", "end", "spaceAround", "spaceBetween", "spaceEvenly", "start"];
    let sides = ["start", "center", "end", "stretch"];
    let cases: [(&str, &str, &[&str]); 13] = [
        ("Text", "usageHint", &["h1", "h2", "h3", "h4", "h5", "caption", "body"]),
        ("Image", "fit", &["contain", "cover", "fill", "none", "scale-down"]),
        (
            "Image",
            "usageHint",
            &["icon", "avatar", "smallFeature", "mediumFeature", "largeFeature", "header"],
        ),
        ("Divider", "axis", &["horizontal", "vertical"]),
        ("Row", "distribution", &spread),
        ("Row", "alignment", &sides),
        ("Column", "distribution", &spread),
        ("Column", "alignment", &sides),
        ("List", "direction", &["vertical", "horizontal"]),
        ("List", "alignment", &sides),
        ("TextField", "textFieldType", &["date", "longText", "number", "shortText", "obscured"]),
        ("MultipleChoice", "variant", &["checkbox", "chips"]),
        ("Icon", "name", &["accountCircle", "add", "home", "warning"]),
    ];
    for (kind, name, words) in cases {
        let (old, ..) = components().into_iter().find(|(old, ..)| old.get(kind).is_some()).expect("is there");
        let with = |word: &str| {
            let mut component = old.clone();
            component[kind][name] = if kind == "Icon" { literal(word) } else { json!(word) };
            faults(&drawing(&component)).into_iter().map(|(code, _)| code).collect::<Vec<_>>()
        };
        for word in words {
            assert_eq!(with(word), Vec::<&str>::new(), "{kind}.{name} is {word}");
        }
        assert_eq!(with("sideways"), ["invalid_prop"], "{kind}.{name}");
    }
}

#[test]
fn values_that_are_special_are_drawn_as_clients_of_0_9_know_them() {
    let drawn = |component: Value| {
        let mut surfaces = Surfaces::new();
        fold(&mut surfaces, &drawing(&component));
        let mut it = json!(surfaces.get("s").and_then(|surface| surface.component("it")));
        for name in ["id", "weight"] {
            it.as_object_mut().expect("is there").remove(name);
        }
        it
    };
    let button = |more: Value| {
        let mut button = json!({ "Button": { "child": "a", "action": { "name": "go" } } });
        button["Button"]
            .as_object_mut()
            .expect("is there")
            .extend(more.as_object().cloned().unwrap_or_default());
        drawn(button)
    };
    let go = json!({ "event": { "name": "go" } });
    assert_eq!(button(json!({})), json!({ "component": "Button", "child": "a", "action": go }));
    let plain = json!({ "component": "Button", "child": "a", "action": go, "variant": "default" });
    assert_eq!(button(json!({ "primary": false })), plain);
    let field = json!({ "label": literal("Born"), "text": path("/born"), "textFieldType": "date", "validationRegexp": "x" });
    assert_eq!(
        drawn(json!({ "TextField": field })),
        json!({ "component": "DateTimeInput", "label": "Born", "value": path("/born"), "enableDate": true }),
        "a field for a date is one"
    );
    assert_eq!(
        drawn(json!({ "Slider": { "value": { "literalNumber": 7 } } })),
        json!({ "component": "Slider", "value": 7, "max": 100 })
    );
    let choice = |most: Value| {
        drawn(
            json!({ "MultipleChoice": { "selections": { "literalArray": ["r", "g"] }, "options": [], "maxAllowedSelections": most } }),
        )
    };
    for (most, variant) in
        [(json!(1), "mutuallyExclusive"), (json!(2), "multipleSelection"), (json!(0), "multipleSelection")]
    {
        let picker =
            json!({ "component": "ChoicePicker", "value": ["r", "g"], "options": [], "variant": variant });
        assert_eq!(choice(most.clone()), picker, "{most}");
    }
    assert_eq!(
        drawn(json!({ "Image": { "url": literal("https://a2ui.org/a.png"), "fit": "cover" } })),
        json!({ "component": "Image", "url": "https://a2ui.org/a.png", "fit": "cover" })
    );
}

/// A text that shows what stands at a path.
fn bound(id: &str, at: &str) -> Value {
    json!({ "id": id, "component": { "Text": { "text": path(at) } } })
}

fn surface_update(id: &str, components: Value) -> Value {
    json!({ "surfaceUpdate": { "surfaceId": id, "components": components } })
}

fn data_update(id: &str, at: Option<&str>, contents: Value) -> Value {
    let mut body = json!({ "surfaceId": id, "contents": contents });
    if let Some(at) = at {
        body["path"] = json!(at);
    }
    json!({ "dataModelUpdate": body })
}

fn begin(id: &str, root: &str) -> Value {
    json!({ "beginRendering": { "surfaceId": id, "root": root } })
}

#[test]
fn each_message_does_what_it_says_to_the_surface_that_it_names_and_to_no_other() {
    let mut surfaces = Surfaces::new();
    fold(
        &mut surfaces,
        &json!([
            surface_update("one", json!([text("a", "A1"), text("b", "B1")])),
            surface_update("two", json!([text("a", "A2")])),
            data_update("two", None, json!([{ "key": "n", "valueNumber": 2 }])),
            begin("one", "b"),
        ]),
    );
    let component = |id: &str, words: &str| json!({ "id": id, "component": "Text", "text": words });
    let mut one = json!({
        "root": "b", "catalog": null, "theme": {}, "data": {}, "shown": true,
        "components": [component("a", "A1"), component("b", "B1")],
    });
    let mut two = json!({
        "root": null, "catalog": null, "theme": {}, "data": { "n": 2 }, "shown": false,
        "components": [component("a", "A2")],
    });
    assert_eq!((kept(&surfaces, "one"), kept(&surfaces, "two")), (one.clone(), two.clone()));

    // A component takes the place of the one with its id; a new one comes last.
    fold(&mut surfaces, &json!([surface_update("one", json!([text("c", "C1"), bound("a", "/status")]))]));
    one["components"] = json!([{ "id": "a", "component": "Text", "text": path("/status") }, component("b", "B1"), component("c", "C1")]);
    assert_eq!((kept(&surfaces, "one"), kept(&surfaces, "two")), (one.clone(), two.clone()));

    // Data is added, and what is named is replaced.
    let map = json!([{ "key": "x", "valueString": "" }, { "key": "deep", "valueMap": [{ "key": "y", "valueBoolean": false }] }]);
    fold(
        &mut surfaces,
        &json!([
            data_update(
                "one",
                None,
                json!([{ "key": "status", "valueString": "Waiting" }, { "key": "map", "valueMap": map }])
            ),
            data_update("one", Some("/map/deep"), json!([{ "key": "z", "valueNumber": -1.5 }])),
            data_update("two", Some("/list/there"), json!([{ "key": "n", "valueNumber": 0 }])),
        ]),
    );
    one["data"] = json!({ "status": "Waiting", "map": { "x": "", "deep": { "y": false, "z": -1.5 } } });
    two["data"] = json!({ "n": 2, "list": { "there": { "n": 0 } } });
    assert_eq!((kept(&surfaces, "one"), kept(&surfaces, "two")), (one.clone(), two.clone()));
    fold(
        &mut surfaces,
        &json!([data_update(
            "one",
            None,
            json!([{ "key": "map", "valueMap": [{ "key": "w", "valueString": "new" }] }])
        )]),
    );
    one["data"]["map"] = json!({ "w": "new" });
    assert_eq!((kept(&surfaces, "one"), kept(&surfaces, "two")), (one.clone(), two.clone()));

    // Another one begins, with all that it may have.
    let styles = json!({ "font": "Roboto", "primaryColor": "#00BFFF" });
    let begun = json!({ "beginRendering": { "surfaceId": "two", "root": "a", "catalogId": BASIC_0_8, "styles": styles } });
    fold(&mut surfaces, &json!([begun]));
    for (name, value) in
        [("root", json!("a")), ("catalog", json!(BASIC_0_8)), ("theme", styles), ("shown", json!(true))]
    {
        two[name] = value;
    }
    assert_eq!((kept(&surfaces, "one"), kept(&surfaces, "two")), (one.clone(), two.clone()));
    fold(&mut surfaces, &json!([{ "deleteSurface": { "surfaceId": "one" } }]));
    assert!(surfaces.get("one").is_none());
    assert_eq!(kept(&surfaces, "two"), two, "only what is named goes");
}

#[test]
fn a_root_is_a_component_of_its_own_surface() {
    let payload = |first: &str, second: &str| {
        json!([
            surface_update(
                "one",
                json!([{ "id": "r1", "component": { "Card": { "child": "a" } } }, text("a", "A")])
            ),
            surface_update(
                "two",
                json!([{ "id": "r2", "component": { "Card": { "child": "b" } } }, text("b", "B")])
            ),
            begin("one", first),
            begin("two", second),
        ])
    };
    assert_eq!(faults(&payload("r1", "r2")), []);
    assert_eq!(faults(&payload("r1", "r1")), [("no_root", "/3/beginRendering/root".to_owned())]);
    assert_eq!(faults(&payload("r2", "r2")), [("no_root", "/2/beginRendering/root".to_owned())]);
}

fn warnings(payload: &Value) -> Vec<&'static str> {
    let report = Checker::new(&Catalogs::basic()).check(&payload.to_string());
    assert_eq!(report.faults, [], "{payload}");
    report.warnings.into_iter().map(|warning| warning.code).collect()
}

#[test]
fn every_component_is_a_place_to_start_or_is_warned_about() {
    const LAYOUTS: [&str; 5] = ["Row", "Column", "List", "Card", "Tabs"];
    for (old, ..) in components() {
        let kind = old.as_object().and_then(|it| it.keys().next()).expect("has a kind").as_str();
        let payload = json!([
            surface_update(
                "s",
                json!([{ "id": "it", "component": old }, text("a", "A"), text("b", "B"), text("c", "C")])
            ),
            begin("s", "it"),
        ]);
        assert_eq!(!warnings(&payload).contains(&"leaf_root"), LAYOUTS.contains(&kind), "{kind}");
    }
}

#[test]
fn every_address_without_a_picture_is_warned_about_and_a_real_one_is_not() {
    let image = |url: Value| warnings(&drawing(&json!({ "Image": { "url": url } })));
    for address in [
        "https://example.com/image.jpg",
        "http://www.example.com/a.png",
        "https://example.org/a.png",
        "https://placeholder.com/300",
        "https://via.placeholder.com/300x200",
        "https://placehold.co/600x400",
        "https://placehold.it/350x150",
        "https://dummyimage.com/600x400",
        "https://your-domain.com/logo.png",
    ] {
        assert_eq!(image(literal(address)), ["placeholder_image"], "{address}");
    }
    for address in
        ["https://a2ui.org/logo.png", "https://upload.wikimedia.org/a.jpg", "https://examples.com/a.png"]
    {
        assert_eq!(image(literal(address)), Vec::<&str>::new(), "{address}");
    }
    assert_eq!(image(path("/picture")), Vec::<&str>::new(), "what stands in the data is not known");
    let video = json!({ "Video": { "url": literal("https://placeholder.com/v.mp4") } });
    assert_eq!(warnings(&drawing(&video)), Vec::<&str>::new(), "the rule is about pictures");
}

#[test]
fn unfinished_text_is_found_in_every_place_that_people_read() {
    for words in [
        "Lorem ipsum dolor",
        "This is a PLACEHOLDER",
        "Your text here",
        "Text goes here",
        "Insert text here",
        "TODO",
        "(FIXME)",
        "Price: TBD",
        "XXX",
    ] {
        for component in [
            json!({ "Text": { "text": literal(words) } }),
            json!({ "CheckBox": { "label": literal(words), "value": path("/a") } }),
            json!({ "Tabs": { "tabItems": [{ "title": literal("Fine"), "child": "a" }, { "title": literal(words), "child": "b" }] } }),
            json!({ "AudioPlayer": { "url": path("/a"), "description": literal(words) } }),
            json!({ "Image": { "url": path("/a"), "altText": literal(words) } }),
            json!({ "MultipleChoice": { "selections": path("/a"), "options": [{ "label": literal(words), "value": "a" }] } }),
        ] {
            assert_eq!(warnings(&drawing(&component)), ["unfinished_text"], "{component}");
        }
    }
    for component in [
        json!({ "Text": { "text": literal("Todo list") } }),
        json!({ "Text": { "text": path("/TODO") } }),
        json!({ "MultipleChoice": { "selections": path("/a"), "options": [{ "label": literal("Later"), "value": "TODO" }] } }),
    ] {
        assert_eq!(warnings(&drawing(&component)), Vec::<&str>::new(), "{component}");
    }
}

/// A view of `a2ui.v1`, and the messages that draw it for clients that know no views.
#[test]
fn a_view_is_written_as_messages_with_all_that_it_says() {
    let fields = json!([
        { "type": "field.text", "name": "name", "label": "Name", "required": true, "value": "Ada" },
        { "type": "field.number", "name": "a/b", "label": "Age", "value": 36.5 },
        { "type": "field.text", "name": "goals", "label": "Goals", "required": false },
    ]);
    let section = json!({ "type": "section", "title": "You", "children": [
        { "type": "text", "text": "One" },
        { "type": "form", "id": "profile", "fields": fields, "submitLabel": "Save profile" },
    ] });
    let view = json!({ "kind": "a2ui.v1", "viewId": "onboarding", "title": "Welcome", "root": { "type": "screen", "children": [
        section, { "type": "text", "text": "Two" }, { "type": "section", "children": [] },
    ] } });
    let view = View::read(&view).expect("is a view");
    let text = |id: &str, words: &str, variant: &str| json!({ "id": id, "component": "Text", "text": words, "variant": variant });
    let column = |id: &str, children: Value| json!({ "id": id, "component": "Column", "children": children });
    let field = |id: &str, label: &str, at: &str, variant: &str| json!({ "id": id, "component": "TextField", "label": label, "value": { "path": at }, "variant": variant });
    let mut first = field("textfield-3", "Name", "/profile/name", "shortText");
    let condition = json!({ "call": "required", "args": { "value": { "path": "/profile/name" } } });
    first["checks"] = json!([{ "condition": condition, "message": "Name is missing" }]);
    let sent = json!({ "event": { "name": "form.submit", "context": { "formId": "profile", "values": { "path": "/profile" } } } });
    let components = json!([
        column("root", json!(["text-0", "column-14"])),
        text("text-0", "Welcome", "h2"),
        text("text-1", "You", "h3"),
        text("text-2", "One", "body"),
        first,
        field("textfield-4", "Age", "/profile/a~1b", "number"),
        field("textfield-5", "Goals", "/profile/goals", "shortText"),
        text("text-6", "Save profile", "body"),
        { "id": "button-7", "component": "Button", "child": "text-6", "variant": "primary", "action": sent },
        column("column-8", json!(["textfield-3", "textfield-4", "textfield-5", "button-7"])),
        column("column-9", json!(["text-1", "text-2", "column-8"])),
        { "id": "card-10", "component": "Card", "child": "column-9" },
        text("text-11", "Two", "body"),
        column("column-12", json!([])),
        { "id": "card-13", "component": "Card", "child": "column-12" },
        column("column-14", json!(["card-10", "text-11", "card-13"])),
    ]);
    let data = json!({ "profile": { "name": "Ada", "a/b": 36.5, "goals": "" } });
    let expected = [
        json!({ "version": "v0.9", "createSurface": { "surfaceId": "onboarding", "catalogId": "basic" } }),
        json!({ "version": "v0.9", "updateComponents": { "surfaceId": "onboarding", "components": components } }),
        json!({ "version": "v0.9", "updateDataModel": { "surfaceId": "onboarding", "path": "/", "value": data } }),
    ];
    let drawn: Vec<Value> = draw_view(&view, "basic").iter().map(|message| message.to_value()).collect();
    assert_eq!(drawn, expected);

    let clicked = |name: &str| {
        json!({ "userAction": {
        "name": name, "surfaceId": "onboarding", "sourceComponentId": "button-7", "timestamp": "now",
        "context": { "formId": "profile", "values": { "name": "Bella", "a/b": "40" } },
    } })
    };
    let action = |name: &str| match ClientMessage::read(&clicked(name)).expect("is one") {
        ClientMessage::UserAction(action) => view_action(&action).map(|action| json!(action)),
        other => panic!("{other:?}"),
    };
    let submitted =
        json!({ "type": "form.submit", "formId": "profile", "values": { "name": "Bella", "a/b": "40" } });
    let expected = json!({ "kind": "a2ui.action.v1", "viewId": "onboarding", "action": submitted });
    assert_eq!((action("form.submit"), action("form.reset")), (Some(expected), None));
    let bare =
        json!({ "kind": "a2ui.v1", "viewId": "v", "root": { "type": "form", "id": "f", "fields": [] } });
    let drawn = draw_view(&View::read(&bare).expect("is a view"), "basic");
    assert_eq!(drawn[1].to_value()["updateComponents"]["components"][1]["text"], "Save", "the usual label");
}
