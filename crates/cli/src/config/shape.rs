//! What values may look like: their kind, and the rule that not every value of the kind can be used.

use super::Value;

/// What a value may look like.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shape {
    pub(crate) kind: Kind,
    rule: Rule,
}

/// The kind of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Text,
    Number,
    List,
    /// Texts by name. No setting is one, so neither the environment nor a flag writes it.
    Table,
}

/// What a value of the right kind has to be beside.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Rule {
    /// Nothing; numbers are at least 1.
    Any,
    /// A text, or every text of a list, for which this finds no fault.
    Text(fn(&str) -> Result<(), String>),
    /// One of these texts.
    OneOf(&'static [&'static str]),
    /// A number between these, both included.
    Between(u64, u64),
}

impl Shape {
    /// Everything of a kind.
    pub(crate) const fn new(kind: Kind) -> Self {
        Self { kind, rule: Rule::Any }
    }

    /// The same under a rule.
    pub(crate) const fn with(self, rule: Rule) -> Self {
        Self { rule, ..self }
    }

    /// What is allowed, for a message.
    pub(crate) fn allowed(self) -> String {
        match (self.kind, self.rule) {
            (Kind::Number, Rule::Between(least, most)) => format!("a whole number from {least} to {most}"),
            (Kind::Text, _) => "a text".to_owned(),
            (Kind::Number, _) => "a whole number of at least 1".to_owned(),
            (Kind::List, _) => "a list of texts".to_owned(),
            (Kind::Table, _) => "a table of texts".to_owned(),
        }
    }

    /// Says that something else was found.
    pub(crate) fn wrong(self, found: &str) -> String {
        format!("expected {}, found `{found}`", self.allowed())
    }

    /// Reads a value as the environment and the flags write it; lists have commas.
    pub(crate) fn parse(self, text: &str) -> Result<Value, String> {
        match self.kind {
            Kind::Text => self.text(text).map(|()| Value::Text(text.to_owned())),
            Kind::Number => self.number(text.trim().parse().ok(), text),
            Kind::List => {
                let items = text.split(',').map(str::trim).filter(|item| !item.is_empty());
                let item = |item: &str| self.text(item).map(|()| item.to_owned());
                Ok(Value::List(items.map(item).collect::<Result<_, _>>()?))
            }
            Kind::Table => Err(self.wrong(text)),
        }
    }

    /// A number, if it is one that makes sense.
    pub(crate) fn number(self, number: Option<u64>, found: &str) -> Result<Value, String> {
        let (least, most) = match self.rule {
            Rule::Between(least, most) => (least, most),
            // A number of bytes may stand in a `usize`, and in the signed numbers of TOML.
            _ => (1, i64::MAX as u64),
        };
        let fits = |number: &u64| (least..=most).contains(number);
        number.filter(fits).map(Value::Number).ok_or_else(|| self.wrong(found))
    }

    /// Whether a text can be used, or one of a list.
    pub(crate) fn text(self, text: &str) -> Result<(), String> {
        match self.rule {
            Rule::Text(check) => check(text),
            Rule::OneOf(words) if !words.contains(&text) => {
                let words: Vec<_> = words.iter().map(|word| format!("`{word}`")).collect();
                Err(format!("expected {}, found `{text}`", words.join(" or ")))
            }
            _ => Ok(()),
        }
    }
}
