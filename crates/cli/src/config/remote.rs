//! Agents that run elsewhere: `[[remotes]]`.

use toml::{Spanned, de::DeValue};

use super::{Value, file::File, print::written, setting::Kind};

const MEMBERS: [&str; 6] = ["name", "kind", "url", "script", "hash", "token_env"];

/// An agent that runs elsewhere.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Remote {
    /// The name of the agent.
    pub(crate) name: String,
    /// How it is called: `ndjson`.
    pub(crate) kind: String,
    /// Its address, without `/run`.
    pub(crate) url: String,
    /// A script whose description, tools and house rules are this agent's. Empty for none.
    pub(crate) script: String,
    /// The hash of the secret with which it calls tools. Empty if it calls none.
    pub(crate) hash: String,
    /// The environment variable with the token that we send along. Empty for none.
    pub(crate) token_env: String,
}

impl Remote {
    fn member(&mut self, name: &str) -> Option<&mut String> {
        match name {
            "name" => Some(&mut self.name),
            "kind" => Some(&mut self.kind),
            "url" => Some(&mut self.url),
            "script" => Some(&mut self.script),
            "hash" => Some(&mut self.hash),
            "token_env" => Some(&mut self.token_env),
            _ => None,
        }
    }

    /// Reads all tables. No two agents have one name, or one secret: nobody could tell which of them calls.
    pub(super) fn read_all(tables: &[Spanned<DeValue<'_>>], file: &mut File<'_>) -> Vec<Self> {
        let mut all: Vec<Self> = Vec::new();
        for table in tables {
            let Some(remote) = Self::read(table, file) else { continue };
            let at = table.span().start;
            if all.iter().any(|other| other.name == remote.name && !remote.name.is_empty()) {
                file.report(at, &format!("name: there is a remote agent `{}` already", remote.name));
            }
            let same = all.iter().find(|other| other.hash == remote.hash && !remote.hash.is_empty());
            if let Some(other) = same.filter(|other| other.name != remote.name) {
                let names = format!("`{}` has the secret of `{}`", remote.name, other.name);
                file.report(at, &format!("hash: {names}, so nobody could tell who calls; make one for each"));
            }
            all.push(remote);
        }
        all
    }

    fn read(table: &Spanned<DeValue<'_>>, file: &mut File<'_>) -> Option<Self> {
        let mut found = Self { kind: "ndjson".to_owned(), ..Self::default() };
        let take = |name: &str, value| {
            if let (Some(member), Value::Text(text)) = (found.member(name), value) {
                *member = text;
            }
        };
        let known = MEMBERS.map(|name| (name, Kind::Text));
        file.members(table, "a remote agent", "`name`, `kind` and `url`", &known, take).then(|| {
            found.check(table.span().start, file);
            found
        })
    }

    fn check(&self, at: usize, file: &mut File<'_>) {
        if self.name.is_empty() {
            file.report(at, "a remote agent needs a `name`");
        }
        if self.kind != "ndjson" {
            file.report(at, &format!("kind: expected `ndjson`, found `{}`", self.kind));
        }
        if !["http://", "https://"].iter().any(|scheme| self.url.starts_with(scheme)) {
            file.report(
                at,
                &format!("url: expected an address such as `http://127.0.0.1:9000`, found `{}`", self.url),
            );
        }
    }

    /// A table as the file has it.
    pub(super) fn block(&self) -> String {
        let mut this = self.clone();
        let lines = MEMBERS.iter().filter_map(|name| {
            let text = this.member(name)?.clone();
            (!text.is_empty()).then(|| format!("{name} = {}\n", written(&Value::Text(text))))
        });
        format!("[[remotes]]\n{}", lines.collect::<String>())
    }
}

#[cfg(test)]
mod tests {
    use crate::config::Config;

    fn problems(text: &str) -> Vec<String> {
        let mut problems = Vec::new();
        Config::default().read_toml("f", text, &mut problems);
        problems.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn what_is_wrong_with_a_remote_agent_is_told_with_its_line() {
        for (text, expected) in [
            ("remotes = 5", "f:1:11: `remotes` is written as `[[remotes]]` tables"),
            (
                "[[remotes]]\nname = 'coach'\nurl = 'http://x'\nkin = 'ndjson'",
                "f:4:1: a remote agent has no `kin`; did you mean `kind`?",
            ),
            ("[[remotes]]\nurl = 'http://x'", "f:1:1: a remote agent needs a `name`"),
            (
                "[[remotes]]\nname = 'coach'\nurl = 'coach:9000'",
                "f:1:1: url: expected an address such as `http://127.0.0.1:9000`, found `coach:9000`",
            ),
            (
                "[[remotes]]\nname = 'coach'\nurl = 'http://x'\nkind = 'grpc'",
                "f:1:1: kind: expected `ndjson`, found `grpc`",
            ),
            (
                "[[remotes]]\nname = 'coach'\nurl = 'http://x'\n[[remotes]]\nname = 'coach'\nurl = 'http://y'",
                "f:4:1: name: there is a remote agent `coach` already",
            ),
            (
                "[[remotes]]\nname = 'a'\nhash = 'h'\nurl = 'http://x'\n[[remotes]]\nname = 'b'\nhash = 'h'\nurl = 'http://y'",
                "f:5:1: hash: `b` has the secret of `a`, so nobody could tell who calls; make one for each",
            ),
        ] {
            assert_eq!(problems(text), [expected]);
        }
    }
}
