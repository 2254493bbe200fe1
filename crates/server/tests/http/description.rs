//! The description of the API, and the API.

use std::collections::BTreeSet;

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::*;

#[tokio::test]
async fn every_described_operation_is_answered() {
    let server = Running::start().await;
    server.run("echo", &input("t1", "r1", "x")).await;
    let document = server.json("/openapi.json").await;
    for (path, operations) in document["paths"].as_object().unwrap() {
        for method in operations.as_object().unwrap().keys() {
            let url = format!("{}{}", server.url, filled(path));
            let method = Method::from_bytes(method.to_uppercase().as_bytes()).unwrap();
            let response =
                reqwest::Client::new().request(method.clone(), url).body("{}").send().await.unwrap();
            let status = response.status();
            // A live stream has no end to wait for.
            let code = match status.is_success() {
                true => Value::Null,
                false => body(response).await.1["error"]["code"].clone(),
            };
            assert!(status != 405 && code != json!("unknown_route"), "{method} {path}: {status} {code}");
        }
    }
}

/// Threads are deleted last, by their own path.
fn filled(path: &str) -> String {
    path.replace("{agent}", "echo")
        .replace("{thread}", "t1")
        .replace("{run}", "r1")
        .replace("{annotation}", "none")
        .replace("{interrupt}", "none")
        .replace("{rule}", "none")
}

#[tokio::test]
async fn every_reference_of_the_description_leads_somewhere() {
    let server = Running::start().await;
    let document = server.json("/openapi.json").await;
    let mut references = BTreeSet::new();
    collect(&document, &mut references);
    assert!(references.len() > 20, "{references:?}");
    for reference in references {
        let pointer = reference.strip_prefix('#').unwrap();
        assert!(document.pointer(pointer).is_some(), "{reference}");
    }
}

fn collect(value: &Value, into: &mut BTreeSet<String>) {
    match value {
        Value::Object(members) => {
            into.extend(members.get("$ref").and_then(Value::as_str).map(str::to_owned));
            members.values().for_each(|member| collect(member, into));
        }
        Value::Array(items) => items.iter().for_each(|item| collect(item, into)),
        _ => {}
    }
}

#[tokio::test]
async fn every_operation_has_a_name_of_its_own() {
    let server = Running::start().await;
    let document = server.json("/openapi.json").await;
    let operations =
        document["paths"].as_object().unwrap().values().flat_map(|path| path.as_object().unwrap().values());
    let names: Vec<_> = operations.map(|operation| operation["operationId"].as_str().unwrap()).collect();
    assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len(), "{names:?}");
}
