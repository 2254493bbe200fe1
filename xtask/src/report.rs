//! The table at the end: which parts ran, how they went, how long they took.

use std::fs;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use crate::run::yes_or_no;

/// Why a part did not pass.
#[derive(Debug, PartialEq)]
pub(crate) enum Setback {
    /// It ran and said no, or could not run where it must.
    Failed(String),
    /// It did not run; the sentence says what is missing.
    Skipped(String),
}

impl From<String> for Setback {
    fn from(reason: String) -> Self {
        Self::Failed(reason)
    }
}

/// The result of one part.
pub(crate) type Part = Result<(), Setback>;

struct Row {
    name: &'static str,
    part: Part,
    took: Duration,
    /// What its programs had of the processors, where the system tells: it is the same on a busy machine.
    worked: Option<Duration>,
}

/// Collects parts, then prints the table and the closing line.
#[derive(Default)]
pub(crate) struct Report {
    rows: Vec<Row>,
}

impl Report {
    /// Runs one part under a heading. A skip is announced at once as well as in the table.
    pub(crate) fn part(&mut self, name: &'static str, work: impl FnOnce() -> Part) {
        println!("\n── {name}");
        let (start, before) = (Instant::now(), processor_time());
        let part = work();
        match &part {
            Ok(()) => {}
            Err(Setback::Failed(reason)) => println!("FAILED: {reason}"),
            Err(Setback::Skipped(reason)) => println!("SKIPPED: {reason}"),
        }
        let worked = processor_time().zip(before).map(|(after, before)| after.saturating_sub(before));
        self.rows.push(Row { name, part, took: start.elapsed(), worked });
    }

    /// Prints the table and `N passed, M failed, K skipped`; exit code 1 if anything failed.
    pub(crate) fn close(self) -> ExitCode {
        println!();
        for row in &self.rows {
            println!("{}", row.line());
        }
        println!("{}", self.closing_line());
        yes_or_no(self.count("failed") == 0)
    }

    fn closing_line(&self) -> String {
        let [passed, failed, skipped] = ["passed", "failed", "skipped"].map(|word| self.count(word));
        format!("{passed} passed, {failed} failed, {skipped} skipped")
    }

    fn count(&self, word: &str) -> usize {
        self.rows.iter().filter(|row| row.verdict().0 == word).count()
    }
}

impl Row {
    fn line(&self) -> String {
        let (word, reason) = self.verdict();
        let seconds = self.took.as_secs_f32();
        let worked = self.worked.map_or(String::new(), |time| format!("{:>7.1} s cpu", time.as_secs_f32()));
        format!("{:<16} {word:<8} {seconds:>7.1} s {worked}   {reason}", self.name).trim_end().to_owned()
    }

    fn verdict(&self) -> (&'static str, &str) {
        match &self.part {
            Ok(()) => ("passed", ""),
            Err(Setback::Failed(reason)) => ("failed", reason),
            Err(Setback::Skipped(reason)) => ("skipped", reason),
        }
    }
}

/// What programs that we started and that have ended had of the processors so far, with all that they started.
fn processor_time() -> Option<Duration> {
    let stat = fs::read_to_string("/proc/self/stat").ok()?;
    // The name of the program comes second, in brackets, and may hold anything. Linux counts hundredths of a second.
    let mut ticks = stat.rsplit_once(") ")?.1.split(' ').skip(13);
    let (user, system): (u64, u64) = (ticks.next()?.parse().ok()?, ticks.next()?.parse().ok()?);
    Some(Duration::from_millis(10 * (user + system)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_closing_line_counts_parts() {
        let mut report = Report::default();
        report.part("one", || Ok(()));
        report.part("two", || Err(Setback::Skipped("no node".to_owned())));
        report.part("three", || Ok(()));
        assert_eq!(report.closing_line(), "2 passed, 0 failed, 1 skipped");
        report.part("four", || Err("exit code 1".to_owned().into()));
        assert_eq!(report.closing_line(), "2 passed, 1 failed, 1 skipped");
        assert_eq!(report.close(), ExitCode::FAILURE);
    }

    #[test]
    fn a_row_shows_the_reason() {
        let row = Row {
            name: "node",
            part: Err("exit code 1".to_owned().into()),
            took: Duration::from_millis(1250),
            worked: Some(Duration::from_secs(2)),
        };
        assert_eq!(row.line(), "node             failed       1.2 s     2.0 s cpu   exit code 1");
    }
}
