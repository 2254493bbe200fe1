//! Reading a configuration file: every wrong name and value is told, with its line.

use std::borrow::Cow;

use forestage_server::ApiKey;
use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

use super::{Config, Problem, Remote, Setting, Value, setting::Kind};

/// The members of a key.
const KEY_MEMBERS: [(&str, Kind); 3] = [("user", Kind::Text), ("hash", Kind::Text), ("roles", Kind::List)];

impl Config {
    /// Takes what a file says.
    pub(super) fn read_toml(&mut self, place: &str, text: &str, problems: &mut Vec<Problem>) {
        let mut file = File { place, text, problems };
        match DeTable::parse(text) {
            Ok(table) => self.take_top(table.get_ref(), &mut file),
            Err(error) => {
                let at = error.span().map_or(0, |span| span.start);
                file.report(at, error.message());
            }
        }
    }

    fn take_top(&mut self, table: &DeTable<'_>, file: &mut File<'_>) {
        for (name, value) in table {
            match (name.get_ref().as_ref(), value.get_ref()) {
                ("keys", DeValue::Array(keys)) => {
                    self.keys = keys.iter().filter_map(|key| read_key(key, file)).collect();
                }
                ("keys", _) => file.report(value.span().start, "`keys` is written as `[[keys]]` tables"),
                ("remotes", DeValue::Array(remotes)) => {
                    self.remotes = Remote::read_all(remotes, file);
                }
                ("remotes", _) => {
                    file.report(value.span().start, "`remotes` is written as `[[remotes]]` tables");
                }
                (section, DeValue::Table(table)) if is_section(section) => {
                    self.take_section(section, table, file);
                }
                (section, _) if is_section(section) => {
                    file.report(value.span().start, &format!("`{section}` is a table: write `[{section}]`"));
                }
                _ => self.take(("", name, value), file),
            }
        }
    }

    fn take_section(&mut self, section: &str, table: &DeTable<'_>, file: &mut File<'_>) {
        for (name, value) in table {
            self.take((section, name, value), file);
        }
    }

    fn take(
        &mut self,
        (section, name, value): (&str, &Spanned<Cow<'_, str>>, &Spanned<DeValue<'_>>),
        file: &mut File<'_>,
    ) {
        let setting = Self::SETTINGS.iter().find(|setting| is(setting, section, name.get_ref()));
        let Some(setting) = setting else {
            return file.report(name.span().start, &unknown(section, name.get_ref()));
        };
        match read(setting.kind, value.get_ref()) {
            Ok(value) => (setting.set)(self, value),
            Err(message) => file.report(value.span().start, &format!("{}: {message}", setting.name)),
        }
    }
}

/// A file that is being read.
pub(super) struct File<'f> {
    place: &'f str,
    text: &'f str,
    problems: &'f mut Vec<Problem>,
}

impl File<'_> {
    /// Notes a problem at a byte of the text.
    pub(super) fn report(&mut self, at: usize, message: &str) {
        let before = &self.text[..at.min(self.text.len())];
        let line = before.matches('\n').count() + 1;
        let column = before.chars().rev().take_while(|c| *c != '\n').count() + 1;
        self.problems.push(Problem::new(format!("{}:{line}:{column}", self.place), message));
    }

    /// Takes the members of one table of a list, such as `[[keys]]`. Whether it is a table.
    pub(super) fn members(
        &mut self,
        table: &Spanned<DeValue<'_>>,
        what: &str,
        has: &str,
        known: &[(&str, Kind)],
        mut take: impl FnMut(&str, Value),
    ) -> bool {
        let DeValue::Table(members) = table.get_ref() else {
            self.report(table.span().start, &format!("{what} is a table with {has}"));
            return false;
        };
        for (name, value) in members {
            let (at, name) = (name.span().start, name.get_ref().as_ref());
            let Some((_, kind)) = known.iter().find(|(known, _)| *known == name) else {
                let names: Vec<_> = known.iter().map(|(name, _)| *name).collect();
                self.report(at, &format!("{what} has no `{name}`{}", suggestion(name, &names)));
                continue;
            };
            match read(*kind, value.get_ref()) {
                Ok(value) => take(name, value),
                Err(message) => self.report(value.span().start, &format!("{name}: {message}")),
            }
        }
        true
    }
}

fn is(setting: &Setting, section: &str, name: &str) -> bool {
    setting.section == section && setting.name == name
}

fn is_section(name: &str) -> bool {
    Config::SETTINGS.iter().any(|setting| !setting.section.is_empty() && setting.section == name)
}

