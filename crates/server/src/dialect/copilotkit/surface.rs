//! Surfaces as a front end draws them: it knows the basic catalog under one name only.

use forestage_a2ui::catalog::{BASIC_0_9_COPILOTKIT, is_basic};
use serde_json::Value;

/// Gives the surfaces of an activity the catalog that the front end knows.
pub(super) fn name_catalog(content: &mut Value) {
    let operations = content.get_mut("a2ui_operations").and_then(Value::as_array_mut);
    for operation in operations.into_iter().flatten() {
        let id = operation.pointer_mut("/createSurface/catalogId");
        if let Some(id) = id.filter(|id| id.as_str().is_some_and(is_basic)) {
            *id = BASIC_0_9_COPILOTKIT.into();
        }
    }
}

/// The same for all activities among messages.
pub(super) fn name_catalogs(messages: &mut Value) {
    let activities =
        messages.as_array_mut().into_iter().flatten().filter(|message| message["role"] == "activity");
    activities.filter_map(|activity| activity.get_mut("content")).for_each(name_catalog);
}
