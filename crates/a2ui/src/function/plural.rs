//! `pluralize`: the form of a sentence that goes with a count.

use fixed_decimal::Decimal;
use icu_locale_core::Locale;
use icu_plurals::{PluralCategory, PluralOperands, PluralRules};
use serde_json::Value;

use super::{
    Result,
    args::{Args, text},
    number::rounded,
};

/// The text of the category that the language has for the count, or `other`.
pub(super) fn pluralize(args: Args<'_>, locale: &str) -> Result<Value> {
    let count = args.number("value")?;
    let other = args.needed("other")?;
    let chosen = args.get(category(count, locale)).unwrap_or(other);
    Ok(text(chosen).into())
}

/// The rules of the Unicode project for cardinal numbers. A language that nobody knows counts like English.
fn category(count: f64, locale: &str) -> &'static str {
    let locale: Locale = locale.parse().unwrap_or(icu_locale_core::locale!("en"));
    let Ok(rules) = PluralRules::try_new_cardinal(locale.into()) else { return "other" };
    // Three digits behind the point are all that a browser looks at.
    let Ok(count) = rounded(count.abs(), 0, 3).parse::<Decimal>() else { return "other" };
    match rules.category_for(PluralOperands::from(&count)) {
        PluralCategory::Zero => "zero",
        PluralCategory::One => "one",
        PluralCategory::Two => "two",
        PluralCategory::Few => "few",
        PluralCategory::Many => "many",
        PluralCategory::Other => "other",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_go_by_the_rules_of_the_language() {
        for (locale, count, expected) in [
            ("en", 1.0, "one"),
            ("en", 0.0, "other"),
            ("en-US", 1.5, "other"),
            ("en", -1.0, "one"),
            ("nl", 1.0, "one"),
            ("fr", 0.0, "one"),
            ("fr", 1.5, "one"),
            ("pl", 2.0, "few"),
            ("pl", 5.0, "many"),
            ("ar", 0.0, "zero"),
            ("ar", 2.0, "two"),
            ("ja", 1.0, "other"),
            ("no such language", 1.0, "one"),
        ] {
            assert_eq!(category(count, locale), expected, "{locale} {count}");
        }
    }
}
