//! `formatDate`: patterns of Unicode TR35, in English.

use serde_json::Value;

use super::{
    Result,
    args::{Args, is_truthy},
    civil::Moment,
};

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];
const WEEKDAYS: [&str; 7] = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

/// What is no date gives an empty text, and a pattern that cannot be read the date in ISO 8601.
pub(super) fn format_date(args: Args<'_>, utc_offset: i32) -> Result<Value> {
    let (value, pattern) = (args.needed("value")?, args.text("format")?);
    let Some(moment) = Moment::read(args, utc_offset).filter(|_| is_truthy(value)) else {
        return Ok("".into());
    };
    let formatted = match pattern.as_str() {
        "ISO" => None,
        _ => format(moment, &long_formats(&pattern)),
    };
    Ok(formatted.unwrap_or_else(|| moment.iso()).into())
}

/// The parts of a pattern: letters that repeat, with an `o` for ordinals; quoted text; anything else by itself.
fn tokens(pattern: &str) -> Vec<&str> {
    let (mut rest, mut tokens) = (pattern, Vec::new());
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '\'' => quoted(rest),
            _ if first.is_ascii_alphanumeric() || first == '_' => {
                let run = rest.chars().take_while(|letter| *letter == first).count();
                let is_ordinal = "yYQqMLwIdDecihHKkms".contains(first) && rest[1..].starts_with('o');
                if is_ordinal { 2 } else { run }
            }
            _ => first.len_utf8(),
        };
        tokens.push(&rest[..length]);
        rest = &rest[length..];
    }
    tokens
}

/// How long a quoted text is. Two quotes inside of it are one, and its end may be missing.
fn quoted(text: &str) -> usize {
    let mut at = 1;
    if text[1..].starts_with('\'') {
        return 2;
    }
    while let Some(found) = text[at..].find('\'') {
        at += found + 1;
        match text[at..].starts_with('\'') {
            true => at += 1,
            false => return at,
        }
    }
    text.len()
}

fn unquoted(token: &str) -> String {
    match token {
        "''" => "'".to_owned(),
        _ => token[1..].strip_suffix('\'').unwrap_or(&token[1..]).replace("''", "'"),
    }
}

/// `P` and `p` stand for whole patterns.
fn long_formats(pattern: &str) -> String {
    let (mut out, tokens) = (String::new(), tokens(pattern));
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        at += 1;
        let time = tokens.get(at).copied().filter(|time| token.starts_with('P') && time.starts_with('p'));
        match (token.as_bytes()[0], time) {
            (b'P', None) => out.push_str(long_date(token.len())),
            (b'P', Some(time)) => {
                at += 1;
                let between = if token.len() > 2 { " 'at' " } else { ", " };
                out.extend([long_date(token.len()), between, long_time(time.len())]);
            }
            (b'p', _) => out.push_str(long_time(token.len())),
            _ => out.push_str(token),
        }
    }
    out
}

fn long_date(width: usize) -> &'static str {
    match width {
        1 => "MM/dd/yyyy",
        2 => "MMM d, y",
        3 => "MMMM do, y",
        _ => "EEEE, MMMM do, y",
    }
}

fn long_time(width: usize) -> &'static str {
    match width {
        1 => "h:mm a",
        2 => "h:mm:ss a",
        3 => "h:mm:ss a z",
        _ => "h:mm:ss a zzzz",
    }
}

/// Nothing if the pattern has letters that mean nothing, or that everybody takes for others (`YYYY`, `DD`).
fn format(moment: Moment, pattern: &str) -> Option<String> {
    let mut out = String::new();
    for token in tokens(pattern) {
        let first = token.chars().next()?;
        match first {
            '\'' => out.push_str(&unquoted(token)),
            _ if matches!(token, "D" | "DD" | "YY" | "YYYY") => return None,
            _ if first.is_ascii_alphabetic() => out.push_str(&part(moment, first, token)?),
            '\n' | '\r' | '\u{2028}' | '\u{2029}' => {}
            _ => out.push_str(token),
        }
    }
    Some(out)
}

