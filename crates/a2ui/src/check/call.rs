//! Values that are computed: bindings, function calls, checks and actions.

use super::{
    MAX_CALLS,
    value::{Walk, is_literal},
};
use crate::{
    catalog::{Function, Literal, Property, Shape, listed},
    tape::{Item, Kind},
};

impl<'t> Walk<'_, 't, '_, '_> {
    pub(super) fn dynamic(&mut self, literal: Literal, shape: &Shape, item: Item<'t>) {
        if item.kind() != Kind::Object {
            return self.expect(is_literal(literal, item), shape, item);
        }
        if self.is_binding(item) {
            return self.binding(item);
        }
        match called(item) {
            Some(name) => self.call(name, item, 1),
            None => self.misfit(shape, item),
        }
    }

    /// Whether this is `{path}` and nothing else.
    pub(super) fn is_binding(&self, item: Item<'t>) -> bool {
        let mut members = item.members();
        matches!((members.next(), members.next()), (Some((key, path)), None)
            if (key.is("path") || key.is("@path")) && path.is_text())
    }

    pub(super) fn binding(&mut self, item: Item<'t>) {
        if let Some((_, path)) = item.members().next() {
            self.shows(path.text().unwrap_or_default(), path);
        }
    }

    /// Checks a call, and the calls among its arguments.
    pub(super) fn call(&mut self, name: Item<'t>, item: Item<'t>, depth: usize) {
        if depth > MAX_CALLS {
            let message = format!("functions are called within each other to a depth of {MAX_CALLS}");
            return self.notes.fault("call_too_deep", item, message);
        }
        let Some(text) = name.text() else {
            return self.notes.fault("invalid_call", name, "`call` is the name of a function");
        };
        let arguments = item.get("args");
        if let Some(other) = arguments.filter(|arguments| arguments.kind() != Kind::Object) {
            return self.notes.fault(
                "invalid_call",
                other,
                format!("`args` is an object, not {}", other.name()),
            );
        }
        match self.catalog.function(&text) {
            Some(function) => self.arguments(function, item, arguments, depth),
            None if self.catalog.knows_all_functions() => {
                let names = listed(&self.catalog.function_names());
                self.notes.fault(
                    "unknown_function",
                    name,
                    format!("there is no function `{text}`; use one of {names}"),
                );
            }
            None => {}
        }
    }

    fn arguments(&mut self, function: &Function, item: Item<'t>, arguments: Option<Item<'t>>, depth: usize) {
        for (key, value) in arguments.into_iter().flat_map(Item::members) {
            match function.arguments.iter().find(|argument| key.is(&argument.name)) {
                Some(argument) => self.argument(function, argument, value, depth),
                None => {
                    let names: Vec<_> =
                        function.arguments.iter().map(|argument| argument.name.as_str()).collect();
                    let message =
                        format!("{} takes no `{}`; it takes {}", function.name, key.raw(), listed(&names));
                    self.notes.fault("invalid_call", key, message);
                }
            }
        }
        let has = |name: &String| arguments.is_some_and(|arguments| arguments.get(name).is_some());
        for argument in
            function.arguments.iter().filter(|argument| argument.is_required && !has(&argument.name))
        {
            let message =
                format!("{} needs `args.{}`: {}", function.name, argument.name, argument.shape.wanted());
            self.notes.fault("invalid_call", item, message);
        }
        if !function.any_of.is_empty() && !function.any_of.iter().any(has) {
            let message = format!("{} needs one of {}", function.name, listed(&function.any_of));
            self.notes.fault("invalid_call", item, message);
        }
    }

    fn argument(&mut self, function: &Function, argument: &Property, item: Item<'t>, depth: usize) {
        if let Some(name) = called(item) {
            return self.call(name, item, depth + 1);
        }
        if item.kind() == Kind::Object && self.is_binding(item) {
            return;
        }
        let fits = match &argument.shape {
            Shape::Plain(literal) | Shape::Dynamic(literal) => is_literal(*literal, item),
            Shape::List { item: each, at_least } => {
                item.items().for_each(|value| {
                    let each =
                        Property { name: argument.name.clone(), shape: (**each).clone(), is_required: true };
                    self.argument(function, &each, value, depth);
                });
                item.kind() == Kind::List && item.items().count() >= *at_least
            }
            _ => true,
        };
        if !fits {
            let message = format!("{}({}) takes {}", function.name, argument.name, argument.shape.wanted());
            self.notes.fault("invalid_call", item, message);
        }
    }

    pub(super) fn checks(&mut self, shape: &Shape, item: Item<'t>) {
        if item.kind() != Kind::List {
            return self.misfit(shape, item);
        }
        item.items().for_each(|check| self.check(shape, check));
    }

    fn check(&mut self, shape: &Shape, item: Item<'t>) {
        let message = item.get("message").filter(|message| message.is_text());
        match (item.get("condition"), called(item), message) {
            (Some(condition), None, Some(_)) => self.condition(shape, condition),
            (None, Some(name), _) => {
                let said = "a check is {\"condition\": {\"call\": …}, \"message\": …}; it is taken as if it were written so";
                self.notes.warn("flat_check", item, said);
                self.call(name, item, 1);
            }
            _ => self.misfit(shape, item),
        }
    }

    fn condition(&mut self, shape: &Shape, item: Item<'t>) {
        match called(item) {
            Some(name) => self.call(name, item, 1),
            None => self.expect(item.kind() == Kind::Flag || self.is_binding(item), shape, item),
        }
    }

    pub(super) fn action(&mut self, shape: &Shape, item: Item<'t>) {
        match (item.get("event"), item.get("functionCall")) {
            (Some(event), None) if event.get("name").is_some_and(Item::is_text) => {
                let Some(context) = event.get("context") else { return };
                self.expect(context.kind() == Kind::Object, shape, event);
                context.members().for_each(|(_, value)| self.sent(value));
            }
            (None, Some(call)) => match called(call) {
                Some(name) => self.call(name, call, 1),
                None => self.misfit(shape, item),
            },
            _ => self.misfit(shape, item),
        }
    }

    /// What a component sends along. It need not stand in the data yet: a person may still enter it.
    fn sent(&mut self, item: Item<'t>) {
        match called(item) {
            Some(name) => self.call(name, item, 1),
            None => {
                let fits = is_literal(Literal::Value, item) || self.is_binding(item);
                self.expect(fits, &Shape::Dynamic(Literal::Value), item);
            }
        }
    }

    pub(super) fn named_action(&mut self, shape: &Shape, item: Item<'t>) {
        let has_only = |item: Item<'t>, names: [&str; 2]| {
            item.members().all(|(key, _)| names.iter().any(|name| key.is(name)))
        };
        if !item.get("name").is_some_and(Item::is_text) || !has_only(item, ["name", "context"]) {
            return self.misfit(shape, item);
        }
        let Some(context) = item.get("context") else { return };
        let fits = |entry: Item<'t>| {
            let has_value = entry.get("value").is_some_and(is_sent_0_8);
            entry.get("key").is_some_and(Item::is_text) && has_value && has_only(entry, ["key", "value"])
        };
        let fits = context.kind() == Kind::List && context.items().all(fits);
        self.expect(fits, shape, context);
    }
}

/// Whether 0.8 can send a value along: a literal or a path, written as such.
fn is_sent_0_8(value: Item<'_>) -> bool {
    let is_one = |(key, member): (Item<'_>, Item<'_>)| match key.text().as_deref() {
        Some("path" | "literalString") => member.is_text(),
        Some("literalNumber") => member.kind() == Kind::Number,
        Some("literalBoolean") => member.kind() == Kind::Flag,
        Some("literal") => true,
        _ => false,
    };
    value.members().count() > 0 && value.members().all(is_one)
}

/// The name of the function that is called here.
fn called(item: Item<'_>) -> Option<Item<'_>> {
    item.get("call").or_else(|| item.get("@call"))
}
