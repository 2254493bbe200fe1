//! The inbox of one viewer as everybody sees it who follows it: read once, written once, shared.
//!
//! ```text
//!  store ── wake-up ──> one look ──> what waits, and the news since ──┬──> follower
//!                                                                     └──> follower, behind its own place
//! ```
//!
//! However many follow, a change costs one look into the store and one writing of each piece of news. A follower holds a
//! place in the news; one that is too far behind compares what it was told with what waits.

use std::{
    collections::{BTreeMap, HashMap, VecDeque},
    sync::{Arc, Mutex, MutexGuard, PoisonError, Weak},
    time::Duration,
};

use forestage_protocol::id::{InterruptId, RunId, ThreadId};
use forestage_runtime::Outage;
use forestage_store::{InterruptRecord, Store, StoreError, Viewer, Watch};
use tokio::{
    sync::watch,
    time::{Instant, sleep_until},
};
use tokio_util::sync::{CancellationToken, DropGuard};

use super::{filter::Filter, news::News};

/// The list is not read more often than this, however much happens.
const PAUSE: Duration = Duration::from_millis(50);

/// So much news is kept for followers who are behind.
const KEPT: usize = 1024;

/// A question is the same as long as the same run asks it.
pub(super) type Key = (ThreadId, InterruptId, RunId);

/// What waits, by question.
pub(super) type Waiting = BTreeMap<Key, Arc<News>>;

pub(super) fn key(record: &InterruptRecord) -> Key {
    (record.thread_id.clone(), record.id.clone(), record.run_id.clone())
}

/// The boards that somebody looks at, by user and roles.
#[derive(Debug, Default)]
pub(crate) struct Boards(Mutex<HashMap<(String, Vec<String>), Weak<Board>>>);

impl Boards {
    /// The board of a viewer, made if nobody looks at it yet.
    pub(super) fn of(&self, store: &Arc<dyn Store>, viewer: &Viewer, patience: Duration) -> Arc<Board> {
        let mut boards = lock(&self.0);
        boards.retain(|_, board| board.strong_count() > 0);
        let mut roles = viewer.roles.clone();
        roles.sort();
        let place = boards.entry((viewer.user.clone(), roles)).or_default();
        // One that has failed is of no more use to those who come now.
        if let Some(board) = place.upgrade().filter(|board| !board.now().has_failed) {
            return board;
        }
        let board = Board::start(store, viewer, patience);
        *place = Arc::downgrade(&board);
        board
    }
}

/// What one viewer may see, kept up to date while somebody looks.
#[derive(Debug)]
pub(super) struct Board {
    state: Mutex<State>,
    /// Moved with every change of the state.
    changes: watch::Sender<u64>,
    /// Ends the work when nobody looks any more.
    _work: DropGuard,
}

#[derive(Debug, Default)]
struct State {
    waiting: Waiting,
    news: VecDeque<Arc<News>>,
    /// The place behind the last piece of news.
    end: u64,
    /// Whether what waits has been read at all.
    is_read: bool,
    has_failed: bool,
}

/// What a follower is to be told.
pub(super) enum Told {
    /// The news behind its place.
    News(Vec<Arc<News>>),
    /// It has no place, or is too far behind: all that waits, and the news that is kept.
    All(Waiting, Vec<Arc<News>>),
    /// Nothing has been read yet.
    Nothing,
    /// The store failed for too long.
    Failed,
}

impl Board {
    fn start(store: &Arc<dyn Store>, viewer: &Viewer, patience: Duration) -> Arc<Self> {
        let stop = CancellationToken::new();
        let work = stop.clone().drop_guard();
        let board = Arc::new(Self { state: Mutex::default(), changes: watch::Sender::new(0), _work: work });
        let reader = Reader {
            board: Arc::downgrade(&board),
            // Watched before the first look, so that nothing falls between the two.
            watch: store.watch_inbox(),
            store: store.clone(),
            filter: Filter::new(viewer.clone(), None),
            outage: Outage::new(patience),
        };
        tokio::spawn(async move { stop.run_until_cancelled(reader.work()).await });
        board
    }

    /// Wake-ups for changes, from now on.
    pub(super) fn changes(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }

    /// What came behind a place, and the place behind that.
    pub(super) fn behind(&self, place: Option<u64>) -> (Told, u64) {
        let state = self.now();
        let first = state.end - state.news.len() as u64;
        let told = match place {
            _ if state.has_failed => Told::Failed,
            _ if !state.is_read => Told::Nothing,
            Some(place) if place >= first => {
                let skipped = usize::try_from(place - first).unwrap_or(usize::MAX);
                Told::News(state.news.iter().skip(skipped).cloned().collect())
            }
            _ => Told::All(state.waiting.clone(), state.news.iter().cloned().collect()),
        };
        (told, state.end)
    }

