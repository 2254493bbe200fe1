//! What a word without quotes means: the core schema of YAML 1.2.

/// A value without parts.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Scalar {
    Null,
    Bool(bool),
    Int(i64),
    Large(u64),
    Float(f64),
    Text(String),
}

impl Scalar {
    /// A word without quotes. `yes` and `no` are text, as is whatever JSON has no number for.
    pub(super) fn plain(text: &str) -> Self {
        match text {
            "" | "~" | "null" | "Null" | "NULL" => Self::Null,
            "true" | "True" | "TRUE" => Self::Bool(true),
            "false" | "False" | "FALSE" => Self::Bool(false),
            _ => number(text).unwrap_or_else(|| Self::Text(text.to_owned())),
        }
    }
}

fn number(text: &str) -> Option<Scalar> {
    if let Some(digits) = text.strip_prefix("0x") {
        return i64::from_str_radix(digits, 16).ok().map(Scalar::Int);
    }
    if let Some(digits) = text.strip_prefix("0o") {
        return i64::from_str_radix(digits, 8).ok().map(Scalar::Int);
    }
    let begins = text.trim_start_matches(['-', '+']);
    if !begins.starts_with(|first: char| first.is_ascii_digit() || first == '.') {
        return None;
    }
    let whole = text.parse().map(Scalar::Int).or_else(|_| text.parse().map(Scalar::Large));
    whole.ok().or_else(|| text.parse().ok().filter(|number: &f64| number.is_finite()).map(Scalar::Float))
}

#[cfg(test)]
mod tests {
    use super::Scalar;

    #[test]
    fn words_are_read_as_the_core_schema_says() {
        let cases = [
            ("~", Scalar::Null),
            ("true", Scalar::Bool(true)),
            ("yes", Scalar::Text("yes".to_owned())),
            ("-12", Scalar::Int(-12)),
            ("0x1f", Scalar::Int(31)),
            ("18446744073709551615", Scalar::Large(u64::MAX)),
            ("1.5e3", Scalar::Float(1500.0)),
            (".inf", Scalar::Text(".inf".to_owned())),
            ("20ms", Scalar::Text("20ms".to_owned())),
            ("infinity", Scalar::Text("infinity".to_owned())),
        ];
        for (text, expected) in cases {
            assert_eq!(Scalar::plain(text), expected, "{text}");
        }
    }
}
