//! Conversations that runs of this process have ended with, at hand for whoever goes on with them.
//!
//! Folding a conversation from the log takes longer the longer it is, and every run begins with one. What is here is a
//! copy of what the log says up to the end of a run, and that never changes: losing one costs time and nothing else.

use std::{
    collections::{BTreeMap, HashMap},
    sync::{Mutex, MutexGuard, PoisonError},
};

use forestage_protocol::id::{RunId, ThreadId};

use super::Folded;

/// So many bytes of conversations are kept, about. Those that nobody asked for the longest go first.
const MOST: usize = 16 << 20;

/// What a conversation takes beside what was said in it.
const EACH: usize = 4 << 10;

/// Conversations by thread, one for each.
#[derive(Debug, Default)]
pub(crate) struct AtHand(Mutex<Shelf>);

#[derive(Debug, Default)]
struct Shelf {
    kept: HashMap<ThreadId, Kept>,
    /// Who came when.
    order: BTreeMap<u64, ThreadId>,
    came: u64,
    weight: usize,
}

#[derive(Debug)]
struct Kept {
    came: u64,
    epoch: i64,
    run_id: RunId,
    weight: usize,
    folded: Folded,
}

impl AtHand {
    /// Takes the conversation at the end of a run away, if it is here.
    pub(crate) fn take(&self, thread_id: &str, epoch: i64, run_id: &RunId) -> Option<Folded> {
        let mut shelf = self.shelf();
        let kept = shelf.kept.get(thread_id)?;
        (kept.epoch == epoch && kept.run_id == *run_id).then(|| shelf.remove(thread_id))?
    }

    /// Keeps the conversation at the end of a run, in place of an earlier one of its thread. One whose run goes on is not
    /// kept.
    pub(crate) fn put(&self, thread_id: &ThreadId, epoch: i64, run_id: &RunId, folded: Folded) {
        if folded.terminal.is_none() {
            return;
        }
        let weight = EACH + folded.weight();
        // They are dropped where nobody waits for them.
        let _gone =
            self.shelf().add(thread_id, Kept { came: 0, epoch, run_id: run_id.clone(), weight, folded });
    }

    /// The same for somebody who took it and has read it, unless a run has ended meanwhile.
    pub(crate) fn put_back(&self, thread_id: &ThreadId, epoch: i64, run_id: &RunId, folded: Folded) {
        let has_newer = self.shelf().kept.contains_key(thread_id);
        if !has_newer {
            self.put(thread_id, epoch, run_id, folded);
        }
    }

    /// The thread is deleted.
    pub(crate) fn forget(&self, thread_id: &str) {
        let _gone = self.shelf().remove(thread_id);
    }

    fn shelf(&self) -> MutexGuard<'_, Shelf> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Shelf {
    /// Adds one, and returns those that have to go.
    fn add(&mut self, thread_id: &ThreadId, mut kept: Kept) -> Vec<Folded> {
        let mut gone: Vec<_> = self.remove(thread_id).into_iter().collect();
        self.came += 1;
        kept.came = self.came;
        self.weight += kept.weight;
        self.order.insert(kept.came, thread_id.clone());
        self.kept.insert(thread_id.clone(), kept);
        while self.weight > MOST
            && let Some((_, oldest)) = self.order.first_key_value()
        {
            gone.extend(self.remove(&oldest.clone()));
        }
        gone
    }

    fn remove(&mut self, thread_id: &str) -> Option<Folded> {
        let kept = self.kept.remove(thread_id)?;
        self.order.remove(&kept.came);
        self.weight -= kept.weight;
        Some(kept.folded)
    }
}

#[cfg(test)]
mod tests {
    use forestage_protocol::event::{Event, RunFinished, RunStarted, TextMessageContent, TextMessageStart};

    use super::*;

    fn folded(text: &str) -> Folded {
        let mut folded = Folded::default();
        for event in [
            Event::from(RunStarted::new("t", "r")),
            TextMessageStart::new("m").into(),
            TextMessageContent::new("m", text).into(),
            RunFinished::new("t", "r").into(),
        ] {
            folded.apply(&event);
        }
        folded
    }

    #[test]
    fn a_conversation_is_given_once_and_only_for_the_run_it_ended_with() {
        let at_hand = AtHand::default();
        at_hand.put(&"t".into(), 1, &"r".into(), folded("hello"));
        assert!(at_hand.take("t", 2, &"r".into()).is_none(), "another thread had that id");
        assert!(at_hand.take("t", 1, &"q".into()).is_none(), "another run");
        assert!(at_hand.take("t", 1, &"r".into()).is_some());
        assert!(at_hand.take("t", 1, &"r".into()).is_none());
    }

    #[test]
    fn a_conversation_that_goes_on_is_not_kept() {
        let at_hand = AtHand::default();
        let mut open = folded("hello");
        open.apply(&RunStarted::new("t", "r2").into());
        at_hand.put(&"t".into(), 1, &"r2".into(), open);
        assert!(at_hand.take("t", 1, &"r2".into()).is_none());
    }

    #[test]
    fn what_was_read_does_not_take_the_place_of_what_is_newer() {
        let at_hand = AtHand::default();
        at_hand.put(&"t".into(), 1, &"new".into(), folded("hello"));
        at_hand.put_back(&"t".into(), 1, &"old".into(), folded("hello"));
        assert!(at_hand.take("t", 1, &"new".into()).is_some());
    }

    #[test]
    fn the_oldest_make_room_for_the_newest() {
        let at_hand = AtHand::default();
        let text = "x".repeat(MOST / 4);
        for thread in ["a", "b", "c", "d"] {
            at_hand.put(&thread.into(), 1, &"r".into(), folded(&text));
        }
        let here = ["a", "b", "c", "d"].map(|thread| at_hand.take(thread, 1, &"r".into()).is_some());
        assert_eq!(here, [false, true, true, true]);
        at_hand.put(&"e".into(), 1, &"r".into(), folded(&"x".repeat(MOST)));
        assert!(at_hand.take("e", 1, &"r".into()).is_none(), "larger than everything");
        assert_eq!(at_hand.shelf().weight, 0);
    }
}
