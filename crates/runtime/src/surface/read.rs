//! What agents draw with, read as messages of A2UI.

use forestage_a2ui::stream::{self, Form, Piece};
use forestage_protocol::Fault;
use serde_json::{Map, Value, json};

use super::{Client, RENDER, Screen};

/// The messages in the arguments of a call. What models get wrong is repaired.
pub(crate) fn payload(tool: &str, arguments: &str, screen: &Screen, client: &Client) -> Result<Value, Fault> {
    let read = read(tool, arguments)?;
    Ok(if tool == RENDER { begun(read, screen, client) } else { read })
}

fn read(tool: &str, arguments: &str) -> Result<Value, Fault> {
    match serde_json::from_str::<Value>(arguments) {
        Ok(arguments) if tool == RENDER => rendered(&arguments),
        Ok(Value::Object(mut arguments)) => match arguments.remove("a2ui_json") {
            Some(Value::String(text)) => Ok(written(&text)),
            Some(messages) => Ok(messages),
            None => Err(Fault::new("missing_argument", "", "the call needs `a2ui_json`, a list of messages")),
        },
        Ok(messages) => Ok(messages),
        Err(_) => Ok(repaired(arguments)),
    }
}

/// What the result of a tool draws, if it does.
pub(crate) fn drawn_by_result(text: &str) -> Option<Value> {
    const SIGNS: [&str; 4] = ["a2ui_operations", "createSurface", "surfaceUpdate", "beginRendering"];
    if !SIGNS.iter().any(|sign| text.contains(sign)) {
        return None;
    }
    let value = match serde_json::from_str(text).ok()? {
        Value::String(inner) => serde_json::from_str(&inner).ok()?,
        value => value,
    };
    match value {
        Value::Object(mut members) if members.contains_key("a2ui_operations") => {
            members.remove("a2ui_operations")
        }
        Value::Array(items) if items.iter().all(is_message) && !items.is_empty() => Some(Value::Array(items)),
        _ => None,
    }
}

fn is_message(item: &Value) -> bool {
    const KINDS: [&str; 7] = [
        "createSurface",
        "updateComponents",
        "updateDataModel",
        "deleteSurface",
        "surfaceUpdate",
        "dataModelUpdate",
        "beginRendering",
    ];
    KINDS.iter().any(|kind| item.get(kind).is_some())
}

/// One surface, as messages.
fn rendered(arguments: &Value) -> Result<Value, Fault> {
    let Some(id) = arguments["surfaceId"].as_str() else {
        return Err(Fault::new(
            "missing_argument",
            "",
            "the call needs `surfaceId`, the name of the surface",
        ));
    };
    let mut messages = vec![json!({ "version": "v0.9", "updateComponents": {
        "surfaceId": id, "components": arguments.get("components").cloned().unwrap_or_else(|| json!([])) } })];
    if let Some(data) = arguments.get("data").filter(|data| !data.is_null()) {
        messages.push(
            json!({ "version": "v0.9", "updateDataModel": { "surfaceId": id, "path": "/", "value": data } }),
        );
    }
    Ok(Value::Array(messages))
}

/// Who draws one surface need not begin it.
fn begun(messages: Value, screen: &Screen, client: &Client) -> Value {
    let Value::Array(mut messages) = messages else { return messages };
    let id = messages.iter().find_map(|it| it["updateComponents"]["surfaceId"].as_str()).map(str::to_owned);
    if let Some(id) = id.filter(|id| !screen.knows(id)) {
        let create = json!({ "surfaceId": id, "catalogId": client.name_of(None) });
        messages.insert(0, json!({ "version": "v0.9", "createSurface": create }));
    }
    Value::Array(messages)
}

/// What is wrong with one surface, with places in the arguments of the call that draws it.
pub(crate) fn in_arguments(tool: &str, fault: Fault) -> Fault {
    let place = fault.path.split_once("/updateComponents").filter(|_| tool == RENDER);
    match place {
        Some((_, rest)) => Fault { path: rest.to_owned(), ..fault },
        None => fault,
    }
}

/// The messages in a text that is nothing else.
pub(crate) fn written(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|_| repaired(text))
}

/// As much of a text as can be read.
fn repaired(text: &str) -> Value {
    let (pieces, _) = stream::read(text);
    let mut messages = Messages::default();
    pieces.into_iter().for_each(|piece| messages.take(piece));
    messages.finish()
}

/// Messages that are put together again from what was released bit by bit.
#[derive(Default)]
struct Messages {
    whole: Vec<Value>,
    components: Vec<Value>,
    /// The words in which the components arrived, and their surface.
    form: Option<(Form, String)>,
    data: Value,
}

impl Messages {
    fn take(&mut self, piece: Piece) {
        match piece {
            Piece::Component { source, component } => {
                self.form = Some((source.form, source.surface_id.clone().unwrap_or_default()));
                self.components.push(component);
            }
            Piece::Message { message, released } => self.close(message, released),
            Piece::Data { path, value, .. } => {
                let mut model = forestage_a2ui::surface::DataModel::new(std::mem::take(&mut self.data));
                // What cannot be set was no data.
                let _ = model.set(&path, value);
                self.data = model.into_value();
            }
            Piece::Rendered { arguments, .. } => {
                if let (Some((_, id)), Some(name)) = (&mut self.form, arguments["surfaceId"].as_str()) {
                    name.clone_into(id);
                }
            }
            Piece::Rest(_) => {}
        }
    }

    /// A message is complete: what was released of it before belongs to it.
    fn close(&mut self, mut message: Value, released: usize) {
        let at = self.components.len().saturating_sub(released);
        let components = self.components.split_off(at);
        self.form = None;
        let body = message.as_object_mut().and_then(|message| {
            let kind =
                ["updateComponents", "surfaceUpdate"].into_iter().find(|kind| message.contains_key(*kind))?;
            message.get_mut(kind)?.as_object_mut()
        });
        if let Some(body) = body.filter(|_| !components.is_empty()) {
            body.insert("components".to_owned(), Value::Array(components));
        }
        self.whole.push(message);
    }

    fn finish(mut self) -> Value {
        let (components, data) = (std::mem::take(&mut self.components), std::mem::take(&mut self.data));
        let Some((form, id)) = self.form.take() else { return Value::Array(self.whole) };
        let kind = if form == Form::SurfaceUpdate { "surfaceUpdate" } else { "updateComponents" };
        let body = json!({ "surfaceId": id, "components": components });
        let mut message = Map::from_iter([(kind.to_owned(), body)]);
        if form != Form::SurfaceUpdate {
            message.insert("version".to_owned(), "v0.9".into());
        }
        self.whole.push(Value::Object(message));
        if !data.is_null() {
            let write = json!({ "surfaceId": id, "path": "/", "value": data });
            self.whole.push(json!({ "version": "v0.9", "updateDataModel": write }));
        }
        Value::Array(self.whole)
    }
}
