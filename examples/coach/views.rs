//! What the coach shows.

use serde_json::{Value, json};

/// What somebody new is asked for, by the names and labels of the fields.
pub(super) const ASKED: [(&str, &str); 4] = [
    ("firstName", "First name"),
    ("lastName", "Last name"),
    ("goals", "Goals"),
    ("experience", "Experience"),
];

/// The form for somebody of whom little is known, with what is known filled in.
pub(super) fn onboarding(profile: &Value) -> Value {
    let fields = ASKED.map(|(name, label)| field("field.text", name, label, &profile[name]));
    view(
        "profile_onboarding_v1",
        "New member onboarding",
        json!([
            { "type": "text", "text": "Tell me a bit about you. You can edit before saving." },
            { "type": "form", "id": "profile_onboarding", "submitLabel": "Save profile", "fields": fields },
        ]),
    )
}

/// Everything that is known of somebody, to be changed.
pub(super) fn details(profile: &Value) -> Value {
    let texts = [
        ("firstName", "First name"),
        ("lastName", "Last name"),
        ("email", "E-mail"),
        ("phone", "Phone"),
        ("goals", "Goals"),
        ("experience", "Experience"),
        ("constraints", "Constraints"),
        ("equipment", "Equipment"),
        ("injuriesOrRiskFlags", "Injuries and risks"),
        ("dietPrefs", "Diet"),
    ];
    let numbers = [("age", "Age"), ("height", "Height in cm"), ("weight", "Weight in kg")];
    let texts = texts.map(|(name, label)| field("field.text", name, label, &profile[name]));
    let numbers = numbers.map(|(name, label)| field("field.number", name, label, &profile["metrics"][name]));
    let fields: Vec<Value> = texts.into_iter().chain(numbers).collect();
    view(
        "profile_details_v1",
        "Your profile",
        json!([
            { "type": "form", "id": "profile_details", "submitLabel": "Save profile", "fields": fields },
        ]),
    )
}

/// That it is saved.
pub(super) fn saved(profile: &Value) -> Value {
    let name = profile["firstName"].as_str().unwrap_or("friend");
    let text = format!("Your profile is saved, {name}.");
    view("profile_saved_v1", "Saved", json!([{ "type": "text", "text": text }]))
}

fn field(kind: &str, name: &str, label: &str, value: &Value) -> Value {
    let mut field = json!({ "type": kind, "name": name, "label": label });
    if name == "firstName" {
        field["required"] = true.into();
    }
    if !value.is_null() {
        field["value"] = value.clone();
    }
    field
}

fn view(id: &str, title: &str, children: Value) -> Value {
    json!({
        "kind": "a2ui.v1",
        "viewId": id,
        "title": title,
        "root": { "type": "screen", "children": children },
    })
}
