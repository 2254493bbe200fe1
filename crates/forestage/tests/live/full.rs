//! A disk without room, which a limit for the size of files stands in for.

use crate::{
    raw::{self, Frames},
    support::{Process, in_time, input, is_terminal},
};

/// Longer than the test waits: whoever learns of the end only by the lease fails.
const LEASE: u32 = 120_000;

/// So many blocks of 512 or 1024 bytes: enough to begin, and soon full.
const BLOCKS: u32 = 2048;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_that_finds_no_room_ends_at_once_for_whoever_watches_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Process::start_with_little_room(&folder.path().join("full.db"), LEASE, BLOCKS);
    let input = input("t", "r", "10000000 10");
    let request = raw::client().post(format!("{}/v1/agents/count/runs", server.url)).json(&input);
    let mut frames = Frames::new(request.send().await.expect("it is up"));
    let mut seen = 0;
    let end = loop {
        let frame = in_time(frames.next()).await.expect("it does not break off");
        if is_terminal(&frame.event) {
            break frame;
        }
        seen += 1;
    };
    assert!(seen > 1, "it has said something");
    assert_eq!((&end.event["type"], &end.event["code"]), (&"RUN_ERROR".into(), &"store_unavailable".into()));
    assert_eq!(end.id, "", "what is not in the log has no cursor");
    assert!(in_time(frames.next()).await.is_none(), "and the stream ends in order");

    let ready = raw::client().get(format!("{}/readyz", server.url)).send().await.expect("it is up");
    assert_eq!(ready.status(), 503, "and others are told that it cannot write");
}
