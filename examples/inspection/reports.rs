//! Reports that were made, for their inspector alone.

use std::path::Path;

use axum::{
    Extension, Json, Router,
    extract::{Path as InPath, State},
    http::{StatusCode, header},
    response::{IntoResponse, Response},
    routing::get,
};
use forestage::{runtime::tool::Invocation, server::Identity};
use rusqlite::{Connection, OptionalExtension, params};
use serde_json::{Value, json};

use super::{pdf, words};
use crate::db::{Db, DbError};

/// The reports.
#[derive(Clone, Debug)]
pub(super) struct Reports(Db);

const TABLES: &str = "
    CREATE TABLE IF NOT EXISTS reports (
        number INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, owner TEXT NOT NULL,
        date TEXT NOT NULL DEFAULT (date('now')), report TEXT NOT NULL
    );
";

impl Reports {
    pub(super) fn open(file: &Path) -> Result<Self, DbError> {
        Ok(Self(Db::open(file, TABLES)?))
    }

    /// Keeps a report, once for each call, and says where it can be fetched.
    pub(super) async fn keep(&self, call: Invocation, report: Value) -> Result<Value, DbError> {
        let id = self.0.run(move |db| keep(db, &call, &report)).await?;
        Ok(
            json!({ "reportId": id, "pdf": format!("/reports/{id}/pdf"), "json": format!("/reports/{id}/json") }),
        )
    }

    /// A report of somebody, with its number, its date and who made it. That of somebody else does not exist.
    async fn get(&self, id: String, owner: String) -> Result<Option<Value>, DbError> {
        let Some(number) = id.strip_prefix("RPT-").and_then(|number| number.parse::<i64>().ok()) else {
            return Ok(None);
        };
        let query = "SELECT report, date, owner FROM reports WHERE number = ?1 AND owner = ?2";
        let found = self.0.run(move |db| {
            let row = db.query_row(query, params![number, owner], |row| {
                Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?, row.get::<_, String>(2)?))
            });
            row.optional()
        });
        Ok(found.await?.map(|(report, date, inspector)| {
            let mut report: Value = serde_json::from_str(&report).unwrap_or_default();
            report["reportId"] = id.into();
            report["date"] = date.into();
            report["inspector"] = inspector.into();
            report
        }))
    }
}

fn keep(db: &Connection, call: &Invocation, report: &Value) -> rusqlite::Result<String> {
    let insert = "INSERT OR IGNORE INTO reports (key, owner, report) VALUES (?1, ?2, ?3)";
    db.execute(insert, params![call.key, call.owner, report.to_string()])?;
    let number: i64 =
        db.query_row("SELECT number FROM reports WHERE key = ?1", [&call.key], |row| row.get(0))?;
    Ok(format!("RPT-{number:05}"))
}

/// Where reports are fetched.
pub(super) fn routes(reports: Reports) -> Router {
    Router::new().route("/reports/{id}/{format}", get(download)).with_state(reports)
}

async fn download(
    State(reports): State<Reports>,
    Extension(caller): Extension<Identity>,
    InPath((id, format)): InPath<(String, String)>,
) -> Response {
    let report = match reports.get(id.clone(), caller.user).await {
        Ok(Some(report)) => report,
        Ok(None) => return failed(StatusCode::NOT_FOUND, "not_found", format!("you have no report {id}")),
        Err(error) => return failed(StatusCode::INTERNAL_SERVER_ERROR, "internal_error", error.to_string()),
    };
    let (kind, body) = match format.as_str() {
        "pdf" => ("application/pdf", pdf::write(&words::report_lines(&report))),
        "json" => ("application/json", report.to_string().into_bytes()),
        _ => return failed(StatusCode::NOT_FOUND, "not_found", "a report comes as pdf or json".to_owned()),
    };
    let name = format!("attachment; filename=\"{id}.{format}\"");
    ([(header::CONTENT_TYPE, kind.to_owned()), (header::CONTENT_DISPOSITION, name)], body).into_response()
}

fn failed(status: StatusCode, code: &str, message: String) -> Response {
    (status, Json(json!({ "error": { "code": code, "message": message } }))).into_response()
}
