//! Walking through a stream, frame by frame, until its end or its fault.

use std::io;

use forestage_protocol::{
    Fault,
    event::Event,
    pipeline::{Reader, StreamError},
};

use crate::input::{Frames, Payload, Step};

/// One event of a stream, still encoded.
pub(crate) struct Item<'f> {
    /// Its position, counted from 0.
    pub(crate) index: usize,
    /// The id that an SSE stream gave it.
    pub(crate) id: Option<&'f str>,
    /// The event.
    pub(crate) payload: Payload<'f>,
}

/// Why a walk stops before the end of the stream.
pub(crate) enum Stop {
    /// The stream is refused: an answer.
    Refused(StreamError),
    /// Reading or writing failed: no answer.
    Failed(anyhow::Error),
}

impl From<StreamError> for Stop {
    fn from(error: StreamError) -> Self {
        Self::Refused(error)
    }
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Self {
        Self::Failed(error.into())
    }
}

impl From<anyhow::Error> for Stop {
    fn from(error: anyhow::Error) -> Self {
        Self::Failed(error)
    }
}

/// Refuses an event for what it is, not for where it stands.
pub(crate) fn refuse(index: usize, fault: Fault) -> Stop {
    Stop::Refused(StreamError { index, code: fault.code, message: fault.message, path: Some(fault.path) })
}

/// What a command does on its way through a stream.
pub(crate) trait Walker {
    /// Takes the next event.
    fn take(&mut self, item: Item<'_>) -> Result<(), Stop>;

    /// Nothing more has arrived yet; what was written should be seen now.
    fn rest(&mut self) -> io::Result<()> {
        Ok(())
    }

    /// The stream is over.
    fn finish(&mut self) -> Result<(), Stop>;
}

/// Walks through a stream and returns the fault that ended the walk, if one did.
pub(crate) fn walk(frames: &mut Frames, walker: &mut impl Walker) -> anyhow::Result<Option<StreamError>> {
    match walk_on(frames, walker) {
        Ok(()) => Ok(None),
        Err(Stop::Refused(error)) => Ok(Some(error)),
        Err(Stop::Failed(error)) => Err(error),
    }
}

fn walk_on(frames: &mut Frames, walker: &mut impl Walker) -> Result<(), Stop> {
    loop {
        match frames.step()? {
            Step::Frame(frame) => walker.take(Item {
                index: frames.count() - 1,
                id: frame.id.as_deref(),
                payload: frames.payload(&frame)?,
            })?,
            Step::Waiting => walker.rest()?,
            Step::Broken(error) => return Err(frames.fault(&error).into()),
            Step::End => return walker.finish(),
        }
    }
}

/// Lets a reader take an event in whatever encoding it comes.
pub(crate) fn read(
    reader: &mut Reader,
    payload: &Payload<'_>,
    deliver: impl FnMut(Event),
) -> Result<(), StreamError> {
    match payload {
        Payload::Json(text) => reader.read_json(text, deliver),
        Payload::Proto(bytes) => reader.read_proto(bytes, deliver),
    }
}
