//! The audit trail: what was shown, decided and refused, in a row that can only grow.
//!
//! ```text
//!  0…0 ──> hash 1 ──> hash 2 ──> hash 3
//!            │          │          │
//!          entry 1    entry 2    entry 3
//! ```
//!
//! Every entry is sealed with a hash over itself and the hash before it, so whoever changes one has to change all
//! that follow, and whoever keeps one hash elsewhere can tell. What is cut off the end is noticed only that way.

use bytes::Bytes;
use forestage_protocol::id::{InterruptId, ThreadId};
use sha2::{Digest, Sha256};

/// Something to be remembered for good.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewAudit {
    /// When it happened, in milliseconds since 1970.
    pub at: i64,
    /// What happened, such as `interrupt.decided`.
    pub kind: String,
    /// Who did it.
    pub actor: String,
    /// Where it came from, such as the door or the address.
    pub origin: String,
    /// Who the thing belongs to that it was done to.
    pub owner: String,
    /// The thread; the entry outlives it.
    pub thread_id: Option<ThreadId>,
    /// The interrupt.
    pub interrupt_id: Option<InterruptId>,
    /// The details as JSON; the store does not look inside.
    pub json: Bytes,
}

/// An entry of the audit trail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditEntry {
    /// Its number, from 1 without gaps.
    pub seq: u64,
    /// What it says.
    pub entry: NewAudit,
    /// Its seal: SHA-256 over the hash before it (32 zeros before the first), its number and the fields of
    /// [`NewAudit`] in their order. Each of them has its length in front; numbers are eight bytes, big endian, and
    /// the length of a field that is absent has all bits set.
    pub hash: [u8; 32],
}

impl AuditEntry {
    /// What stands before the first entry.
    pub const BEFORE_FIRST: [u8; 32] = [0; 32];

    /// Seals an entry that follows on a hash.
    pub(crate) fn seal(seq: u64, previous: &[u8; 32], entry: NewAudit) -> Self {
        let hash = hash(seq, previous, &entry);
        Self { seq, entry, hash }
    }
}

fn hash(seq: u64, previous: &[u8; 32], entry: &NewAudit) -> [u8; 32] {
    let NewAudit { at, kind, actor, origin, owner, thread_id, interrupt_id, json } = entry;
    let (seq, at) = (seq.to_be_bytes(), at.to_be_bytes());
    let fields: [Option<&[u8]>; 9] = [
        Some(&seq),
        Some(&at),
        Some(kind.as_bytes()),
        Some(actor.as_bytes()),
        Some(origin.as_bytes()),
        Some(owner.as_bytes()),
        thread_id.as_deref().map(str::as_bytes),
        interrupt_id.as_deref().map(str::as_bytes),
        Some(json),
    ];
    let mut hasher = Sha256::new_with_prefix(previous);
    for field in fields {
        hasher.update(field.map_or(u64::MAX, |field| field.len() as u64).to_be_bytes());
        hasher.update(field.unwrap_or_default());
    }
    hasher.finalize().into()
}

/// Which entries of the audit trail to read. They come in the order of their numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditQuery {
    /// Of one owner only; of all without one.
    pub owner: Option<String>,
    /// About one thread only.
    pub thread_id: Option<ThreadId>,
    /// About interrupts with this id only.
    pub interrupt_id: Option<InterruptId>,
    /// Behind this number.
    pub after: u64,
    /// At most so many.
    pub limit: usize,
}

impl AuditQuery {
    /// The first thousand entries, whatever they are about.
    #[must_use]
    pub const fn all() -> Self {
        Self { owner: None, thread_id: None, interrupt_id: None, after: 0, limit: 1000 }
    }

    /// Whether an entry is one of those wanted.
    pub(crate) fn wants(&self, entry: &AuditEntry) -> bool {
        let NewAudit { owner, thread_id, interrupt_id, .. } = &entry.entry;
        entry.seq > self.after
            && self.owner.as_ref().is_none_or(|wanted| wanted == owner)
            && self.thread_id.as_ref().is_none_or(|wanted| thread_id.as_ref() == Some(wanted))
            && self.interrupt_id.as_ref().is_none_or(|wanted| interrupt_id.as_ref() == Some(wanted))
    }
}

