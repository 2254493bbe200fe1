//! Was this action possible? What a person sent, held against the view that was shown.

use serde_json::{Map, Value};

use super::{Action, ActionKind, Faults, Field, Node, View, read::Report};

impl View {
    /// Checks what was sent with a form of this view. Everything that is wrong is told.
    pub fn check(&self, action: &Action) -> Result<(), Faults> {
        let ActionKind::FormSubmit { form_id, values } = &action.action;
        let mut report = Report::default();
        if action.view_id != self.view_id {
            report.add("viewId", format!("the view that is shown is `{}`", self.view_id));
        }
        match form(&self.root, form_id) {
            Some(fields) => check_values(fields, values, &mut report),
            None => report.add("action.formId", format!("the view has no form `{form_id}`")),
        }
        report.finish(Some(()))
    }

    /// The fields of one of its forms.
    #[must_use]
    pub fn form(&self, id: &str) -> Option<&[Field]> {
        form(&self.root, id)
    }
}

fn form<'v>(node: &'v Node, wanted: &str) -> Option<&'v [Field]> {
    match node {
        Node::Form { id, fields, .. } => (id == wanted).then_some(fields),
        Node::Screen { children } | Node::Section { children, .. } => {
            children.iter().find_map(|child| form(child, wanted))
        }
        Node::Text { .. } => None,
    }
}

fn check_values(fields: &[Field], values: &Map<String, Value>, report: &mut Report) {
    for name in values.keys().filter(|name| !fields.iter().any(|field| field.name() == *name)) {
        report.add(&format!("action.values.{name}"), "the form has no such field".to_owned());
    }
    for field in fields {
        let value = values.get(field.name()).unwrap_or(&Value::Null);
        if let Err(wrong) = field.check(value) {
            report.add(&format!("action.values.{}", field.name()), wrong.to_owned());
        }
    }
}

impl Field {
    /// Under which name its value is sent.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Text { name, .. } | Self::Number { name, .. } => name,
        }
    }

    fn check(&self, value: &Value) -> Result<(), &'static str> {
        let (Self::Text { required, .. } | Self::Number { required, .. }) = self;
        let is_empty = value.is_null() || value.as_str().is_some_and(|text| text.trim().is_empty());
        match self {
            _ if is_empty && *required == Some(true) => Err("has to be filled in"),
            Self::Text { .. } if !value.is_null() && !value.is_string() => Err("expected a text"),
            Self::Number { .. } if !is_empty && !value.is_number() => Err("expected a number"),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn view() -> View {
        let view = json!({ "kind": "a2ui.v1", "viewId": "v", "root": { "type": "screen", "children": [
            { "type": "section", "children": [{ "type": "form", "id": "f", "fields": [
                { "type": "field.text", "name": "firstName", "label": "First name", "required": true },
                { "type": "field.number", "name": "age", "label": "Age" } ] }] } ] } });
        View::read(&view).expect("a view")
    }

    fn check(view_id: &str, form_id: &str, values: Value, expected: Result<(), &str>) {
        let values = values.as_object().cloned().unwrap_or_default();
        let found = view().check(&Action::form_submit(view_id, form_id, values));
        assert_eq!(found.map_err(|faults| faults.to_string()), expected.map_err(str::to_owned));
    }

    #[test]
    fn what_the_form_asks_for_can_be_sent() {
        check("v", "f", json!({ "firstName": "Ada", "age": 36 }), Ok(()));
        check("v", "f", json!({ "firstName": "Ada" }), Ok(()));
        check("v", "f", json!({ "firstName": "Ada", "age": null }), Ok(()));
    }

    #[test]
    fn what_nobody_could_have_sent_is_told_with_its_place() {
        check(
            "w",
            "g",
            json!({}),
            Err("viewId: the view that is shown is `v`; action.formId: the view has no form `g`"),
        );
        check("v", "f", json!({ "firstName": " " }), Err("action.values.firstName: has to be filled in"));
        check(
            "v",
            "f",
            json!({ "firstName": 1, "age": "old", "admin": true }),
            Err(
                "action.values.admin: the form has no such field; action.values.firstName: expected a text; \
                 action.values.age: expected a number",
            ),
        );
    }
}
