//! Reading a configuration file: every wrong name and value is told, with its line.

use std::borrow::Cow;

use forestage_server::{ApiKey, Keys, KeysError};
use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

use super::{
    Config, Problem, Remote, Setting, Value,
    shape::{Kind, Shape},
};

/// The members of a key.
const KEY_MEMBERS: [(&str, Shape); 3] =
    [("user", Shape::new(Kind::Text)), ("hash", Shape::new(Kind::Text)), ("roles", Shape::new(Kind::List))];

impl Config {
    /// Takes what a file says, if it is a text at all.
    pub(super) fn read_bytes(&mut self, place: &str, bytes: &[u8], problems: &mut Vec<Problem>) {
        match str::from_utf8(bytes) {
            Ok(text) => self.read_toml(place, text, problems),
            Err(error) => {
                let text = &String::from_utf8_lossy(&bytes[..error.valid_up_to()]);
                File { place, text, problems }
                    .report(text.len(), "this is not UTF-8; save the file as UTF-8");
            }
        }
    }

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
                    self.keys = read_keys(keys, file);
                }
                ("keys", _) => file.report(value.span().start, "`keys` is written as `[[keys]]` tables"),
                ("remotes", DeValue::Array(remotes)) => {
                    self.take_remotes(remotes, file);
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

    fn take_remotes(&mut self, tables: &[Spanned<DeValue<'_>>], file: &mut File<'_>) {
        for (remote, at) in Remote::read_all(tables, file) {
            self.places.insert(format!("remotes.{}", remote.name), file.place_of(at));
            self.remotes.push(remote);
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
        match read(setting.shape, value) {
            Ok(found) => self.set(setting, found, file.place_of(value.span().start)),
            Err((at, message)) => file.report(at, &format!("{}: {message}", setting.name)),
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
        self.problems.push(Problem::new(self.place_of(at), message));
    }

    /// Where a byte of the text is.
    fn place_of(&self, at: usize) -> String {
        let before = &self.text[..at.min(self.text.len())];
        let line = before.matches('\n').count() + 1;
        let column = before.chars().rev().take_while(|c| *c != '\n').count() + 1;
        format!("{}:{line}:{column}", self.place)
    }

    /// Takes the members of one table of a list, such as `[[keys]]`, each with where its value begins. Whether it is a
    /// table.
    pub(super) fn members(
        &mut self,
        table: &Spanned<DeValue<'_>>,
        what: &str,
        has: &str,
        known: &[(&str, Shape)],
        mut take: impl FnMut(&str, Value, usize),
    ) -> bool {
        let DeValue::Table(members) = table.get_ref() else {
            self.report(table.span().start, &format!("{what} is a table with {has}"));
            return false;
        };
        for (name, value) in members {
            let (at, name) = (name.span().start, name.get_ref().as_ref());
            let Some((_, shape)) = known.iter().find(|(known, _)| *known == name) else {
                let names: Vec<_> = known.iter().map(|(name, _)| *name).collect();
                self.report(at, &format!("{what} has no `{name}`{}", suggestion(name, &names)));
                continue;
            };
            match read(*shape, value) {
                Ok(found) => take(name, found, value.span().start),
                Err((at, message)) => self.report(at, &format!("{name}: {message}")),
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

/// Reads a value; else says where in it what is wrong.
fn read(shape: Shape, value: &Spanned<DeValue<'_>>) -> Result<Value, (usize, String)> {
    let at = value.span().start;
    match (shape.kind, value.get_ref()) {
        (Kind::Text, _) => text(shape, value).map(Value::Text),
        (Kind::Number, DeValue::Integer(number)) => {
            let found = number.as_str();
            let number = u64::from_str_radix(found, number.radix()).ok();
            shape.number(number, found).map_err(|message| (at, message))
        }
        (Kind::List, DeValue::Array(items)) => {
            let texts = items.iter().map(|item| text(shape, item));
            texts.collect::<Result<_, _>>().map(Value::List)
        }
        (Kind::Table, DeValue::Table(items)) => {
            let texts =
                items.iter().map(|(name, value)| Ok((name.get_ref().to_string(), text(shape, value)?)));
            texts.collect::<Result<_, _>>().map(Value::Table)
        }
        (_, other) => Err((at, format!("expected {}, found {}", shape.allowed(), named(other)))),
    }
}

/// Reads a text that stands alone, in a list or in a table.
fn text(shape: Shape, value: &Spanned<DeValue<'_>>) -> Result<String, (usize, String)> {
    let at = value.span().start;
    match value.get_ref() {
        DeValue::String(text) => shape.text(text).map(|()| text.to_string()).map_err(|message| (at, message)),
        other => Err((at, format!("expected a text, found {}", named(other)))),
    }
}

fn named(value: &DeValue<'_>) -> String {
    match value {
        DeValue::String(text) => format!("`{text}`"),
        DeValue::Array(_) => "a list".to_owned(),
        DeValue::Table(_) => "a table".to_owned(),
        DeValue::Integer(_) => "a number".to_owned(),
        DeValue::Float(number) => format!("`{}`", number.as_str()),
        DeValue::Boolean(it) => format!("`{it}`"),
        DeValue::Datetime(_) => "a date".to_owned(),
    }
}

/// Reads all keys. No two people have the same.
fn read_keys(tables: &[Spanned<DeValue<'_>>], file: &mut File<'_>) -> Vec<ApiKey> {
    let mut all: Vec<ApiKey> = Vec::new();
    for table in tables {
        let told = file.problems.len();
        let Some((key, user_at, hash_at)) = read_key(table, file) else { continue };
        // What is missing because it was misspelt is not told twice.
        if file.problems.len() > told {
            continue;
        }
        let is_same = |other: &&ApiKey| other.hash.eq_ignore_ascii_case(&key.hash);
        match Keys::new(std::slice::from_ref(&key)) {
            Err(error @ KeysError::NoUser) => file.report(user_at, &error.to_string()),
            Err(error) => file.report(hash_at, &error.to_string()),
            Ok(_) if all.iter().any(|other| is_same(&other)) => {
                file.report(hash_at, &KeysError::Twice(key.user.clone()).to_string());
            }
            Ok(_) => all.push(key),
        }
    }
    all
}

/// Reads a key, and where its user and its hash stand: where the key begins, if they are missing.
fn read_key(table: &Spanned<DeValue<'_>>, file: &mut File<'_>) -> Option<(ApiKey, usize, usize)> {
    let mut key = ApiKey { user: String::new(), hash: String::new(), roles: Vec::new() };
    let (mut user_at, mut hash_at) = (table.span().start, table.span().start);
    let take = |name: &str, value, at| match (name, value) {
        ("user", Value::Text(text)) => (key.user, user_at) = (text, at),
        ("hash", Value::Text(text)) => (key.hash, hash_at) = (text, at),
        (_, Value::List(items)) => key.roles = items,
        _ => {}
    };
    let is_table = file.members(table, "a key", "`user`, `hash` and `roles`", &KEY_MEMBERS, take);
    is_table.then_some((key, user_at, hash_at))
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

/// The known name that is most like this one, if one is.
pub(super) fn nearest<'k>(name: &str, known: &[&'k str]) -> Option<&'k str> {
    const ALIKE: f64 = 0.75;
    let nearness = |known: &str| strsim::jaro_winkler(name, known);
    let nearest = known.iter().copied().max_by(|left, right| nearness(left).total_cmp(&nearness(right)));
    nearest.filter(|known| nearness(known) > ALIKE)
}

/// The nearest of the known names, or all of them.
pub(super) fn suggestion(name: &str, known: &[&str]) -> String {
    match nearest(name, known) {
        Some(nearest) => format!("; did you mean `{nearest}`?"),
        None if known.is_empty() => "; there are none".to_owned(),
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
    fn a2ui_0_8_is_taken_strictly_where_a_file_says_so() {
        let limits = |text: &str| {
            let (mut config, mut problems) = (Config::default(), Vec::new());
            config.read_toml("f", text, &mut problems);
            assert_eq!(problems, []);
            assert!(config.check_agents(&[]).is_ok(), "it is not a name of an agent");
            config.limits()
        };
        assert!(limits("[dialects]\nstrict_a2ui_0_8 = \"on\"").strict_a2ui_0_8);
        assert!(
            !limits("[dialects]\nstrict_a2ui_0_8 = \"off\"").strict_a2ui_0_8 && !limits("").strict_a2ui_0_8
        );
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
            (
                "[limits]\nlease_seconds = 5000000000",
                "f:2:17: lease_seconds: expected a whole number from 1 to 4294967295, found `5000000000`",
            ),
            (
                "[http]\nhosts = ['a.example',\n  'https://b.example']",
                "f:3:3: hosts: `https://b.example` is not the name of a host; did you mean `b.example`?",
            ),
            ("[http]\nhosts = ['a.example', 5]", "f:2:23: hosts: expected a text, found a number"),
            ("\n[[keys]]\nhash = 'x'", "f:2:1: a key has no user"),
            (
                "[[keys]]\nuser = 'ada'\nhash = 'secret'",
                "f:3:8: the key of `ada` is not a hash; it looks like `sha256:` and 64 hexadecimal digits",
            ),
            ("http = 5", "f:1:8: `http` is a table: write `[http]`"),
            ("keys = 5", "f:1:8: `keys` is written as `[[keys]]` tables"),
        ] {
            assert_eq!(problems(text), [expected]);
        }
    }

    #[test]
    fn everything_that_is_wrong_is_told_at_once() {
        assert_eq!(problems("stoer = 1\nlog = 2\n[limits]\nx = 1").len(), 3);
        assert_eq!(problems("log = 'loud'\n[[keys]]\n[[keys]]\nuser = 'ada'").len(), 3);
        assert_eq!(problems("store = ").len(), 1);
    }
}
