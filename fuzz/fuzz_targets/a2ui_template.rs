//! `formatString`. Any template is read or refused, and comes to a value in bounded work; one without a hole is its own
//! value; what is refused has no value and a reason.

#![no_main]

use forestage_a2ui::{
    function::parse_template,
    surface::{DataModel, Path, Scope},
};
use libfuzzer_sys::fuzz_target;
use serde_json::json;

fuzz_target!(|template: &str| {
    let model =
        DataModel::new(json!({ "name": "Ada", "n": 3, "list": [{ "x": 1.5 }], "self": "${/self}${/name}" }));
    let scope = Scope::new(&model).in_item(Path::parse("/list/0").expect("is a path"));
    let call = json!({ "call": "formatString", "args": { "value": template } });
    let evaluated = scope.evaluate(&call);
    if !template.contains("${") {
        assert_eq!(evaluated.value, Some(json!(template.replace("\\${", "${"))), "nothing to fill in");
    }
    if parse_template(template).is_err() {
        assert!(evaluated.value.is_none() && !evaluated.faults.is_empty(), "no value without a reason");
    }
    assert_eq!(scope.evaluate(&call), evaluated, "the same each time");
});
