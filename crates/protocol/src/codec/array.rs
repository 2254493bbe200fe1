//! One JSON array as a stream: `[ {..}, {..} ]` is cut into the texts of its elements.
//!
//! For recordings kept as ordinary JSON files, pretty-printed or not. The scanner
//! counts brackets and steps over strings, so it uses the same memory at any
//! depth. It judges what stands between the elements and leaves the elements
//! themselves to the JSON parser that reads them next.

use super::frame::{Frame, FrameError, Framer, Input, is_space};

/// Cuts a stream that is one JSON array into its elements, which may be of any JSON kind.
#[derive(Debug, Default)]
pub struct ArrayDecoder {
    input: Input,
    state: State,
}

/// Where the scanner stands.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum State {
    /// Before the opening bracket.
    #[default]
    Start,
    /// After the opening bracket.
    First,
    /// After a comma.
    Comma,
    /// Inside an element, which begins the buffer.
    Element(Inside),
    /// After an element.
    After,
    /// After the closing bracket.
    Closed,
}

/// The place inside an element: how many brackets are open, and whether a string is.
/// Neither is the case in a number or a literal.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Inside {
    depth: usize,
    string: bool,
}

impl ArrayDecoder {
    /// A decoder with the [default limit](super::frame::DEFAULT_MAX_FRAME).
    pub fn new() -> Self {
        Self::default()
    }

    /// A decoder for elements of at most `max_bytes` each.
    pub fn with_limit(max_bytes: usize) -> Self {
        let input = Input::with_limit(max_bytes);
        Self { input, ..Self::default() }
    }

    fn scan(&mut self) -> Result<Option<Frame>, FrameError> {
        if !self.input.begin() {
            return Ok(None);
        }
        loop {
            if let State::Element(inside) = self.state {
                return self.read_element(inside);
            }
            let Some(byte) = self.next_token() else {
                return Ok(None);
            };
            self.state = self.step(byte)?;
        }
    }

    fn next_token(&mut self) -> Option<u8> {
        let bytes = self.input.bytes();
        let space = bytes.iter().take_while(|&&byte| is_space(byte)).count();
        self.input.skip(space);
        self.input.bytes().first().copied()
    }

    /// What a byte between elements leads to. It is consumed unless it begins an element.
    fn step(&mut self, byte: u8) -> Result<State, FrameError> {
        let state = match (self.state, byte) {
            (State::Start, b'[') => State::First,
            (State::First | State::After, b']') => State::Closed,
            (State::After, b',') => State::Comma,
            (State::First | State::Comma, _) if begins_element(byte) => {
                return Ok(State::Element(self.open(byte)));
            }
            _ => return Err(self.unexpected()),
        };
        self.input.skip(1);
        Ok(state)
    }

    fn open(&mut self, byte: u8) -> Inside {
        let string = byte == b'"';
        let depth = usize::from(matches!(byte, b'[' | b'{'));
        self.input.search_from(depth + usize::from(string));
        Inside { depth, string }
    }

    fn unexpected(&self) -> FrameError {
        let message = match self.state {
            State::Start => "expected an array",
            State::First => "expected an element or a closing bracket",
            State::Comma => "expected an element after the comma",
            State::Element(_) | State::After => "expected a comma or a closing bracket",
            State::Closed => "expected nothing after the closing bracket",
        };
        let offset = self.input.offset();
        FrameError::Syntax { offset, message }
    }

    fn read_element(&mut self, mut inside: Inside) -> Result<Option<Frame>, FrameError> {
        let offset = self.input.offset();
        let end = inside.find_end(&mut self.input);
        self.state = State::Element(inside);
        self.input.check_size(offset, end.unwrap_or(self.input.len()))?;
        let Some(end) = end else {
            return Ok(None);
        };
        self.state = State::After;
        let data = self.input.take(end);
        let id = None;
        Ok(Some(Frame { data, id, offset }))
    }

    fn check_closed(&self) -> Result<(), FrameError> {
        if self.state == State::Closed {
            return Ok(());
        }
        let offset = self.input.offset() + self.input.len() as u64;
        Err(FrameError::Truncated { offset })
    }
}

impl Inside {
    /// Reads on to the end of the element, or of what has been received of it.
    fn find_end(&mut self, input: &mut Input) -> Option<usize> {
        loop {
            let end = match self {
                Self { string: true, .. } => self.leave_string(input)?,
                Self { depth: 0, .. } => return input.search(|bytes| bytes.iter().position(ends_literal)),
                _ => self.cross_bracket(input)?,
            };
            if self.depth == 0 && !self.string {
                return Some(end);
            }
        }
    }

