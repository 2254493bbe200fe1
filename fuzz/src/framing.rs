//! The law of every framer: frames, offsets and errors depend on the bytes alone, never on how they were cut
//! into pushes.

use forestage_protocol::codec::{Frame, FrameError, Framer};

/// All frames of a stream, and the error that ended it if there was one.
pub type Outcome = (Vec<Frame>, Option<FrameError>);

/// What a target was given: how to cut a stream, how large its frames may be, and the stream.
pub struct Input<'a> {
    cuts: [usize; 3],
    limit: usize,
    /// The stream.
    pub bytes: &'a [u8],
}

impl<'a> Input<'a> {
    /// Four bytes of instructions, then the stream.
    pub fn read(data: &'a [u8]) -> Option<Self> {
        let (&[first, second, third, limit], bytes) = data.split_first_chunk()?;
        let cuts = [first, second, third].map(|cut| usize::from(cut) % (bytes.len() + 1));
        Some(Self { cuts, limit: usize::from(limit), bytes })
    }

    fn pieces(&self) -> Vec<&'a [u8]> {
        let mut bounds = vec![0, self.bytes.len()];
        bounds.extend(self.cuts);
        bounds.sort_unstable();
        bounds.windows(2).map(|bounds| &self.bytes[bounds[0]..bounds[1]]).collect()
    }

    /// Holds a framer to the law, with the default limit and with a small one; the outcome is the former's.
    pub fn check<F: Framer>(&self, framer: fn() -> F, limited: fn(usize) -> F) -> Outcome {
        self.agree(|| limited(self.limit));
        self.agree(framer)
    }

    fn agree<F: Framer>(&self, framer: impl Fn() -> F) -> Outcome {
        let whole = read(&mut framer(), [self.bytes]);
        assert_eq!(read(&mut framer(), self.pieces()), whole, "cut at {:?}", self.cuts);
        assert_eq!(read(&mut framer(), self.bytes.chunks(1)), whole, "byte by byte");
        whole
    }
}

/// Reads a stream that comes in pieces. An error has to stay, whatever comes after it.
pub fn read<'a>(framer: &mut dyn Framer, pieces: impl IntoIterator<Item = &'a [u8]>) -> Outcome {
    let mut frames = Vec::new();
    for piece in pieces {
        framer.push(piece);
        if let Err(error) = drain(&mut frames, || framer.next()) {
            return (frames, Some(stays(framer, error)));
        }
    }
    match drain(&mut frames, || framer.finish()) {
        Ok(()) => {
            assert_eq!(framer.finish(), Ok(None), "the end comes once");
            (frames, None)
        }
        Err(error) => (frames, Some(stays(framer, error))),
    }
}

fn drain(
    frames: &mut Vec<Frame>,
    mut step: impl FnMut() -> Result<Option<Frame>, FrameError>,
) -> Result<(), FrameError> {
    while let Some(frame) = step()? {
        frames.push(frame);
    }
    Ok(())
}

fn stays(framer: &mut dyn Framer, error: FrameError) -> FrameError {
    framer.push(b"[1]\n\ndata: {}\n\n");
    assert_eq!(framer.next().as_ref(), Err(&error));
    assert_eq!(framer.finish().as_ref(), Err(&error));
    error
}

/// The payloads of an outcome that has to be without error.
pub fn payloads((frames, error): Outcome) -> Vec<Vec<u8>> {
    assert_eq!(error, None);
    frames.into_iter().map(|frame| frame.data.to_vec()).collect()
}

/// The stream without a leading byte order mark, which every text framing skips.
pub fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes)
}
