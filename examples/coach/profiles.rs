//! The table of profiles.

use std::path::Path;

use rusqlite::{Connection, OptionalExtension, ToSql, params, types::ValueRef};
use serde_json::{Map, Value, json};

use crate::db::{Db, DbError};

/// Where each member of a profile is kept. Numbers have columns that keep them numbers.
const COLUMNS: [(&str, &str); 13] = [
    ("/firstName", "first_name"),
    ("/lastName", "last_name"),
    ("/email", "email"),
    ("/phone", "phone"),
    ("/goals", "goals"),
    ("/experience", "experience"),
    ("/constraints", "constraints"),
    ("/equipment", "equipment"),
    ("/injuriesOrRiskFlags", "injuries_or_risk_flags"),
    ("/dietPrefs", "diet_prefs"),
    ("/metrics/age", "age"),
    ("/metrics/height", "height"),
    ("/metrics/weight", "weight"),
];

/// `saves` has the key of every call that was carried out, so that a repeated one changes nothing.
const TABLES: &str = "
    CREATE TABLE IF NOT EXISTS profiles (
        owner TEXT PRIMARY KEY,
        first_name TEXT, last_name TEXT, email TEXT, phone TEXT, goals TEXT, experience TEXT,
        \"constraints\" TEXT, equipment TEXT, injuries_or_risk_flags TEXT, diet_prefs TEXT,
        age NUMERIC, height NUMERIC, weight NUMERIC
    );
    CREATE TABLE IF NOT EXISTS saves (key TEXT PRIMARY KEY, owner TEXT NOT NULL);
";

/// Profiles by owner.
#[derive(Clone, Debug)]
pub struct Profiles(Db);

impl Profiles {
    /// Opens the file.
    pub fn open(file: &Path) -> Result<Self, DbError> {
        Ok(Self(Db::open(file, TABLES)?))
    }

    /// What is known of somebody; null if it is nothing.
    pub async fn get(&self, owner: String) -> Result<Value, DbError> {
        self.0.run(move |db| read(db, &owner)).await
    }

    /// Writes what has changed over what is known, once for each key, and returns all of it.
    pub async fn save(&self, owner: String, key: String, changes: Value) -> Result<Value, DbError> {
        self.0
            .run(move |db| {
                let is_new =
                    db.execute("INSERT OR IGNORE INTO saves VALUES (?1, ?2)", params![key, owner])?;
                if is_new == 1 {
                    write(db, &owner, &changes)?;
                }
                read(db, &owner)
            })
            .await
    }

    /// How often something was saved for somebody.
    pub async fn saves(&self, owner: String) -> Result<i64, DbError> {
        let count = "SELECT count(*) FROM saves WHERE owner = ?1";
        self.0.run(move |db| db.query_row(count, [owner], |row| row.get(0))).await
    }
}

fn write(db: &Connection, owner: &str, changes: &Value) -> rusqlite::Result<()> {
    db.execute("INSERT OR IGNORE INTO profiles (owner) VALUES (?1)", [owner])?;
    for (place, column) in COLUMNS {
        if let Some(value) = changes.pointer(place) {
            let update = format!("UPDATE profiles SET \"{column}\" = ?2 WHERE owner = ?1");
            db.execute(&update, params![owner, sql(value)])?;
        }
    }
    Ok(())
}

fn sql(value: &Value) -> Box<dyn ToSql> {
    match value {
        Value::Number(number) => match number.as_i64() {
            Some(number) => Box::new(number),
            None => Box::new(number.as_f64()),
        },
        Value::String(text) => Box::new(text.clone()),
        _ => Box::new(Option::<String>::None),
    }
}

fn read(db: &Connection, owner: &str) -> rusqlite::Result<Value> {
    let columns = COLUMNS.map(|(_, column)| format!("\"{column}\"")).join(", ");
    let query = format!("SELECT {columns} FROM profiles WHERE owner = ?1");
    let profile = db.query_row(&query, [owner], |row| {
        let mut profile = Map::new();
        for (index, (place, _)) in COLUMNS.into_iter().enumerate() {
            if let Some(value) = json_of(row.get_ref(index)?) {
                put(&mut profile, place, value);
            }
        }
        Ok(Value::Object(profile))
    });
    Ok(profile.optional()?.unwrap_or_default())
}

fn json_of(value: ValueRef<'_>) -> Option<Value> {
    match value {
        ValueRef::Integer(number) => Some(number.into()),
        ValueRef::Real(number) => Some(number.into()),
        ValueRef::Text(text) => Some(String::from_utf8_lossy(text).into()),
        ValueRef::Null | ValueRef::Blob(_) => None,
    }
}

/// Puts a value in its place, which is at most two members deep.
fn put(profile: &mut Map<String, Value>, place: &str, value: Value) {
    match place.trim_start_matches('/').split_once('/') {
        Some((outer, inner)) => {
            let outer = profile.entry(outer).or_insert_with(|| json!({}));
            outer[inner] = value;
        }
        None => drop(profile.insert(place.trim_start_matches('/').to_owned(), value)),
    }
}