/// The audit trail is not as it was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("entry {seq} of the audit trail is not as it was written, or is missing")]
pub struct AuditBroken {
    /// The first number where that shows.
    pub seq: u64,
}

/// Checks that entries follow on a hash and on each other, and returns the hash of the last one, for the next that
/// are read. The entries must be unfiltered. A row that follows on [`AuditEntry::BEFORE_FIRST`] has to begin with
/// number 1.
pub fn verify_audit(previous: [u8; 32], entries: &[AuditEntry]) -> Result<[u8; 32], AuditBroken> {
    let Some(first) = entries.first() else { return Ok(previous) };
    let start = if previous == AuditEntry::BEFORE_FIRST { 1 } else { first.seq };
    let mut last = previous;
    for (seq, entry) in (start..).zip(entries) {
        if entry.seq != seq || entry.hash != hash(seq, &last, &entry.entry) {
            return Err(AuditBroken { seq });
        }
        last = entry.hash;
    }
    Ok(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn about(thread: Option<&str>, interrupt: Option<&str>) -> NewAudit {
        NewAudit {
            at: 1,
            kind: "k".into(),
            actor: "ann".into(),
            origin: "inbox".into(),
            owner: "ann".into(),
            thread_id: thread.map(Into::into),
            interrupt_id: interrupt.map(Into::into),
            json: "{}".into(),
        }
    }

    fn row() -> Vec<AuditEntry> {
        let mut last = AuditEntry::BEFORE_FIRST;
        (1..=4)
            .map(|seq| {
                let sealed = AuditEntry::seal(seq, &last, about(Some("t"), None));
                last = sealed.hash;
                sealed
            })
            .collect()
    }

    #[test]
    fn the_seal_is_the_documented_one() {
        let sealed = AuditEntry::seal(1, &AuditEntry::BEFORE_FIRST, about(Some("t"), None));
        let mut bytes = vec![0; 32];
        let eight = 8_u64.to_be_bytes();
        for number in [eight, 1_u64.to_be_bytes(), eight, 1_i64.to_be_bytes()] {
            bytes.extend(number);
        }
        for text in ["k", "ann", "inbox", "ann", "t"] {
            bytes.extend((text.len() as u64).to_be_bytes());
            bytes.extend(text.as_bytes());
        }
        bytes.extend([0xff; 8]);
        bytes.extend(2_u64.to_be_bytes());
        bytes.extend(b"{}");
        assert_eq!(sealed.hash, <[u8; 32]>::from(Sha256::digest(&bytes)));
    }

    #[test]
    fn what_moves_from_one_field_to_the_next_changes_the_seal() {
        let seal = |entry| AuditEntry::seal(1, &AuditEntry::BEFORE_FIRST, entry).hash;
        let hashes = [
            seal(about(Some("a"), None)),
            seal(about(None, Some("a"))),
            seal(about(Some("a"), Some(""))),
            seal(about(None, None)),
        ];
        for (at, hash) in hashes.iter().enumerate() {
            assert!(!hashes[..at].contains(hash));
        }
    }

    #[test]
    fn a_row_is_checked_in_pieces() {
        let row = row();
        let middle = verify_audit(AuditEntry::BEFORE_FIRST, &row[..2]).expect("whole");
        assert_eq!(verify_audit(middle, &row[2..]), Ok(row[3].hash));
        assert_eq!(verify_audit(middle, &[]), Ok(middle));
    }

    #[test]
    fn the_first_entry_that_is_not_as_it_was_is_named() {
        let broken =
            |row: &[AuditEntry]| verify_audit(AuditEntry::BEFORE_FIRST, row).expect_err("broken").seq;
        let mut changed = row();
        changed[2].entry.actor = "eve".into();
        assert_eq!(broken(&changed), 3);
        let mut without = row();
        without.remove(1);
        assert_eq!(broken(&without), 2);
        assert_eq!(broken(&row()[1..]), 1, "the beginning is missing");
        let mut swapped = row();
        swapped.swap(1, 2);
        assert_eq!(broken(&swapped), 2);
    }
}
