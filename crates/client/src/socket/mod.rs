//! Many runs and threads on one connection.
//!
//! A [`Socket`] asks and listens by turns, in the caller's task: what arrives while an answer is awaited is kept
//! for [`Socket::next`]. When the connection breaks it is made again, every thread is followed from where it was,
//! and what was asked and not answered is asked again, which is safe: asking twice for a run is asking once.

mod frame;
mod link;
mod track;

use std::collections::{BTreeMap, HashMap, VecDeque};

use forestage_protocol::{
    event::Event,
    id::{RunId, ThreadId},
    input::RunAgentInput,
};
use tokio::time::sleep;

use self::{
    frame::{Heard, Said},
    link::Link,
    track::Track,
};
use crate::{
    agent::{self, OnBusy},
    client::Client,
    cursor::Cursor,
    error::ClientError,
    follow::After,
};

/// An event on one of the threads that a socket follows: read, verified and expanded as everywhere.
#[derive(Clone, Debug, PartialEq)]
pub struct Spoken {
    /// The thread.
    pub thread_id: ThreadId,
    /// The event.
    pub event: Event,
    /// The place behind it.
    pub cursor: Option<Cursor>,
}

/// A connection for many runs and threads.
#[derive(Debug)]
pub struct Socket {
    client: Client,
    link: Option<Link>,
    tracks: BTreeMap<ThreadId, Track>,
    /// The thread that a request is about to open: it is not restored, because it is asked for once more.
    asking: Option<ThreadId>,
    /// Requests that were made on the caller's behalf, and the thread each is about.
    restoring: HashMap<String, ThreadId>,
    queue: VecDeque<Result<Spoken, ClientError>>,
    last_id: u64,
    failures: u32,
    is_over: bool,
}

impl Socket {
    pub(crate) async fn open(client: &Client) -> Result<Self, ClientError> {
        let link = Some(Link::open(client).await?);
        Ok(Self {
            client: client.clone(),
            link,
            tracks: BTreeMap::new(),
            asking: None,
            restoring: HashMap::new(),
            queue: VecDeque::new(),
            last_id: 0,
            failures: 0,
            is_over: false,
        })
    }

    /// Starts a run. Its events come out of [`Socket::next`] among the others.
    pub async fn run(
        &mut self,
        agent: &str,
        input: RunAgentInput,
        on_busy: Option<OnBusy>,
    ) -> Result<(), ClientError> {
        self.tracks.retain(|_, track| track.is_live());
        let input = Box::new(agent::ready(input));
        let (thread_id, run_id) = (input.thread_id.clone(), input.run_id.clone());
        let said = Said::Run { agent: agent.to_owned(), input, on_busy: on_busy.map(OnBusy::as_str) };
        self.asking = (!self.tracks.contains_key(&thread_id)).then(|| thread_id.clone());
        self.track(&thread_id);
        let result = self.request(&said).await;
        if result.is_ok() {
            self.track(&thread_id).start(run_id, said);
        }
        result
    }

    /// Follows a thread through all its runs.
    pub async fn follow(&mut self, thread_id: impl Into<ThreadId>, after: After) -> Result<(), ClientError> {
        let thread_id = thread_id.into();
        let place = match &after {
            After::Now => None,
            After::Start => Some("start".to_owned()),
            After::Cursor(cursor) => Some(cursor.to_string()),
        };
        self.asking = Some(thread_id.clone());
        self.track(&thread_id).follow(after);
        let result = self.request(&Said::Follow { thread_id: thread_id.clone(), after: place }).await;
        if result.is_err() {
            self.tracks.remove(&thread_id);
        }
        result
    }

    /// Follows a thread no more.
    pub async fn unfollow(&mut self, thread_id: &ThreadId) -> Result<(), ClientError> {
        self.tracks.remove(thread_id);
        self.request(&Said::Unfollow { thread_id: thread_id.clone() }).await
    }

    /// Asks the server to stop a run.
    pub async fn cancel(&mut self, thread_id: &ThreadId, run_id: &RunId) -> Result<(), ClientError> {
        self.request(&Said::Cancel { thread_id: thread_id.clone(), run_id: run_id.clone() }).await
    }

    /// Asks for a sign of life.
    pub async fn ping(&mut self) -> Result<(), ClientError> {
        self.request(&Said::Ping {}).await
    }

    /// The next event on any thread. An error [on a thread](ClientError::OnThread) is the end of that thread
    /// alone; nothing comes any more once the connection could not be made again. May be dropped before it is
    /// ready without losing anything.
    pub async fn next(&mut self) -> Option<Result<Spoken, ClientError>> {
        // A request that was dropped before it was answered asks no more.
        self.asking = None;
        while self.queue.is_empty() && !self.is_over {
            if let Err(error) = self.listen().await {
                self.is_over = true;
                return Some(Err(error));
            }
        }
        self.queue.pop_front()
    }

    /// Says goodbye.
    pub async fn close(mut self) {
        if let Some(link) = self.link.take() {
            link.close().await;
        }
    }

    fn track(&mut self, thread_id: &ThreadId) -> &mut Track {
        self.tracks.entry(thread_id.clone()).or_insert_with(|| Track::new(thread_id))
    }

    /// Asks, as often as the connection breaks, until there is an answer.
    async fn request(&mut self, said: &Said) -> Result<(), ClientError> {
        let id = self.fresh_id();
        let result = loop {
            match self.ask(&id, said).await {
                Err(error) if error.is_retryable() => {
                    if let Err(error) = self.pause(error).await {
                        break Err(error);
                    }
                }
                result => break result,
            }
        };
        self.asking = None;
        result
    }

