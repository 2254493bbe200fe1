//! The rules of the law, searched by their words.

use std::path::Path;

use rusqlite::params;
use serde::{Deserialize, Serialize};

use super::{data::Data, speech::Language};
use crate::db::{Db, DbError};

/// An index over all rules, in both languages. It is made anew at every start, out of data that come along.
#[derive(Clone, Debug)]
pub(super) struct Rules(Db);

/// A rule, with the place to cite.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(super) struct Rule {
    pub(super) id: String,
    pub(super) citation: String,
    pub(super) text: String,
    /// What kind of finding breaks it.
    category: String,
    pub(super) url: String,
}

const TABLES: &str = "
    CREATE VIRTUAL TABLE rules USING fts5(
        id UNINDEXED, celex UNINDEXED, category UNINDEXED, citation_nl, citation_en, nl, en, tokenize = 'unicode61 remove_diacritics 2'
    );
";

impl Rules {
    pub(super) fn open(data: &Data) -> Result<Self, DbError> {
        let db = Db::open(Path::new(":memory:"), TABLES)?;
        db.now(|db| {
            for rule in &data.regulations {
                db.execute(
                    "INSERT INTO rules VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
                    params![
                        rule.id,
                        rule.celex,
                        rule.category,
                        rule.citation.nl,
                        rule.citation.en,
                        rule.nl,
                        rule.en
                    ],
                )?;
            }
            Ok(())
        })?;
        Ok(Self(db))
    }

    /// The rules that fit some words best.
    pub(super) async fn search(
        &self,
        words: &str,
        limit: u32,
        language: Language,
    ) -> Result<Vec<Rule>, DbError> {
        let Some(query) = query(words) else { return Ok(Vec::new()) };
        let (citation, text) = language.choose(("citation_nl", "nl"), ("citation_en", "en"));
        let select = format!(
            "SELECT id, {citation}, {text}, celex, category FROM rules WHERE rules MATCH ?1 ORDER BY bm25(rules), id LIMIT ?2"
        );
        self.0
            .run(move |db| {
                let mut found = db.prepare(&select)?;
                let rules = found.query_map(params![query, limit], |row| {
                    let celex: String = row.get(3)?;
                    let url = format!(
                        "https://eur-lex.europa.eu/legal-content/{}/TXT/?uri=CELEX:{celex}",
                        language.code().to_uppercase()
                    );
                    Ok(Rule {
                        id: row.get(0)?,
                        citation: row.get(1)?,
                        text: row.get(2)?,
                        category: row.get(4)?,
                        url,
                    })
                })?;
                rules.collect()
            })
            .await
    }
}

/// Any of the words. They are quoted, so that nothing in them means anything to the index.
fn query(words: &str) -> Option<String> {
    let words = words.split(|sign: char| !sign.is_alphanumeric()).filter(|word| word.chars().count() > 2);
    let words: Vec<_> = words.map(|word| format!("\"{word}\"*")).collect();
    if words.is_empty() { None } else { Some(words.join(" OR ")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn what_is_searched_is_found_in_both_languages_whatever_signs_are_in_it() {
        let rules = Rules::open(&Data::load().expect("data")).expect("an index");
        let first = |found: Vec<Rule>| found.first().map(|rule| rule.id.clone()).unwrap_or_default();
        let found = rules.search("ongedierte (muizen) \" OR", 3, Language::Dutch).await.expect("a search");
        assert_eq!(first(found), "852-2004-II-IX-4");
        let found = rules.search("melting ice", 3, Language::English).await.expect("a search");
        assert_eq!(first(found), "853-2004-III-VIII-VII");
        assert!(rules.search("?!", 3, Language::Dutch).await.expect("a search").is_empty());
    }
}
