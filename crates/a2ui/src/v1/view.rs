//! Views: what an agent shows.

use serde::Serialize;
use serde_json::{Number, Value};

use super::read::{Faults, Object, Report};

/// So deep nodes may lie in each other.
pub const MAX_DEPTH: usize = 32;

/// So many nodes and fields a view may have.
pub const MAX_NODES: usize = 2_000;

/// The `kind` of it.
pub(super) const VIEW: &str = "a2ui.v1";
const NODES: [&str; 4] = ["screen", "section", "text", "form"];
const FIELDS: [&str; 2] = ["field.text", "field.number"];

/// What an agent shows.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase", tag = "kind", rename = "a2ui.v1")]
pub struct View {
    /// Its name; an action says which view it answers.
    pub view_id: String,
    /// What stands above it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What is in it.
    pub root: Node,
}

/// A part of a view.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Node {
    /// The outermost part.
    Screen {
        /// What is on it, from top to bottom.
        children: Vec<Node>,
    },
    /// Parts that belong together.
    Section {
        /// What they are.
        #[serde(skip_serializing_if = "Option::is_none")]
        title: Option<String>,
        /// What is in it, from top to bottom.
        children: Vec<Node>,
    },
    /// Plain text; its spaces and lines count.
    Text {
        /// What it says.
        text: String,
    },
    /// Something to fill in.
    Form {
        /// Its name; an action says which form was sent.
        id: String,
        /// What there is to fill in.
        fields: Vec<Field>,
        /// What stands on the button.
        #[serde(skip_serializing_if = "Option::is_none")]
        submit_label: Option<String>,
    },
}

/// A field of a form.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "type")]
pub enum Field {
    /// For text.
    #[serde(rename = "field.text")]
    Text {
        /// Under which name its value is sent.
        name: String,
        /// What stands beside it.
        label: String,
        /// Whether it has to be filled in.
        #[serde(skip_serializing_if = "Option::is_none")]
        required: Option<bool>,
        /// What it says at first.
        #[serde(skip_serializing_if = "Option::is_none")]
        value: Option<String>,
    },
    /// For a number.
    #[serde(rename = "field.number")]
    Number {
        /// Under which name its value is sent.
        name: String,
        /// What stands beside it.
        label: String,
        /// Whether it has to be filled in.
        #[serde(skip_serializing_if = "Option::is_none")]
        required: Option<bool>,
        /// What it says at first.
        #[serde(skip_serializing_if = "Option::is_none")]
        value: Option<Number>,
    },
}

impl View {
    /// Reads a view, or tells everything that is wrong with it.
    pub fn read(value: &Value) -> Result<Self, Faults> {
        let mut report = Report::default();
        let view = Self::find(value, &mut report);
        report.finish(view)
    }

    fn find(value: &Value, report: &mut Report) -> Option<Self> {
        let object = Object::new(String::new(), value, report)?;
        let kind = object.word("kind", &[VIEW], report);
        let view_id = object.name("viewId", report);
        let title = object.optional_text("title", report);
        let root = object.needed("root", report);
        let mut tree = Tree { report, nodes: 0 };
        let root = root.and_then(|root| tree.node("root".to_owned(), root, 1));
        kind.and(Some(Self { view_id: view_id?, title, root: root? }))
    }
}

/// A tree that is being read.
struct Tree<'r> {
    report: &'r mut Report,
    nodes: usize,
}

