//! What the coach does without a model.

use forestage::runtime::{AgentError, RunContext};
use serde_json::{Map, Value, json};

use super::views;

/// What a client says in place of words when somebody has sent a form.
const ACTION: &str = "A2UI_ACTION";

/// One turn: the profile first, always; then whatever it takes.
pub(super) async fn coach(ctx: RunContext) -> Result<(), AgentError> {
    let said = ctx.last_user_text().unwrap_or_default();
    let profile = match ctx.use_tool("profile_get", json!({})).await? {
        Ok(result) => serde_json::from_str::<Value>(&result)?["profile"].take(),
        Err(error) => {
            ctx.say(format!("I cannot look at your profile: {error}")).await?;
            return Ok(());
        }
    };
    match submitted(&ctx).filter(|_| said == ACTION) {
        Some(form) => save(&ctx, &profile, &form).await,
        None if is_mostly_empty(&profile) => onboard(&ctx, &profile).await,
        None if wants_profile(&said) => {
            ctx.say("Here is what I know about you.").await?;
            Ok(ctx.show_view(views::details(&profile)).await?)
        }
        None => welcome_back(&ctx, &profile).await,
    }
}

/// The form that somebody has sent: its action.
fn submitted(ctx: &RunContext) -> Option<Value> {
    let facts = ctx.context();
    let action = facts.get("ui")?.get("a2uiAction")?.get("action")?;
    Some(action.clone())
}

/// Whether less than half of what the form asks for is known: then it is asked for again.
fn is_mostly_empty(profile: &Value) -> bool {
    let is_known = |name: &str| profile[name].as_str().is_some_and(|text| !text.trim().is_empty());
    views::ASKED.iter().filter(|(name, _)| is_known(name)).count() * 2 < views::ASKED.len()
}

fn wants_profile(said: &str) -> bool {
    ["profile", "change", "edit"].iter().any(|word| said.to_lowercase().contains(word))
}

async fn onboard(ctx: &RunContext, profile: &Value) -> Result<(), AgentError> {
    ctx.say(match profile["firstName"].as_str() {
        Some(name) => format!("Hello again, {name}. I know little about you yet. Tell me a bit more?"),
        None => "Nice to meet you. Tell me a bit about you, and we can begin.".to_owned(),
    })
    .await?;
    Ok(ctx.show_view(views::onboarding(profile)).await?)
}

async fn welcome_back(ctx: &RunContext, profile: &Value) -> Result<(), AgentError> {
    let name = profile["firstName"].as_str().unwrap_or_default();
    let plan = match profile["goals"].as_str() {
        Some(goals) => format!("Shall we go on with your goal: {goals}?"),
        None => "What shall we train today?".to_owned(),
    };
    ctx.say(format!("Welcome back, {name}. {plan}")).await?;
    Ok(())
}

async fn save(ctx: &RunContext, profile: &Value, form: &Value) -> Result<(), AgentError> {
    let changes = changes(profile, form["values"].as_object().unwrap_or(&Map::new()));
    match ctx.use_tool("profile_save", json!({ "profile": changes })).await? {
        Ok(result) => {
            let saved: Value = serde_json::from_str(&result)?;
            ctx.say("Saved").await?;
            Ok(ctx.show_view(views::saved(&saved["profile"])).await?)
        }
        Err(error) => {
            ctx.say(format!("I could not save that: {error}")).await?;
            Ok(())
        }
    }
}

/// What a form says about a profile. A field that was emptied takes away what was known; one that was never filled in
/// says nothing.
fn changes(profile: &Value, values: &Map<String, Value>) -> Map<String, Value> {
    let mut changes = Map::new();
    for (name, value) in values {
        let (known, place) = match name.as_str() {
            "age" | "height" | "weight" => {
                let metrics = changes.entry("metrics").or_insert_with(|| json!({}));
                (&profile["metrics"][name], metrics.as_object_mut())
            }
            _ => (&profile[name], Some(&mut changes)),
        };
        let is_empty = value.is_null() || value == "";
        let value = if is_empty { Value::Null } else { value.clone() };
        if let Some(place) = place.filter(|_| !is_empty || !known.is_null()) {
            place.insert(name.clone(), value);
        }
    }
    changes
}
