//! Length-prefixed frames: a big-endian u32, then that many bytes.
//!
//! The framing of AG-UI's protobuf binding. Every frame announces its size, so
//! a frame over the limit fails on its first four bytes.

use super::frame::{Frame, FrameError, Framer, Input};

const PREFIX: usize = size_of::<u32>();

/// Cuts a stream into length-prefixed frames.
#[derive(Debug, Default)]
pub struct LengthDecoder {
    input: Input,
}

impl LengthDecoder {
    /// A decoder with the [default limit](super::frame::DEFAULT_MAX_FRAME).
    pub fn new() -> Self {
        Self::default()
    }

    /// A decoder for payloads of at most `max_bytes`, the prefix not counted.
    pub fn with_limit(max_bytes: usize) -> Self {
        let input = Input::with_limit(max_bytes);
        Self { input }
    }

    fn scan(&mut self) -> Result<Option<Frame>, FrameError> {
        let Some(length) = announced(self.input.bytes()) else {
            return Ok(None);
        };
        let offset = self.input.offset();
        self.input.check_size(offset, length)?;
        if self.input.len() - PREFIX < length {
            return Ok(None);
        }
        self.input.skip(PREFIX);
        let data = self.input.take(length);
        let id = None;
        Ok(Some(Frame { data, id, offset }))
    }

    fn check_whole(&self) -> Result<(), FrameError> {
        if self.input.len() == 0 {
            return Ok(());
        }
        let offset = self.input.offset() + self.input.len() as u64;
        Err(FrameError::Truncated { offset })
    }
}

impl Framer for LengthDecoder {
    fn push(&mut self, bytes: &[u8]) {
        self.input.push(bytes);
    }

    fn next(&mut self) -> Result<Option<Frame>, FrameError> {
        self.input.check_failure()?;
        let found = self.scan();
        self.input.remember(found)
    }

    fn finish(&mut self) -> Result<Option<Frame>, FrameError> {
        if let Some(frame) = self.next()? {
            return Ok(Some(frame));
        }
        let whole = self.check_whole();
        self.input.remember(whole).map(|()| None)
    }
}

/// The payload size that these first bytes of a frame announce, once all four are there.
pub(super) fn announced(bytes: &[u8]) -> Option<usize> {
    let prefix = bytes.first_chunk::<PREFIX>()?;
    // A size that the machine cannot address is over every limit.
    Some(usize::try_from(u32::from_be_bytes(*prefix)).unwrap_or(usize::MAX))
}

/// Appends one frame.
///
/// # Panics
///
/// If the payload is 4 GiB or longer: its size has no prefix.
pub fn encode(payload: &[u8], out: &mut Vec<u8>) {
    let length = u32::try_from(payload.len()).expect("a payload under 4 GiB");
    out.reserve(PREFIX + payload.len());
    out.extend_from_slice(&length.to_be_bytes());
    out.extend_from_slice(payload);
}

#[cfg(test)]
mod tests {
    use super::super::frame::DEFAULT_MAX_FRAME;
    use super::super::frame::testing::{assert_split_independent, read, texts};
    use super::*;
    use proptest::prelude::*;

    fn error(framer: &mut LengthDecoder, bytes: &[u8]) -> Option<FrameError> {
        read(framer, [bytes]).1
    }

    #[test]
    fn each_prefix_begins_a_frame() {
        let bytes = b"\0\0\0\x03abc\0\0\0\0\0\0\0\x01d";
        assert_eq!(texts(&mut LengthDecoder::new(), bytes), ["abc", "", "d"]);
        assert_eq!(texts(&mut LengthDecoder::new(), b""), [""; 0]);
    }

    #[test]
    fn offsets_point_at_the_prefix() {
        let (frames, _) = read(&mut LengthDecoder::new(), [b"\0\0\0\x02ab\0\0\0\0".as_slice()]);
        assert_eq!([frames[0].offset, frames[1].offset], [0, 6]);
    }

    #[test]
    fn a_byte_order_mark_is_payload() {
        let bytes = b"\0\0\0\x03\xEF\xBB\xBF";
        let (frames, _) = read(&mut LengthDecoder::new(), [bytes.as_slice()]);
        assert_eq!(frames[0].data, b"\xEF\xBB\xBF".as_slice());
    }

    #[test]
    fn a_partial_frame_at_the_end_is_truncated() {
        for bytes in [b"\0".as_slice(), b"\0\0\0", b"\0\0\0\x02", b"\0\0\0\x02a"] {
            let offset = bytes.len() as u64;
            assert_eq!(error(&mut LengthDecoder::new(), bytes), Some(FrameError::Truncated { offset }));
        }
    }

    #[test]
    fn a_long_announcement_fails_at_once() {
        let limit = DEFAULT_MAX_FRAME;
        let too_large = Some(FrameError::TooLarge { offset: 0, limit });
        assert_eq!(error(&mut LengthDecoder::new(), b"\xFF\xFF\xFF\xFF"), too_large);
        assert_eq!(error(&mut LengthDecoder::new(), b"\x00\xA0\x00\x01"), too_large);
        let mut decoder = LengthDecoder::new();
        decoder.push(b"\x00\xA0\x00\x00");
        assert_eq!(decoder.next(), Ok(None));
    }

    proptest! {
        #[test]
        fn what_is_encoded_is_decoded_however_it_is_cut(
            payloads in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..50), 0..8),
            cuts in prop::collection::vec(any::<usize>(), 0..8),
        ) {
            let mut bytes = Vec::new();
            payloads.iter().for_each(|payload| encode(payload, &mut bytes));
            let (frames, error) = assert_split_independent(LengthDecoder::new, &bytes, &cuts);
            prop_assert_eq!(error, None);
            let decoded: Vec<_> = frames.into_iter().map(|frame| frame.data.to_vec()).collect();
            prop_assert_eq!(decoded, payloads);
        }

        #[test]
        fn any_bytes_are_cut_alike(
            bytes in prop::collection::vec(prop_oneof![Just(0u8), 0..8u8, any::<u8>()], 0..100),
            cuts in prop::collection::vec(any::<usize>(), 0..8),
        ) {
            assert_split_independent(|| LengthDecoder::with_limit(64), &bytes, &cuts);
        }
    }
}
