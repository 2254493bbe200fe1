//! What a model may call, and what becomes of each call.

use std::collections::BTreeMap;

use forestage_a2ui::Version;
use forestage_protocol::tool as agui;
use forestage_runtime::{
    RunContext,
    surface::{RENDER, SEND},
    tool::ClientTools,
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::{Find, Part, ask::ASK, handoff::TRANSFER};
use crate::model::ToolSpec;

/// The longest name that all providers take.
const MAX_NAME: usize = 64;

/// What becomes of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Road {
    /// It is one of our tools.
    Tool,
    /// The client answers it.
    Client,
    /// It reads or changes the state.
    State,
    /// It draws.
    Draw,
    /// Another agent goes on.
    Handoff,
    /// Another agent is asked.
    Ask,
    /// Nobody knows it.
    Unknown,
}

/// What a model may call in a run. Names are those that providers take; the real ones may have other signs.
#[derive(Debug, Default)]
pub(super) struct Offer {
    specs: Vec<ToolSpec>,
    roads: BTreeMap<String, (String, Road)>,
}

impl Offer {
    pub(super) fn new(part: &Part, find: &Find, ctx: &RunContext) -> Self {
        let mut offer = Self::default();
        for tool in ctx.tools().iter().filter(|tool| tool.about().for_model) {
            let about = tool.about();
            offer.add(&about.name, &about.description, about.parameters.clone(), Road::Tool);
        }
        for name in &part.handoffs {
            let text = format!("Hands the conversation over to `{name}`.");
            offer.add(&format!("{TRANSFER}{name}"), &text, Map::new(), Road::Handoff);
        }
        for name in &part.subagents {
            let about = find(name).map(|agent| agent.about().description).unwrap_or_default();
            let text = format!("{ASK_ABOUT} `{name}`: {about}");
            let task = json!({ "type": "string", "description": "What it is to do, with everything it has to know." });
            offer.add(&format!("{ASK}{name}"), &text, object(json!({ "task": task })), Road::Ask);
        }
        if let Some(rules) = &part.state {
            for (name, description, parameters) in rules.tools() {
                offer.add(name, &description, parameters, Road::State);
            }
        }
        for entry in &part.components {
            let parameters = entry.arguments().as_object().cloned().unwrap_or_default();
            offer.add(entry.name, entry.description(), parameters, Road::Client);
        }
        if part.surfaces && part.house.surfaces {
            offer.add_drawing(ctx.drawing_catalog(part.surfaces_version).version);
        }
        if part.client_tools {
            offer.add_client(ctx.input().tools.as_deref().unwrap_or_default());
        }
        offer
    }

    /// Messages of either version can be sent; one surface alone is drawn in 0.9.
    fn add_drawing(&mut self, version: Version) {
        let list = json!({ "type": "array", "items": { "type": "object" } });
        self.add(SEND, SEND_ABOUT, object(json!({ "a2ui_json": list })), Road::Draw);
        if version != Version::V0_8 {
            let mut parameters = object(json!({ "surfaceId": { "type": "string" }, "components": list }));
            parameters["properties"]["data"] = json!({ "type": "object" });
            self.add(RENDER, RENDER_ABOUT, parameters, Road::Draw);
        }
    }

    /// Whether the model may draw.
    pub(super) fn draws(&self) -> bool {
        self.roads.values().any(|(_, road)| *road == Road::Draw)
    }

    /// Tools of ours go before those of a client that have the same name.
    fn add_client(&mut self, tools: &[agui::Tool]) {
        let client = ClientTools::new(tools);
        for tool in client.iter() {
            // One whose schema is none is left out: no call of it could be checked.
            let Ok(parameters) = client.parameters(&tool.name) else { continue };
            let road = if matches!(tool.name.as_str(), SEND | RENDER) { Road::Draw } else { Road::Client };
            self.add(&tool.name, &tool.description, parameters.clone(), road);
        }
    }

    fn add(&mut self, name: &str, description: &str, parameters: Map<String, Value>, road: Road) {
        let wire = wire_name(name);
        if self.roads.contains_key(&wire) {
            return;
        }
        self.roads.insert(wire.clone(), (name.to_owned(), road));
        self.specs.push(ToolSpec { name: wire, description: description.to_owned(), parameters });
    }

    /// The tools, for a prompt.
    pub(super) fn specs(&self) -> &[ToolSpec] {
        &self.specs
    }

    /// What a call by this name is.
    pub(super) fn find(&self, wire: &str) -> Option<(String, Road)> {
        self.roads.get(wire).cloned()
    }

    /// The name by which the model knows a tool.
    pub(super) fn wire_name(&self, name: &str) -> String {
        wire_name(name)
    }
}

/// A name with nothing in it that a provider refuses.
pub(crate) fn wire_name(name: &str) -> String {
    let plain =
        |sign: char| if sign.is_ascii_alphanumeric() || sign == '_' || sign == '-' { sign } else { '_' };
    name.chars().take(MAX_NAME).map(plain).collect()
}

pub(super) fn object(properties: Value) -> Map<String, Value> {
    let required: Vec<_> = properties.as_object().into_iter().flat_map(|it| it.keys().cloned()).collect();
    let schema = json!({ "type": "object", "properties": properties, "required": required });
    schema.as_object().cloned().unwrap_or_default()
}

const ASK_ABOUT: &str = "Asks another agent, which hears the task and nothing else of this conversation, and answers with a \
text. Several can be asked at the same time.";

const SEND_ABOUT: &str = "Draws a user interface for the person. `a2ui_json` is a list of A2UI messages; the chapter about drawing user interfaces \
in your instructions says how they are written.";

const RENDER_ABOUT: &str = "Draws one surface for the person, and creates it if need be. `components` and `data` are written as the chapter about \
drawing user interfaces in your instructions says.";