fn read(kind: Kind, value: &DeValue<'_>) -> Result<Value, String> {
    match (kind, value) {
        (Kind::Text, DeValue::String(text)) => Ok(Value::Text(text.to_string())),
        (Kind::Number, DeValue::Integer(number)) => {
            let found = number.as_str();
            kind.number(u64::from_str_radix(found, number.radix()).ok(), found)
        }
        (Kind::List, DeValue::Array(items)) => {
            let texts = items.iter().map(|item| item.get_ref().as_str().map(str::to_owned));
            texts.collect::<Option<_>>().map(Value::List).ok_or_else(|| kind.wrong("a list of other things"))
        }
        (Kind::Table, DeValue::Table(items)) => {
            let text = |(name, value): (&Spanned<Cow<'_, str>>, &Spanned<DeValue<'_>>)| {
                Some((name.get_ref().to_string(), value.get_ref().as_str()?.to_owned()))
            };
            let texts = items.iter().map(text);
            texts
                .collect::<Option<_>>()
                .map(Value::Table)
                .ok_or_else(|| kind.wrong("a table of other things"))
        }
        (_, DeValue::String(text)) => Err(kind.wrong(text)),
        (_, other) => Err(format!("expected {}, found {}", kind.allowed(), named(other))),
    }
}

fn named(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a table",
        DeValue::Integer(_) | DeValue::Float(_) => "a number",
        other => other.type_str(),
    }
}

fn read_key(table: &Spanned<DeValue<'_>>, file: &mut File<'_>) -> Option<ApiKey> {
    let mut key = ApiKey { user: String::new(), hash: String::new(), roles: Vec::new() };
    let take = |name: &str, value| match (name, value) {
        ("user", Value::Text(text)) => key.user = text,
        ("hash", Value::Text(text)) => key.hash = text,
        (_, Value::List(items)) => key.roles = items,
        _ => {}
    };
    file.members(table, "a key", "`user`, `hash` and `roles`", &KEY_MEMBERS, take).then_some(key)
}

/// Says that there is no such setting, and which may be meant.
fn unknown(section: &str, name: &str) -> String {
    let place = if section.is_empty() { String::new() } else { format!(" in [{section}]") };
    let elsewhere = Config::SETTINGS.iter().find(|setting| setting.name == name);
    if let Some(setting) = elsewhere {
        let right = match setting.section {
            "" => "to the top, before all tables".to_owned(),
            section => format!("into [{section}]"),
        };
        return format!("there is no setting `{name}`{place}; it belongs {right}");
    }
    let here = Config::SETTINGS.iter().filter(|setting| setting.section == section);
    let mut known: Vec<&str> = here.map(|setting| setting.name).collect();
    if section.is_empty() {
        known.extend(["http", "dialects", "limits", "keys", "remotes"]);
    }
    format!("there is no setting `{name}`{place}{}", suggestion(name, &known))
}

/// The nearest of the known names, or all of them.
fn suggestion(name: &str, known: &[&str]) -> String {
    const ALIKE: f64 = 0.75;
    let nearness = |known: &str| strsim::jaro_winkler(name, known);
    let nearest = known.iter().max_by(|left, right| nearness(left).total_cmp(&nearness(right)));
    match nearest.filter(|known| nearness(known) > ALIKE) {
        Some(nearest) => format!("; did you mean `{nearest}`?"),
        None => format!("; there are: {}", known.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problems(text: &str) -> Vec<String> {
        let mut problems = Vec::new();
        Config::default().read_toml("f", text, &mut problems);
        problems.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn unknown_names_are_told_with_line_and_suggestion() {
        for (text, expected) in [
            ("\nstoer = 'x'", "f:2:1: there is no setting `stoer`; did you mean `store`?"),
            ("[http]\nlisen = 'x'", "f:2:1: there is no setting `lisen` in [http]; did you mean `listen`?"),
            ("listen = 'x'", "f:1:1: there is no setting `listen`; it belongs into [http]"),
            (
                "[http]\nstore = 'x'",
                "f:2:1: there is no setting `store` in [http]; it belongs to the top, before all tables",
            ),
            ("[htpp]\n", "f:1:2: there is no setting `htpp`; did you mean `http`?"),
            ("[[keys]]\nusr = 'a'", "f:2:1: a key has no `usr`; did you mean `user`?"),
        ] {
            assert_eq!(problems(text), [expected]);
        }
    }

    #[test]
    fn wrong_values_are_told_with_what_is_allowed() {
        for (text, expected) in [
            (
                "[http]\nmax_body_bytes = 'many'",
                "f:2:18: max_body_bytes: expected a whole number of at least 1, found `many`",
            ),
            (
                "[limits]\nrun_events = 0",
                "f:2:14: run_events: expected a whole number of at least 1, found `0`",
            ),
            ("store = 5", "f:1:9: store: expected a text, found a number"),
            ("http = 5", "f:1:8: `http` is a table: write `[http]`"),
            ("keys = 5", "f:1:8: `keys` is written as `[[keys]]` tables"),
        ] {
            assert_eq!(problems(text), [expected]);
        }
    }

    #[test]
    fn everything_that_is_wrong_is_told_at_once() {
        assert_eq!(problems("stoer = 1\nlog = 2\n[limits]\nx = 1").len(), 3);
        assert_eq!(problems("store = ").len(), 1);
    }
}
