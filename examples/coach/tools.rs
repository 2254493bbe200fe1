//! The two tools of the coach.

use forestage::runtime::{
    BoxFuture,
    tool::{Invocation, Tool, ToolAbout, ToolError},
};
use schemars::JsonSchema;
use serde_json::{Map, Value, json};

use super::Profiles;

/// `profile_get`.
pub(super) struct Get {
    about: ToolAbout,
    profiles: Profiles,
}

/// `profile_save`.
pub(super) struct Save {
    about: ToolAbout,
    profiles: Profiles,
}

/// What is known of somebody. What is left out stays as it is; null takes it away.
#[derive(JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[expect(dead_code, reason = "it is the schema of the arguments, which are read as they are")]
struct Profile {
    #[schemars(length(min = 1))]
    first_name: Option<String>,
    last_name: Option<String>,
    email: Option<String>,
    phone: Option<String>,
    goals: Option<String>,
    experience: Option<String>,
    constraints: Option<String>,
    equipment: Option<String>,
    injuries_or_risk_flags: Option<String>,
    diet_prefs: Option<String>,
    metrics: Option<Metrics>,
}

/// Years, centimetres, kilograms.
#[derive(JsonSchema)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "it is the schema of the arguments, which are read as they are")]
struct Metrics {
    age: Option<f64>,
    height: Option<f64>,
    weight: Option<f64>,
}

/// What is to be saved.
#[derive(JsonSchema)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "it is the schema of the arguments, which are read as they are")]
struct SaveArguments {
    profile: Profile,
}

impl Get {
    pub(super) fn new(profiles: Profiles) -> Self {
        let about = ToolAbout::new("profile_get", "Looking at the profile").repeatable();
        Self { about, profiles }
    }
}

impl Save {
    pub(super) fn new(profiles: Profiles) -> Self {
        let schema = match schemars::schema_for!(SaveArguments).to_value() {
            Value::Object(schema) => schema,
            _ => Map::new(),
        };
        let about = ToolAbout::new("profile_save", "Saving the profile").parameters(schema).repeatable();
        Self { about, profiles }
    }
}

impl Tool for Get {
    fn about(&self) -> &ToolAbout {
        &self.about
    }

    fn call(&self, call: Invocation, _arguments: Value) -> BoxFuture<'_, Result<Value, ToolError>> {
        Box::pin(async move { Ok(json!({ "profile": self.profiles.get(call.owner).await? })) })
    }
}

impl Tool for Save {
    fn about(&self) -> &ToolAbout {
        &self.about
    }

    fn call(&self, call: Invocation, mut arguments: Value) -> BoxFuture<'_, Result<Value, ToolError>> {
        Box::pin(async move {
            let changes = arguments["profile"].take();
            let profile = self.profiles.save(call.owner, call.key, changes).await?;
            Ok(json!({ "ok": true, "profile": profile }))
        })
    }
}
