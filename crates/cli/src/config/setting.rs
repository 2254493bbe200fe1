//! A setting: its name and place, its documentation, and how to read and write it.
//!
//! `settings!` declares all of them once. The struct, its defaults, the reader of files, the environment, the
//! printed configuration and the reference page follow from it.

use std::collections::BTreeMap;

use super::{
    Config,
    shape::{Kind, Shape},
};

/// One setting.
pub(crate) struct Setting {
    /// The table of the file it stands in; empty for the top.
    pub(crate) section: &'static str,
    /// Its name.
    pub(crate) name: &'static str,
    /// The lines of its documentation.
    pub(crate) about: &'static [&'static str],
    /// What it can be.
    pub(crate) shape: Shape,
    /// Reads it.
    pub(crate) get: fn(&Config) -> Value,
    /// Sets it. The value is one of its kind.
    pub(crate) set: fn(&mut Config, Value),
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

/// Declares the configuration: documentation, section, name, type and default of every setting, and the rule for its
/// values where not everything of that type can be used.
macro_rules! settings {
    ($( $(#[doc = $about:literal])+ $section:literal $name:ident: $type:ty = $default:expr $(=> $rule:expr)?, )+) => {
        /// The whole configuration of a server.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub(crate) struct Config {
            $( $(#[doc = $about])+ pub(crate) $name: $type, )+
            /// Who may use the server. Without keys it answers everybody on this machine, and nobody else.
            pub(crate) keys: Vec<ApiKey>,
            /// Agents that run elsewhere.
            pub(crate) remotes: Vec<Remote>,
            /// Where settings and remote agents were given, by name, for whoever finds later that one cannot be used.
            pub(crate) places: BTreeMap<String, String>,
        }

        impl Config {
            /// Every setting, in the order of the file.
            pub(crate) const SETTINGS: &[Setting] = &[$( Setting {
                section: $section,
                name: stringify!($name),
                about: &[$($about),+],
                shape: Shape::new(<$type as Stored>::KIND)$(.with($rule))?,
                get: |config| config.$name.to_value(),
                set: |config, value| config.$name.take(value),
            }, )+];
        }

        impl Default for Config {
            fn default() -> Self {
                Self { $( $name: $default, )+ keys: Vec::new(), remotes: Vec::new(), places: BTreeMap::new() }
            }
        }
    };
}
pub(super) use settings;