impl Tree<'_> {
    fn node(&mut self, path: String, value: &Value, depth: usize) -> Option<Node> {
        if depth > MAX_DEPTH {
            self.report.add(&path, format!("lies deeper than {MAX_DEPTH} nodes"));
            return None;
        }
        self.count(&path)?;
        let object = Object::new(path, value, self.report)?;
        match object.word("type", &NODES, self.report)?.as_str() {
            "screen" => Some(Node::Screen { children: self.children(&object, depth)? }),
            "section" => {
                let title = object.optional_text("title", self.report);
                Some(Node::Section { title, children: self.children(&object, depth)? })
            }
            "text" => Some(Node::Text { text: object.text("text", self.report)? }),
            _ => self.form(&object),
        }
    }

    fn children(&mut self, object: &Object<'_>, depth: usize) -> Option<Vec<Node>> {
        let children = object.list("children", self.report)?.iter().enumerate();
        let read: Vec<_> = children
            .map(|(at, child)| self.node(format!("{}[{at}]", object.at("children")), child, depth + 1))
            .collect();
        read.into_iter().collect()
    }

    fn form(&mut self, object: &Object<'_>) -> Option<Node> {
        let id = object.name("id", self.report);
        let submit_label = object.optional_text("submitLabel", self.report);
        let fields = object.list("fields", self.report)?.iter().enumerate();
        let fields: Vec<_> =
            fields.map(|(at, field)| self.field(format!("{}[{at}]", object.at("fields")), field)).collect();
        Some(Node::Form { id: id?, fields: fields.into_iter().collect::<Option<_>>()?, submit_label })
    }

    fn field(&mut self, path: String, value: &Value) -> Option<Field> {
        self.count(&path)?;
        let object = Object::new(path, value, self.report)?;
        let kind = object.word("type", &FIELDS, self.report)?;
        let name = object.name("name", self.report);
        let label = object.name("label", self.report);
        let required = object.optional("required", "true or false", Value::as_bool, self.report);
        match kind.as_str() {
            "field.text" => {
                let value = object.optional_text("value", self.report);
                Some(Field::Text { name: name?, label: label?, required, value })
            }
            _ => {
                let value =
                    object.optional("value", "a number", |value| value.as_number().cloned(), self.report);
                Some(Field::Number { name: name?, label: label?, required, value })
            }
        }
    }

    fn count(&mut self, path: &str) -> Option<()> {
        self.nodes += 1;
        if self.nodes > MAX_NODES {
            self.report.add(path, format!("a view has at most {MAX_NODES} nodes and fields"));
            return None;
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::v1::Fault;

    fn onboarding() -> Value {
        json!({
            "kind": "a2ui.v1",
            "viewId": "profile_onboarding_v1",
            "title": "New member onboarding",
            "root": { "type": "screen", "children": [
                { "type": "text", "text": "Tell me a bit about you. You can edit before saving." },
                { "type": "section", "title": "You", "children": [{ "type": "screen", "children": [] }] },
                { "type": "form", "id": "profile_onboarding", "fields": [
                    { "type": "field.text", "name": "firstName", "label": "First name", "required": true },
                    { "type": "field.number", "name": "metrics.age", "label": "Age", "value": 41.5 },
                ], "submitLabel": "Save profile" },
            ] },
        })
    }

    fn faults(view: &Value) -> Vec<String> {
        let faults = View::read(view).expect_err("wrong");
        faults.iter().map(Fault::to_string).collect()
    }

    #[test]
    fn a_view_is_read_and_written_as_it_was() {
        let view = View::read(&onboarding()).expect("legal");
        assert_eq!(serde_json::to_value(&view).expect("prints"), onboarding());
    }

    #[test]
    fn members_that_nobody_knows_are_ignored() {
        let mut view = onboarding();
        view["theme"] = json!("dark");
        view["root"]["children"][0]["style"] = json!({});
        let read = View::read(&view).expect("legal");
        assert_eq!(serde_json::to_value(&read).expect("prints"), onboarding());
    }

    #[test]
    fn everything_that_is_wrong_is_told_with_its_place() {
        let view = json!({ "kind": "a2ui.v2", "viewId": "", "title": 5, "root": { "type": "screen", "children": [
            { "type": "text" },
            { "type": "button" },
            7,
            { "type": "form", "id": "", "fields": [
                { "type": "field.text", "name": "", "label": "", "value": 1 },
                { "type": "field.number", "name": "n", "required": "yes", "value": "1" },
                { "type": "field.date", "name": "d", "label": "x" },
            ] },
            { "type": "section" },
        ] } });
        let expected = [
            "kind: expected `a2ui.v1`, found `a2ui.v2`",
            "viewId: must not be empty",
            "title: expected a text, found a number",
            "root.children[0].text: is missing",
            "root.children[1].type: expected `screen` or `section` or `text` or `form`, found `button`",
            "root.children[2]: expected an object, found a number",
            "root.children[3].id: must not be empty",
            "root.children[3].fields[0].name: must not be empty",
            "root.children[3].fields[0].label: must not be empty",
            "root.children[3].fields[0].value: expected a text, found a number",
            "root.children[3].fields[1].label: is missing",
            "root.children[3].fields[1].required: expected true or false, found a text",
            "root.children[3].fields[1].value: expected a number, found a text",
            "root.children[3].fields[2].type: expected `field.text` or `field.number`, found `field.date`",
            "root.children[4].children: is missing",
        ];
        assert_eq!(faults(&view), expected);
        assert_eq!(faults(&json!([])), ["expected an object, found a list"]);
        assert_eq!(faults(&json!({})), ["kind: is missing", "viewId: is missing", "root: is missing"]);
    }

    fn nested(depth: usize) -> Value {
        let mut node = json!({ "type": "text", "text": "x" });
        for _ in 1..depth {
            node = json!({ "type": "screen", "children": [node] });
        }
        json!({ "kind": "a2ui.v1", "viewId": "v", "root": node })
    }

    #[test]
    fn nodes_nest_to_a_limit() {
        assert!(View::read(&nested(MAX_DEPTH)).is_ok());
        let told = faults(&nested(MAX_DEPTH + 1));
        assert!(told.len() == 1 && told[0].ends_with("lies deeper than 32 nodes"), "{told:?}");
    }

    #[test]
    fn a_view_has_a_size() {
        let wide = |texts: usize, fields: usize| {
            let field = |at: usize| json!({ "type": "field.text", "name": format!("n{at}"), "label": "L" });
            let fields: Vec<_> = (0..fields).map(field).collect();
            let mut children = vec![json!({ "type": "text", "text": "x" }); texts];
            children.push(json!({ "type": "form", "id": "f", "fields": fields }));
            json!({ "kind": "a2ui.v1", "viewId": "v", "root": { "type": "screen", "children": children } })
        };
        // The screen, the texts, the form and its fields.
        assert!(View::read(&wide(998, 1000)).is_ok());
        let told = "root.children[998].fields[1000]: a view has at most 2000 nodes and fields";
        assert_eq!(faults(&wide(998, 1001)), [told]);
        assert_eq!(faults(&wide(1999, 0)), ["root.children[1999]: a view has at most 2000 nodes and fields"]);
    }
}
