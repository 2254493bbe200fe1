//! A setting: its name and place, its documentation, and how to read and write it.
//!
//! `settings!` declares all of them once. The struct, its defaults, the reader of files, the environment, the
//! printed configuration and the reference page follow from it.

use std::collections::BTreeMap;

use super::Config;

/// One setting.
pub(crate) struct Setting {
    /// The table of the file it stands in; empty for the top.
    pub(crate) section: &'static str,
    /// Its name.
    pub(crate) name: &'static str,
    /// The lines of its documentation.
    pub(crate) about: &'static [&'static str],
    /// What it can be.
    pub(crate) kind: Kind,
    /// Reads it.
    pub(crate) get: fn(&Config) -> Value,
    /// Sets it. The value is one of its kind.
    pub(crate) set: fn(&mut Config, Value),
}

/// What a setting can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Text,
    Number,
    List,
    /// Texts by name. No setting is one, so neither the environment nor a flag writes it.
    Table,
}

/// The value of a setting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    Text(String),
    Number(u64),
    List(Vec<String>),
    Table(BTreeMap<String, String>),
}

impl Setting {
    /// The variable of the environment that sets it.
    pub(crate) fn variable(&self) -> String {
        format!("FORESTAGE_{}", self.name.to_uppercase())
    }

    /// Its documentation on one line.
    #[cfg(test)]
    pub(crate) fn sentence(&self) -> String {
        self.about.iter().map(|line| line.trim()).collect::<Vec<_>>().join(" ")
    }
}

impl Kind {
    /// What is allowed, for a message.
    pub(crate) const fn allowed(self) -> &'static str {
        match self {
            Self::Text => "a text",
            Self::Number => "a whole number of at least 1",
            Self::List => "a list of texts",
            Self::Table => "a table of texts",
        }
    }

    /// Reads a value as the environment and the flags write it; lists have commas.
    pub(crate) fn parse(self, text: &str) -> Result<Value, String> {
        match self {
            Self::Text => Ok(Value::Text(text.to_owned())),
            Self::Number => self.number(text.trim().parse().ok(), text),
            Self::List => {
                let items = text.split(',').map(str::trim).filter(|item| !item.is_empty());
                Ok(Value::List(items.map(str::to_owned).collect()))
            }
            Self::Table => Err(self.wrong(text)),
        }
    }

    /// A number, if it is one that makes sense.
    pub(crate) fn number(self, number: Option<u64>, found: &str) -> Result<Value, String> {
        // A number of bytes or seconds may stand in a `usize`, and in the signed numbers of TOML.
        let fits = |number: &u64| *number > 0 && i64::try_from(*number).is_ok();
        number.filter(fits).map(Value::Number).ok_or_else(|| self.wrong(found))
    }

    /// Says that something else was found.
    pub(crate) fn wrong(self, found: &str) -> String {
        format!("expected {}, found `{found}`", self.allowed())
    }
}

/// A type that a setting can have.
pub(super) trait Stored: Sized {
    const KIND: Kind;
    fn to_value(&self) -> Value;
    /// Keeps what it is where the value is of another kind, which [`Setting::kind`] rules out.
    fn take(&mut self, value: Value);
}

impl Stored for String {
    const KIND: Kind = Kind::Text;
    fn to_value(&self) -> Value {
        Value::Text(self.clone())
    }
    fn take(&mut self, value: Value) {
        if let Value::Text(text) = value {
            *self = text;
        }
    }
}

impl Stored for Vec<String> {
    const KIND: Kind = Kind::List;
    fn to_value(&self) -> Value {
        Value::List(self.clone())
    }
    fn take(&mut self, value: Value) {
        if let Value::List(items) = value {
            *self = items;
        }
    }
}

impl Stored for BTreeMap<String, String> {
    const KIND: Kind = Kind::Table;
    fn to_value(&self) -> Value {
        Value::Table(self.clone())
    }
    fn take(&mut self, value: Value) {
        if let Value::Table(items) = value {
            *self = items;
        }
    }
}

impl Stored for u64 {
    const KIND: Kind = Kind::Number;
    fn to_value(&self) -> Value {
        Value::Number(*self)
    }
    fn take(&mut self, value: Value) {
        if let Value::Number(number) = value {
            *self = number;
        }
    }
}

impl Stored for usize {
    const KIND: Kind = Kind::Number;
    fn to_value(&self) -> Value {
        Value::Number(*self as u64)
    }
    fn take(&mut self, value: Value) {
        if let Value::Number(number) = value {
            *self = Self::try_from(number).unwrap_or(Self::MAX);
        }
    }
}

/// Declares the configuration: documentation, section, name, type and default of every setting.
macro_rules! settings {
    ($( $(#[doc = $about:literal])+ $section:literal $name:ident: $type:ty = $default:expr, )+) => {
        /// The whole configuration of a server.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub(crate) struct Config {
            $( $(#[doc = $about])+ pub(crate) $name: $type, )+
            /// Who may use the server. Without keys it answers everybody on this machine, and nobody else.
            pub(crate) keys: Vec<ApiKey>,
            /// Agents that run elsewhere.
            pub(crate) remotes: Vec<Remote>,
        }

        impl Config {
            /// Every setting, in the order of the file.
            pub(crate) const SETTINGS: &[Setting] = &[$( Setting {
                section: $section,
                name: stringify!($name),
                about: &[$($about),+],
                kind: <$type as Stored>::KIND,
                get: |config| config.$name.to_value(),
                set: |config, value| config.$name.take(value),
            }, )+];
        }

        impl Default for Config {
            fn default() -> Self {
                Self { $( $name: $default, )+ keys: Vec::new(), remotes: Vec::new() }
            }
        }
    };
}
pub(super) use settings;
