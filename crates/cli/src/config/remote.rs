//! Agents that run elsewhere: `[[remotes]]`.

use std::collections::BTreeMap;

use forestage_protocol::compat::PeerVersion;
use toml::{Spanned, de::DeValue};

use super::{
    Value,
    file::File,
    print::written,
    setting::{Kind, Stored},
};

/// One member of a remote agent.
struct Member {
    name: &'static str,
    kind: Kind,
    /// The kinds of agents that have it; empty for all.
    of: &'static [&'static str],
    get: fn(&Remote) -> Value,
    set: fn(&mut Remote, Value),
}

/// Declares the members: documentation, whose they are, name, type and default.
macro_rules! members {
    ($( $(#[doc = $about:literal])+ $of:expr, $name:ident: $type:ty = $default:expr; )+) => {
        /// An agent that runs elsewhere.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub(crate) struct Remote {
            $( $(#[doc = $about])+ pub(crate) $name: $type, )+
        }

        impl Default for Remote {
            fn default() -> Self {
                Self { $( $name: $default, )+ }
            }
        }

        const MEMBERS: &[Member] = &[$( Member {
            name: stringify!($name),
            kind: <$type as Stored>::KIND,
            of: $of,
            get: |remote| remote.$name.to_value(),
            set: |remote, value| remote.$name.take(value),
        }, )+];
    };
}

/// An agent of contract 002.
pub(crate) const NDJSON: &str = "ndjson";

/// An agent that speaks AG-UI.
pub(crate) const AG_UI: &str = "ag-ui";

members! {
    /// The name of the agent.
    &[], name: String = String::new();
    /// How it is called: `ndjson` or `ag-ui`.
    &[], kind: String = NDJSON.to_owned();
    /// Its address: without `/run` for `ndjson`, as it stands for `ag-ui`.
    &[], url: String = String::new();
    /// A script whose description, tools and house rules are this agent's. Empty for none.
    &[], script: String = String::new();
    /// The environment variable with the token that we send along. Empty for none.
    &[], token_env: String = String::new();
    /// The hash of the secret with which it calls tools. Empty if it calls none.
    &[NDJSON], hash: String = String::new();
    /// What it does, for people. Empty for what the script says.
    &[AG_UI], description: String = String::new();
    /// What is sent along, by name; `${NAME}` in a value is a secret from the environment.
    &[AG_UI], headers: BTreeMap<String, String> = BTreeMap::new();
    /// The header that tells it whose thread it is. Empty for none.
    &[AG_UI], user_header: String = String::new();
    /// How long connecting may take.
    &[AG_UI], connect_seconds: u64 = 10;
    /// How long it may send nothing, not even a comment.
    &[AG_UI], idle_seconds: u64 = 300;
    /// How often it is called until it answers, at most.
    &[AG_UI], attempts: u64 = 3;
    /// The largest event that is taken.
    &[AG_UI], max_event_bytes: usize = 4 << 20;
    /// What it is told of the conversation: `all`, or `new` for what the person said last and what followed.
    &[AG_UI], messages: String = "all".to_owned();
    /// Who owns the history of its threads: `server`, or `client` for stateless use.
    &[AG_UI], history: String = "server".to_owned();
    /// Whether its `RAW` events are kept: `drop` or `keep`.
    &[AG_UI], raw: String = "drop".to_owned();
    /// The version of AG-UI that it speaks at most, such as `0.0.45`. Empty for 1.0.
    &[AG_UI], protocol: String = String::new();
}

/// A text that is one of two: its name, how to get it, and what it may be.
type Choice = (&'static str, fn(&Remote) -> &str, [&'static str; 2]);

const CHOICES: [Choice; 4] = [
    ("kind", |remote| &remote.kind, [NDJSON, AG_UI]),
    ("messages", |remote| &remote.messages, ["all", "new"]),
    ("history", |remote| &remote.history, ["server", "client"]),
    ("raw", |remote| &remote.raw, ["drop", "keep"]),
];

impl Remote {
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
        let mut found = Self::default();
        let mut given = Vec::new();
        let take = |name: &str, value| {
            if let Some(member) = MEMBERS.iter().find(|member| member.name == name) {
                (member.set)(&mut found, value);
                given.push(member);
            }
        };
        let known: Vec<_> = MEMBERS.iter().map(|member| (member.name, member.kind)).collect();
        file.members(table, "a remote agent", "`name`, `kind` and `url`", &known, take).then(|| {
            found.check(&given, table.span().start, file);
            found
        })
    }

    fn check(&self, given: &[&Member], at: usize, file: &mut File<'_>) {
        if self.name.is_empty() {
            file.report(at, "a remote agent needs a `name`");
        }
        for (name, get, [one, other]) in CHOICES {
            if get(self) != one && get(self) != other {
                file.report(at, &format!("{name}: expected `{one}` or `{other}`, found `{}`", get(self)));
            }
        }
        if !["http://", "https://"].iter().any(|scheme| self.url.starts_with(scheme)) {
            let text =
                format!("url: expected an address such as `http://127.0.0.1:9000`, found `{}`", self.url);
            file.report(at, &text);
        }
        if !self.protocol.is_empty() && PeerVersion::parse(&self.protocol).is_none() {
            let text = format!("protocol: expected a version such as `0.0.45`, found `{}`", self.protocol);
            file.report(at, &text);
        }
        let is_strange =
            |member: &&&Member| !member.of.is_empty() && !member.of.contains(&self.kind.as_str());
        if [NDJSON, AG_UI].contains(&self.kind.as_str()) {
            for member in given.iter().filter(is_strange) {
                let text = format!("{}: this is for kind `{}`", member.name, member.of.join("` or `"));
                file.report(at, &text);
            }
        }
    }

    /// A table as the file has it. What has its default is left out, except for what every agent has.
    pub(super) fn block(&self) -> String {
        let usual = Self::default();
        let lines = MEMBERS.iter().filter_map(|member| {
            let (value, is_kind) = ((member.get)(self), member.name == "kind");
            let is_said = is_kind || value != (member.get)(&usual);
            is_said.then(|| format!("{} = {}\n", member.name, written(&value)))
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
                "f:1:1: kind: expected `ndjson` or `ag-ui`, found `grpc`",
            ),
            (
                "[[remotes]]\nname = 'coach'\nurl = 'http://x'\nidle_seconds = 5",
                "f:1:1: idle_seconds: this is for kind `ag-ui`",
            ),
            (
                "[[remotes]]\nname = 'a'\nkind = 'ag-ui'\nurl = 'http://x'\nmessages = 'some'",
                "f:1:1: messages: expected `all` or `new`, found `some`",
            ),
            (
                "[[remotes]]\nname = 'a'\nkind = 'ag-ui'\nurl = 'http://x'\nheaders = { a = 1 }",
                "f:5:11: headers: expected a table of texts, found `a table of other things`",
            ),
            (
                "[[remotes]]\nname = 'a'\nkind = 'ag-ui'\nurl = 'http://x'\nprotocol = 'new'",
                "f:1:1: protocol: expected a version such as `0.0.45`, found `new`",
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
