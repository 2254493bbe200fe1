//! Who holds a lease, in a form that tells whether they are still alive.
//!
//! A process that is killed leaves its leases behind, and others wait until they expire. Those on the same
//! machine need not wait: they can see that the process is gone.

use std::fs;

/// A name for this process: which machine and boot, which process, and something that no other has.
pub(crate) fn this_process() -> String {
    let unique = uuid::Uuid::new_v4().simple().to_string();
    match (machine(), started(std::process::id())) {
        (Some(machine), Some(started)) => format!("{machine}/{}/{started}/{unique}", std::process::id()),
        _ => unique,
    }
}

/// Whether the process that gave itself this name has certainly ended. Where that cannot be seen, it has not.
pub(crate) fn is_gone(holder: &str) -> bool {
    let mut parts = holder.split('/');
    let (Some(machine_then), Some(process), Some(started_then)) = (parts.next(), parts.next(), parts.next())
    else {
        return false;
    };
    let Ok(process) = process.parse() else {
        return false;
    };
    machine().as_deref() == Some(machine_then) && started(process).as_deref() != Some(started_then)
}

/// This boot of this machine, and the name space in which processes are numbered.
fn machine() -> Option<String> {
    let boot = fs::read_to_string("/proc/sys/kernel/random/boot_id").ok()?;
    let space = fs::read_link("/proc/self/ns/pid").ok()?;
    Some(format!("{}-{}", boot.trim(), space.display()))
}

/// When a process was started, so that a number that was given again is not mistaken for it.
fn started(process: u32) -> Option<String> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name of the program may hold anything; what follows its last bracket is regular.
    let (_, fields) = stat.rsplit_once(')')?;
    let mut fields = fields.split_whitespace();
    // One that has ended, and whose parent has not looked yet, does nothing any more.
    let has_ended = fields.next().is_none_or(|state| matches!(state, "Z" | "X"));
    fields.nth(18).filter(|_| !has_ended).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_process_is_there() {
        assert!(!is_gone(&this_process()));
    }

    #[test]
    fn a_process_that_has_ended_is_gone_and_a_number_given_again_is_not_it() {
        let mut waits = std::process::Command::new("cat");
        let mut child = waits.stdin(std::process::Stdio::piped()).spawn().expect("a program that waits");
        let machine = machine().expect("Linux tells");
        let name = format!("{machine}/{}/{}/x", child.id(), started(child.id()).expect("it was started"));
        assert!(!is_gone(&name));
        drop(child.stdin.take());
        while !is_gone(&name) {
            std::thread::yield_now();
        }
        child.wait().expect("it has ended");
        assert!(is_gone(&name));
        assert!(is_gone(&format!("{machine}/{}/1/x", std::process::id())));
    }

    #[test]
    fn a_machine_is_named_by_its_start_and_the_space_of_its_processes() {
        let name = machine().expect("Linux tells");
        let boot = fs::read_to_string("/proc/sys/kernel/random/boot_id").expect("Linux tells");
        assert!(name.starts_with(boot.trim()) && name.contains("pid:["), "{name}");
    }

    #[test]
    fn nothing_is_said_about_other_machines() {
        assert!(!is_gone("elsewhere/1/1/x"));
        assert!(!is_gone("no-name-of-ours"));
    }
}
