//! A report as text.

use crate::report::{Aim, Bound, Report, Row, Section};

pub(crate) fn print(report: &Report) {
    println!("{}: {}", report.bench, report.about);
    report.sections.iter().for_each(print_section);
    if !report.notes.is_empty() {
        println!();
        report.notes.iter().for_each(|note| println!("{note}"));
    }
    println!("\naims");
    report.aims.iter().for_each(print_aim);
    print_skipped(&report.skipped);
}

fn print_section(section: &Section) {
    println!("\n{:<44} {:>12} {:>12} {:>12}", section.title, "events/s", "ns/event", "ours is");
    section.rows.iter().for_each(print_row);
}

fn print_row(row: &Row) {
    println!(
        "  {:<42} {:>12} {:>12.1} {:>12} {}",
        row.name,
        grouped(row.events_per_second),
        row.nanos_per_event,
        format!("{} ×", ratio(row.ours_over_this)),
        row.note
    );
}

fn print_aim(aim: &Aim) {
    let sign = match aim.bound {
        Bound::AtLeast => "≥",
        Bound::AtMost => "≤",
    };
    let verdict = match aim.met {
        Some(true) => "met",
        Some(false) => "MISSED",
        None => "NOT MEASURED",
    };
    let found = aim.found.map_or_else(|| "-".to_owned(), ratio);
    println!("  {:<62} {sign} {:>7} {found:>9}  {verdict}", aim.what, ratio(aim.wanted));
}

fn print_skipped(skipped: &[String]) {
    if skipped.is_empty() {
        return;
    }
    println!("\nSKIPPED ({}), the figures above are not whole:", skipped.len());
    for reason in skipped {
        println!("  {reason}");
    }
}

/// Instructions per event, contender by contender.
pub(crate) fn print_counts(title: &str, counts: &[(String, f64)]) {
    println!("\n{title:<44} {:>12} {:>12}", "instructions", "ours is");
    let ours = counts.first().map_or(f64::NAN, |(_, count)| *count);
    for (name, count) in counts {
        println!("  {name:<42} {:>12} {:>12}", grouped(*count), format!("{} ×", ratio(count / ours)));
    }
}

fn ratio(value: f64) -> String {
    if value >= 100.0 { grouped(value) } else { format!("{value:.2}") }
}

/// `1234567.8` as `1,234,568`.
fn grouped(value: f64) -> String {
    let digits = format!("{value:.0}");
    let mut out = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_come_in_groups_of_three() {
        let found = [0.4, 12.0, 999.6, 1234.0, 1_234_567.8].map(grouped);
        assert_eq!(found, ["0", "12", "1,000", "1,234", "1,234,568"]);
    }
}
