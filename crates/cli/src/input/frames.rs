//! A stream of frames, read as it arrives.

use std::io::{ErrorKind, Read};

use anyhow::{Context, bail};
use forestage_client::MAX_FRAME;
use forestage_protocol::{
    codec::{Format, Frame, FrameError, Framer, sniff, sniff::SNIFF_BYTES, sniff_end},
    pipeline::StreamError,
};

use super::{Source, objects::ObjectsDecoder};

const READ_BYTES: usize = 64 * 1024;

/// What the stream does next.
pub(crate) enum Step {
    /// A frame is there.
    Frame(Frame),
    /// The bytes cannot be cut into frames from here on.
    Broken(FrameError),
    /// Everything received was handed out; the next step waits for more. Time to flush.
    Waiting,
    /// The stream is over.
    End,
}

/// What a frame holds.
pub(crate) enum Payload<'f> {
    /// JSON text.
    Json(&'f str),
    /// A protobuf message.
    Proto(&'f [u8]),
}

/// The frames of a file or pipe.
pub(crate) struct Frames {
    source: Box<dyn Read>,
    name: String,
    format: Format,
    framer: Box<dyn Framer>,
    buffer: Vec<u8>,
    drained: bool,
    ended: bool,
    count: usize,
    bytes: usize,
}

impl Frames {
    /// Opens a source. Where no format is given, the first bytes tell.
    pub(crate) fn open(source: &Source, format: Option<Format>) -> anyhow::Result<Self> {
        Self::of(source.open()?, source.to_string(), format)
    }

    /// Reads from anywhere; the name is for messages.
    pub(crate) fn of(source: Box<dyn Read>, name: String, format: Option<Format>) -> anyhow::Result<Self> {
        let mut frames = Self {
            source,
            name,
            format: Format::Jsonl,
            framer: Format::Jsonl.framer(MAX_FRAME),
            buffer: vec![0; READ_BYTES],
            drained: false,
            ended: false,
            count: 0,
            bytes: 0,
        };
        frames.begin(format)?;
        Ok(frames)
    }

    /// How many frames were handed out.
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// How many bytes were read.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Reads on.
    pub(crate) fn step(&mut self) -> anyhow::Result<Step> {
        loop {
            let found = if self.ended { self.framer.finish() } else { self.framer.next() };
            match found {
                Ok(Some(frame)) => {
                    self.count += 1;
                    return Ok(Step::Frame(frame));
                }
                Err(error) => return Ok(Step::Broken(error)),
                Ok(None) if self.ended => return Ok(Step::End),
                Ok(None) if !self.drained => {
                    self.drained = true;
                    return Ok(Step::Waiting);
                }
                Ok(None) => self.fill()?,
            }
        }
    }

    /// What a frame holds; JSON has to be UTF-8. To be asked before the next step.
    pub(crate) fn payload<'f>(&self, frame: &'f Frame) -> Result<Payload<'f>, StreamError> {
        if self.format == Format::Protobuf {
            return Ok(Payload::Proto(&frame.data));
        }
        match std::str::from_utf8(&frame.data) {
            Ok(text) => Ok(Payload::Json(text)),
            Err(error) => Err(StreamError {
                index: self.count - 1,
                code: "not_json",
                message: format!("not JSON: {error}"),
                path: None,
            }),
        }
    }

    /// A framing error as a fault of the stream: it stands where the next frame would.
    pub(crate) fn fault(&self, error: &FrameError) -> StreamError {
        StreamError { index: self.count, code: error.code(), message: error.to_string(), path: None }
    }

    fn begin(&mut self, format: Option<Format>) -> anyhow::Result<()> {
        let mut prefix = Vec::new();
        while !is_enough(&prefix, format) && self.read_into(&mut prefix)? {}
        self.format = match format.or_else(|| sniff_end(&prefix)) {
            Some(format) => format,
            None if is_blank(&prefix) => Format::Jsonl,
            None => {
                bail!("cannot tell the format of {}; name it with --from json|jsonl|sse|proto", self.name)
            }
        };
        self.framer = framer(self.format, format.is_some(), &prefix);
        self.framer.push(&prefix);
        Ok(())
    }

    fn fill(&mut self) -> anyhow::Result<()> {
        self.drained = false;
        let count = self.read()?;
        self.framer.push(&self.buffer[..count]);
        self.ended = count == 0;
        Ok(())
    }

    fn read_into(&mut self, prefix: &mut Vec<u8>) -> anyhow::Result<bool> {
        let count = self.read()?;
        prefix.extend_from_slice(&self.buffer[..count]);
        Ok(count > 0)
    }

    fn read(&mut self) -> anyhow::Result<usize> {
        loop {
            match self.source.read(&mut self.buffer) {
                Ok(count) => {
                    self.bytes += count;
                    return Ok(count);
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error).with_context(|| format!("cannot read {}", self.name)),
            }
        }
    }
}

/// Whether the prefix decides which framer reads the stream.
fn is_enough(prefix: &[u8], format: Option<Format>) -> bool {
    let first_line_known = || first_line(prefix).is_some() || prefix.len() >= SNIFF_BYTES;
    match format.or_else(|| sniff(prefix)) {
        Some(Format::Array) => !is_blank(prefix),
        Some(Format::Jsonl) => first_line_known(),
        Some(_) => true,
        None => prefix.len() >= SNIFF_BYTES,
    }
}

/// The framer for a format. JSON that is not an array and not in lines is read object by object: a single
/// event, or what `jq` prints.
fn framer(format: Format, named: bool, prefix: &[u8]) -> Box<dyn Framer> {
    let begins_object = super::without_mark(prefix).trim_ascii_start().first() == Some(&b'{');
    let objects = match format {
        Format::Array => begins_object,
        Format::Jsonl => !named && first_line(prefix).is_some_and(is_open),
        Format::Sse | Format::Protobuf => false,
    };
    if objects { Box::new(ObjectsDecoder::with_limit(MAX_FRAME)) } else { format.framer(MAX_FRAME) }
}

/// The first line with something on it, once its end is known.
fn first_line(prefix: &[u8]) -> Option<&[u8]> {
    let text = super::without_mark(prefix).trim_ascii_start();
    let end = text.iter().position(|&byte| byte == b'\n')?;
    Some(text[..end].trim_ascii_end())
}

/// Whether a line stops in the middle of an object, as pretty-printed JSON does.
fn is_open(line: &[u8]) -> bool {
    matches!(line.last(), Some(b'{' | b'[' | b','))
}

fn is_blank(prefix: &[u8]) -> bool {
    super::without_mark(prefix).trim_ascii().is_empty()
}
