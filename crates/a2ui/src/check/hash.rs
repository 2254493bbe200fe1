//! Hashing ids: quick, and seeded so that nobody can choose ids that all fall into one place.

use std::{
    collections::HashMap,
    hash::{BuildHasher, Hasher, RandomState},
    sync::LazyLock,
};

/// A map from short texts.
pub(super) type IdMap<K, V> = HashMap<K, V, Seeded>;

static SEED: LazyLock<u64> = LazyLock::new(|| RandomState::new().hash_one(0u8) | 1);

/// Makes hashers with the seed of the process.
#[derive(Clone, Copy)]
pub(super) struct Seeded(u64);

impl Default for Seeded {
    fn default() -> Self {
        Self(*SEED)
    }
}

impl BuildHasher for Seeded {
    type Hasher = Folded;

    fn build_hasher(&self) -> Folded {
        Folded { seed: self.0, state: self.0 }
    }
}

/// Multiplies to twice the width and folds both halves together.
pub(super) struct Folded {
    seed: u64,
    state: u64,
}

impl Folded {
    fn mix(&mut self, word: u64) {
        let product = u128::from(self.state ^ word) * u128::from(self.seed ^ 0x9E37_79B9_7F4A_7C15);
        self.state = (product as u64) ^ ((product >> 64) as u64);
    }
}

impl Hasher for Folded {
    fn write(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks::<8>();
        words.iter().for_each(|word| self.mix(u64::from_le_bytes(*word)));
        let mut last = [0; 8];
        last[..rest.len()].copy_from_slice(rest);
        self.mix(u64::from_le_bytes(last) ^ ((bytes.len() as u64) << 56));
    }

    fn write_u8(&mut self, byte: u8) {
        self.mix(u64::from(byte));
    }

    fn finish(&self) -> u64 {
        self.state
    }
}
