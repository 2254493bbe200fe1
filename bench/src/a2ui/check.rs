//! From the text of a payload to everything that is wrong with it.

use std::hint::black_box;

use forestage_a2ui::{Messages, catalog::Catalogs, check::Checker, prompt, surface::Surfaces};

use super::Material;
use crate::race::{Contender, Task};

/// The peer in Rust. It looks at less: not at functions, their arguments or the values of enumerations.
pub(super) const PEER: &str = "serde_json, crate ag-ui-a2ui";

pub(super) fn task(material: &Material) -> Task<'_> {
    let (text, components) = (&material.text, material.components);
    let catalogs = Catalogs::basic();
    assert!(Checker::new(&catalogs).check(text).is_ok(), "the payload can be drawn");
    let schema = prompt::schema(&forestage_a2ui::catalog::Catalog::basic_0_9());
    let peer = ag_ui_a2ui::Catalog::basic();
    let validator = jsonschema::validator_for(&schema).expect("is a schema");
    Task {
        key: "check",
        title: "check a payload",
        contenders: vec![
            Contender::new("ours", components, move || {
                black_box(Checker::new(&catalogs).check(black_box(text)));
            }),
            Contender::new("ours, read and folded", components, move || {
                let messages = Messages::read(black_box(text)).expect("reads");
                black_box(Surfaces::new().fold(&messages)).expect("folds");
            }),
            Contender::new(PEER, components, move || {
                let messages: Vec<serde_json::Value> =
                    serde_json::from_str(black_box(text)).expect("is JSON");
                assert!(ag_ui_a2ui::Validator::new(&peer).validate_json_messages(&messages).is_valid());
            }),
            Contender::new("serde_json alone", components, move || {
                black_box(serde_json::from_str::<serde_json::Value>(black_box(text))).expect("is JSON");
            }),
            Contender::new("serde_json, jsonschema compiled", components, move || {
                let value: serde_json::Value = serde_json::from_str(black_box(text)).expect("is JSON");
                assert!(validator.is_valid(&value));
            }),
        ],
    }
}
