//! The tokens of a JSON text, one after the other, without a tree and without recursion.

/// What a text is made of.
pub(super) enum Token<'a> {
    /// An array or an object begins.
    Open {
        /// Whether it is an array.
        is_array: bool,
        /// Where.
        at: usize,
    },
    /// An array or an object ends.
    Close,
    /// The name of a member, with its quotation marks.
    Name(&'a str),
    /// A string, a number, `true`, `false` or `null`.
    Scalar,
}

/// Somebody who looks at tokens until they have seen enough.
pub(super) trait Walker<'a> {
    /// Why they stop.
    type Stop;

    /// Takes the next token.
    fn take(&mut self, token: Token<'a>) -> Result<(), Self::Stop>;
}

/// Shows a text token by token. What is not JSON has tokens, too, of no particular meaning.
pub(super) fn walk<'a, W: Walker<'a>>(text: &'a str, walker: &mut W) -> Result<(), W::Stop> {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        at = match byte {
            b'"' => {
                let end = end_of_string(bytes, at + 1);
                let is_name = is_colon_next(bytes, end);
                walker.take(if is_name { Token::Name(&text[at..end]) } else { Token::Scalar })?;
                end
            }
            b'{' | b'[' => {
                walker.take(Token::Open { is_array: byte == b'[', at })?;
                at + 1
            }
            b'}' | b']' => {
                walker.take(Token::Close)?;
                at + 1
            }
            byte if is_between(byte) => at + 1,
            _ => {
                walker.take(Token::Scalar)?;
                end_of_word(bytes, at)
            }
        };
    }
    Ok(())
}

fn end_of_string(bytes: &[u8], mut at: usize) -> usize {
    loop {
        // Where there is one escape there are often more, and a search costs more than a look.
        while bytes.get(at) == Some(&b'\\') {
            at += 2;
        }
        let rest = bytes.get(at..).unwrap_or_default();
        match memchr::memchr2(b'"', b'\\', rest) {
            Some(found) if rest[found] == b'"' => return at + found + 1,
            Some(found) => at += found + 2,
            None => return bytes.len(),
        }
    }
}

fn is_colon_next(bytes: &[u8], at: usize) -> bool {
    let rest = bytes.get(at..).unwrap_or_default();
    rest.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b':')
}

fn end_of_word(bytes: &[u8], at: usize) -> usize {
    let is_end = |byte: &u8| is_between(*byte) || matches!(byte, b'[' | b']' | b'{' | b'}' | b'"');
    bytes[at..].iter().position(is_end).map_or(bytes.len(), |length| at + length)
}

fn is_between(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | b',' | b':')
}
