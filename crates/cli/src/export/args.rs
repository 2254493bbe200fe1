//! Arguments of a tool call: JSON that arrives in pieces, redacted as it comes.

use super::redact::BLOCK;

/// Where in the JSON the next character stands.
#[derive(Debug, Default)]
pub(super) struct ArgsScanner {
    /// The open brackets.
    open: Vec<char>,
    /// Whether the next string, or the one we are in, is a key.
    is_key: bool,
    in_string: bool,
    /// How many characters of an escape are still to come.
    escaped: u8,
}

impl ArgsScanner {
    /// The piece with the insides of its texts replaced; keys, numbers and brackets stay.
    pub(super) fn redact(&mut self, piece: &str) -> String {
        piece.chars().map(|c| self.step(c)).collect()
    }

    fn step(&mut self, c: char) -> char {
        if !self.in_string {
            self.outside(c);
            return c;
        }
        match c {
            _ if self.escaped > 0 => self.escape(c),
            '\\' => self.escaped = 1,
            '"' => {
                self.in_string = false;
                return c;
            }
            _ => {}
        }
        // An escape becomes as many blocks as it has characters, which is a text of the same length.
        if self.is_key || c.is_whitespace() { c } else { BLOCK }
    }

    fn escape(&mut self, c: char) {
        // `\u` has four digits behind it.
        self.escaped = if self.escaped == 1 && c == 'u' { 5 } else { self.escaped };
        self.escaped -= 1;
    }

    fn outside(&mut self, c: char) {
        match c {
            '"' => self.in_string = true,
            '{' | '[' => {
                self.open.push(c);
                self.is_key = c == '{';
            }
            '}' | ']' => {
                self.open.pop();
                self.is_key = false;
            }
            ':' => self.is_key = false,
            ',' => self.is_key = self.open.last() == Some(&'{'),
            _ => {}
        }
    }
}
