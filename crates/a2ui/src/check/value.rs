//! A value held against what a property takes.

use super::{
    drawn::{Drawn, Edge, Write},
    notes::Notes,
};
use crate::{
    Version,
    catalog::{Catalog, Component, Literal, Property, Shape, listed},
    tape::{Item, Kind},
};

/// Where a check is: in this property of this component.
pub(super) struct Walk<'w, 't, 'c, 'd> {
    pub(super) notes: &'w mut Notes,
    pub(super) drawn: &'w mut Drawn<'t, 'd>,
    pub(super) catalog: &'c Catalog,
    pub(super) component: &'c Component,
    pub(super) property: &'c str,
}

impl<'t> Walk<'_, 't, '_, '_> {
    pub(super) fn value(&mut self, shape: &Shape, item: Item<'t>) {
        match shape {
            Shape::Any => self.anything(item),
            Shape::Plain(literal) => self.expect(is_literal(*literal, item), shape, item),
            Shape::Word(words) => self.expect(words.iter().any(|word| item.is(word)), shape, item),
            Shape::Dynamic(literal) => self.dynamic(*literal, shape, item),
            Shape::Bound(literal) => self.bound(*literal, shape, item),
            Shape::BoundWord { words, later } => self.bound_word(words, later, shape, item),
            Shape::Child => self.child(shape, item),
            Shape::Children => self.children(shape, item),
            Shape::ListedChildren => self.listed_children(shape, item),
            Shape::Action => self.action(shape, item),
            Shape::NamedAction => self.named_action(shape, item),
            Shape::Checks => self.checks(shape, item),
            Shape::Object { members, is_open } => self.object(members, *is_open, shape, item),
            Shape::List { item: each, at_least } => self.list(each, *at_least, shape, item),
            Shape::Either(shapes) => self.either(shapes, shape, item),
        }
    }

    /// Properties that every component of 0.9 takes.
    pub(super) fn common(&mut self, key: Item<'t>, value: Item<'t>, name: &str) {
        match name {
            "id" | "component" => {}
            "weight" => {
                self.property = "weight";
                self.expect(value.kind() == Kind::Number, &Shape::Plain(Literal::Number), value);
            }
            "accessibility" => {
                self.property = "accessibility";
                self.expect(
                    value.kind() == Kind::Object,
                    &Shape::Object { members: Vec::new(), is_open: true },
                    value,
                );
            }
            "catalogId" | "metadata" if self.drawn.version == Version::V1_0 => {}
            _ if self.component.is_open => self.anything(value),
            _ => self.unknown(key, name),
        }
    }

    pub(super) fn unknown(&mut self, key: Item<'t>, name: &str) {
        if self.component.is_open {
            return;
        }
        let names: Vec<_> = self.component.properties.iter().map(|property| property.name.as_str()).collect();
        let message = format!("{} takes no `{name}`; it takes {}", self.component.name, listed(&names));
        self.notes.fault("unknown_prop", key, message);
    }

    pub(super) fn expect(&mut self, fits: bool, shape: &Shape, item: Item<'t>) {
        if !fits {
            self.misfit(shape, item);
        }
    }

    pub(super) fn misfit(&mut self, shape: &Shape, item: Item<'t>) {
        let found = match item.kind() {
            Kind::Object | Kind::List | Kind::Null => item.name().to_owned(),
            _ => format!("`{}`", item.raw().chars().take(60).collect::<String>()),
        };
        let (component, property) = (&self.component.name, self.property);
        let message = format!("{component}.{property} takes {}, not {found}", shape.wanted());
        self.notes.fault("invalid_prop", item, message);
    }

    /// What nobody described may still be bound.
    fn anything(&mut self, item: Item<'t>) {
        match item.kind() {
            Kind::Object if self.is_binding(item) => self.binding(item),
            Kind::Object => item.members().for_each(|(_, value)| self.anything(value)),
            Kind::List => item.items().for_each(|value| self.anything(value)),
            _ => {}
        }
    }

    fn child(&mut self, shape: &Shape, item: Item<'t>) {
        match item.text() {
            Some(child) => self.drawn.edges.push(Edge { child, item }),
            None => self.misfit(shape, item),
        }
    }

    fn children(&mut self, shape: &Shape, item: Item<'t>) {
        match item.kind() {
            Kind::List => item.items().for_each(|child| self.child(&Shape::Child, child)),
            Kind::Object => self.template(item, "path", shape),
            _ => self.misfit(shape, item),
        }
    }

    fn listed_children(&mut self, shape: &Shape, item: Item<'t>) {
        if item.members().count() > 1 {
            return self.misfit(shape, item);
        }
        match (item.get("explicitList"), item.get("template")) {
            (Some(list), None) if list.kind() == Kind::List => self.children(shape, list),
            (None, Some(template)) if template.kind() == Kind::Object => {
                self.template(template, "dataBinding", shape);
            }
            _ => self.misfit(shape, item),
        }
    }

    fn template(&mut self, item: Item<'t>, path: &str, shape: &Shape) {
        // Clients of 0.8 refuse any other member; those of 0.9 pass over it.
        let is_closed = |item: Item<'t>| path != "dataBinding" || item.members().count() == 2;
        match (item.get("componentId"), item.get(path).and_then(|path| Some((path.text()?, path)))) {
            (Some(child), Some((text, path))) if child.is_text() && is_closed(item) => {
                self.child(&Shape::Child, child);
                self.shows(text, path);
            }
            _ => self.misfit(shape, item),
        }
    }

    fn object(&mut self, members: &[Property], is_open: bool, shape: &Shape, item: Item<'t>) {
        if item.kind() != Kind::Object {
            return self.misfit(shape, item);
        }
        for (key, value) in item.members() {
            match members.iter().find(|member| key.is(&member.name)) {
                Some(member) => self.value(&member.shape, value),
                None if is_open => {}
                None => {
                    let names: Vec<_> = members.iter().map(|member| member.name.as_str()).collect();
                    let (component, property) = (&self.component.name, self.property);
                    let message = format!(
                        "{component}.{property} takes no `{}`; it takes {}",
                        key.raw(),
                        listed(&names)
                    );
                    self.notes.fault("unknown_prop", key, message);
                }
            }
        }
        for member in members.iter().filter(|member| member.is_required && item.get(&member.name).is_none()) {
            let (component, property, wanted) = (&self.component.name, self.property, member.shape.wanted());
            let message = format!("{component}.{property} needs `{}` here: {wanted}", member.name);
            self.notes.fault("missing_required_prop", item, message);
        }
    }

    fn list(&mut self, each: &Shape, at_least: usize, shape: &Shape, item: Item<'t>) {
        if item.kind() != Kind::List {
            return self.misfit(shape, item);
        }
        item.items().for_each(|value| self.value(each, value));
        if item.items().count() < at_least {
            let (component, property) = (&self.component.name, self.property);
            let message = format!("{component}.{property} needs at least {at_least} items");
            self.notes.fault("invalid_prop", item, message);
        }
    }

    /// The first shape that fits counts; where none fits, all of them are named.
    fn either(&mut self, shapes: &[Shape], shape: &Shape, item: Item<'t>) {
        let (faults, warnings) = (self.notes.faults.len(), self.notes.warnings.len());
        let (edges, bindings) = (self.drawn.edges.len(), self.drawn.bindings.len());
        for option in shapes {
            self.value(option, item);
            if self.notes.faults.len() == faults && !self.notes.is_full() {
                return;
            }
            self.notes.faults.truncate(faults);
            self.notes.warnings.truncate(warnings);
            self.drawn.edges.truncate(edges);
            self.drawn.bindings.truncate(bindings);
        }
        self.misfit(shape, item);
    }

    /// 0.8: `{literalString}`, `{path}`, or both, which means that the literal is put there first.
    fn bound(&mut self, literal: Literal, shape: &Shape, item: Item<'t>) {
        let (mut value, mut path) = (None, None);
        for (key, member) in item.members() {
            match key.text().unwrap_or_default().as_ref() {
                "path" if member.is_text() => path = Some(member),
                name if name == literal.member() || name == "literal" => value = Some(member),
                _ => return self.misfit(shape, item),
            }
        }
        if value.is_some_and(|value| !is_literal(literal, value)) || value.is_none() && path.is_none() {
            return self.misfit(shape, item);
        }
        match (path.and_then(Item::text), path, value) {
            (Some(path), _, Some(value)) => {
                self.drawn.writes.push(Write { path, value: Some(value), is_entered: false })
            }
            (Some(text), Some(path), None) => self.shows(text, path),
            _ => {}
        }
    }

    /// 0.8: a value of which the literal is one of a few words.
    fn bound_word(&mut self, words: &[String], later: &[String], shape: &Shape, item: Item<'t>) {
        let literal = item.get("literalString").or_else(|| item.get("literal")).filter(|it| it.is_text());
        let is_one_of = |list: &[String]| literal.is_none_or(|it| list.iter().any(|word| it.is(word)));
        match literal {
            Some(literal) if !is_one_of(words) && !is_one_of(later) => self.misfit(shape, literal),
            Some(literal) if !is_one_of(words) => {
                let (component, property) = (&self.component.name, self.property);
                let message = format!(
                    "{component}.{property} takes `{}` only since 0.9; clients of 0.8 may refuse it",
                    literal.raw()
                );
                self.notes.warn("newer_word", literal, message);
            }
            _ => {}
        }
        self.bound(Literal::Text, shape, item);
    }
}

/// Whether a value is such a literal.
pub(super) fn is_literal(literal: Literal, item: Item<'_>) -> bool {
    match literal {
        Literal::Text => item.is_text(),
        Literal::Number => item.kind() == Kind::Number,
        Literal::Count => item.kind() == Kind::Number && item.raw().bytes().all(|byte| byte.is_ascii_digit()),
        Literal::Flag => item.kind() == Kind::Flag,
        Literal::Texts => item.kind() == Kind::List && item.items().all(Item::is_text),
        Literal::Value => !matches!(item.kind(), Kind::Object | Kind::Null),
    }
}
