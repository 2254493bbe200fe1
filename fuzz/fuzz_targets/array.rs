//! One JSON array. Any bytes, cut anywhere: the same frames and the same error as in one push. A JSON array
//! is cut into exactly its elements, and a stream cut without error into JSON texts is a JSON array.

#![no_main]

use forestage_fuzz::framing::{Input, without_mark};
use forestage_protocol::codec::array::ArrayDecoder;
use libfuzzer_sys::fuzz_target;
use serde_json::value::RawValue;

fuzz_target!(|data: &[u8]| {
    let Some(input) = Input::read(data) else { return };
    let (frames, error) = input.check(ArrayDecoder::new, ArrayDecoder::with_limit);
    let is_json = |text: &[u8]| serde_json::from_slice::<&RawValue>(text).is_ok();
    for frame in &frames {
        let at = frame.offset as usize;
        assert_eq!(frame.data, input.bytes[at..at + frame.data.len()], "an element is where it says");
    }
    match serde_json::from_slice::<Vec<&RawValue>>(without_mark(input.bytes)) {
        Ok(elements) => {
            assert_eq!(error, None, "a JSON array is cut without error");
            let texts = elements.iter().map(|element| element.get().as_bytes());
            assert!(frames.iter().map(|frame| &*frame.data).eq(texts), "into its elements");
        }
        Err(_) => assert!(
            error.is_some() || frames.iter().any(|frame| !is_json(&frame.data)),
            "elements that are JSON make an array that is JSON"
        ),
    }
});