    /// Steps over the next quote or escape in a string; the index behind it.
    fn leave_string(&mut self, input: &mut Input) -> Option<usize> {
        let at = input.search(|bytes| memchr::memchr2(b'"', b'\\', bytes))?;
        let escape = input.bytes()[at] == b'\\';
        self.string = escape;
        let next = at + 1 + usize::from(escape);
        input.search_from(next);
        Some(next)
    }

    /// Steps over the next bracket or opening quote; the index behind it.
    fn cross_bracket(&mut self, input: &mut Input) -> Option<usize> {
        let at = input.search(|bytes| bytes.iter().position(crosses))?;
        match input.bytes()[at] {
            b'"' => self.string = true,
            b'[' | b'{' => self.depth += 1,
            _ => self.depth -= 1,
        }
        input.search_from(at + 1);
        Some(at + 1)
    }
}

impl Framer for ArrayDecoder {
    fn push(&mut self, bytes: &[u8]) {
        self.input.push(bytes);
    }

    fn next(&mut self) -> Result<Option<Frame>, FrameError> {
        self.input.check_failure()?;
        let found = self.scan();
        self.input.remember(found)
    }

    fn finish(&mut self) -> Result<Option<Frame>, FrameError> {
        self.input.end();
        if let Some(frame) = self.next()? {
            return Ok(Some(frame));
        }
        let closed = self.check_closed();
        self.input.remember(closed).map(|()| None)
    }
}

fn begins_element(byte: u8) -> bool {
    !matches!(byte, b',' | b':' | b']' | b'}')
}

/// Outside of strings, only these change where we are.
fn crosses(byte: &u8) -> bool {
    matches!(byte, b'"' | b'[' | b']' | b'{' | b'}')
}

/// A number or literal ends where something else begins.
fn ends_literal(byte: &u8) -> bool {
    is_space(*byte) || matches!(byte, b',' | b':' | b'"' | b'[' | b']' | b'{' | b'}')
}

#[cfg(test)]
mod tests {
    use super::super::frame::testing::{assert_split_independent, read, texts};
    use super::*;
    use proptest::prelude::*;

    fn check(input: &str, expected: &[&str]) {
        let found = texts(&mut ArrayDecoder::new(), input.as_bytes());
        assert_eq!(found, expected, "{input:?}");
    }

    fn fails(input: &str) -> FrameError {
        let (_, error) = assert_split_independent(ArrayDecoder::new, input.as_bytes(), &[]);
        error.unwrap_or_else(|| panic!("{input:?} should fail"))
    }

    fn check_syntax(input: &str, at: u64, words: &str) {
        match fails(input) {
            FrameError::Syntax { offset, message } => {
                assert_eq!(offset, at, "{input:?}");
                assert!(message.contains(words), "{input:?}: {message}");
            }
            other => panic!("{input:?}: {other}"),
        }
    }

    #[test]
    fn elements_of_every_kind_are_cut_out() {
        check("[]", &[]);
        check("[{}]", &["{}"]);
        check("[{\"a\":[1,{}]},{}]", &["{\"a\":[1,{}]}", "{}"]);
        check("[[],[[1]]]", &["[]", "[[1]]"]);
        check("[1,-2.5e3,true,null]", &["1", "-2.5e3", "true", "null"]);
        check("[\"a\",\"\"]", &["\"a\"", "\"\""]);
    }

    #[test]
    fn whitespace_and_a_byte_order_mark_are_skipped() {
        check(" [ ] ", &[]);
        check("\n[\n  { \"a\": 1 },\r\n\t2\n]\n", &["{ \"a\": 1 }", "2"]);
        check("\u{FEFF}[1]", &["1"]);
    }

