//! Ids as people type them: whole, or the beginning of an id that no other id shares, four characters or more.
//!
//! Commands that only read accept the number of a row in the list, too. Commands that change something do not, because
//! the rows may have moved since the list was printed.

use std::ops::Deref;

use anyhow::bail;
use forestage_client::{
    Client, ClientError, InboxQuery, InterruptRecord, Page, RuleRecord, RunRecord, ThreadQuery,
};
use forestage_protocol::id::{InterruptId, RunId, ThreadId};

use crate::output::safe;

/// Returns the thread that an id or its beginning stands for. An id that no thread begins with is returned as it is, so that
/// the server says what is wrong with it.
pub(crate) async fn thread(client: &Client, given: &str) -> anyhow::Result<ThreadId> {
    match client.thread(given).get().await {
        Err(ClientError::Refused { status: 404, .. }) => {}
        _ => return Ok(given.into()),
    }
    let found = one_of("thread", given, threads_that_begin(client, given).await?)?;
    Ok(found.unwrap_or_else(|| given.into()))
}

/// Like [`thread`], and accepts the number of a row of `forestage threads`.
pub(crate) async fn listed_thread(client: &Client, given: &str) -> anyhow::Result<ThreadId> {
    let id = thread(client, given).await?;
    let Some(row) = row(given).filter(|_| *id == *given) else { return Ok(id) };
    let page = client.threads(&ThreadQuery { limit: Some(row), ..ThreadQuery::default() }).await?;
    Ok(page.items.get(row - 1).and_then(|thread| thread.thread_id()).unwrap_or(id))
}

/// Returns the thread whose generated id begins with this. A chat accepts no other abbreviations: it begins a new thread under
/// an id that is not there yet, and `--thread mail` must not lead to `mailbox`.
pub(crate) async fn generated_thread(client: &Client, given: &str) -> anyhow::Result<Option<ThreadId>> {
    let is_hex = given.chars().all(|letter| letter.is_ascii_hexdigit() || letter == '-');
    if !is_hex {
        return Ok(None);
    }
    let mut found = threads_that_begin(client, given).await?;
    found.retain(|id| id.len() == GENERATED);
    one_of("thread", given, found)
}

/// The length of the ids that clients generate, which are UUIDs.
const GENERATED: usize = 36;

/// Returns the question that an id or its beginning stands for, decided or not.
pub(crate) async fn question(
    client: &Client,
    given: &str,
    thread: Option<&ThreadId>,
) -> anyhow::Result<InterruptRecord> {
    let refused = match client.interrupt(&given.into(), thread).await {
        Err(error @ ClientError::Refused { status: 404, .. }) => error,
        read => return Ok(read?),
    };
    match one_of("question", given, questions_that_begin(client, given, thread).await?)? {
        Some(id) => Ok(client.interrupt(&id, thread).await?),
        None if row(given).is_some() => bail!(
            "`{given}` is the number of a row, and rows move\n\
             Decide by the id of the request: `forestage inbox show {given}` prints it."
        ),
        None => Err(refused.into()),
    }
}

/// Like [`question`], and accepts the number of a row of `forestage inbox`.
pub(crate) async fn listed_question(
    client: &Client,
    given: &str,
    thread: Option<&ThreadId>,
) -> anyhow::Result<InterruptRecord> {
    let refused = match question(client, given, thread).await {
        Ok(record) => return Ok(record),
        Err(error) => error,
    };
    let Some(row) = row(given) else { return Err(refused) };
    let query = InboxQuery { limit: Some(row), thread_id: thread.cloned(), ..InboxQuery::default() };
    client.inbox(&query).await?.items.into_iter().nth(row - 1).ok_or(refused)
}

/// Returns the rule that an id or its beginning stands for.
pub(crate) async fn rule(client: &Client, given: &str) -> anyhow::Result<String> {
    let rules = client.rules().await?;
    let ids = rules.iter().filter_map(RuleRecord::id).map(str::to_owned);
    Ok(one_of("rule", given, beginning(ids, given))?.unwrap_or_else(|| given.to_owned()))
}

