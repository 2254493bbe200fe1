//! Connections that break, and streams that do not.

use std::time::Duration;

use forestage_client::{AgentClient, Client, ClientError, Cursor, Retry, Settings};
use forestage_protocol::{apply::ThreadView, codec::sse, event::Event, input::RunAgentInput};
use futures_util::TryStreamExt;
use tokio::time::timeout;

use crate::server::{
    Answer, Server, Step, encoded, events, hello, json, numbered, plain, protobuf, quick, text,
};

fn input() -> RunAgentInput {
    RunAgentInput::new("t", "r", [])
}

async fn run_at(server: &Server) -> Result<Vec<Event>, ClientError> {
    let run = server.client().agent("hello")?.run(input()).await?;
    run.map_ok(|delivered| delivered.event).try_collect().await
}

/// The `Last-Event-ID` of each request.
fn cursors(server: &Server) -> Vec<Option<String>> {
    server.asked().iter().map(|asked| asked.header("last-event-id").map(str::to_owned)).collect()
}

#[tokio::test]
async fn a_run_continues_exactly_behind_any_event() {
    for cut in 0..hello().len() {
        let (head, tail) = (&hello()[..cut], &hello()[cut..]);
        let killed = events([numbered(1, head), Step::Break]);
        let server = Server::playing([killed, events([numbered(cut + 1, tail)])]).await;
        assert_eq!(run_at(&server).await.unwrap(), hello(), "cut behind {cut}");
        let last = (cut > 0).then(|| format!("e.{cut}"));
        assert_eq!(cursors(&server), [None, last], "cut behind {cut}");
        assert_eq!(server.asked()[0].body, server.asked()[1].body);
    }
}

#[tokio::test]
async fn an_event_that_was_cut_in_two_is_read_once() {
    let whole = sse::frame(hello()[2].to_json().as_bytes(), Some("e.3"));
    for cut in [1, 5, 9, whole.len() - 2, whole.len() - 1] {
        for end in [Some(Step::Break), None] {
            let mut steps = vec![numbered(1, &hello()[..2]), Step::Send(whole[..cut].to_vec())];
            steps.extend(end);
            let server = Server::playing([events(steps), events([numbered(3, &hello()[2..])])]).await;
            assert_eq!(run_at(&server).await.unwrap(), hello(), "cut at byte {cut}");
            assert_eq!(cursors(&server)[1].as_deref(), Some("e.2"));
        }
    }
}

#[tokio::test]
async fn a_run_survives_a_connection_for_every_event() {
    let answers = (0..hello().len()).map(|at| events([numbered(at + 1, &hello()[at..=at]), Step::Break]));
    let server = Server::playing(answers).await;
    assert_eq!(run_at(&server).await.unwrap(), hello());
}

#[tokio::test]
async fn next_may_be_dropped_before_it_is_ready() {
    let bytes = |first: usize, events: &[Event]| match numbered(first, events) {
        Step::Send(bytes) => bytes,
        _ => unreachable!("numbered events are sent"),
    };
    // In small pieces, so that nearly every wait is for a part of an event.
    let slowly = |bytes: Vec<u8>| -> Vec<Step> {
        let pieces = bytes.chunks(40).map(|piece| Step::Send(piece.to_vec())).collect::<Vec<_>>();
        pieces.into_iter().flat_map(|piece| [piece, Step::Pause(Duration::from_millis(3))]).collect()
    };
    let killed = slowly(bytes(1, &hello()[..4])).into_iter().chain([Step::Break]);
    let server = Server::playing([events(killed), events(slowly(bytes(5, &hello()[4..])))]).await;
    let mut run = server.client().agent("hello").unwrap().run(input()).await.unwrap();
    let (mut delivered, mut dropped) = (Vec::new(), 0);
    loop {
        match timeout(Duration::from_millis(1), run.next()).await {
            Ok(Some(next)) => delivered.push(next.unwrap().event),
            Ok(None) => break,
            Err(_) => dropped += 1,
        }
    }
    assert_eq!(delivered, hello());
    assert!(dropped > 0);
}

#[tokio::test]
async fn a_server_that_starts_over_repeats_nothing() {
    let killed = events([numbered(1, &hello()[..4]), Step::Break]);
    let server = Server::playing([killed, events([numbered(1, &hello())])]).await;
    assert_eq!(run_at(&server).await.unwrap(), hello());
}