    async fn ask(&mut self, id: &str, said: &Said) -> Result<(), ClientError> {
        self.link().await?.send(said.to_text(id)?).await?;
        loop {
            let text = self.link().await?.receive().await?;
            let heard = Heard::read(&text)?;
            let is_answer = heard.id.as_deref() == Some(id);
            match &*heard.kind {
                "error" if is_answer => return Err(heard.into_refusal()),
                "ok" | "pong" if is_answer => {
                    self.failures = 0;
                    return Ok(());
                }
                _ => self.hear(heard).await?,
            }
        }
    }

    async fn listen(&mut self) -> Result<(), ClientError> {
        match self.receive().await {
            Ok(text) => self.hear(Heard::read(&text)?).await,
            Err(error) if error.is_retryable() => self.pause(error).await,
            Err(error) => Err(error),
        }
    }

    async fn receive(&mut self) -> Result<String, ClientError> {
        self.link().await?.receive().await
    }

    async fn hear(&mut self, heard: Heard<'_>) -> Result<(), ClientError> {
        self.failures = 0;
        match &*heard.kind {
            "event" => self.hear_event(&heard).await,
            "error" => {
                self.hear_error(heard);
                Ok(())
            }
            _ => {
                heard.id.iter().for_each(|id| drop(self.restoring.remove(&**id)));
                Ok(())
            }
        }
    }

    async fn hear_event(&mut self, heard: &Heard<'_>) -> Result<(), ClientError> {
        let (Some(thread_id), Some(event)) = (&heard.thread_id, heard.event) else {
            return Err(ClientError::Unreadable("an event frame without a thread or an event".to_owned()));
        };
        // What is still under way of a thread that is followed no more is nobody's.
        let Some(track) = self.tracks.get_mut(thread_id) else { return Ok(()) };
        let mut spoken = Vec::new();
        let result = track.hear(event.get(), heard.cursor(), &mut spoken);
        let is_done = result.is_err() || track.wants_unfollow();
        self.queue.extend(spoken.into_iter().map(Ok));
        if let Err(error) = result {
            self.queue.push_back(Err(error.on_thread(thread_id)));
            self.tracks.remove(thread_id);
        }
        if is_done { self.mention(Said::Unfollow { thread_id: thread_id.clone() }).await } else { Ok(()) }
    }

    /// Something that was asked on the caller's behalf went wrong, or something the server says unasked.
    fn hear_error(&mut self, heard: Heard<'_>) {
        if heard.is_store_lost() {
            // The server closes next; on a new connection the thread goes on behind its cursor.
            return;
        }
        let thread_id = heard.id.as_deref().and_then(|id| self.restoring.remove(id));
        let thread_id = thread_id.or_else(|| heard.thread_id.clone());
        let error = heard.into_refusal();
        self.queue.push_back(Err(match &thread_id {
            Some(thread_id) => error.on_thread(thread_id),
            None => error,
        }));
        thread_id.iter().for_each(|thread_id| drop(self.tracks.remove(thread_id)));
    }

    /// Says something whose answer does not matter. A connection that breaks meanwhile is noticed by the next
    /// who listens.
    async fn mention(&mut self, said: Said) -> Result<(), ClientError> {
        let text = said.to_text(&self.fresh_id())?;
        if let Some(link) = &mut self.link
            && link.send(text).await.is_err()
        {
            self.link = None;
        }
        Ok(())
    }

    /// The connection, made again if it is gone.
    async fn link(&mut self) -> Result<&mut Link, ClientError> {
        if self.link.is_none() {
            let mut link = Link::open(&self.client).await?;
            self.restore(&mut link).await?;
            self.link = Some(link);
        }
        Ok(self.link.as_mut().expect("it was just made"))
    }

    async fn restore(&mut self, link: &mut Link) -> Result<(), ClientError> {
        self.restoring.clear();
        let asking = self.asking.as_ref();
        self.tracks.retain(|thread_id, track| track.is_live() || Some(thread_id) == asking);
        if let Some(thread_id) = asking {
            // Nobody has seen what came before the answer: the caller still waits for that.
            self.queue.retain(|spoken| !spoken.as_ref().is_ok_and(|spoken| spoken.thread_id == *thread_id));
            self.tracks.get_mut(thread_id).into_iter().for_each(Track::reset);
        }
        let said: Vec<_> = self
            .tracks
            .iter_mut()
            .filter(|(thread_id, _)| Some(*thread_id) != asking)
            .flat_map(|(thread_id, track)| track.restore().into_iter().map(|said| (thread_id.clone(), said)))
            .collect();
        for (thread_id, said) in said {
            let id = self.fresh_id();
            link.send(said.to_text(&id)?).await?;
            self.restoring.insert(id, thread_id);
        }
        Ok(())
    }

    async fn pause(&mut self, cause: ClientError) -> Result<(), ClientError> {
        self.link = None;
        let retry = self.client.http().settings().retry;
        if self.failures >= retry.attempts {
            return Err(ClientError::GaveUp { attempts: self.failures, last: Box::new(cause) });
        }
        self.failures += 1;
        sleep(retry.pause(self.failures)).await;
        Ok(())
    }

    fn fresh_id(&mut self) -> String {
        self.last_id += 1;
        self.last_id.to_string()
    }
}
