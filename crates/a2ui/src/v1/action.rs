//! Actions: what a person does with a view.

use serde::Serialize;
use serde_json::{Map, Value};

use super::read::{Faults, Object, Report};

/// The `kind` of it.
pub(super) const ACTION: &str = "a2ui.action.v1";

/// What a person did with a view.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase", tag = "kind", rename = "a2ui.action.v1")]
pub struct Action {
    /// The view.
    pub view_id: String,
    /// What it was.
    pub action: ActionKind,
}

/// The kinds of actions; there is one.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "type", rename_all_fields = "camelCase")]
pub enum ActionKind {
    /// A form was sent.
    #[serde(rename = "form.submit")]
    FormSubmit {
        /// The form.
        form_id: String,
        /// What was filled in, by the names of the fields.
        values: Map<String, Value>,
    },
}

impl Action {
    /// A form was sent with these values.
    #[must_use]
    pub fn form_submit(view_id: &str, form_id: &str, values: Map<String, Value>) -> Self {
        let action = ActionKind::FormSubmit { form_id: form_id.to_owned(), values };
        Self { view_id: view_id.to_owned(), action }
    }

    /// Reads an action, or tells everything that is wrong with it.
    pub fn read(value: &Value) -> Result<Self, Faults> {
        let mut report = Report::default();
        let action = Self::find(value, &mut report);
        report.finish(action)
    }

    fn find(value: &Value, report: &mut Report) -> Option<Self> {
        let object = Object::new(String::new(), value, report)?;
        let kind = object.word("kind", &[ACTION], report);
        let view_id = object.name("viewId", report);
        let action = object.needed("action", report);
        let action = action.and_then(|action| ActionKind::find(action, report));
        kind.and(Some(Self { view_id: view_id?, action: action? }))
    }
}

impl ActionKind {
    fn find(value: &Value, report: &mut Report) -> Option<Self> {
        let object = Object::new("action".to_owned(), value, report)?;
        let kind = object.word("type", &["form.submit"], report);
        let form_id = object.name("formId", report);
        let values = object.needed("values", report).map(|_| ());
        let values = values.and_then(|()| object.optional("values", "an object", Value::as_object, report));
        kind.and(Some(Self::FormSubmit { form_id: form_id?, values: values?.clone() }))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_action_is_built_and_read_back() {
        let values = Map::from_iter([("firstName".to_owned(), json!("Ada")), ("age".to_owned(), json!(36))]);
        let action = Action::form_submit("v", "f", values);
        let written = serde_json::to_value(&action).expect("prints");
        let expected = json!({
            "kind": "a2ui.action.v1",
            "viewId": "v",
            "action": { "type": "form.submit", "formId": "f", "values": { "firstName": "Ada", "age": 36 } },
        });
        assert_eq!(written, expected);
        assert_eq!(Action::read(&written), Ok(action));
    }

    #[test]
    fn everything_that_is_wrong_is_told_with_its_place() {
        for (action, expected) in [
            (json!(null), "expected an object, found null"),
            (json!({}), "kind: is missing; viewId: is missing; action: is missing"),
            (
                json!({ "kind": "a2ui.action.v1", "viewId": "v", "action": { "type": "click", "formId": "", "values": [] } }),
                "action.type: expected `form.submit`, found `click`; action.formId: must not be empty; \
                 action.values: expected an object, found a list",
            ),
        ] {
            assert_eq!(Action::read(&action).expect_err("wrong").to_string(), expected);
        }
    }
}
