//! A value of a document.

use std::borrow::Cow;

#[cfg(test)]
use serde_json::Value;

use super::{Kind, Node, Tape};

/// A value somewhere in a document.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Item<'t> {
    tape: &'t Tape<'t>,
    pub(super) at: u32,
}

impl<'t> Item<'t> {
    pub(super) fn new(tape: &'t Tape<'t>, at: u32) -> Self {
        Self { tape, at }
    }

    fn node(self) -> Node {
        self.tape.nodes[self.at as usize]
    }

    pub(crate) fn kind(self) -> Kind {
        self.node().kind
    }

    /// What it is, for people.
    pub(crate) fn name(self) -> &'static str {
        match self.kind() {
            Kind::Null => "null",
            Kind::Flag => "true or false",
            Kind::Number => "a number",
            Kind::Text | Kind::Escaped => "a text",
            Kind::List => "a list",
            Kind::Object => "an object",
        }
    }

    pub(crate) fn is_text(self) -> bool {
        matches!(self.kind(), Kind::Text | Kind::Escaped)
    }

    /// Its JSON; a text without its quotes.
    pub(crate) fn raw(self) -> &'t str {
        let node = self.node();
        &self.tape.text[node.start as usize..node.end as usize]
    }

    /// What a text says.
    pub(crate) fn text(self) -> Option<Cow<'t, str>> {
        let node = self.node();
        match node.kind {
            Kind::Text => Some(Cow::Borrowed(self.raw())),
            Kind::Escaped => {
                let quoted = &self.tape.text[node.start as usize - 1..=node.end as usize];
                serde_json::from_str(quoted).ok().map(Cow::Owned)
            }
            _ => None,
        }
    }

    /// Whether it is a text that says this.
    pub(crate) fn is(self, text: &str) -> bool {
        match self.kind() {
            Kind::Text => self.raw() == text,
            Kind::Escaped => self.text().as_deref() == Some(text),
            _ => false,
        }
    }

    /// The members of an object; nothing if it is none.
    pub(crate) fn members(self) -> impl Iterator<Item = (Item<'t>, Item<'t>)> {
        let node = self.node();
        let end = if node.kind == Kind::Object { node.next } else { 0 };
        let mut at = self.at + 1;
        std::iter::from_fn(move || {
            if at >= end {
                return None;
            }
            let (key, value) = (Item::new(self.tape, at), Item::new(self.tape, at + 1));
            at = value.node().next;
            Some((key, value))
        })
    }

    /// The items of a list; nothing if it is none.
    pub(crate) fn items(self) -> impl Iterator<Item = Item<'t>> {
        let node = self.node();
        let end = if node.kind == Kind::List { node.next } else { 0 };
        let mut at = self.at + 1;
        std::iter::from_fn(move || {
            if at >= end {
                return None;
            }
            let item = Item::new(self.tape, at);
            at = item.node().next;
            Some(item)
        })
    }

    /// A member of an object. Of two with the same name, the later one counts.
    pub(crate) fn get(self, name: &str) -> Option<Item<'t>> {
        self.members().filter(|(key, _)| key.is(name)).last().map(|(_, value)| value)
    }

    /// Whether there are so few nodes in it.
    pub(super) fn is_small(self, few: usize) -> bool {
        (self.node().next - self.at) as usize <= few
    }

    /// What a step of a path leads to.
    pub(crate) fn step(self, segment: &str) -> Option<Item<'t>> {
        match self.kind() {
            Kind::Object => self.get(segment),
            Kind::List => self.items().nth(segment.parse().ok()?),
            _ => None,
        }
    }

    /// Where it is, as a JSON Pointer.
    pub(crate) fn pointer(self) -> String {
        let (mut pointer, mut around) = (String::new(), self.tape.root());
        while around.at != self.at {
            let Some((step, inner)) = around.toward(self.at) else { break };
            pointer.push('/');
            pointer.push_str(&step.replace('~', "~0").replace('/', "~1"));
            around = inner;
        }
        pointer
    }

    fn toward(self, at: u32) -> Option<(String, Item<'t>)> {
        let holds = |item: &Item<'t>| (item.at..item.node().next).contains(&at);
        let named = self.members().find(|(key, value)| key.at == at || holds(value));
        let named = named.map(|(key, value)| (key.text().unwrap_or_default().into_owned(), value));
        let counted = || self.items().enumerate().find(|(_, item)| holds(item));
        named.or_else(|| counted().map(|(index, item)| (index.to_string(), item)))
    }

    /// It as a value of its own.
    #[cfg(test)]
    pub(crate) fn value(self) -> Value {
        match self.kind() {
            Kind::List => self.items().map(Self::value).collect(),
            Kind::Object => {
                let members = self.members();
                let members =
                    members.map(|(key, value)| (key.text().unwrap_or_default().into_owned(), value.value()));
                Value::Object(members.collect())
            }
            Kind::Text | Kind::Escaped => Value::String(self.text().unwrap_or_default().into_owned()),
            _ => serde_json::from_str(self.raw()).unwrap_or_default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_item_knows_where_it_is() {
        let tape = Tape::read(r#"{"a/b": [1, {"c~": "x"}], "d": {}}"#).expect("is JSON");
        let item = tape.root().get("a/b").and_then(|list| list.step("1")).and_then(|object| object.get("c~"));
        assert_eq!(item.map(Item::pointer).as_deref(), Some("/a~1b/1/c~0"));
        assert_eq!(tape.root().get("d").map(Item::pointer).as_deref(), Some("/d"));
        assert_eq!(tape.root().pointer(), "");
    }

    #[test]
    fn escapes_are_read_when_somebody_looks() {
        let tape = Tape::read(r#"{"a\u0062": "x\ny", "n": [1]}"#).expect("is JSON");
        assert_eq!(tape.root().get("ab").and_then(Item::text).as_deref(), Some("x\ny"));
        assert!(tape.root().get("ab").is_some_and(|item| item.is("x\ny") && !item.is("x")));
    }
}
