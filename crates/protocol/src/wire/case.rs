//! Wire names at compile time: `message_id` becomes `"messageId"`.

/// Length of the camel-case form.
pub(crate) const fn camel_len(name: &str) -> usize {
    let (bytes, mut at, mut len) = (name.as_bytes(), start(name), 0);
    while at < bytes.len() {
        if bytes[at] != b'_' {
            len += 1;
        }
        at += 1;
    }
    len
}

/// The camel-case form as bytes.
pub(crate) const fn camel_bytes<const N: usize>(name: &str) -> [u8; N] {
    let (bytes, mut at, mut len, mut upper) = (name.as_bytes(), start(name), 0, false);
    let mut out = [0; N];
    while at < bytes.len() {
        if bytes[at] == b'_' {
            upper = true;
        } else {
            out[len] = if upper { bytes[at].to_ascii_uppercase() } else { bytes[at] };
            upper = false;
            len += 1;
        }
        at += 1;
    }
    out
}

/// The bytes as text.
pub(crate) const fn text(bytes: &'static [u8]) -> &'static str {
    match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(_) => panic!("identifiers are UTF-8"),
    }
}

/// Raw identifiers such as `r#type` start after the `r#`.
const fn start(name: &str) -> usize {
    let bytes = name.as_bytes();
    if bytes.len() > 2 && bytes[0] == b'r' && bytes[1] == b'#' { 2 } else { 0 }
}

/// The wire name of a field identifier.
macro_rules! camel {
    ($name:ident) => {{
        const NAME: &str = stringify!($name);
        const BYTES: [u8; $crate::wire::case::camel_len(NAME)] = $crate::wire::case::camel_bytes(NAME);
        $crate::wire::case::text(&BYTES)
    }};
}
pub(crate) use camel;

/// What comes before a member's value, but for the first member: `,"messageId":`.
macro_rules! member {
    ($name:ident) => {{
        const NAME: &str = $crate::wire::camel!($name);
        const BYTES: [u8; NAME.len() + 4] = $crate::wire::case::member_bytes(NAME);
        &BYTES
    }};
}
pub(crate) use member;

/// The bytes of [`member!`].
pub(crate) const fn member_bytes<const N: usize>(name: &str) -> [u8; N] {
    let (bytes, mut at) = (name.as_bytes(), 0);
    let mut out = [b'"'; N];
    out[0] = b',';
    while at < bytes.len() {
        out[at + 2] = bytes[at];
        at += 1;
    }
    out[N - 1] = b':';
    out
}

#[cfg(test)]
mod tests {
    #[test]
    fn snake_case_becomes_camel_case() {
        assert_eq!(camel!(message_id), "messageId");
        assert_eq!(camel!(r#type), "type");
        assert_eq!(camel!(cache_write_input_tokens), "cacheWriteInputTokens");
    }
}
