//! A surface of 0.8 as one of 0.9, with the names that its agent knows.
//!
//! In 0.9 the outermost component is called `root`. Its agent calls it otherwise and will change it under that name, so it
//! is not renamed: a column called `root` is put around it.

use forestage_a2ui::{
    Fault,
    surface::{Component, ROOT, Surface},
};
use serde_json::{Map, Value, json};

/// Puts a root around the outermost component, unless it is one.
pub(super) fn settle(surface: &mut Surface) -> Result<(), Fault> {
    // All that 0.9 knows of styles.
    surface.theme.retain(|name, _| name != "font");
    let Some(root) = surface.root.clone().filter(|root| root != ROOT) else { return Ok(()) };
    if surface.component(ROOT).is_some_and(|root| !is_frame(root)) {
        let text =
            format!("a component is called `{ROOT}`, but `{root}` is the outermost; give it another name");
        return Err(Fault::new("reserved_id", "", text));
    }
    let properties = Map::from_iter([("children".to_owned(), json!([root]))]);
    surface.put(Component { id: ROOT.to_owned(), kind: "Column".to_owned(), properties });
    surface.root = Some(ROOT.to_owned());
    Ok(())
}

/// Whether it is a column around one component, and nothing more.
fn is_frame(root: &Component) -> bool {
    let children = root.properties.get("children").and_then(Value::as_array);
    root.kind == "Column"
        && root.properties.len() == 1
        && children.is_some_and(|children| children.len() == 1)
}