#[tokio::test]
async fn a_server_that_restarts_is_waited_for() {
    let busy = || json(503, serde_json::json!({ "error": { "code": "starting", "message": "not yet" } }));
    let killed = events([numbered(1, &hello()[..4]), Step::Break]);
    let server = Server::playing([killed, busy(), busy(), events([numbered(5, &hello()[4..])])]).await;
    assert_eq!(run_at(&server).await.unwrap(), hello());
    assert_eq!(cursors(&server)[3].as_deref(), Some("e.4"));
}

#[tokio::test]
async fn it_gives_up_with_the_last_error() {
    let busy = |code: &str| json(503, serde_json::json!({ "error": { "code": code, "message": "no" } }));
    let killed = events([numbered(1, &hello()[..4]), Step::Break]);
    let server = Server::playing([killed, busy("first"), busy("second"), busy("third")]).await;
    let mut run = server.client().agent("hello").unwrap().run(input()).await.unwrap();
    let mut delivered = 0;
    let error = loop {
        match run.next().await.unwrap() {
            Ok(_) => delivered += 1,
            Err(error) => break error,
        }
    };
    assert_eq!((delivered, server.log().len()), (4, 4));
    let ClientError::GaveUp { attempts: 3, last } = error else { panic!("{error}") };
    assert!(matches!(*last, ClientError::Refused { status: 503, .. }));
    assert_eq!(last.code(), Some("third"));
    assert!(run.next().await.is_none(), "nothing follows an error");
    assert!(matches!(run.finish().await, Err(ClientError::Truncated { .. })), "a broken run has no outcome");
}

/// A run that broke behind its fourth event, at a server that answers like this from then on. A connection counts as one that
/// lasted after this time.
async fn run_behind(answers: impl IntoIterator<Item = Answer>, lasted: Duration) -> (Server, Client) {
    let killed = events([numbered(1, &hello()[..4]), Step::Break]);
    let server = Server::playing([killed].into_iter().chain(answers)).await;
    let retry = Retry { max: lasted, ..quick().retry };
    let settings = Settings { retry, idle: Duration::from_millis(300), ..quick() };
    let client = Client::with_settings(&server.base, settings).unwrap();
    (server, client)
}

#[tokio::test]
async fn connections_that_break_at_once_are_not_made_for_ever() {
    let short = || events([text(": here\n\n"), Step::Break]);
    let (server, client) = run_behind((0..9).map(|_| short()), Duration::from_secs(3600)).await;
    let error = client.agent("hello").unwrap().run(input()).await.unwrap().finish().await.unwrap_err();
    assert!(matches!(error, ClientError::GaveUp { attempts: 3, .. }), "{error}");
    assert_eq!(server.log().len(), 4);
}

#[tokio::test]
async fn connections_on_which_nothing_is_said_are_not_made_for_ever() {
    let silent = || events([Step::Hang]);
    let (server, client) = run_behind((0..9).map(|_| silent()), Duration::from_millis(1)).await;
    let error = client.agent("hello").unwrap().run(input()).await.unwrap().finish().await.unwrap_err();
    assert!(matches!(error, ClientError::GaveUp { attempts: 3, .. }), "{error}");
    assert_eq!(server.log().len(), 4);
}

#[tokio::test]
async fn a_connection_that_lasted_is_no_failure_even_if_nothing_happened() {
    let lasting = || events([text(": here\n\n"), Step::Pause(Duration::from_millis(100)), Step::Break]);
    let answers = (0..5).map(|_| lasting()).chain([events([numbered(5, &hello()[4..])])]);
    let (server, client) = run_behind(answers, Duration::from_millis(5)).await;
    let outcome = client.agent("hello").unwrap().run(input()).await.unwrap().finish().await;
    assert!(outcome.unwrap().is_success());
    assert_eq!(server.log().len(), 7);
}

