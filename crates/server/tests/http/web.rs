//! The web app, or what stands in for it: what browsers get, what programs get, and what nobody gets.
//!
//! Whether the app is built or not, these hold; what the app shows is tested in a browser.

use forestage_server::{ApiKey, Http, Inspector, Keys, hash_key};
use reqwest::{StatusCode, header};
use serde_json::json;

use crate::support::Running;

const BROWSER: &str = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

#[tokio::test]
async fn every_address_that_a_browser_opens_is_the_page() {
    let server = Running::start().await;
    for path in ["/", "/threads/t1", "/inbox", "/gallery", "/inspector/t1", "/nonsense"] {
        let answer = get(&server, path, &[(header::ACCEPT, BROWSER)]).await;
        assert_eq!(answer.status(), StatusCode::OK, "{path}");
        assert_eq!(answer.headers()[header::CONTENT_TYPE], "text/html; charset=utf-8");
        assert_eq!(answer.headers()[header::CACHE_CONTROL], "no-cache");
        assert!(answer.text().await.unwrap_or_default().starts_with("<!doctype html>"), "{path}");
    }
}

#[tokio::test]
async fn a_program_that_asks_for_nothing_is_told_so_in_json() {
    let server = Running::start().await;
    for accept in ["application/json", "*/*"] {
        let answer = get(&server, "/v1/nonsense", &[(header::ACCEPT, accept)]).await;
        assert_eq!(answer.status(), StatusCode::NOT_FOUND);
        let body: serde_json::Value = answer.json().await.unwrap_or_default();
        assert_eq!(body["error"]["code"], "unknown_route");
    }
    let answer = server.post("/", &json!({})).header(header::ACCEPT, BROWSER).send().await.unwrap();
    assert_eq!(answer.status(), StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn a_page_that_has_not_changed_is_not_sent_again() {
    let server = Running::start().await;
    let first = get(&server, "/", &[]).await;
    let etag = first.headers()[header::ETAG].clone();
    let etag = etag.to_str().unwrap_or_default();
    let again = get(&server, "/", &[(header::IF_NONE_MATCH, etag)]).await;
    assert_eq!(again.status(), StatusCode::NOT_MODIFIED);
    assert_eq!(again.headers()[header::ETAG], *etag);
    assert!(again.bytes().await.unwrap_or_default().is_empty());
    let other = get(&server, "/", &[(header::IF_NONE_MATCH, "\"other\"")]).await;
    assert_eq!(other.status(), StatusCode::OK);
}

#[tokio::test]
async fn pages_may_run_no_script_but_ours() {
    let server = Running::start().await;
    let answer = get(&server, "/", &[]).await;
    let policy = answer.headers()[header::CONTENT_SECURITY_POLICY].to_str().unwrap_or_default();
    assert!(policy.contains("default-src 'none'; script-src 'self';"), "{policy}");
    assert!(policy.contains("frame-ancestors 'none'"), "{policy}");
    assert_eq!(answer.headers()[header::X_CONTENT_TYPE_OPTIONS], "nosniff");
}

#[tokio::test]
async fn nothing_beside_the_app_is_served() {
    let server = Running::start().await;
    for path in ["/.vite/manifest.json", "/..%2fpackage.json", "/%2e%2e/%2e%2e/Cargo.toml", "/index.html.br"]
    {
        let answer = get(&server, path, &[]).await;
        assert_eq!(answer.status(), StatusCode::NOT_FOUND, "{path}");
    }
}

#[tokio::test]
async fn the_page_is_public_and_what_it_asks_for_is_not() {
    let server = Running::with(keys(), Http::default()).await;
    assert_eq!(get(&server, "/", &[]).await.status(), StatusCode::OK);
    assert_eq!(get(&server, "/v1/server", &[]).await.status(), StatusCode::UNAUTHORIZED);
    let known = server.json_as("ada", "/v1/server").await;
    assert_eq!((&known["user"], &known["keys"]), (&json!("ada"), &json!(true)));
}

#[tokio::test]
async fn pictures_of_other_sites_are_allowed_by_the_configuration_alone() {
    let allowed = async |origins: &[&str]| {
        let picture_origins = origins.iter().map(|&origin| origin.to_owned()).collect();
        let server = Running::with(Keys::default(), Http { picture_origins, ..Http::default() }).await;
        let page = get(&server, "/", &[]).await;
        let policy = page.headers()[header::CONTENT_SECURITY_POLICY].to_str().unwrap();
        let pictures = policy.split("; ").find(|part| part.starts_with("img-src")).unwrap().to_owned();
        (pictures, server.json_as("ada", "/v1/server").await["pictureOrigins"].clone())
    };
    assert_eq!(allowed(&[]).await, ("img-src 'self' data: blob:".to_owned(), json!([])));
    let (policy, told) = allowed(&["https://images.example"]).await;
    assert_eq!(policy, "img-src 'self' data: blob: https://images.example");
    assert_eq!(told, json!(["https://images.example"]), "the page knows, too");
}

#[tokio::test]
async fn the_inspector_is_on_without_keys_and_where_somebody_says_so() {
    let shown = async |keys: Keys, inspector: Inspector| {
        let server = Running::with(keys, Http { inspector, ..Http::default() }).await;
        server.json_as("ada", "/v1/server").await["inspector"].clone()
    };
    assert_eq!(shown(Keys::default(), Inspector::Auto).await, json!(true));
    assert_eq!(shown(Keys::default(), Inspector::Off).await, json!(false));
    assert_eq!(shown(keys(), Inspector::Auto).await, json!(false));
    assert_eq!(shown(keys(), Inspector::On).await, json!(true));
}

fn keys() -> Keys {
    Keys::new(&[ApiKey { user: "ada".to_owned(), hash: hash_key("ada"), roles: Vec::new() }]).unwrap()
}

async fn get(server: &Running, path: &str, headers: &[(header::HeaderName, &str)]) -> reqwest::Response {
    let request =
        headers.iter().fold(server.get(path), |request, (name, value)| request.header(name, *value));
    request.send().await.unwrap()
}
