//! Reading a body: what is wrong with it is told with its place, and without the words of a programming language.
//!
//! What is no JSON at all is 400, JSON of another shape 422; the code is `invalid_body` for both.

use serde::de::DeserializeOwned;
use serde_json::{error::Category, value::RawValue};

use crate::{error::ApiError, once};

/// Reads a body, which is an object: a list of values in the right order would be taken for one, and is not.
pub(crate) fn read<T: DeserializeOwned>(text: &str) -> Result<T, ApiError> {
    if let Err(error) = serde_json::from_str::<&RawValue>(text) {
        return Err(ApiError::no_json(format!("the body is not JSON: {error}")));
    }
    if text.trim_start().starts_with('[') {
        return Err(ApiError::wrong_shape("wrong type: a list, expected an object"));
    }
    once::check(text)?;
    let mut reader = serde_json::Deserializer::from_str(text);
    let body = serde_path_to_error::deserialize(&mut reader).map_err(|error| {
        let path = error.path().to_string();
        invalid(error.inner(), Some(path).filter(|path| path != "."))
    })?;
    reader.end().map_err(|error| invalid(&error, None))?;
    Ok(body)
}

fn invalid(error: &serde_json::Error, path: Option<String>) -> ApiError {
    let text = match error.classify() {
        Category::Data => in_plain_words(&error.to_string()),
        Category::Io | Category::Syntax | Category::Eof => format!("beyond what is taken: {error}"),
    };
    match path {
        Some(path) => ApiError::wrong_shape(text).at(path),
        None => ApiError::wrong_shape(text),
    }
}

/// What the reader calls things, and what people call them.
const WORDS: [(&str, &str); 16] = [
    ("invalid type: ", "wrong type: "),
    ("invalid value: ", "wrong value: "),
    ("unknown field ", "unknown member "),
    ("missing field ", "missing member "),
    ("duplicate field ", "twice the member "),
    ("unknown variant ", "unknown word "),
    (": sequence,", ": a list,"),
    (": map,", ": an object,"),
    ("unit value", "null"),
    ("string \"", "the text \""),
    ("floating point ", "the number "),
    ("integer `", "the number `"),
    ("expected u64", "expected a whole number"),
    ("expected u32", "expected a whole number"),
    ("expected usize", "expected a whole number"),
    ("expected i64", "expected a whole number"),
];

fn in_plain_words(told: &str) -> String {
    // Bodies are short; where in a line it stands does not help.
    let told = told.rsplit_once(" at line ").map_or(told, |(told, _)| told);
    let told = WORDS.iter().fold(told.to_owned(), |told, (from, to)| told.replace(from, to));
    without_types(&told)
}

/// What is a struct for us is an object for whoever writes it.
fn without_types(told: &str) -> String {
    for kind in ["expected struct ", "expected enum ", "expected internally tagged enum "] {
        if let Some((before, after)) = told.split_once(kind) {
            let rest = after.trim_start_matches(|letter: char| letter.is_alphanumeric() || letter == '_');
            let what = if kind.contains("struct") { "an object" } else { "a word or an object" };
            return format!("{before}expected {what}{rest}");
        }
    }
    told.to_owned()
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    struct Order {
        #[serde(rename = "item")]
        _item: Item,
    }

    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    struct Item {
        #[serde(rename = "count")]
        _count: u32,
        #[serde(rename = "sizes", default)]
        _sizes: Vec<Size>,
    }

    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "lowercase")]
    enum Size {
        Small,
    }

    #[test]
    fn what_is_wrong_is_told_with_its_place_in_plain_words() {
        let cases = [
            ("[]", None, "wrong type: a list, expected an object"),
            (r#"{"item":7}"#, Some("item"), "wrong type: the number `7`, expected an object"),
            (
                r#"{"item":{"count":"7"}}"#,
                Some("item.count"),
                "wrong type: the text \"7\", expected a whole number",
            ),
            (r#"{"item":{}}"#, Some("item"), "missing member `count`"),
            (
                r#"{"item":{"count":1,"sizes":["small","big"]}}"#,
                Some("item.sizes[1]"),
                "unknown word `big`, expected `small`",
            ),
            (r#"{"colour":1}"#, Some("colour"), "unknown member `colour`, expected `item`"),
        ];
        for (text, path, told) in cases {
            let error = read::<Order>(text).expect_err("it is wrong").to_value();
            let expected = serde_json::json!(path);
            assert_eq!(
                (&error["error"]["path"], error["error"]["message"].as_str()),
                (&expected, Some(told)),
                "{text}"
            );
        }
        for text in ["", "{", "[", "{} x", "nonsense"] {
            let error = read::<Order>(text).expect_err("it is wrong").to_value();
            let told = error["error"]["message"].as_str().unwrap_or_default();
            assert!(told.starts_with("the body is not JSON"), "{told}");
        }
    }
}
