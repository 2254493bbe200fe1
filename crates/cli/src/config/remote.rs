//! Agents that run elsewhere: `[[remotes]]`.

use toml::{Spanned, de::DeValue};

use super::{
    Value,
    file::{File, read, suggestion},
    print::written,
    setting::Kind,
};

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

    /// Reads a table.
    pub(super) fn read(table: &Spanned<DeValue<'_>>, file: &mut File<'_>) -> Option<Self> {
        let at = table.span().start;
        let DeValue::Table(members) = table.get_ref() else {
            file.report(at, "a remote agent is a table with `name`, `kind` and `url`");
            return None;
        };
        let mut found = Self { kind: "ndjson".to_owned(), ..Self::default() };
        for (name, value) in members {
            let Some(member) = found.member(name.get_ref()) else {
                let meant = suggestion(name.get_ref(), &MEMBERS);
                file.report(name.span().start, &format!("a remote agent has no `{}`{meant}", name.get_ref()));
                continue;
            };
            match read(Kind::Text, value.get_ref()) {
                Ok(Value::Text(text)) => *member = text,
                Ok(_) => {}
                Err(message) => file.report(value.span().start, &format!("{}: {message}", name.get_ref())),
            }
        }
        found.check(at, file);
        Some(found)
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
        ] {
            assert_eq!(problems(text), [expected]);
        }
    }
}