/// Returns the run of a thread that an id or its beginning stands for.
pub(crate) fn run(runs: &[RunRecord], given: &str) -> anyhow::Result<RunId> {
    let ids = runs.iter().filter_map(RunRecord::run_id);
    Ok(one_of("run", given, beginning(ids, given))?.unwrap_or_else(|| given.into()))
}

/// The number of a row, counted from 1. A list has no thousand rows.
fn row(given: &str) -> Option<usize> {
    given.parse().ok().filter(|row| (1..1000).contains(row))
}

async fn threads_that_begin(client: &Client, given: &str) -> anyhow::Result<Vec<ThreadId>> {
    // The server searches ids, too.
    let mut query = ThreadQuery {
        search: Some(given.to_owned()),
        archived: true,
        limit: Some(200),
        ..ThreadQuery::default()
    };
    let mut found = Vec::new();
    loop {
        let Page { items, next, .. } = client.threads(&query).await?;
        found.extend(beginning(items.iter().filter_map(|thread| thread.thread_id()), given));
        match next {
            Some(cursor) => query.cursor = Some(cursor),
            None => return Ok(found),
        }
    }
}

async fn questions_that_begin(
    client: &Client,
    given: &str,
    thread: Option<&ThreadId>,
) -> anyhow::Result<Vec<InterruptId>> {
    let mut query =
        InboxQuery { thread_id: thread.cloned(), decided: true, limit: Some(1000), ..InboxQuery::default() };
    let mut found = Vec::new();
    loop {
        let Page { items, next, .. } = client.inbox(&query).await?;
        found.extend(beginning(items.iter().filter_map(InterruptRecord::interrupt_id), given));
        match next {
            Some(after) => query.after = Some(after),
            None => return Ok(found),
        }
    }
}

/// The shortest beginning. Rows have fewer digits, so a number that is typed out of habit never decides or deletes what happens
/// to begin with it.
const SHORTEST: usize = 4;

/// Those that are `given`, or, where none is, those that begin with it.
fn beginning<I: Deref<Target = str>>(ids: impl Iterator<Item = I>, given: &str) -> Vec<I> {
    let mut found: Vec<I> = ids.filter(|id| id.starts_with(given)).collect();
    if let Some(at) = found.iter().position(|id| **id == *given) {
        return vec![found.swap_remove(at)];
    }
    if given.len() < SHORTEST { Vec::new() } else { found }
}

/// The only one, or none. Several are an error that names them.
fn one_of<I: Deref<Target = str>>(noun: &str, given: &str, mut found: Vec<I>) -> anyhow::Result<Option<I>> {
    if found.len() < 2 {
        return Ok(found.pop());
    }
    let names: Vec<_> = found.iter().take(5).map(|id| safe(id)).collect();
    let more = if found.len() > names.len() { ", …" } else { "" };
    bail!(
        "`{}` is the beginning of {} {noun} ids: {}{more}\nType more of the id.",
        safe(given),
        found.len(),
        names.join(", ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(given: &str) -> Result<Option<&'static str>, String> {
        let ids = ["mail", "mailbox", "mailman", "market"];
        one_of("thread", given, beginning(ids.into_iter(), given)).map_err(|error| error.to_string())
    }

    #[test]
    fn an_id_is_found_by_its_beginning_if_no_other_shares_it() {
        assert_eq!(found("mark"), Ok(Some("market")));
        assert_eq!(found("mail"), Ok(Some("mail")), "a whole id is never ambiguous");
        assert_eq!(found("mailb"), Ok(Some("mailbox")));
        assert_eq!((found("mars"), found("mar"), found("")), (Ok(None), Ok(None), Ok(None)));
    }

    #[test]
    fn a_beginning_of_several_ids_is_refused_with_their_names() {
        let found = one_of("thread", "mail", vec!["mailbox", "mailman"]);
        let expected = "`mail` is the beginning of 2 thread ids: mailbox, mailman\nType more of the id.";
        assert_eq!(found.expect_err("two begin with it").to_string(), expected);
    }

    #[test]
    fn rows_are_counted_from_one() {
        assert_eq!(
            (row("1"), row("12"), row("0"), row("-1"), row("1000"), row("a1")),
            (Some(1), Some(12), None, None, None, None)
        );
    }
}