    fn now(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
    }

    fn publish(&self, change: impl FnOnce(&mut State)) {
        change(&mut self.now());
        self.changes.send_modify(|version| *version += 1);
    }
}

/// Who keeps a board up to date.
struct Reader {
    board: Weak<Board>,
    store: Arc<dyn Store>,
    watch: Watch,
    filter: Filter,
    outage: Outage,
}

impl Reader {
    async fn work(mut self) {
        loop {
            let looked = Instant::now();
            if !self.look_until_done().await {
                return;
            }
            sleep_until(looked + PAUSE).await;
            if !self.watch.changed().await {
                return self.fail();
            }
        }
    }

    /// Looks, again while the store fails. Says whether to go on.
    async fn look_until_done(&mut self) -> bool {
        while let Err(error) = self.look().await {
            if let Err(error) = self.outage.wait(error).await {
                tracing::error!(%error, "those who follow the inbox lost the store");
                self.fail();
                return false;
            }
        }
        self.outage.over();
        self.board.strong_count() > 0
    }

    fn fail(&self) {
        if let Some(board) = self.board.upgrade() {
            board.publish(|state| state.has_failed = true);
        }
    }

    /// Compares what waits with what waited, and notes the difference. Nothing is changed unless all of it could be read.
    async fn look(&self) -> Result<(), StoreError> {
        let Some(before) = self.board.upgrade().map(|board| board.now().waiting.clone()) else {
            return Ok(());
        };
        let records = self.filter.all(&self.store, false).await?;
        let viewer = self.filter.viewer();
        let mut waiting = Waiting::new();
        let (mut voted, mut opened) = (Vec::new(), Vec::new());
        for record in records {
            let key = key(&record);
            let news = match before.get(&key) {
                Some(known) if known.record().votes.len() == record.votes.len() => known.clone(),
                Some(_) => {
                    voted.push(Arc::new(News::new("voted", record.clone(), viewer)));
                    Arc::new(News::new("opened", record, viewer))
                }
                None => {
                    let news = Arc::new(News::new("opened", record, viewer));
                    opened.push(news.clone());
                    news
                }
            };
            waiting.insert(key, news);
        }
        let mut news = Vec::new();
        for (key, last) in &before {
            if !waiting.contains_key(key) {
                news.push(Arc::new(self.gone(last.record()).await?));
            }
        }
        news.append(&mut voted);
        opened.sort_by_key(|news| news.record().place());
        news.append(&mut opened);
        self.note(waiting, news);
        Ok(())
    }

    fn note(&self, waiting: Waiting, news: Vec<Arc<News>>) {
        let Some(board) = self.board.upgrade() else { return };
        if board.now().is_read && news.is_empty() {
            return;
        }
        board.publish(|state| {
            let is_first = !std::mem::replace(&mut state.is_read, true);
            state.waiting = waiting;
            // Who comes first is told all that waits, so it is no news.
            let news = if is_first { Vec::new() } else { news };
            state.end += news.len() as u64;
            state.news.extend(news);
            let surplus = state.news.len().saturating_sub(KEPT);
            state.news.drain(..surplus);
        });
    }

    /// Why something does not wait any more.
    async fn gone(&self, last: &InterruptRecord) -> Result<News, StoreError> {
        let viewer = self.filter.viewer();
        Ok(match self.decided(last).await? {
            Some(decided) => News::new("decided", decided, viewer),
            None => News::new("closed", last.clone(), viewer),
        })
    }

    /// The same question as it is now, if it was decided.
    async fn decided(&self, last: &InterruptRecord) -> Result<Option<InterruptRecord>, StoreError> {
        let is_it = |record: &InterruptRecord| key(record) == key(last);
        let viewer = self.filter.viewer().clone();
        let newest = self.store.interrupt(last.id.clone(), viewer.clone()).await?;
        let record = match newest {
            Some(newest) if is_it(&newest) => Some(newest),
            _ => {
                let all = Filter::new(viewer, Some(last.thread_id.clone())).all(&self.store, true).await?;
                all.into_iter().find(is_it)
            }
        };
        Ok(record.filter(|record| record.decision.is_some()))
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn who_is_too_far_behind_is_told_all_that_waits() {
        let store = forestage_store::open("memory:").await.expect("it needs nothing");
        let board = Boards::default().of(&store, &"ada".into(), Duration::ZERO);
        let mut changes = board.changes();
        changes.changed().await.expect("the board is ours");
        assert!(matches!(board.behind(Some(0)), (Told::News(news), 0) if news.is_empty()));
        board.now().end = 5;
        assert!(matches!(board.behind(Some(4)), (Told::All(..), 5)), "the news behind 4 is not kept");
        assert!(matches!(board.behind(None), (Told::All(..), 5)), "who has no place is told everything");
    }
}
