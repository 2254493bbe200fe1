//! A document as a tree in which everything knows its line and column.

use std::collections::HashMap;

use saphyr_parser::{Event, Marker, Parser, ScalarStyle, Span, StrInput, Tag};

use super::{fault::Fault, scalar::Scalar};
use crate::script::error::Place;

/// How deep things may be nested, and how many there may be with aliases repeated: far beyond any script, and
/// small enough that a hostile file does no harm.
const DEPTH: usize = 100;
const NODES: usize = 200_000;

/// A value and where it begins, both from 1.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) line: usize,
    pub(super) column: usize,
    pub(super) kind: Kind,
}

#[derive(Clone, Debug)]
pub(super) enum Kind {
    Scalar(Scalar),
    List(Vec<Node>),
    Map(Vec<(Key, Node)>),
}

/// A key, as it is written.
#[derive(Clone, Debug)]
pub(super) struct Key {
    pub(super) line: usize,
    pub(super) column: usize,
    pub(super) name: String,
}

/// Reads the only document of a text.
pub(super) fn parse(text: &str) -> Result<Node, Fault> {
    let mut builder = Builder { parser: Parser::new_from_str(text), anchors: HashMap::new(), nodes: 0 };
    let mut root = None;
    loop {
        match builder.next()? {
            (Event::StreamEnd, _) => return Ok(root.unwrap_or_else(empty)),
            (Event::StreamStart | Event::DocumentStart(_) | Event::DocumentEnd | Event::Nothing, _) => {}
            (_, span) if root.is_some() => return Err(fault(span.start, "a file holds one document")),
            (event, span) => root = Some(builder.node(event, span.start, 0)?),
        }
    }
}

struct Builder<'a> {
    parser: Parser<'a, StrInput<'a>>,
    anchors: HashMap<usize, Node>,
    nodes: usize,
}

impl<'a> Builder<'a> {
    fn next(&mut self) -> Result<(Event<'a>, Span), Fault> {
        match self.parser.next_event() {
            Some(Ok(next)) => Ok(next),
            Some(Err(error)) => Err(fault(*error.marker(), format!("this is not YAML: {}", error.info()))),
            None => Ok((Event::StreamEnd, Span::empty(Marker::new(0, 1, 0)))),
        }
    }

    fn node(&mut self, event: Event<'a>, at: Marker, depth: usize) -> Result<Node, Fault> {
        self.nodes += 1;
        if depth > DEPTH || self.nodes > NODES {
            return Err(fault(at, "this is too deep or too large for a script"));
        }
        let (kind, anchor) = match event {
            Event::Scalar(text, style, anchor, tag) => {
                (Kind::Scalar(scalar(&text, style, tag.as_deref())), anchor)
            }
            Event::SequenceStart(anchor, _) => (self.list(depth)?, anchor),
            Event::MappingStart(anchor, _) => (self.map(depth)?, anchor),
            Event::Alias(anchor) => return self.alias(anchor, at),
            other => return Err(fault(at, format!("this is not YAML: {other:?}"))),
        };
        let node = Node { line: at.line(), column: at.col() + 1, kind };
        if anchor > 0 {
            self.anchors.insert(anchor, node.clone());
        }
        Ok(node)
    }

    fn list(&mut self, depth: usize) -> Result<Kind, Fault> {
        let mut items = Vec::new();
        loop {
            match self.next()? {
                (Event::SequenceEnd, _) => return Ok(Kind::List(items)),
                (event, span) => items.push(self.node(event, span.start, depth + 1)?),
            }
        }
    }

    fn map(&mut self, depth: usize) -> Result<Kind, Fault> {
        let mut entries: Vec<(Key, Node)> = Vec::new();
        loop {
            let (event, span) = self.next()?;
            let name = match event {
                Event::MappingEnd => return Ok(Kind::Map(entries)),
                Event::Scalar(text, ..) => text.into_owned(),
                _ => return Err(fault(span.start, NO_KEY)),
            };
            if entries.iter().any(|(key, _)| key.name == name) {
                return Err(fault(span.start, format!("the key `{name}` is here twice")));
            }
            let key = Key { line: span.start.line(), column: span.start.col() + 1, name };
            let (event, span) = self.next()?;
            entries.push((key, self.node(event, span.start, depth + 1)?));
        }
    }

    fn alias(&mut self, anchor: usize, at: Marker) -> Result<Node, Fault> {
        let node = self.anchors.get(&anchor).cloned();
        let node = node.ok_or_else(|| fault(at, "the alias names something that is not complete yet"))?;
        self.nodes += size(&node);
        if self.nodes > NODES { Err(fault(at, "this is too large for a script")) } else { Ok(node) }
    }
}

const NO_KEY: &str = "a key has to be text; a value that begins with a template needs quotes: \"{{user}}\"";

fn size(node: &Node) -> usize {
    1 + match &node.kind {
        Kind::Scalar(_) => 0,
        Kind::List(items) => items.iter().map(size).sum(),
        Kind::Map(entries) => entries.iter().map(|(_, value)| size(value)).sum(),
    }
}

fn scalar(text: &str, style: ScalarStyle, tag: Option<&Tag>) -> Scalar {
    let is_text = style != ScalarStyle::Plain
        || tag.is_some_and(|tag| tag.is_yaml_core_schema() && tag.suffix == "str");
    if is_text { Scalar::Text(text.to_owned()) } else { Scalar::plain(text) }
}

fn empty() -> Node {
    Node { line: 1, column: 1, kind: Kind::Scalar(Scalar::Null) }
}

fn fault(at: Marker, message: impl Into<String>) -> Fault {
    let place = Place { line: at.line(), column: at.col() + 1, path: String::new() };
    Fault::at(place, message)
}
