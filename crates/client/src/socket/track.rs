//! What a socket follows on one thread, so that it can be asked for again.

use forestage_protocol::{
    event::Event,
    id::{RunId, ThreadId},
};

use super::{Spoken, frame::Said};
use crate::{
    cursor::{Cursor, Progress},
    error::ClientError,
    follow::After,
    reading::Reading,
};

/// One thread.
#[derive(Debug)]
pub(super) struct Track {
    thread_id: ThreadId,
    reading: Reading,
    progress: Progress,
    /// From where on all of the thread is followed; else only the runs below are.
    follows: Option<After>,
    /// Runs that were started here and have not ended, with what started them.
    runs: Vec<(RunId, Said)>,
    /// The run that is open on the thread, or ended last.
    last_run: Option<RunId>,
    has_ended: bool,
    /// The server follows all of the thread although only a run was wanted: that is how a run is rejoined.
    follows_too_much: bool,
}

impl Track {
    /// A thread of which nothing is followed but what somebody is about to ask for.
    pub(super) fn new(thread_id: &ThreadId) -> Self {
        Self {
            thread_id: thread_id.clone(),
            reading: Reading::from_start(thread_id),
            progress: Progress::default(),
            follows: None,
            runs: Vec::new(),
            last_run: None,
            has_ended: false,
            follows_too_much: false,
        }
    }

    /// All of the thread is followed, from somewhere on.
    pub(super) fn follow(&mut self, after: After) {
        self.follows = Some(after);
        self.reset();
    }

    /// As if nothing had been heard yet.
    pub(super) fn reset(&mut self) {
        let cursor = match &self.follows {
            Some(After::Cursor(cursor)) => Some(cursor.clone()),
            _ => None,
        };
        self.reading = match cursor {
            Some(_) => Reading::from_middle(&self.thread_id),
            None => Reading::from_start(&self.thread_id),
        };
        self.progress = Progress::at(cursor);
    }

    /// A run was accepted. It may be over already: events are not made to wait for the answer.
    pub(super) fn start(&mut self, run_id: RunId, said: Said) {
        let is_over = self.has_ended && self.last_run.as_ref() == Some(&run_id);
        if !is_over {
            self.runs.push((run_id, said));
        }
    }

    /// Whether anything is still to come.
    pub(super) fn is_live(&self) -> bool {
        self.follows.is_some() || !self.runs.is_empty()
    }

    /// What to say on a new connection to go on from here.
    pub(super) fn restore(&mut self) -> Vec<Said> {
        if self.progress.cursor().is_none() {
            self.reset();
            if self.follows.is_none() {
                // Nothing came of these runs yet; asked for once more, they are the same runs.
                return self.runs.iter().map(|(_, said)| said.clone()).collect();
            }
        }
        self.progress.join();
        self.follows_too_much = self.follows.is_none();
        let after = self.progress.cursor().map(Cursor::to_string);
        let from_start = self.follows.as_ref().filter(|after| **after == After::Start);
        let after = after.or_else(|| from_start.map(|_| "start".to_owned()));
        vec![Said::Follow { thread_id: self.thread_id.clone(), after }]
    }

    /// Takes one event and appends what it becomes.
    pub(super) fn hear(
        &mut self,
        json: &str,
        cursor: Option<Cursor>,
        out: &mut impl Extend<Spoken>,
    ) -> Result<(), ClientError> {
        if self.progress.has_read(cursor.as_ref()) {
            return Ok(());
        }
        let mut events = Vec::new();
        let result = self.reading.read_json(json.as_bytes(), &mut events);
        events.iter().for_each(|event| self.note(event));
        let last = events.len();
        out.extend((1..).zip(events).map(|(count, event)| Spoken {
            thread_id: self.thread_id.clone(),
            event,
            cursor: cursor.clone().filter(|_| count == last && result.is_ok()),
        }));
        result?;
        self.progress.advance(cursor);
        Ok(())
    }

    /// Whether the server should be told to stop: the run is over that was rejoined by following its thread.
    pub(super) fn wants_unfollow(&mut self) -> bool {
        let wants = self.follows_too_much && !self.is_live();
        self.follows_too_much &= !wants;
        wants
    }

    fn note(&mut self, event: &Event) {
        match event {
            Event::RunStarted(event) => {
                self.last_run = Some(event.run_id.clone());
                self.has_ended = false;
            }
            Event::RunFinished(event) => {
                self.last_run = Some(event.run_id.clone());
                self.end();
            }
            // An error names no run: it is that of the one that is open.
            Event::RunError(_) => self.end(),
            _ => {}
        }
    }

    fn end(&mut self) {
        self.has_ended = true;
        let ended = self.last_run.as_ref();
        self.runs.retain(|(run_id, _)| Some(run_id) != ended);
    }
}
