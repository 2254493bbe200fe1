//! Variables of the environment that look like ours and are not.

use super::{Config, file};

/// How our variables begin.
const OURS: &str = "FORESTAGE_";

/// What commands read beside the settings.
const OTHERS: [&str; 3] = ["CONFIG", "URL", "KEY"];

/// What the examples, the tests and the tools read; a server that they start has it in its environment.
const TOOLS: [&str; 11] = [
    "MODEL",
    "BIN",
    "PLAY",
    "EXAMPLES",
    "CHROMIUM",
    "PEERS",
    "PEERS_FRAMEWORK",
    "CONFORMANCE",
    "CONTRACTS",
    "SEED",
    "CASES",
];

/// A sentence for each variable that begins as ours do and that nothing reads: most likely a slip of the hand.
pub(crate) fn unread(names: impl Iterator<Item = String>) -> Vec<String> {
    let settings: Vec<_> = Config::SETTINGS.iter().map(|setting| setting.name.to_uppercase()).collect();
    let known: Vec<_> = settings.iter().map(String::as_str).chain(OTHERS).collect();
    let rest = |name: String| name.strip_prefix(OURS).map(str::to_owned);
    let unread = |rest: &String| !known.contains(&rest.as_str()) && !TOOLS.contains(&rest.as_str());
    let mut told: Vec<_> =
        names.filter_map(rest).filter(unread).map(|rest| sentence(&rest, &known)).collect();
    told.sort();
    told
}

fn sentence(rest: &str, known: &[&str]) -> String {
    let guess = file::nearest(rest, known).map(|name| format!("; did you mean `{OURS}{name}`?"));
    format!("`{OURS}{rest}` in the environment is not a setting and is not read{}", guess.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(names: &[&str]) -> Vec<String> {
        unread(names.iter().map(|&name| name.to_owned()))
    }

    #[test]
    fn what_nothing_reads_is_told_with_a_suggestion() {
        assert_eq!(told(&["PATH", "FORESTAGE_URL", "FORESTAGE_LISTEN", "FORESTAGE_BIN"]), [""; 0]);
        let no = "in the environment is not a setting and is not read";
        assert_eq!(
            told(&["FORESTAGE_XYZ", "FORESTAGE_LISTNE"]),
            [
                format!("`FORESTAGE_LISTNE` {no}; did you mean `FORESTAGE_LISTEN`?"),
                format!("`FORESTAGE_XYZ` {no}"),
            ]
        );
    }
}
