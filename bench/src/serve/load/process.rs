//! What the system knows about a process.

use std::fs;

/// How much a process has used.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Usage {
    /// Seconds of processor time.
    pub(crate) cpu: f64,
    /// Memory in bytes.
    pub(crate) memory: f64,
}

/// Linux counts processor time in hundredths of a second for everybody who reads files.
const TICKS_PER_SECOND: f64 = 100.0;

/// Reads what a process has used; nothing of one that is gone, or where there is no `/proc`.
pub(crate) fn usage(pid: u32) -> Usage {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    Usage { cpu: cpu(&stat), memory: memory(&status) }
}

fn cpu(stat: &str) -> f64 {
    // The name may hold anything, even blanks; the fields behind it are numbers. 14 and 15 are user and system time.
    let fields = stat.rsplit_once(") ").map_or("", |(_, fields)| fields);
    let ticks: f64 = fields.split(' ').skip(11).take(2).filter_map(|field| field.parse::<f64>().ok()).sum();
    ticks / TICKS_PER_SECOND
}

fn memory(status: &str) -> f64 {
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kilobytes = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<f64>().ok());
    kilobytes.unwrap_or_default() * 1024.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_with_blanks_and_brackets_is_no_hindrance() {
        assert_eq!(cpu("7 (a ) b) S 1 2 3 4 5 6 7 8 9 10 150 50 0 0"), 2.0);
        assert_eq!(memory("Name: x\nVmRSS:\t   2 kB\n"), 2048.0);
    }
}
