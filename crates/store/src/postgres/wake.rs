//! Wake-ups between processes: every commit that concerns somebody says so on a channel of its schema (`NOTIFY`), and a
//! connection of its own listens.
//!
//! What is said comes with the commit or not at all. Our own process wakes its followers by itself, without the way through
//! the server, and does not listen to itself. What is said while nobody listens is lost, so whoever begins to listen wakes
//! everybody.

use std::{
    future::poll_fn,
    sync::{
        Arc,
        atomic::{AtomicI32, Ordering},
    },
    time::Duration,
};

use forestage_protocol::id::ThreadId;
use tokio::{sync::mpsc, task::JoinHandle};
use tokio_postgres::{AsyncMessage, Client};

use super::{
    address::Address,
    failure::{Failure, in_time},
};
use crate::{Seq, Tails};

/// Postgres takes less than 8,000 bytes.
const LONGEST_ID: usize = 4096;

/// After so much silence it is asked whether the connection is still there, and it has so long to answer.
const SILENCE: Duration = Duration::from_secs(15);

/// How long to wait before listening is tried again, at first and at last.
const SOON: Duration = Duration::from_millis(50);
const LATER: Duration = Duration::from_secs(2);

/// What somebody is woken for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum News {
    /// A log ends here now.
    Grown(ThreadId, Seq),
    /// Something else about a thread.
    Nudge(ThreadId),
    /// The inbox.
    Inbox,
    /// Anything.
    All,
}

impl News {
    /// What is said on the channel.
    pub(super) fn payload(&self, origin: i32) -> String {
        match self {
            Self::Grown(id, _) | Self::Nudge(id) if id.as_str().len() > LONGEST_ID => format!("{origin} all"),
            Self::Grown(id, tail) => format!("{origin} grown {} {id}", tail.0),
            Self::Nudge(id) => format!("{origin} nudge {id}"),
            Self::Inbox => format!("{origin} inbox"),
            Self::All => format!("{origin} all"),
        }
    }

    /// Who says it, and what; anything that is not understood may concern anybody.
    fn heard(payload: &str) -> (Option<i32>, Self) {
        let (origin, said) = payload.split_once(' ').unwrap_or_default();
        let news = match said.split_once(' ').unwrap_or((said, "")) {
            ("inbox", "") => Self::Inbox,
            ("nudge", id) => Self::Nudge(id.into()),
            ("grown", rest) => match rest.split_once(' ').map(|(tail, id)| (tail.parse(), id)) {
                Some((Ok(tail), id)) => Self::Grown(id.into(), Seq(tail)),
                _ => Self::All,
            },
            _ => Self::All,
        };
        (origin.parse().ok(), news)
    }

    /// Wakes those who watch here.
    pub(super) fn announce(&self, tails: &Tails) {
        match self {
            Self::Grown(id, tail) => tails.announce(id, *tail),
            Self::Nudge(id) => tails.nudge(id),
            Self::Inbox => tails.nudge_inbox(),
            Self::All => tails.nudge_all(),
        }
    }
}

/// The channel of a schema.
pub(super) fn channel(schema: &str) -> String {
    format!("forestage_{schema}")
}

/// The connection that listens. It ends when this is dropped.
pub(super) struct Listener {
    /// The number that tells our own wake-ups from others: the server's for this connection, and 0 while there is none.
    pub(super) origin: Arc<AtomicI32>,
    task: JoinHandle<()>,
}

impl Listener {
    /// Begins to listen.
    pub(super) async fn start(address: Arc<Address>, tails: Arc<Tails>) -> Result<Self, Failure> {
        let origin = Arc::new(AtomicI32::new(0));
        let ear = Ear::open(&address).await?;
        let task = tokio::spawn(work(address, tails, origin.clone(), ear));
        Ok(Self { origin, task })
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn work(address: Arc<Address>, tails: Arc<Tails>, origin: Arc<AtomicI32>, mut ear: Ear) {
    loop {
        origin.store(ear.number, Ordering::Relaxed);
        tails.nudge_all();
        ear.listen(&tails).await;
        origin.store(0, Ordering::Relaxed);
        let mut pause = SOON;
        ear = loop {
            match Ear::open(&address).await {
                Ok(ear) => break ear,
                Err(_) => tokio::time::sleep(pause).await,
            }
            pause = (pause * 2).min(LATER);
        };
    }
}

/// A connection that listens.
struct Ear {
    client: Client,
    number: i32,
    payloads: mpsc::UnboundedReceiver<String>,
}

impl Ear {
    async fn open(address: &Address) -> Result<Self, Failure> {
        let (client, mut connection) = address.connect().await?;
        let (sender, payloads) = mpsc::unbounded_channel();
        // It ends with the client, and so does the row of payloads.
        tokio::spawn(async move {
            while let Some(Ok(message)) = poll_fn(|context| connection.poll_message(context)).await {
                if let AsyncMessage::Notification(note) = message {
                    let _ = sender.send(note.payload().to_owned());
                }
            }
        });
        let begun = async {
            client.batch_execute(&format!("LISTEN {}", channel(&address.schema))).await?;
            client.query_one("SELECT pg_backend_pid()", &[]).await
        };
        let number = in_time("beginning to listen", SILENCE, begun).await?.try_get(0)?;
        Ok(Self { client, number, payloads })
    }

    /// Wakes whom it concerns, until the connection is lost.
    async fn listen(&mut self, tails: &Tails) {
        loop {
            match tokio::time::timeout(SILENCE, self.payloads.recv()).await {
                Ok(Some(payload)) => self.hear(&payload, tails),
                Ok(None) => return,
                Err(_) => {
                    tails.forget_unwatched();
                    if in_time("an answer", SILENCE, self.client.batch_execute("")).await.is_err() {
                        return;
                    }
                }
            }
        }
    }

    fn hear(&self, payload: &str, tails: &Tails) {
        let (origin, news) = News::heard(payload);
        if origin != Some(self.number) {
            news.announce(tails);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_is_understood() {
        for news in [
            News::Grown("a thread with words".into(), Seq(7)),
            News::Nudge("t".into()),
            News::Nudge("".into()),
            News::Inbox,
            News::All,
        ] {
            assert_eq!(News::heard(&news.payload(-3)), (Some(-3), news));
        }
    }

    #[test]
    fn what_is_too_long_or_not_understood_may_concern_anybody() {
        let long = "x".repeat(LONGEST_ID + 1);
        for payload in
            [News::Nudge(long.as_str().into()).payload(1), News::Grown(long.into(), Seq(1)).payload(1)]
        {
            assert_eq!(News::heard(&payload), (Some(1), News::All));
        }
        for payload in ["", "x", "1 ", "1 shrunk t", "1 grown many t", "1 grown 3"] {
            assert_eq!(News::heard(payload).1, News::All, "{payload:?}");
        }
    }
}
