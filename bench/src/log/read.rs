//! Reading a thread of 100,000 events back.

use std::path::Path;

use forestage_store::{Durability, Seq, Store};

use super::{floor::Floor, runs::Runs};
use crate::{
    mix,
    race::{Contender, Task},
};

const EVENTS: usize = 100_000;
/// A reader asks for so many entries at once.
const PAGE: usize = 1_000;

pub(super) fn task<'a>(folder: &Path, texts: &'a [String]) -> Task<'a> {
    let mut runs = Runs::new(&folder.join("read.db"), Durability::Process, 1, texts);
    for _ in 0..EVENTS / mix::TURN {
        runs.round();
    }
    let mut floor = Floor::new(&folder.join("read-floor.db"));
    floor.append(texts, EVENTS);
    Task {
        key: "read",
        title: "read 100,000 events back",
        contenders: vec![
            Contender::new("ours, 1,000 at a time", EVENTS, move || {
                assert_eq!(runs.runtime().block_on(read_all(&**runs.store())), EVENTS);
            }),
            Contender::new("floor: rusqlite, one statement", EVENTS, move || {
                assert_eq!(floor.read(), EVENTS);
            }),
        ],
    }
}

async fn read_all(store: &dyn Store) -> usize {
    let (mut count, mut after) = (0, Seq::START);
    loop {
        let page = store.read("thread-000000".into(), after, Seq::END, PAGE).await.expect("readable");
        let Some(last) = page.last() else { return count };
        (count, after) = (count + page.len(), last.seq);
    }
}
