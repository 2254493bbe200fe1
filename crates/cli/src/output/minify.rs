//! JSON on one line, with nothing else changed.

/// Removes the space between tokens. Numbers, the order of members and their spelling stay as they are, which
/// is why this is not parsing and printing. The text has to be JSON.
pub(crate) fn minify(text: &str) -> Vec<u8> {
    let mut inside_string = false;
    let mut escaped = false;
    let keep = |&byte: &u8| {
        if inside_string {
            inside_string = escaped || byte != b'"';
            escaped = byte == b'\\' && !escaped;
            return true;
        }
        inside_string = byte == b'"';
        !byte.is_ascii_whitespace()
    };
    text.bytes().filter(keep).collect()
}

#[cfg(test)]
mod tests {
    use super::minify;

    #[test]
    fn only_space_between_tokens_goes() {
        let text = "{ \"a b\" :\n[ 1.00, 12345678901234567890123 ],\t\"c\\\" \\\\\" : \" d\" }\r\n";
        let expected = r#"{"a b":[1.00,12345678901234567890123],"c\" \\":" d"}"#;
        assert_eq!(minify(text), expected.as_bytes());
    }
}
