//! `docs/api.md` says what `/openapi.json` says. `UPDATE=1` rewrites it.

use std::{fmt::Write, fs, path::Path};

use serde_json::Value;

#[test]
fn the_page_about_the_api_is_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/api.md");
    let page = page(&forestage_server::openapi());
    if std::env::var_os("UPDATE").is_some() {
        fs::write(&path, &page).expect("the page can be written");
    }
    let found = fs::read_to_string(&path).unwrap_or_default();
    assert!(found == page, "docs/api.md is stale: UPDATE=1 cargo test -p forestage-server --test api_page");
}

fn page(document: &Value) -> String {
    let mut page = String::from(
        "# HTTP API\n\n\
         Generated from `/openapi.json`, which also has the schemas. Errors are\n\
         `{\"error\": {\"code\", \"message\", \"path\"?, \"hint\"?, \"faults\"?}}` with a 4xx or 5xx status; once a run has begun, its\n\
         errors are `RUN_ERROR` events with the same codes. Keys go into `Authorization: Bearer` or `X-API-Key`.\n\n\
         A body that is not valid JSON at all is a 400; JSON that says something else than what is asked for is a 422, and `path` says\n\
         where. Where the code is `invalid_body`, the status tells which of the two it is.\n",
    );
    for (path, operations) in document["paths"].as_object().into_iter().flatten() {
        for (method, operation) in operations.as_object().into_iter().flatten() {
            let _ =
                write!(page, "\n## `{} {path}`\n\n{}\n", method.to_uppercase(), text(&operation["summary"]));
            write_query(&mut page, operation);
            write_body_and_answer(&mut page, operation);
        }
    }
    page
}

fn write_query(page: &mut String, operation: &Value) {
    let parameters = operation["parameters"].as_array().into_iter().flatten();
    let query: Vec<_> = parameters.filter(|parameter| parameter["in"] == "query").collect();
    if query.is_empty() {
        return;
    }
    page.push_str("\n| query | meaning |\n|---|---|\n");
    for parameter in query {
        let _ = writeln!(page, "| `{}` | {} |", text(&parameter["name"]), text(&parameter["description"]));
    }
}

fn write_body_and_answer(page: &mut String, operation: &Value) {
    if let Some((media, body)) = content(&operation["requestBody"]) {
        let _ = write!(page, "\nBody: {} as `{media}`.\n", schema(body));
    }
    let answers = operation["responses"].as_object().into_iter().flatten();
    // What may be wrong is the same for all, and stands at the top of the page.
    let is_good = |status: &str| status.starts_with(['1', '2']);
    for (status, answer) in answers.filter(|(status, _)| is_good(status)) {
        let media = content(answer).map_or_else(String::new, |(media, _)| format!(" (`{media}`)"));
        let _ = write!(page, "\nAnswer {status}{media}: {}\n", text(&answer["description"]));
    }
}

fn content(value: &Value) -> Option<(&String, &Value)> {
    value["content"].as_object()?.iter().next()
}

fn schema(body: &Value) -> String {
    let name = text(&body["schema"]["$ref"]);
    format!("`{}`", name.rsplit('/').next().unwrap_or("JSON"))
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}
