//! Agents that run elsewhere: `[[remotes]]`.

use std::collections::BTreeMap;

use forestage_server::{ApiKey, Keys};
use toml::{Spanned, de::DeValue};

use super::{
    Value,
    file::File,
    print::written,
    rule,
    setting::Stored,
    shape::{Rule, Shape},
};

/// One member of a remote agent.
struct Member {
    name: &'static str,
    shape: Shape,
    /// The kinds of agents that have it; empty for all.
    of: &'static [&'static str],
    get: fn(&Remote) -> Value,
    set: fn(&mut Remote, Value),
}

/// Declares the members: documentation, whose they are, name, type and default, and the rule for their values.
macro_rules! members {
    ($( $(#[doc = $about:literal])+ $of:expr, $name:ident: $type:ty = $default:expr $(=> $rule:expr)?; )+) => {
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
            shape: Shape::new(<$type as Stored>::KIND)$(.with($rule))?,
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
    &[], kind: String = NDJSON.to_owned() => Rule::OneOf(&[NDJSON, AG_UI]);
    /// Its address: without `/run` for `ndjson`, as it stands for `ag-ui`.
    &[], url: String = String::new() => rule::ADDRESS;
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
    &[AG_UI], connect_seconds: u64 = 10 => rule::SOME;
    /// How long it may send nothing, not even a comment.
    &[AG_UI], idle_seconds: u64 = 300 => rule::SOME;
    /// How often it is called until it answers, at most.
    &[AG_UI], attempts: u64 = 3 => rule::SOME;
    /// The largest event that is taken.
    &[AG_UI], max_event_bytes: usize = 4 << 20;
    /// What it is told of the conversation: `all`, or `new` for what the person said last and what followed.
    &[AG_UI], messages: String = "all".to_owned() => Rule::OneOf(&["all", "new"]);
    /// Who owns the history of its threads: `server`, or `client` for stateless use.
    &[AG_UI], history: String = "server".to_owned() => Rule::OneOf(&["server", "client"]);
    /// Whether its `RAW` events are kept: `drop` or `keep`.
    &[AG_UI], raw: String = "drop".to_owned() => Rule::OneOf(&["drop", "keep"]);
    /// The version of AG-UI that it speaks at most, such as `0.0.45`. Empty for 1.0.
    &[AG_UI], protocol: String = String::new() => rule::VERSION;
}

/// The members that a table gives, and where their values begin.
type Found = Vec<(&'static Member, usize)>;

impl Remote {
    /// Reads all tables, each agent with where it begins. No two agents have one name, or one secret: nobody could tell
    /// which of them calls.
    pub(super) fn read_all(tables: &[Spanned<DeValue<'_>>], file: &mut File<'_>) -> Vec<(Self, usize)> {
        let mut all: Vec<(Self, usize)> = Vec::new();
        for table in tables {
            let Some((remote, found)) = Self::read(table, file) else { continue };
            let at = |name| place(&found, name).unwrap_or(table.span().start);
            let others = || all.iter().map(|(other, _)| other);
            if others().any(|other| other.name == remote.name && !remote.name.is_empty()) {
                file.report(at("name"), &format!("name: there is a remote agent `{}` already", remote.name));
            }
            let same = others().find(|other| other.hash == remote.hash && !remote.hash.is_empty());
            if let Some(other) = same.filter(|other| other.name != remote.name) {
                let names = format!("`{}` has the secret of `{}`", remote.name, other.name);
                let text = format!("hash: {names}, so nobody could tell who calls; make one for each");
                file.report(at("hash"), &text);
            }
            all.push((remote, table.span().start));
        }
        all
    }

    fn read(table: &Spanned<DeValue<'_>>, file: &mut File<'_>) -> Option<(Self, Found)> {
        let mut remote = Self::default();
        let mut found = Found::new();
        let take = |name: &str, value, at| {
            if let Some(member) = MEMBERS.iter().find(|member| member.name == name) {
                (member.set)(&mut remote, value);
                found.push((member, at));
            }
        };
        let known: Vec<_> = MEMBERS.iter().map(|member| (member.name, member.shape)).collect();
        let is_table = file.members(table, "a remote agent", "`name`, `kind` and `url`", &known, take);
        is_table.then(|| {
            remote.check(&found, table, file);
            (remote, found)
        })
    }

    /// What can only be said about the members together.
    fn check(&self, found: &Found, table: &Spanned<DeValue<'_>>, file: &mut File<'_>) {
        let begin = table.span().start;
        let is_given = |name| table.get_ref().as_table().is_some_and(|members| members.contains_key(name));
        if self.name.is_empty() {
            file.report(place(found, "name").unwrap_or(begin), "a remote agent needs a `name`");
        }
        if !is_given("url") {
            file.report(begin, "a remote agent needs a `url`, such as `http://127.0.0.1:9000`");
        }
        if let (false, Err(error)) = (self.hash.is_empty(), Keys::new(&[self.secret()])) {
            file.report(place(found, "hash").unwrap_or(begin), &format!("hash: {error}"));
        }
        for (member, at) in found {
            if !member.of.is_empty() && !member.of.contains(&self.kind.as_str()) {
                let text = format!("{}: this is for kind `{}`", member.name, member.of.join("` or `"));
                file.report(*at, &text);
            }
        }
    }

    /// The secret with which it calls tools.
    pub(crate) fn secret(&self) -> ApiKey {
        ApiKey { user: self.name.clone(), hash: self.hash.clone(), roles: Vec::new() }
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

/// Where the value of a member begins.
fn place(found: &Found, name: &str) -> Option<usize> {
    found.iter().find(|(member, _)| member.name == name).map(|(_, at)| *at)
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
        let hash = format!("sha256:{}", "1".repeat(64));
        let twice = format!(
            "[[remotes]]\nname = 'a'\nhash = '{hash}'\nurl = 'http://x'\n[[remotes]]\nname = 'b'\nhash = '{hash}'\nurl = 'http://y'"
        );
        for (text, expected) in [
            ("remotes = 5", "f:1:11: `remotes` is written as `[[remotes]]` tables"),
            (
                "[[remotes]]\nname = 'coach'\nurl = 'http://x'\nkin = 'ndjson'",
                "f:4:1: a remote agent has no `kin`; did you mean `kind`?",
            ),
            ("[[remotes]]\nurl = 'http://x'", "f:1:1: a remote agent needs a `name`"),
            ("[[remotes]]\nurl = 'http://x'\nname = ''", "f:3:8: a remote agent needs a `name`"),
            (
                "\n[[remotes]]\nname = 'coach'",
                "f:2:1: a remote agent needs a `url`, such as `http://127.0.0.1:9000`",
            ),
            (
                "[[remotes]]\nname = 'coach'\nurl = 'coach:9000'",
                "f:3:7: url: expected an address such as `http://127.0.0.1:9000`, found `coach:9000`",
            ),
            (
                "[[remotes]]\nname = 'coach'\nurl = 'http://two words'",
                "f:3:7: url: expected an address such as `http://127.0.0.1:9000`, found `http://two words`",
            ),
            (
                "[[remotes]]\nname = 'coach'\nurl = 'http://x'\nkind = 'grpc'",
                "f:4:8: kind: expected `ndjson` or `ag-ui`, found `grpc`",
            ),
            (
                "[[remotes]]\nname = 'coach'\nurl = 'http://x'\nhash = 'secret'",
                "f:4:8: hash: the key of `coach` is not a hash; it looks like `sha256:` and 64 hexadecimal digits",
            ),
            (
                "[[remotes]]\nname = 'coach'\nurl = 'http://x'\nidle_seconds = 5",
                "f:4:16: idle_seconds: this is for kind `ag-ui`",
            ),
            (
                "[[remotes]]\nname = 'a'\nkind = 'ag-ui'\nurl = 'http://x'\nmessages = 'some'",
                "f:5:12: messages: expected `all` or `new`, found `some`",
            ),
            (
                "[[remotes]]\nname = 'a'\nkind = 'ag-ui'\nurl = 'http://x'\nheaders = { a = 1 }",
                "f:5:17: headers: expected a text, found a number",
            ),
            (
                "[[remotes]]\nname = 'a'\nkind = 'ag-ui'\nurl = 'http://x'\nprotocol = 'new'",
                "f:5:12: protocol: expected a version such as `0.0.45`, found `new`",
            ),
            (
                "[[remotes]]\nname = 'coach'\nurl = 'http://x'\n[[remotes]]\nname = 'coach'\nurl = 'http://y'",
                "f:5:8: name: there is a remote agent `coach` already",
            ),
            (
                &twice,
                "f:7:8: hash: `b` has the secret of `a`, so nobody could tell who calls; make one for each",
            ),
        ] {
            assert_eq!(problems(text), [expected]);
        }
    }
}