#[tokio::test]
async fn a_refusal_on_the_way_back_is_final() {
    let gone = json(404, serde_json::json!({ "error": { "code": "no_thread", "message": "deleted" } }));
    let killed = events([numbered(1, &hello()[..4]), Step::Break]);
    let server = Server::playing([killed, gone, events([numbered(5, &hello()[4..])])]).await;
    assert_eq!(run_at(&server).await.unwrap_err().code(), Some("no_thread"));
    assert_eq!(server.log().len(), 2);
}

#[tokio::test]
async fn a_silent_server_is_asked_again() {
    let silent = events([numbered(1, &hello()[..4]), Step::Hang]);
    let server = Server::playing([silent, events([numbered(5, &hello()[4..])])]).await;
    let settings = Settings { idle: Duration::from_millis(200), ..quick() };
    let client = Client::with_settings(&server.base, settings).unwrap();
    let run = client.agent("hello").unwrap().run(input()).await.unwrap();
    let delivered: Vec<Event> = run.map_ok(|delivered| delivered.event).try_collect().await.unwrap();
    assert_eq!(delivered, hello());
}

#[tokio::test]
async fn without_patience_a_broken_run_is_truncated() {
    let killed = events([numbered(1, &hello()[..4]), Step::Break]);
    let server = Server::playing([killed]).await;
    let settings = Settings { retry: Retry::NEVER, ..quick() };
    let client = Client::with_settings(&server.base, settings).unwrap();
    let error = client.agent("hello").unwrap().run(input()).await.unwrap().finish().await.unwrap_err();
    assert!(matches!(error, ClientError::Truncated { events: 4, .. }), "{error}");
}

#[tokio::test]
async fn a_kept_cursor_leads_back_into_a_run() {
    let server = Server::playing([events([numbered(4, &hello()[3..])])]).await;
    let agent = server.client().agent("hello").unwrap();
    let mut view = ThreadView::default();
    hello()[..3].iter().for_each(|event| drop(view.apply(event)));
    let mut run = agent.rejoin(input(), Cursor::parse("e.3").unwrap(), view).await.unwrap();
    assert!(run.finish().await.unwrap().is_success());
    assert_eq!(cursors(&server), [Some("e.3".to_owned())]);
    let text = serde_json::to_value(run.view().message("m").unwrap()).unwrap();
    assert_eq!(text["content"], "Hello, world");
    assert_eq!(run.cursor().unwrap().as_str(), "e.7");
}

/// Runs at a server that gives its events no cursors of ours, and expects them to end early.
async fn truncated(answer: Answer) -> usize {
    let server = Server::playing([answer, events([plain(&hello())])]).await;
    let agent = AgentClient::at_with(&server.base, quick()).unwrap();
    let error = agent.run(input()).await.unwrap().finish().await.unwrap_err();
    assert_eq!(server.log().len(), 1, "a run must not be started twice");
    let ClientError::Truncated { events, .. } = error else { panic!("{error}") };
    events
}

#[tokio::test]
async fn a_stream_of_another_server_that_is_cut_off_is_truncated() {
    assert_eq!(truncated(events([plain(&hello()[..4]), Step::Break])).await, 4);
    assert_eq!(truncated(events([plain(&hello()[..4])])).await, 4);
    assert_eq!(truncated(events([])).await, 0);
    assert_eq!(truncated(events([plain(&hello()[..4]), text("data: {\"type\":\"RUN_FIN")])).await, 4);
    assert_eq!(truncated(protobuf([encoded(&hello()[..4]), Step::Break])).await, 4);
    assert_eq!(truncated(protobuf([encoded(&hello()[..4]), Step::Send(vec![0, 0, 0, 9, 1])])).await, 4);
}

#[tokio::test]
async fn ids_of_another_form_do_not_make_a_run_repeatable() {
    let frame = sse::frame(hello()[0].to_json().as_bytes(), Some("run:1"));
    assert_eq!(truncated(events([Step::Send(frame.to_vec()), Step::Break])).await, 1);
}

#[tokio::test]
async fn a_last_event_without_its_blank_line_counts() {
    let (last, head) = (hello().pop().unwrap(), &hello()[..6]);
    let answer = events([plain(head), text(&format!("data: {}", last.to_json()))]);
    let server = Server::playing([answer]).await;
    let agent = AgentClient::at_with(&server.base, quick()).unwrap();
    assert!(agent.run(input()).await.unwrap().finish().await.unwrap().is_success());
}