fn part(moment: Moment, first: char, token: &str) -> Option<String> {
    let width = token.len();
    let is_ordinal = token.ends_with('o') && width == 2;
    let counted = |number: i64| match (is_ordinal, width) {
        (true, _) => ordinal(number),
        (false, width) => format!("{number:0width$}"),
    };
    Some(match first {
        'y' | 'Y' | 'R' | 'u' => year(moment, first, width, is_ordinal),
        'G' => era(moment, width).to_owned(),
        'Q' | 'q' => quarter((moment.month + 2) / 3, width, is_ordinal),
        'M' | 'L' if width > 2 => name(&MONTHS, moment.month - 1, width),
        'M' | 'L' => counted(moment.month),
        'w' => counted(moment.week(false).1),
        'I' => counted(moment.week(true).1),
        'd' => counted(moment.day),
        'D' => counted(moment.day_of_year()),
        'E' => name(&WEEKDAYS, moment.weekday(), width),
        'e' | 'c' | 'i' if width > 2 => name(&WEEKDAYS, moment.weekday(), width),
        'e' | 'c' => counted(moment.weekday() + 1),
        'i' => counted((moment.weekday() + 6) % 7 + 1),
        'a' | 'b' | 'B' => period(moment.hour(), first, width).to_owned(),
        'h' => counted((moment.hour() + 11) % 12 + 1),
        'H' => counted(moment.hour()),
        'K' => counted(moment.hour() % 12),
        'k' => counted((moment.hour() + 23) % 24 + 1),
        'm' => counted(moment.minute()),
        's' => counted(moment.second()),
        'S' => format!("{:03}", moment.millisecond())
            .chars()
            .chain("0".repeat(width).chars())
            .take(width)
            .collect(),
        'X' | 'x' | 'O' | 'z' => offset(moment.offset, first, width),
        't' => format!("{:0width$}", moment.instant.div_euclid(1_000)),
        'T' => format!("{:0width$}", moment.instant),
        _ => return None,
    })
}

fn year(moment: Moment, first: char, width: usize, is_ordinal: bool) -> String {
    let year = match first {
        'Y' => moment.week(false).0,
        'R' => moment.week(true).0,
        _ => moment.year,
    };
    // Before the first year there is no year 0, except where it is counted as one.
    let shown = if year > 0 || matches!(first, 'R' | 'u') { year } else { 1 - year };
    match (is_ordinal, width, first) {
        (true, ..) => ordinal(shown),
        (false, 2, 'y' | 'Y') => format!("{:02}", shown % 100),
        _ if shown < 0 => format!("-{:0width$}", -shown),
        _ => format!("{shown:0width$}"),
    }
}

fn era(moment: Moment, width: usize) -> &'static str {
    match (moment.year > 0, width) {
        (true, 4) => "Anno Domini",
        (true, 5) => "A",
        (true, _) => "AD",
        (false, 4) => "Before Christ",
        (false, 5) => "B",
        (false, _) => "BC",
    }
}

fn quarter(quarter: i64, width: usize, is_ordinal: bool) -> String {
    match (is_ordinal, width) {
        (true, _) => ordinal(quarter),
        (false, 2) => format!("{quarter:02}"),
        (false, 3) => format!("Q{quarter}"),
        (false, 4) => format!("{} quarter", ordinal(quarter)),
        _ => quarter.to_string(),
    }
}

/// The name of a month or a day: whole, or its first letters.
fn name(names: &[&str], number: i64, width: usize) -> String {
    let name = usize::try_from(number).ok().and_then(|number| names.get(number)).copied().unwrap_or_default();
    let length = match width {
        4 => name.len(),
        5 => 1,
        6 => 2,
        _ => 3,
    };
    name.chars().take(length).collect()
}

fn period(hour: i64, first: char, width: usize) -> &'static str {
    let is_narrow = width == 5;
    match (first, hour) {
        ('B', 17..) => "in the evening",
        ('B', 12..) => "in the afternoon",
        ('B', 4..) => "in the morning",
        ('B', _) => "at night",
        ('b', 12) if is_narrow => "n",
        ('b', 12) => "noon",
        ('b', 0) if is_narrow => "mi",
        ('b', 0) => "midnight",
        (_, hour) => match (width, hour < 12) {
            (3, true) => "am",
            (3, false) => "pm",
            (4, true) => "a.m.",
            (4, false) => "p.m.",
            (5, true) => "a",
            (5, false) => "p",
            (_, true) => "AM",
            (_, false) => "PM",
        },
    }
}

fn offset(minutes: i32, first: char, width: usize) -> String {
    let sign = if minutes < 0 { '-' } else { '+' };
    let (hours, rest) = (minutes.abs() / 60, minutes.abs() % 60);
    match (first, width) {
        ('X', _) if minutes == 0 => "Z".to_owned(),
        ('X' | 'x', 1) if rest == 0 => format!("{sign}{hours:02}"),
        ('X' | 'x', 1 | 2 | 4) => format!("{sign}{hours:02}{rest:02}"),
        ('X' | 'x', _) => format!("{sign}{hours:02}:{rest:02}"),
        (_, 4) => format!("GMT{sign}{hours:02}:{rest:02}"),
        _ if rest == 0 => format!("GMT{sign}{hours}"),
        _ => format!("GMT{sign}{hours}:{rest:02}"),
    }
}

fn ordinal(number: i64) -> String {
    let ending = match (number % 100, number % 10) {
        (11..=13, _) => "th",
        (_, 1) => "st",
        (_, 2) => "nd",
        (_, 3) => "rd",
        _ => "th",
    };
    format!("{number}{ending}")
}
