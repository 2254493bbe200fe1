//! `a2ui.v1` views as surfaces of 0.9, and clicks on them as actions.

use serde_json::{Map, Value, json};

use crate::{
    surface::ROOT,
    v0_8::UserAction,
    v0_9::{Component, Message},
    v1::{Action, ActionKind, Field, Node, View},
};

/// What a button that sends a form is called.
const SUBMIT: &str = "form.submit";

/// What stands on such a button where nothing was said.
const SUBMIT_LABEL: &str = "Save";

/// Writes a view as the messages that draw it. The surface is called like the view.
#[must_use]
pub fn draw_view(view: &View, catalog_id: &str) -> Vec<Message> {
    let mut drawing = Drawing { components: Vec::new(), model: Map::new() };
    let mut children = Vec::new();
    if let Some(title) = &view.title {
        children.push(drawing.text(title, "h2"));
    }
    children.push(drawing.node(&view.root));
    drawing.components.insert(0, component(ROOT, "Column", json!({ "children": children })));
    let surface_id = view.view_id.clone();
    let mut messages = vec![
        Message::CreateSurface {
            surface_id: surface_id.clone(),
            catalog_id: Some(catalog_id.to_owned()),
            theme: None,
            send_data_model: None,
            components: Vec::new(),
            data_model: None,
        },
        Message::UpdateComponents { surface_id: surface_id.clone(), components: drawing.components },
    ];
    if !drawing.model.is_empty() {
        let value = Some(Value::Object(drawing.model));
        messages.push(Message::UpdateDataModel { surface_id, path: Some("/".to_owned()), value });
    }
    messages
}

/// What a click on such a surface means to whoever sent the view; nothing if it is no sent form.
#[must_use]
pub fn view_action(clicked: &UserAction) -> Option<Action> {
    let form = clicked.context.get("formId").and_then(Value::as_str).filter(|_| clicked.name == SUBMIT)?;
    let values = clicked.context.get("values").and_then(Value::as_object).cloned().unwrap_or_default();
    Some(Action {
        view_id: clicked.surface_id.clone(),
        action: ActionKind::FormSubmit { form_id: form.to_owned(), values },
    })
}

struct Drawing {
    components: Vec<Component>,
    model: Map<String, Value>,
}

impl Drawing {
    /// Draws a node and says under which id.
    fn node(&mut self, node: &Node) -> String {
        match node {
            Node::Text { text } => self.text(text, "body"),
            Node::Screen { children } => {
                let children: Vec<_> = children.iter().map(|child| self.node(child)).collect();
                self.put("Column", json!({ "children": children }))
            }
            Node::Section { title, children } => {
                let title = title.as_deref().map(|title| self.text(title, "h3"));
                let children: Vec<_> = children.iter().map(|child| self.node(child)).collect();
                let column: Vec<_> = title.into_iter().chain(children).collect();
                let column = self.put("Column", json!({ "children": column }));
                self.put("Card", json!({ "child": column }))
            }
            Node::Form { id, fields, submit_label } => self.form(id, fields, submit_label.as_deref()),
        }
    }

    fn form(&mut self, id: &str, fields: &[Field], label: Option<&str>) -> String {
        let mut values = Map::new();
        let mut children: Vec<_> = fields.iter().map(|field| self.field(id, field, &mut values)).collect();
        self.model.insert(id.to_owned(), Value::Object(values));
        let label = self.text(label.unwrap_or(SUBMIT_LABEL), "body");
        let context = json!({ "formId": id, "values": { "path": format!("/{}", escaped(id)) } });
        let action = json!({ "event": { "name": SUBMIT, "context": context } });
        children.push(self.put("Button", json!({ "child": label, "variant": "primary", "action": action })));
        self.put("Column", json!({ "children": children }))
    }

    fn field(&mut self, form: &str, field: &Field, values: &mut Map<String, Value>) -> String {
        let (name, label, required, value, variant) = match field {
            Field::Text { name, label, required, value } => {
                (name, label, required, value.clone().map(Value::from), "shortText")
            }
            Field::Number { name, label, required, value } => {
                (name, label, required, value.clone().map(Value::Number), "number")
            }
        };
        values.insert(name.clone(), value.unwrap_or_else(|| json!("")));
        let bound = json!({ "path": format!("/{}/{}", escaped(form), escaped(name)) });
        let mut properties = json!({ "label": label, "value": bound, "variant": variant });
        if *required == Some(true) {
            let condition = json!({ "call": "required", "args": { "value": bound } });
            properties["checks"] =
                json!([{ "condition": condition, "message": format!("{label} is missing") }]);
        }
        self.put("TextField", properties)
    }

    fn text(&mut self, text: &str, variant: &str) -> String {
        self.put("Text", json!({ "text": text, "variant": variant }))
    }

    fn put(&mut self, kind: &str, properties: Value) -> String {
        let id = format!("{}-{}", kind.to_lowercase(), self.components.len());
        self.components.push(component(&id, kind, properties));
        id
    }
}

fn component(id: &str, kind: &str, properties: Value) -> Component {
    let properties = match properties {
        Value::Object(members) => members,
        _ => Map::new(),
    };
    Component { id: id.to_owned(), kind: Some(kind.to_owned()), properties }
}

fn escaped(segment: &str) -> String {
    segment.replace('~', "~0").replace('/', "~1")
}
