//! What every framing has in common: bytes arrive in any pieces, whole frames come out.
//!
//! A framer cuts a byte stream into units and knows nothing about events; the
//! codecs above it parse each unit. It does no I/O: the caller pushes what it
//! received, takes frames until there are none, and says when the stream is over.
//!
//! The promise of every framer: frames, offsets and errors depend on the bytes
//! alone, never on how they were cut into pushes.

use bytes::{Buf, Bytes, BytesMut};

/// The largest frame accepted unless the caller says otherwise. The reference
/// client gives up at the same size.
pub const DEFAULT_MAX_FRAME: usize = 10 * 1024 * 1024;

/// One unit that a framing carries: the bytes of one JSON text or of one protobuf message.
///
/// The bytes share memory with what was received around them; copy them to keep
/// a small frame for long.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// The payload, without anything the framing added.
    pub data: Bytes,
    /// The last event id that an SSE stream has set; other framings have none.
    pub id: Option<String>,
    /// Where the frame began, in bytes from the start of the stream.
    pub offset: u64,
}

/// Why a byte stream could not be cut into frames.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FrameError {
    /// A frame is longer than the limit, or announces that it will be.
    #[error("the frame at byte {offset} is larger than {limit} bytes")]
    TooLarge {
        /// Where the frame began.
        offset: u64,
        /// The limit it exceeds.
        limit: usize,
    },
    /// The stream ended where the framing demands more.
    #[error("the stream ended too early, at byte {offset}")]
    Truncated {
        /// How long the stream was.
        offset: u64,
    },
    /// The bytes around the frames are not what the framing prescribes.
    #[error("{message} at byte {offset}")]
    Syntax {
        /// The first byte that cannot stand where it stands.
        offset: u64,
        /// What was expected instead.
        message: &'static str,
    },
}

impl FrameError {
    /// A stable name for programs to compare.
    pub fn code(&self) -> &'static str {
        match self {
            Self::TooLarge { .. } => "frame_too_large",
            Self::Truncated { .. } => "stream_truncated",
            Self::Syntax { .. } => "framing_syntax",
        }
    }
}

/// Cuts a byte stream into frames.
///
/// ```text
/// push, next .. next -> None, push, next .. next -> None, finish .. finish -> None
/// ```
///
/// An implementer keeps four promises:
/// - the frames do not depend on how the bytes were divided into pushes;
/// - a frame is handed out as soon as its last byte is known to be its last;
/// - a frame over the limit fails before the rest of it is buffered;
/// - after an error the framer stays failed and repeats that error.
///
/// Taking every frame after each push is what keeps the buffer small.
pub trait Framer {
    /// Takes more bytes. A failed framer ignores them.
    fn push(&mut self, bytes: &[u8]);

    /// The next whole frame, if there is one.
    fn next(&mut self) -> Result<Option<Frame>, FrameError>;

    /// No more bytes will come: what [`next`](Self::next) still holds, then the
    /// last, unterminated frame if the framing allows one, then `None`.
    fn finish(&mut self) -> Result<Option<Frame>, FrameError>;
}

const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// The bytes received and not yet consumed, their place in the stream, and the
/// failure that ended it.
#[derive(Debug)]
pub(super) struct Input {
    buffer: BytesMut,
    offset: u64,
    /// How much of the buffer was searched already, so that a frame arriving in
    /// many small pushes is not searched from its start each time.
    searched: usize,
    begun: bool,
    limit: usize,
    failure: Option<FrameError>,
}

impl Default for Input {
    fn default() -> Self {
        Self::with_limit(DEFAULT_MAX_FRAME)
    }
}

impl Input {
    pub(super) fn with_limit(limit: usize) -> Self {
        Self { buffer: BytesMut::new(), offset: 0, searched: 0, begun: false, limit, failure: None }
    }

    pub(super) fn push(&mut self, bytes: &[u8]) {
        if self.failure.is_none() {
            self.buffer.extend_from_slice(bytes);
        }
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.buffer
    }

    pub(super) fn len(&self) -> usize {
        self.buffer.len()
    }

    /// The place in the stream of the first byte not yet consumed.
    pub(super) fn offset(&self) -> u64 {
        self.offset
    }

    /// Drops a leading byte order mark; false while it is undecided whether there is one.
    pub(super) fn begin(&mut self) -> bool {
        if self.begun {
            return true;
        }
        if self.bytes().starts_with(BYTE_ORDER_MARK) {
            self.skip(BYTE_ORDER_MARK.len());
        } else if BYTE_ORDER_MARK.starts_with(self.bytes()) {
            return false;
        }
        self.begun = true;
        true
    }

    /// The stream is over, so the beginning of a byte order mark is not one.
    pub(super) fn end(&mut self) {
        self.begin();
        self.begun = true;
    }

    /// Consumes `count` bytes without copying them.
    pub(super) fn take(&mut self, count: usize) -> Bytes {
        self.moved(count);
        self.buffer.split_to(count).freeze()
    }

    pub(super) fn skip(&mut self, count: usize) {
        self.moved(count);
        self.buffer.advance(count);
    }

    fn moved(&mut self, count: usize) {
        self.offset += count as u64;
        self.searched = 0;
    }

