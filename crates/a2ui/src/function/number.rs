//! `formatNumber`, `formatCurrency`.

use serde_json::Value;

use super::{Result, args::Args};

const NO_BREAK: &str = "\u{a0}";

/// How a language writes numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Marks {
    group: &'static str,
    point: &'static str,
    /// How many digits stand in front of the first mark at least.
    leading: usize,
    currency: Currency,
}

/// Where a language puts the sign of a currency.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Currency {
    /// `$1.00`, `-$1.00`
    Before,
    /// `€ 1,00`, `€ -1,00`
    BeforeMinus,
    /// `R$ 1,00`, `-R$ 1,00`
    BeforeBlank,
    /// `1,00 €`
    After,
}

/// Numbers as a browser writes them in the largest languages, and in English for all others.
fn marks(locale: &str) -> Marks {
    let language = locale.split(['-', '_']).next().unwrap_or_default().to_ascii_lowercase();
    let of = |group, point, leading, currency| Marks { group, point, leading, currency };
    match language.as_str() {
        "nl" => of(".", ",", 1, Currency::BeforeMinus),
        "pt" if !locale.eq_ignore_ascii_case("pt-PT") => of(".", ",", 1, Currency::BeforeBlank),
        "tr" => of(".", ",", 1, Currency::Before),
        "de" | "it" | "da" | "el" | "ro" | "hr" | "sl" | "id" | "vi" => of(".", ",", 1, Currency::After),
        "es" => of(".", ",", 2, Currency::After),
        "fr" => of("\u{202f}", ",", 1, Currency::After),
        "pl" | "pt" | "bg" => of(NO_BREAK, ",", 2, Currency::After),
        "ru" | "uk" | "cs" | "sk" | "sv" | "fi" | "hu" => of(NO_BREAK, ",", 1, Currency::After),
        _ => of(",", ".", 1, Currency::Before),
    }
}

pub(super) fn format_number(args: Args<'_>, locale: &str) -> Result<Value> {
    let value = args.number("value")?;
    let (least, most) = decimals(args)?.map_or((0, 3), |decimals| (decimals, decimals));
    let digits = written(value, least, most, args.flag("grouping")?, marks(locale));
    Ok(format!("{}{digits}", minus(value)).into())
}

pub(super) fn format_currency(args: Args<'_>, locale: &str) -> Result<Value> {
    let value = args.number("value")?;
    let code = args.text("currency")?.to_ascii_uppercase();
    let (decimals, grouping, marks) = (decimals(args)?, args.flag("grouping")?, marks(locale));
    if code.len() != 3 || !code.bytes().all(|byte| byte.is_ascii_alphabetic()) {
        let decimals = decimals.unwrap_or(2);
        return Ok(format!("{}{}", minus(value), rounded(value.abs(), decimals, decimals)).into());
    }
    let decimals = decimals.unwrap_or_else(|| minor_digits(&code));
    let (digits, minus) = (written(value, decimals, decimals, grouping, marks), minus(value));
    let sign = sign(&code, locale);
    // A sign that ends with a letter keeps its distance.
    let blank = if sign.ends_with(|last: char| last.is_alphabetic()) { NO_BREAK } else { "" };
    Ok(Value::from(match marks.currency {
        Currency::Before => format!("{minus}{sign}{blank}{digits}"),
        Currency::BeforeMinus => format!("{sign}{NO_BREAK}{minus}{digits}"),
        Currency::BeforeBlank => format!("{minus}{sign}{NO_BREAK}{digits}"),
        Currency::After => format!("{minus}{digits}{NO_BREAK}{sign}"),
    }))
}

fn minus(value: f64) -> &'static str {
    if value.is_sign_negative() { "-" } else { "" }
}

fn decimals(args: Args<'_>) -> Result<Option<usize>> {
    let decimals = args.optional_number("decimals")?.map(f64::floor);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 0 and 100")]
    match decimals {
        None => Ok(None),
        Some(decimals) if (0.0..=100.0).contains(&decimals) => Ok(Some(decimals as usize)),
        Some(_) => Err(args.wrong("decimals", "between 0 and 100")),
    }
}

/// The digits without a sign, in groups.
fn written(value: f64, least: usize, most: usize, grouping: bool, marks: Marks) -> String {
    if value.is_infinite() {
        return "∞".to_owned();
    }
    let plain = rounded(value.abs(), least, most);
    let (whole, fraction) = plain.split_once('.').unwrap_or((&plain, ""));
    let mut out = String::new();
    for (at, digit) in whole.chars().enumerate() {
        let left = whole.len() - at;
        if at > 0 && left % 3 == 0 && grouping && whole.len() >= 3 + marks.leading {
            out.push_str(marks.group);
        }
        out.push(digit);
    }
    if !fraction.is_empty() {
        out.push_str(marks.point);
        out.push_str(fraction);
    }
    out
}

/// The shortest digits that mean a number, rounded half up to between `least` and `most` behind the point.
pub(super) fn rounded(value: f64, least: usize, most: usize) -> String {
    let shortest = value.to_string();
    let (whole, fraction) = shortest.split_once('.').unwrap_or((&shortest, ""));
    let kept = fraction.len().min(most);
    let mut digits = format!("{whole}{}", &fraction[..kept]).into_bytes();
    if fraction.as_bytes().get(most).is_some_and(|digit| *digit >= b'5') {
        increment(&mut digits);
    }
    let point = digits.len() - kept;
    let mut text = String::from_utf8(digits).unwrap_or_default();
    let mut fraction = text.split_off(point);
    while fraction.len() > least && fraction.ends_with('0') {
        fraction.pop();
    }
    while fraction.len() < least {
        fraction.push('0');
    }
    if fraction.is_empty() { text } else { format!("{text}.{fraction}") }
}

fn increment(digits: &mut Vec<u8>) {
    for digit in digits.iter_mut().rev() {
        match digit {
            b'9' => *digit = b'0',
            _ => {
                *digit += 1;
                return;
            }
        }
    }
    digits.insert(0, b'1');
}

fn minor_digits(code: &str) -> usize {
    match code {
        "BIF" | "CLP" | "DJF" | "GNF" | "ISK" | "JPY" | "KMF" | "KRW" | "PYG" | "RWF" | "UGX" | "UYI"
        | "VND" | "VUV" | "XAF" | "XOF" | "XPF" => 0,
        "BHD" | "IQD" | "JOD" | "KWD" | "LYD" | "OMR" | "TND" => 3,
        _ => 2,
    }
}

fn sign<'c>(code: &'c str, locale: &str) -> &'c str {
    match code {
        "USD" if locale.starts_with("nl") => "US$",
        "USD" => "$",
        "EUR" => "€",
        "GBP" => "£",
        "JPY" if locale.starts_with("nl") => "JP¥",
        "JPY" => "¥",
        "INR" => "₹",
        "CNY" => "CN¥",
        "KRW" => "₩",
        "BRL" => "R$",
        "CAD" if locale.starts_with("nl") => "C$",
        "CAD" => "CA$",
        "AUD" if locale.starts_with("nl") => "AU$",
        "AUD" => "A$",
        "MXN" => "MX$",
        "NZD" => "NZ$",
        "HKD" => "HK$",
        "TWD" => "NT$",
        "ILS" => "₪",
        "VND" => "₫",
        "PHP" => "₱",
        _ => code,
    }
}
