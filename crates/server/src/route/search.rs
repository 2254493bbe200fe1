//! `GET /v1/search`: what was written on the caller's threads, with the place.

use std::collections::HashMap;

use axum::{Json, Router, extract::State, routing::get};
use forestage_protocol::id::ThreadId;
use forestage_store::{Found, Search, Thread};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Query, threads};
use crate::{app::App, auth::Caller, error::ApiError};

/// A search never finds more.
const MAX_FOUND: usize = 100;

/// How many characters are shown around what was found.
const BEFORE: usize = 40;
const AFTER: usize = 100;

pub(crate) fn routes() -> Router<App> {
    Router::new().route("/v1/search", get(search))
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct SearchQuery {
    q: String,
    #[serde(default)]
    archived: bool,
    limit: Option<usize>,
}

async fn search(
    State(app): State<App>,
    Caller(caller): Caller,
    Query(query): Query<SearchQuery>,
) -> Result<Json<Value>, ApiError> {
    let limit = query.limit.unwrap_or(20).clamp(1, MAX_FOUND);
    let search = Search { archived: query.archived, ..Search::new(&caller.user, &query.q, limit) };
    let words = search.words.clone();
    let found = app.stage.store().search(search).await?;
    let mut known: HashMap<ThreadId, Option<Thread>> = HashMap::new();
    for Found { thread_id, .. } in &found {
        if !known.contains_key(thread_id) {
            known.insert(thread_id.clone(), app.stage.store().thread(thread_id.clone()).await?);
        }
    }
    let results: Vec<_> = found
        .iter()
        .filter_map(|found| {
            let thread = known.get(&found.thread_id)?.as_ref()?;
            Some(shown(&app, thread, found, &words))
        })
        .collect();
    Ok(Json(json!({ "results": results })))
}

fn shown(app: &App, thread: &Thread, found: &Found, words: &[String]) -> Value {
    let Snippet { before, hit, after } = snippet(&found.utterance.text, words);
    json!({
        "thread": threads::shown(app, thread),
        "messageId": found.utterance.message_id,
        "role": if found.utterance.by_person { "user" } else { "assistant" },
        "snippet": { "before": before, "hit": hit, "after": after },
    })
}

/// A piece of a text with what was found in it.
#[derive(Debug, PartialEq, Eq)]
struct Snippet {
    before: String,
    hit: String,
    after: String,
}

/// The piece around the first of the words, on one line.
fn snippet(text: &str, words: &[String]) -> Snippet {
    let (start, end) = words.iter().filter_map(|word| place(text, word)).min().unwrap_or((0, 0));
    let (before, hit, after) = (&text[..start], &text[start..end], &text[end..]);
    let skipped = before.chars().count().saturating_sub(BEFORE);
    let mut shown: String = before.chars().skip(skipped).collect();
    if skipped > 0 {
        // Cut at a word, if there is one.
        let cut = shown.split_once(char::is_whitespace).map(|(_, rest)| rest.to_owned());
        shown = format!("…{}", cut.unwrap_or(shown));
    }
    let mut rest: String = after.chars().take(AFTER).collect();
    if rest.len() < after.len() {
        rest.push('…');
    }
    Snippet { before: one_line(&shown), hit: one_line(hit), after: one_line(&rest) }
}

fn one_line(text: &str) -> String {
    text.replace(['\n', '\r', '\t'], " ")
}

/// Where a word in lower case begins and ends in a text of any case. Lower case may have other lengths, so the text is
/// walked sign by sign.
fn place(text: &str, word: &str) -> Option<(usize, usize)> {
    text.char_indices().find_map(|(start, _)| {
        let mut wanted = word.chars();
        let mut next = wanted.next()?;
        for (at, sign) in text[start..].char_indices() {
            for folded in sign.to_lowercase() {
                if folded != next {
                    return None;
                }
                match wanted.next() {
                    Some(sign) => next = sign,
                    None => return Some((start, start + at + sign.len_utf8())),
                }
            }
        }
        None
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_snippet_is_the_text_around_the_first_hit() {
        let check = |text: &str, word: &str, before: &str, hit: &str, after: &str| {
            let expected = Snippet { before: before.into(), hit: hit.into(), after: after.into() };
            assert_eq!(snippet(text, &[word.to_owned()]), expected);
        };
        check("Tomatoes want sun.", "want", "Tomatoes ", "want", " sun.");
        check("In\nÅLESUND", "ålesund", "In ", "ÅLESUND", "");
        check("İx and y", "and", "İx ", "and", " y");
        check("nothing", "else", "", "", "nothing");
        let long = format!("{}needle{}", "word ".repeat(50), " word".repeat(50));
        let Snippet { before, hit, after } = snippet(&long, &["needle".to_owned()]);
        assert!(before.starts_with("…word ") && before.chars().count() <= BEFORE + 1, "{before}");
        assert_eq!(hit, "needle");
        assert!(after.ends_with('…') && after.chars().count() == AFTER + 1, "{after}");
    }
}