    /// The index of the first byte that `find` looks for at or after the place reached by the last search.
    pub(super) fn search(&mut self, find: impl Fn(&[u8]) -> Option<usize>) -> Option<usize> {
        let rest = self.buffer.get(self.searched..)?;
        let found = find(rest).map(|at| self.searched + at);
        self.searched = found.unwrap_or(self.buffer.len());
        found
    }

    /// Lets the next search begin at `index`, which may lie beyond the bytes received.
    pub(super) fn search_from(&mut self, index: usize) {
        self.searched = index;
    }

    /// Fails if a frame that began at `offset` needs more bytes than the limit.
    pub(super) fn check_size(&self, offset: u64, size: usize) -> Result<(), FrameError> {
        let limit = self.limit;
        if size > limit {
            return Err(FrameError::TooLarge { offset, limit });
        }
        Ok(())
    }

    pub(super) fn check_failure(&self) -> Result<(), FrameError> {
        self.failure.clone().map_or(Ok(()), Err)
    }

    /// Remembers a failure, and lets go of bytes that nobody will read.
    pub(super) fn remember<T>(&mut self, result: Result<T, FrameError>) -> Result<T, FrameError> {
        if let Err(error) = &result {
            self.failure = Some(error.clone());
            self.buffer = BytesMut::new();
        }
        result
    }
}

/// Whitespace as JSON defines it.
pub(super) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

/// How the tests of every framer read a stream.
#[cfg(test)]
pub(super) mod testing {
    use super::{Frame, FrameError, Framer};

    /// All frames, and the error that ended the stream if there was one.
    pub(in super::super) type Outcome = (Vec<Frame>, Option<FrameError>);

    fn drain(
        frames: &mut Vec<Frame>,
        mut step: impl FnMut() -> Result<Option<Frame>, FrameError>,
    ) -> Result<(), FrameError> {
        while let Some(frame) = step()? {
            frames.push(frame);
        }
        Ok(())
    }

    pub(in super::super) fn read<'a>(
        framer: &mut dyn Framer,
        pieces: impl IntoIterator<Item = &'a [u8]>,
    ) -> Outcome {
        let mut frames = Vec::new();
        let result = pieces
            .into_iter()
            .try_for_each(|piece| {
                framer.push(piece);
                drain(&mut frames, || framer.next())
            })
            .and_then(|()| drain(&mut frames, || framer.finish()));
        if let Err(error) = &result {
            assert_stays_failed(framer, error);
        }
        (frames, result.err())
    }

    fn assert_stays_failed(framer: &mut dyn Framer, error: &FrameError) {
        framer.push(b"[1]\n\ndata: {}\n\n");
        assert_eq!(framer.next().as_ref(), Err(error));
        assert_eq!(framer.finish().as_ref(), Err(error));
    }

    /// The payloads as text, for streams that must not fail.
    pub(in super::super) fn texts(framer: &mut dyn Framer, bytes: &[u8]) -> Vec<String> {
        let (frames, error) = read(framer, [bytes]);
        assert_eq!(error, None, "{}", bytes.escape_ascii());
        let text = |frame: &Frame| String::from_utf8_lossy(&frame.data).into_owned();
        frames.iter().map(text).collect()
    }

    fn pieces<'a>(bytes: &'a [u8], cuts: &[usize]) -> Vec<&'a [u8]> {
        let mut bounds: Vec<usize> = cuts.iter().map(|cut| cut % (bytes.len() + 1)).collect();
        bounds.extend([0, bytes.len()]);
        bounds.sort_unstable();
        bounds.windows(2).map(|w| &bytes[w[0]..w[1]]).collect()
    }

    /// Reads the bytes whole, cut at `cuts`, byte by byte, and only at the end;
    /// all must agree.
    pub(in super::super) fn assert_split_independent<F: Framer>(
        framer: impl Fn() -> F,
        bytes: &[u8],
        cuts: &[usize],
    ) -> Outcome {
        let whole = read(&mut framer(), [bytes]);
        let cut = read(&mut framer(), pieces(bytes, cuts));
        assert_eq!(cut, whole, "cut at {cuts:?}: {}", bytes.escape_ascii());
        let single = read(&mut framer(), bytes.chunks(1));
        assert_eq!(single, whole, "byte by byte: {}", bytes.escape_ascii());
        let mut late = framer();
        late.push(bytes);
        let late = read(&mut late, []);
        assert_eq!(late, whole, "only at the end: {}", bytes.escape_ascii());
        whole
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn search_resumes_where_the_last_one_ended() {
        let mut input = Input::default();
        input.push(b"ab");
        assert_eq!(input.search(|bytes| memchr::memchr(b'x', bytes)), None);
        input.push(b"x");
        assert_eq!(input.search(|bytes| memchr::memchr(b'x', bytes)), Some(2));
        input.search_from(4);
        assert_eq!(input.search(|bytes| memchr::memchr(b'x', bytes)), None);
        input.push(b"xx");
        assert_eq!(input.search(|bytes| memchr::memchr(b'x', bytes)), Some(4));
    }

    #[test]
    fn errors_name_the_place_and_the_limit() {
        let error = FrameError::TooLarge { offset: 7, limit: 3 };
        assert_eq!(error.to_string(), "the frame at byte 7 is larger than 3 bytes");
        assert_eq!(error.code(), "frame_too_large");
    }
}
