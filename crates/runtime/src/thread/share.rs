//! Threads that somebody reads by a link.

use forestage_protocol::id::ThreadId;
use forestage_store::{Share, Thread};

use crate::{clock, error::Refusal, stage::Stage};

impl Stage {
    /// The thread that a share opens, with the share. One that was taken back, is over, or is of another thread is like a
    /// thread that does not exist: whoever has it learns nothing.
    pub async fn shared_thread(&self, hash: [u8; 32], id: &ThreadId) -> Result<(Thread, Share), Refusal> {
        let share = self.store.share(hash).await?.filter(|share| share.thread_id == *id && is_open(share));
        let share = share.ok_or_else(|| Refusal::no_thread(id))?;
        let thread = self.store.thread(id.clone()).await?;
        Ok((thread.ok_or_else(|| Refusal::no_thread(id))?, share))
    }
}

fn is_open(share: &Share) -> bool {
    share.expires_at.is_none_or(|end| clock::now() < end)
}