    #[test]
    fn brackets_commas_and_quotes_in_strings_are_text() {
        check(r#"["]", "a,b", {"}":"]"}]"#, &[r#""]""#, r#""a,b""#, r#"{"}":"]"}"#]);
        check(r#"["\"", "\\", "\\\"]"]"#, &[r#""\"""#, r#""\\""#, r#""\\\"]""#]);
        check(r#"[{"a\"]":"\\"}]"#, &[r#"{"a\"]":"\\"}"#]);
    }

    #[test]
    fn an_element_is_delivered_before_the_array_ends() {
        let mut decoder = ArrayDecoder::new();
        decoder.push(b"[{}");
        assert!(matches!(decoder.next(), Ok(Some(frame)) if frame.offset == 1));
        decoder.push(b", 12");
        assert_eq!(decoder.next(), Ok(None));
        decoder.push(b" ");
        assert!(matches!(decoder.next(), Ok(Some(frame)) if frame.offset == 5));
    }

    #[test]
    fn what_is_no_array_fails() {
        for input in ["{}", "1", "\"[\"", "]", "null"] {
            check_syntax(input, 0, "an array");
        }
        check_syntax("\n {\"events\":[]}", 2, "an array");
    }

    #[test]
    fn elements_without_a_comma_between_fail() {
        check_syntax("[{} {}]", 4, "comma");
        check_syntax("[1 2]", 3, "comma");
        check_syntax("[1\"a\"]", 2, "comma");
        check_syntax("[\"a\"1]", 4, "comma");
        check_syntax("[1}]", 2, "comma");
        check_syntax("[\"a\":1]", 4, "comma");
    }

    #[test]
    fn a_comma_without_an_element_fails() {
        check_syntax("[1,]", 3, "after the comma");
        check_syntax("[1, ,2]", 4, "after the comma");
        check_syntax("[,1]", 1, "an element or");
        check_syntax("[}", 1, "an element or");
    }

    #[test]
    fn text_after_the_array_fails() {
        check_syntax("[1] x", 4, "nothing after");
        check_syntax("[][]", 2, "nothing after");
        check_syntax("[],", 2, "nothing after");
    }

    #[test]
    fn an_array_that_is_not_closed_is_truncated() {
        for input in ["", " ", "[", "[1", "[1,", "[{}", "[{", "[\"a", "[\"\\", "[\"\\\""] {
            let offset = input.len() as u64;
            assert_eq!(fails(input), FrameError::Truncated { offset }, "{input:?}");
        }
    }

    #[test]
    fn elements_are_limited_and_the_array_is_not() {
        let decoder = || ArrayDecoder::with_limit(4);
        let fits = format!("[{}{{\"\"}}]", "1234,  [12]  ,".repeat(100));
        assert_eq!(texts(&mut decoder(), fits.as_bytes()).len(), 201);
        for element in ["12345", "\"123\"", "[123]", "[[[[["] {
            let input = format!("[1,{element},2]");
            let (frames, error) = assert_split_independent(decoder, input.as_bytes(), &[]);
            assert_eq!(frames.len(), 1, "{element}");
            let limit = 4;
            assert_eq!(error, Some(FrameError::TooLarge { offset: 3, limit }), "{element}");
        }
    }

    #[test]
    fn a_million_brackets_need_no_stack() {
        let deep = format!("{}{}", "[".repeat(1_000_000), "]".repeat(1_000_000));
        check(&format!("[{deep}]"), &[&deep]);
        let mut open = ArrayDecoder::with_limit(100);
        let (_, error) = read(&mut open, [deep.as_bytes()]);
        let (offset, limit) = (1, 100);
        assert_eq!(error, Some(FrameError::TooLarge { offset, limit }));
    }

    fn json() -> impl Strategy<Value = serde_json::Value> {
        use serde_json::Value;
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            "[a\"\\\\\\[\\]{},: é]{0,8}".prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 24, 4, |inner| {
            let key = "[a\"\\\\\\]}]{0,3}";
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                prop::collection::vec((key, inner), 0..4).prop_map(|members| members.into_iter().collect()),
            ]
        })
    }

    proptest! {
        #[test]
        fn the_elements_of_any_array_are_found(
            elements in prop::collection::vec(json(), 0..6),
            pretty: bool,
            cuts in prop::collection::vec(any::<usize>(), 0..8),
        ) {
            let text = if pretty {
                serde_json::to_vec_pretty(&elements)
            } else {
                serde_json::to_vec(&elements)
            };
            let bytes = text.expect("a value has a text");
            let (frames, error) = assert_split_independent(ArrayDecoder::new, &bytes, &cuts);
            prop_assert_eq!(error, None);
            let parse = |frame: &Frame| serde_json::from_slice(&frame.data);
            let found: Result<Vec<serde_json::Value>, _> = frames.iter().map(parse).collect();
            prop_assert_eq!(found.expect("elements are JSON"), elements);
        }

        #[test]
        fn frames_do_not_depend_on_the_pushes(
            tokens in prop::collection::vec(prop::sample::select(vec![
                "[", "]", "{", "}", ",", ":", "\"", "\\", " ", "\n", "12", "null", "\u{FEFF}",
            ]), 0..40),
            cuts in prop::collection::vec(any::<usize>(), 0..8),
            limit in prop::sample::select(vec![3, 10, 1000]),
        ) {
            let bytes = format!("[{}", tokens.concat()).into_bytes();
            assert_split_independent(|| ArrayDecoder::with_limit(limit), &bytes, &cuts);
        }

        #[test]
        fn any_bytes_are_cut_alike(
            bytes in prop::collection::vec(any::<u8>(), 0..60),
            cuts in prop::collection::vec(any::<usize>(), 0..8),
        ) {
            assert_split_independent(ArrayDecoder::new, &bytes, &cuts);
        }
    }
}
