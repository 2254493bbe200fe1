//! Making values of tokens, whatever is missing between them.

use serde_json::{Map, Value};

use super::{
    literal,
    release::{Release, Role, wraps},
    repair::{RepairKind, Repairs},
};

/// Containers nest so deep. What lies deeper is left out.
pub const MAX_DEPTH: usize = 100;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Expect {
    #[default]
    Value,
    Key,
    Colon,
    Comma,
}

#[derive(Debug)]
enum Container {
    Object(Map<String, Value>),
    Array(Vec<Value>),
}

#[derive(Debug)]
struct Frame {
    role: Role,
    container: Container,
    /// The name of the member that is being read.
    key: Option<String>,
    /// Whether messages were read from a member.
    wrapped: bool,
}

impl Frame {
    fn is_object(&self) -> bool {
        matches!(self.container, Container::Object(_))
    }
}

/// A brace that closes no object: is it one too many, or is the bracket of the list missing? What follows decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Doubt {
    Brace(usize),
    Comma(usize),
}

/// What follows a doubtful brace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
    Object,
    Bracket,
    Other,
}

#[derive(Debug, Default)]
pub(super) struct Builder {
    stack: Vec<Frame>,
    expect: Expect,
    after_comma: bool,
    doubt: Option<Doubt>,
    /// How many containers are open beyond [`MAX_DEPTH`].
    beyond: usize,
    pub(super) release: Release,
    pub(super) repairs: Repairs,
}

impl Builder {
    /// Whether no container is open.
    pub(super) fn is_outside(&self) -> bool {
        self.stack.is_empty()
    }

    /// Whether a string would stand where messages are expected.
    pub(super) fn expects_messages(&self) -> bool {
        self.expect == Expect::Value
            && self.beyond == 0
            && self
                .stack
                .last()
                .is_some_and(|frame| frame.key.as_deref().is_some_and(|key| wraps(frame.role, key)))
    }

    /// Messages were read from a string.
    pub(super) fn string_of_messages_ended(&mut self) {
        if let Some(frame) = self.stack.last_mut() {
            (frame.key, frame.wrapped) = (None, true);
            self.expect = Expect::Comma;
        }
    }

    pub(super) fn open(&mut self, is_object: bool, at: usize) {
        self.settle(if is_object { Next::Object } else { Next::Other }, at);
        if self.stack.len() + self.beyond >= MAX_DEPTH {
            if self.beyond == 0 {
                self.repairs.add(RepairKind::TooDeep, at);
            }
            self.beyond += 1;
            return;
        }
        self.before_container(is_object, at);
        let role = match self.stack.last() {
            None if is_object => self.release.begin(Role::Top),
            None => Role::List,
            Some(around) => self.release.role_in(around.role, around.key.as_deref(), is_object),
        };
        let container = match is_object {
            true => Container::Object(Map::new()),
            false => Container::Array(Vec::new()),
        };
        self.stack.push(Frame { role, container, key: None, wrapped: false });
        self.expect = if is_object { Expect::Key } else { Expect::Value };
        self.after_comma = false;
    }

    pub(super) fn close(&mut self, is_object: bool, at: usize) {
        self.settle(if is_object { Next::Other } else { Next::Bracket }, at);
        if self.beyond > 0 {
            self.beyond -= 1;
            if self.beyond == 0 {
                self.value(Value::Null, at);
            }
            return;
        }
        let Some(frame) = self.stack.last() else { return self.repairs.add(RepairKind::Stray, at) };
        if frame.is_object() == is_object {
            return self.close_top(at);
        }
        if !self.stack.iter().any(|frame| frame.is_object() == is_object) {
            return self.repairs.add(RepairKind::Stray, at);
        }
        match is_object {
            true => self.doubt = Some(Doubt::Brace(at)),
            false => self.close_through(false, at),
        }
    }

    pub(super) fn comma(&mut self, at: usize) {
        if self.beyond > 0 {
            return;
        }
        if let Some(Doubt::Brace(brace)) = self.doubt {
            self.doubt = Some(Doubt::Comma(brace));
            return;
        }
        self.settle(Next::Other, at);
        self.fill_in(at);
        let Some(frame) = self.stack.last() else { return self.repairs.add(RepairKind::Stray, at) };
        if self.expect != Expect::Comma {
            return self.repairs.add(RepairKind::Stray, at);
        }
        self.expect = if frame.is_object() { Expect::Key } else { Expect::Value };
        self.after_comma = true;
    }

    pub(super) fn colon(&mut self, at: usize) {
        self.settle(Next::Other, at);
        match self.expect {
            _ if self.beyond > 0 => {}
            Expect::Colon => self.expect = Expect::Value,
            _ => self.repairs.add(RepairKind::Stray, at),
        }
    }

    /// A text in quotes.
    pub(super) fn text(&mut self, text: &str, at: usize) {
        self.settle(Next::Other, at);
        if self.beyond > 0 {
            return;
        }
        match self.takes_key(at) {
            true => self.key(text.to_owned()),
            false => self.value(Value::String(text.to_owned()), at),
        }
    }

    /// A number, a constant, or a text without quotes.
    pub(super) fn word(&mut self, word: &str, at: usize) {
        self.settle(Next::Other, at);
        if self.beyond > 0 {
            return;
        }
        if self.takes_key(at) {
            self.repairs.add(RepairKind::UnquotedKey, at);
            return self.key(word.to_owned());
        }
        let (value, repair) = literal::read(word);
        if let Some(kind) = repair {
            self.repairs.add(kind, at);
        }
        self.value(value, at);
    }

