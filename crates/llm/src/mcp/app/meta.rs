//! What a tool says about its page, and about who may call it.

use rmcp::model::Tool;
use serde_json::Value;

/// What a tool says about its page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::mcp) struct ToolMeta {
    /// The page that it brings along.
    pub(in crate::mcp) uri: Option<String>,
    /// Whether models may call it.
    pub(in crate::mcp) for_model: bool,
    /// Whether pages of its server may.
    pub(in crate::mcp) for_page: bool,
}

impl ToolMeta {
    /// Where a tool says nothing, everybody may call it. A name that is no `ui://` is no page.
    pub(in crate::mcp) fn of(tool: &Tool) -> Self {
        let ui = tool.meta.as_ref().and_then(|meta| meta.get("ui"));
        let old = tool.meta.as_ref().and_then(|meta| meta.get("ui/resourceUri"));
        let uri = ui.and_then(|ui| ui.get("resourceUri")).or(old).and_then(Value::as_str);
        let visible = ui.and_then(|ui| ui.get("visibility")).and_then(Value::as_array);
        let is_for = |whom: &str| visible.is_none_or(|visible| visible.iter().any(|it| it == whom));
        Self {
            uri: uri.filter(|uri| uri.starts_with("ui://")).map(str::to_owned),
            for_model: is_for("model"),
            for_page: is_for("app"),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn check(meta: Value, uri: Option<&str>, for_model: bool, for_page: bool) {
        let tool = json!({ "name": "t", "inputSchema": { "type": "object" }, "_meta": meta });
        let found = ToolMeta::of(&serde_json::from_value(tool).unwrap());
        assert_eq!(found, ToolMeta { uri: uri.map(str::to_owned), for_model, for_page });
    }

    #[test]
    fn a_tool_names_its_page_in_the_new_way_or_the_old_one() {
        check(json!({ "ui": { "resourceUri": "ui://a" } }), Some("ui://a"), true, true);
        check(json!({ "ui/resourceUri": "ui://a" }), Some("ui://a"), true, true);
        check(
            json!({ "ui": { "resourceUri": "ui://a" }, "ui/resourceUri": "ui://b" }),
            Some("ui://a"),
            true,
            true,
        );
        check(json!({ "ui": { "resourceUri": "https://example.org/" } }), None, true, true);
        check(json!({}), None, true, true);
    }

    #[test]
    fn whoever_is_not_named_may_not_call_it() {
        check(json!({ "ui": { "visibility": ["app"] } }), None, false, true);
        check(json!({ "ui": { "visibility": ["model"] } }), None, true, false);
        check(json!({ "ui": { "visibility": [] } }), None, false, false);
    }
}
