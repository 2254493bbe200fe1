//! Numbers that look random and are the same on every machine.

/// A generator by Steele, Lea and Flood (`splitmix64`).
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number from zero up to `end`, which it never is.
    pub(super) fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    /// True in `share` of a hundred cases.
    pub(super) fn percent(&mut self, share: usize) -> bool {
        self.below(100) < share
    }

    pub(super) fn pick(&mut self, from: &[&'static str]) -> &'static str {
        from[self.below(from.len())]
    }

    /// An id in the form that most producers use.
    pub(super) fn uuid(&mut self) -> String {
        let (high, low) = (self.next(), self.next());
        format!(
            "{:08x}-{:04x}-4{:03x}-{:04x}-{:012x}",
            high >> 32,
            high >> 16 & 0xffff,
            high & 0xfff,
            low >> 48 & 0x3fff | 0x8000,
            low & 0xffff_ffff_ffff,
        )
    }
}
