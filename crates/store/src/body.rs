//! The body of a block, packed where that makes it shorter.
//!
//! Events of one append resemble each other, and LZ4 makes a tenth of many of them in less time than a database takes to
//! write the rest: fewer pages to checksum, to write, to move, and to sync.

use lz4_flex::block::{compress, decompress};

/// Bodies shorter than this, such as those of single tokens, lie as they are.
const WORTH_PACKING: usize = 512;

/// A byte of LZ4 stands for at most so many, so a row that claims more is damaged.
const MOST_PER_BYTE: usize = 255;

/// A body as it lies in a row.
pub(crate) struct Body {
    bytes: Vec<u8>,
    /// How long it is without LZ4, if it is packed.
    unpacked: Option<usize>,
}

impl Body {
    pub(crate) fn new(plain: Vec<u8>) -> Self {
        if plain.len() >= WORTH_PACKING {
            let packed = compress(&plain);
            if packed.len() < plain.len() {
                return Self { bytes: packed, unpacked: Some(plain.len()) };
            }
        }
        Self { bytes: plain, unpacked: None }
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    pub(crate) fn unpacked(&self) -> Option<i64> {
        self.unpacked.and_then(|length| i64::try_from(length).ok())
    }

    /// The plain bytes of a row that says how long they are without LZ4, if it is packed; none if it is damaged.
    pub(crate) fn plain(bytes: &[u8], unpacked: Option<usize>) -> Option<Vec<u8>> {
        match unpacked {
            None => Some(bytes.to_vec()),
            Some(length) => unpack(bytes, length),
        }
    }
}

fn unpack(bytes: &[u8], length: usize) -> Option<Vec<u8>> {
    // What a damaged row claims is not worth an allocation of that size.
    let most = bytes.len().saturating_mul(MOST_PER_BYTE);
    decompress(bytes, length.min(most)).ok().filter(|plain| plain.len() == length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_packed_is_found_again() {
        let alike = "{\"type\":\"TEXT_MESSAGE_CONTENT\"}".repeat(100).into_bytes();
        let body = Body::new(alike.clone());
        assert!(body.bytes().len() < alike.len() / 10);
        assert_eq!(unpack(body.bytes(), alike.len()).expect("whole"), alike);
    }

    #[test]
    fn what_packing_does_not_make_shorter_lies_as_it_is() {
        let short = vec![b'a'; WORTH_PACKING - 1];
        let noise: Vec<u8> = (0..40).flat_map(|seed: u64| noise(seed)).collect();
        for plain in [Vec::new(), short, noise] {
            let body = Body::new(plain.clone());
            assert_eq!((body.bytes(), body.unpacked()), (plain.as_slice(), None));
        }
    }

    fn noise(seed: u64) -> impl Iterator<Item = u8> {
        use sha2::{Digest, Sha256};
        Sha256::digest(seed.to_le_bytes()).to_vec().into_iter()
    }

    #[test]
    fn damage_is_an_error() {
        let body = Body::new(vec![b'a'; 4096]);
        for (bytes, length) in [
            (&body.bytes()[1..], 4096),
            (body.bytes(), 4095),
            (body.bytes(), 4097),
            (body.bytes(), usize::MAX),
        ] {
            assert_eq!(unpack(bytes, length), None, "{length}");
        }
    }
}
