//! The answer of an agent, as events: framed, brought up to date, enforced, expanded and verified.

use std::{collections::VecDeque, time::Duration};

use forestage_protocol::{
    Warning,
    codec::{Framer, sse::SseDecoder},
    compat::PeerVersion,
    event::Event,
    id::ThreadId,
    pipeline::Reader,
};
use reqwest::Response;
use tokio::time::timeout;

use super::trouble::Trouble;

/// How long an agent that has finished is listened to: it may still say that it failed.
const AFTERWARDS: Duration = Duration::from_millis(200);

/// Reads the answer to one call.
#[derive(Debug)]
pub(super) struct Stream {
    response: Response,
    framer: SseDecoder,
    reader: Reader,
    events: VecDeque<Event>,
    trouble: Option<Trouble>,
    is_over: bool,
    idle: Duration,
}

impl Stream {
    pub(super) fn new(response: Response, idle: Duration, max_event: usize) -> Self {
        Self {
            response,
            framer: SseDecoder::with_limit(max_event),
            reader: Reader::default(),
            events: VecDeque::new(),
            trouble: None,
            is_over: false,
            idle,
        }
    }

    /// The same for an answer on this thread, from an agent that speaks an older version at most, or AGUI.Protocol.
    pub(super) fn on(self, thread_id: &ThreadId, peer: Option<PeerVersion>) -> Self {
        Self { reader: Reader::for_thread(thread_id.clone()).with_peer(peer).with_net(), ..self }
    }

    /// The next event. One that ends the run always comes, or an error does. What came before an error is handed out
    /// before it.
    pub(super) async fn next(&mut self) -> Result<Event, Trouble> {
        loop {
            if let Some(event) = self.events.pop_front() {
                return Ok(event);
            }
            if let Some(trouble) = self.trouble.take() {
                return Err(trouble);
            }
            if let Err(trouble) = self.read().await {
                self.trouble = Some(trouble);
            }
        }
    }

    /// Why the run failed after it had finished, if it did.
    pub(super) async fn late_error(&mut self) -> Option<Event> {
        let error = timeout(AFTERWARDS, async {
            loop {
                match self.next().await {
                    Ok(event @ Event::RunError(_)) => return Some(event),
                    // Nothing else counts any more.
                    Ok(_) => {}
                    Err(_) => return None,
                }
            }
        });
        error.await.ok().flatten()
    }

    /// What there was to say about its shapes.
    pub(super) fn take_warnings(&mut self) -> Vec<Warning> {
        self.reader.take_warnings()
    }

    async fn read(&mut self) -> Result<(), Trouble> {
        let frame = if self.is_over { self.framer.finish()? } else { self.framer.next()? };
        if let Some(frame) = frame {
            return self.take(&frame.data);
        }
        if self.is_over {
            self.reader.finish()?;
            return Err(Trouble::BrokeOff("its answer is over".to_owned()));
        }
        match timeout(self.idle, self.response.chunk()).await {
            Err(_) => return Err(Trouble::Silent(self.idle)),
            Ok(Err(error)) => return Err(Trouble::broke_off(&error)),
            Ok(Ok(Some(bytes))) => self.framer.push(&bytes),
            Ok(Ok(None)) => self.is_over = true,
        }
        Ok(())
    }

    fn take(&mut self, data: &[u8]) -> Result<(), Trouble> {
        let index = self.reader.index();
        let text = std::str::from_utf8(data)
            .map_err(|_| Trouble::Invalid { index, message: "it is not UTF-8".to_owned() })?;
        Ok(self.reader.read_json(text, |event| self.events.push_back(event))?)
    }
}