    fn key(&mut self, key: String) {
        if let Some(frame) = self.stack.last_mut() {
            frame.key = Some(key);
            self.expect = Expect::Colon;
        }
    }

    /// Whether a text is the name of a member.
    fn takes_key(&mut self, at: usize) -> bool {
        match self.expect {
            Expect::Key => true,
            Expect::Comma if self.stack.last().is_some_and(Frame::is_object) => {
                self.repairs.add(RepairKind::MissingComma, at);
                true
            }
            _ => false,
        }
    }

    /// Makes what has to stand in front of a container.
    fn before_container(&mut self, is_object: bool, at: usize) {
        let lacks_key = matches!(self.expect, Expect::Key | Expect::Comma)
            && self.stack.last().is_some_and(Frame::is_object);
        if lacks_key && is_object && self.stack.iter().any(|frame| !frame.is_object()) {
            self.after_comma = false;
            self.close_above(false, at);
            self.expect = Expect::Value;
        }
        self.before_value(at);
    }

    /// Makes what has to stand in front of a value.
    fn before_value(&mut self, at: usize) {
        match self.expect {
            Expect::Value => {}
            Expect::Colon => self.repairs.add(RepairKind::MissingColon, at),
            Expect::Comma if self.stack.is_empty() => {}
            Expect::Comma => self.repairs.add(RepairKind::MissingComma, at),
            Expect::Key => {}
        }
        if let Some(frame) = self.stack.last_mut()
            && frame.is_object()
            && frame.key.is_none()
        {
            frame.key = Some(String::new());
            self.repairs.add(RepairKind::MissingKey, at);
        }
        self.expect = Expect::Value;
    }

    /// A value is complete.
    fn value(&mut self, value: Value, at: usize) {
        if self.expect != Expect::Value {
            self.before_value(at);
        }
        self.expect = Expect::Comma;
        self.after_comma = false;
        let Some(frame) = self.stack.last_mut() else { return self.repairs.add(RepairKind::Prose, at) };
        match &mut frame.container {
            Container::Array(items) if frame.role == Role::Plain => items.push(value),
            Container::Array(items) => items.extend(self.release.item(frame.role, value)),
            Container::Object(members) => {
                let key = frame.key.take().unwrap_or_default();
                let value = match frame.role {
                    Role::Plain => Some(value),
                    role => self.release.member(role, &key, value),
                };
                if value.and_then(|value| members.insert(key, value)).is_some() {
                    self.repairs.add(RepairKind::RepeatedKey, at);
                }
            }
        }
    }

    /// Gives a name without a value null.
    fn fill_in(&mut self, at: usize) {
        let lacks = match self.expect {
            Expect::Colon => true,
            Expect::Value => self.stack.last().is_some_and(|frame| frame.key.is_some()),
            _ => false,
        };
        if lacks {
            self.repairs.add(RepairKind::MissingValue, at);
            self.expect = Expect::Value;
            self.value(Value::Null, at);
        }
    }

    fn close_top(&mut self, at: usize) {
        self.fill_in(at);
        if self.after_comma {
            self.repairs.add(RepairKind::TrailingComma, at);
        }
        let Some(frame) = self.stack.pop() else { return };
        self.expect = Expect::Comma;
        self.after_comma = false;
        let value = match frame.container {
            Container::Object(members) if frame.role == Role::Plain => Some(Value::Object(members)),
            Container::Object(members) => self.release.closed(frame.role, members, frame.wrapped),
            Container::Array(_) if matches!(frame.role, Role::List | Role::DataList) => None,
            Container::Array(items) => Some(Value::Array(items)),
        };
        self.hand_over(frame.role, value, at);
    }

    /// Gives a closed container to the one around it.
    fn hand_over(&mut self, role: Role, value: Option<Value>, at: usize) {
        let Some(around) = self.stack.last_mut() else { return };
        if let Some(value) = value {
            self.expect = Expect::Value;
            return self.value(value, at);
        }
        around.key = None;
        around.wrapped |= matches!(role, Role::List | Role::Top);
    }

    /// Closes containers up to the innermost one of a kind, which stays open.
    fn close_above(&mut self, is_object: bool, at: usize) {
        while self.stack.last().is_some_and(|frame| frame.is_object() != is_object) {
            self.repairs.add(RepairKind::MissingClose, at);
            self.close_top(at);
        }
    }

    fn close_through(&mut self, is_object: bool, at: usize) {
        self.close_above(is_object, at);
        self.close_top(at);
    }

    /// Decides what a doubtful brace was, now that something follows: `[{}}, {` and `[{}}]` have one too many.
    fn settle(&mut self, next: Next, at: usize) {
        let Some(doubt) = self.doubt.take() else { return };
        let (Doubt::Brace(brace) | Doubt::Comma(brace)) = doubt;
        let is_stray = next == Next::Bracket || (next == Next::Object && doubt == Doubt::Comma(brace));
        match is_stray {
            true => self.repairs.add(RepairKind::Stray, brace),
            false => self.close_through(true, brace),
        }
        if doubt == Doubt::Comma(brace) {
            self.comma(at);
        }
    }
}
