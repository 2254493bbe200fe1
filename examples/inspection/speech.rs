//! What an inspector says: in which language, and what for.

use std::sync::LazyLock;

use regex::Regex;

/// The language of a conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Language {
    Dutch,
    English,
}

impl Language {
    /// The language of a text. Inspectors here speak Dutch unless they do not.
    pub(super) fn of(text: &str) -> Self {
        const ENGLISH: [&str; 20] = [
            "the",
            "i",
            "see",
            "an",
            "of",
            "at",
            "and",
            "what",
            "which",
            "inspection",
            "generate",
            "report",
            "hello",
            "thanks",
            "thank",
            "please",
            "number",
            "is",
            "does",
            "history",
        ];
        const DUTCH: [&str; 20] = [
            "de",
            "het",
            "een",
            "ik",
            "zie",
            "bij",
            "en",
            "wat",
            "welke",
            "inspectie",
            "genereer",
            "rapport",
            "hallo",
            "bedankt",
            "dank",
            "nummer",
            "met",
            "van",
            "maak",
            "geschiedenis",
        ];
        let lower = text.to_lowercase();
        let count = |known: &[&str]| {
            lower.split(|sign: char| !sign.is_alphanumeric()).filter(|word| known.contains(word)).count()
        };
        if count(&ENGLISH) > count(&DUTCH) { Self::English } else { Self::Dutch }
    }

    /// The one of two that is in this language.
    pub(super) fn choose<T>(self, dutch: T, english: T) -> T {
        match self {
            Self::Dutch => dutch,
            Self::English => english,
        }
    }

    /// How tools call it.
    pub(super) fn code(self) -> &'static str {
        self.choose("nl", "en")
    }
}

/// What an inspector wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Intent {
    /// An inspection begins.
    Start,
    /// The report.
    Report,
    /// What happened before.
    History,
    /// What the rules say.
    Regulation,
    /// Something was found.
    Finding,
    /// That was all.
    Thanks,
    /// Something else.
    Other,
}

/// Words that tell what is wanted. The first that is found counts.
static SIGNS: LazyLock<Vec<(Intent, Regex)>> = LazyLock::new(|| {
    let signs = [
        (Intent::Start, r"(?i)\b(start|begin)\w*\b.*\binspecti(e|on)\b"),
        (Intent::Report, r"(?i)\b(genereer|maak|rond|generate|write|finish|create)\b.*\b(rapport|report)\b"),
        (Intent::History, r"(?i)\b(geschiedenis|historie|eerdere|history|previous|past)\b"),
        (
            Intent::Regulation,
            r"(?i)\b(welke regel\w*|wat zegt|regelgeving|voorschrift\w*|wet|which rules?|what does the law|regulations?|law)\b",
        ),
        (
            Intent::Finding,
            r"(?i)\b(ik (zie|constateer|ruik|vind)|er (ligt|liggen|staat|staan|is|zijn)|vastgesteld|i (see|find|smell|notice)|there (is|are)|found)\b",
        ),
        (Intent::Thanks, r"(?i)\b(bedankt|dank|thanks|thank)\b"),
    ];
    // The patterns are ours, and a test reads every one of them.
    signs.into_iter().filter_map(|(intent, sign)| Some((intent, Regex::new(sign).ok()?))).collect()
});

impl Intent {
    /// What a text is for.
    pub(super) fn of(text: &str) -> Self {
        SIGNS.iter().find(|(_, sign)| sign.is_match(text)).map_or(Self::Other, |(intent, _)| *intent)
    }
}

/// A number of the trade register: eight digits.
pub(super) fn kvk_number(text: &str) -> Option<&str> {
    let mut numbers = text.split(|sign: char| !sign.is_ascii_digit());
    numbers.find(|number| number.len() == 8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_of_an_inspection_are_understood_in_both_languages() {
        let said = [
            (
                "Start inspectie bij Restaurant Bella Rosa, kvk nummer: 92251854",
                Intent::Start,
                Language::Dutch,
            ),
            (
                "Start inspection at Restaurant Bella Rosa, KVK number: 92251854",
                Intent::Start,
                Language::English,
            ),
            ("Ik zie een geopende ton met rauwe vis", Intent::Finding, Language::Dutch),
            ("I see an open barrel of raw fish", Intent::Finding, Language::English),
            ("Genereer rapport", Intent::Report, Language::Dutch),
            ("Generate report", Intent::Report, Language::English),
            ("Welke regels gelden voor allergenen?", Intent::Regulation, Language::Dutch),
            ("What is the history of this company?", Intent::History, Language::English),
            ("Bedankt!", Intent::Thanks, Language::Dutch),
            ("Hallo", Intent::Other, Language::Dutch),
        ];
        for (text, intent, language) in said {
            assert_eq!((Intent::of(text), Language::of(text)), (intent, language), "{text}");
        }
        assert_eq!(SIGNS.len(), 6, "every pattern can be read");
    }

    #[test]
    fn a_number_of_the_register_has_eight_digits() {
        assert_eq!(kvk_number("kvk nummer: 92251854."), Some("92251854"));
        assert_eq!(kvk_number("tel. 0701234567"), None);
    }
}
