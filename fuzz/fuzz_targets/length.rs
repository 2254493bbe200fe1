//! Length-prefixed frames. Any bytes, cut anywhere: the same frames and the same error as in one push; an
//! error is a frame cut short or one too large. What was decoded is encoded to the same bytes.

#![no_main]

use forestage_fuzz::framing::Input;
use forestage_protocol::codec::{
    DEFAULT_MAX_FRAME, FrameError,
    length::{LengthDecoder, encode},
};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Some(input) = Input::read(data) else { return };
    let (frames, error) = input.check(LengthDecoder::new, LengthDecoder::with_limit);
    let mut again = Vec::new();
    for frame in &frames {
        assert_eq!(frame.offset, again.len() as u64);
        encode(&frame.data, &mut again);
    }
    let rest = input.bytes.strip_prefix(again.as_slice()).expect("whole frames come first");
    let announced = rest.first_chunk().map(|prefix| u32::from_be_bytes(*prefix) as usize);
    let expected = match announced {
        Some(length) if length > DEFAULT_MAX_FRAME => {
            Some(FrameError::TooLarge { offset: again.len() as u64, limit: DEFAULT_MAX_FRAME })
        }
        _ if rest.is_empty() => None,
        _ => Some(FrameError::Truncated { offset: input.bytes.len() as u64 }),
    };
    assert_eq!(error, expected);
});
