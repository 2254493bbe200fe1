//! Noticing that the machine has crashed.
//!
//! A commit that does not wait for the disk is lost if the machine crashes before the system has written it, and the numbers
//! of its events are used again. A crash of the machine is followed by a start, and every start has an id. So the file says
//! in which start it was last opened for such commits. Opened in another one, it begins a new incarnation: then places from
//! before are not taken for places in what is there now.
//!
//! Whether the machine was switched off in order is not known. After that, too, whoever comes with an older place gets the
//! conversation anew, which costs a little and is never wrong.

use rusqlite::{Connection, OptionalExtension, TransactionBehavior};

use crate::Durability;

/// Returns the id of the present start of the machine. `None` where the system has none; then a loss is not noticed.
pub(super) fn boot_id() -> Option<String> {
    let id = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").ok()?;
    Some(id.trim().to_owned()).filter(|id| !id.is_empty())
}

/// Returns the incarnation of a file that is being opened, before any place in it is named.
pub(super) fn begin(
    connection: &mut Connection,
    least: Durability,
    boot: Option<&str>,
) -> rusqlite::Result<i64> {
    let (incarnation, last) = read(connection)?;
    let may_have_lost = last.is_some() && last.as_deref() != boot;
    if !may_have_lost && (least == Durability::Disk || last.as_deref() == boot) {
        return Ok(incarnation);
    }
    // An incarnation that is lost itself would be begun a second time, so this waits for the disk.
    connection.pragma_update(None, "synchronous", "FULL")?;
    let begun = note(connection, least, boot);
    connection.pragma_update(None, "synchronous", "NORMAL")?;
    begun
}

fn note(connection: &mut Connection, least: Durability, boot: Option<&str>) -> rusqlite::Result<i64> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    // Another process may have been faster.
    let (mut incarnation, last) = read(&transaction)?;
    let may_have_lost = last.is_some() && last.as_deref() != boot;
    if may_have_lost {
        incarnation += 1;
    }
    // Where every commit waits for the disk, nothing can be lost from here on. But in the start in which somebody else has
    // opened it for other commits, these count.
    let next = match least {
        Durability::Disk if may_have_lost => None,
        Durability::Disk => last,
        Durability::Process => boot.map(str::to_owned),
    };
    transaction.execute("UPDATE life SET incarnation = ?1, boot = ?2", (incarnation, next))?;
    transaction.commit()?;
    Ok(incarnation)
}

fn read(connection: &Connection) -> rusqlite::Result<(i64, Option<String>)> {
    let row = connection
        .query_row("SELECT incarnation, boot FROM life", [], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()?;
    Ok(row.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::{super::schema, *};

    #[cfg(target_os = "linux")]
    #[test]
    fn the_present_start_of_the_machine_has_an_id_that_stays() {
        let id = boot_id().expect("Linux has one");
        assert!(!id.is_empty() && id.trim() == id, "{id:?}");
        assert_eq!(boot_id(), Some(id));
    }

    #[test]
    fn a_new_incarnation_begins_with_another_start_of_the_machine_if_something_can_have_been_lost() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut db = schema::open(&folder.path().join("t.db")).expect("a new file");
        let mut opened = |least, boot| begin(&mut db, least, boot).expect("a number");
        let (process, disk) = (Durability::Process, Durability::Disk);
        for (least, boot, expected) in [
            (disk, Some("a"), 0),
            (disk, Some("b"), 0),
            (process, Some("b"), 0),
            (process, Some("b"), 0),
            // Somebody has it open for commits that can be lost.
            (disk, Some("b"), 0),
            (process, Some("c"), 1),
            (disk, Some("d"), 2),
            (disk, Some("e"), 2),
            (process, Some("f"), 2),
            (process, None, 3),
            (process, Some("g"), 3),
        ] {
            assert_eq!(opened(least, boot), expected, "{least:?} {boot:?}");
        }
    }
}
