//! Finding the messages in a payload.

use std::{
    borrow::Cow,
    collections::{HashMap, HashSet},
};

use forestage_protocol::Fault;

use super::{Checker, MAX_BYTES, Report, drawn::Drawn, graph, hint, message, notes::Notes};
use crate::{
    Version,
    messages::WRAPPERS,
    surface::Surface,
    tape::{Broken, Item, Kind, Tape},
};

/// A payload that is being checked.
pub(super) struct Run<'t, 'c> {
    pub(super) checker: &'c Checker<'c>,
    pub(super) notes: Notes,
    pub(super) version: Option<Version>,
    pub(super) surfaces: HashMap<Cow<'t, str>, Drawn<'t, 'c>>,
    /// Surfaces that a message took away. What follows about one of them draws it anew.
    pub(super) deleted: HashSet<Cow<'t, str>>,
    pub(super) messages: usize,
    pub(super) components: usize,
}

pub(super) fn check(checker: &Checker<'_>, text: &str) -> Report {
    checked(checker, text, true)
}

fn checked(checker: &Checker<'_>, text: &str, may_be_quoted: bool) -> Report {
    if text.len() > MAX_BYTES {
        let message = format!("the payload has {} bytes; {MAX_BYTES} is the most", text.len());
        return refused(Fault::new("too_large", "", message));
    }
    let tape = match Tape::read(text) {
        Ok(tape) => tape,
        Err(broken) => return refused(not_json(text, broken)),
    };
    match tape.root().text() {
        Some(inner) if may_be_quoted => checked(checker, &inner, false),
        _ => read(checker, tape.root()),
    }
}

fn read(checker: &Checker<'_>, root: Item<'_>) -> Report {
    if let Some(text) = wrapped(root).filter(|inner| inner.is_text()).and_then(Item::text) {
        return checked(checker, &text, false);
    }
    let (notes, surfaces, deleted) = (Notes::default(), HashMap::new(), HashSet::new());
    let mut run = Run { checker, notes, version: None, surfaces, deleted, messages: 0, components: 0 };
    let list = wrapped(root).unwrap_or(root);
    match list.kind() {
        Kind::List => list.items().for_each(|item| message::check(&mut run, item)),
        _ => message::check(&mut run, list),
    }
    if run.messages == 0 && run.notes.faults.is_empty() {
        run.notes.fault("no_messages", list, "there is no message in it; send at least one");
    }
    run.finish()
}

fn wrapped(root: Item<'_>) -> Option<Item<'_>> {
    WRAPPERS.iter().find_map(|name| root.get(name))
}

impl<'c> Run<'_, 'c> {
    /// A surface that is on the screen and was not taken away before this message.
    pub(super) fn known(&self, id: &str) -> Option<&'c Surface> {
        let surfaces = self.checker.surfaces.filter(|_| !self.deleted.contains(id))?;
        surfaces.get(id)
    }

    fn finish(mut self) -> Report {
        for (id, drawn) in &std::mem::take(&mut self.surfaces) {
            let known = self.known(id);
            graph::check(drawn, known, &mut self.notes);
            hint::check(drawn, known, &mut self.notes);
        }
        let Notes { faults, warnings } = self.notes;
        Report {
            version: self.version,
            messages: self.messages,
            components: self.components,
            faults,
            warnings,
        }
    }
}

fn refused(fault: Fault) -> Report {
    Report { faults: vec![fault], ..Report::default() }
}

fn not_json(text: &str, broken: Broken) -> Fault {
    let before = &text.as_bytes()[..broken.at.min(text.len())];
    let line = before.iter().filter(|&&byte| byte == b'\n').count() + 1;
    let column = before.iter().rev().take_while(|&&byte| byte != b'\n').count() + 1;
    Fault::new(
        "not_json",
        "",
        format!("not JSON: expected {} at line {line}, column {column}", broken.wanted),
    )
}
