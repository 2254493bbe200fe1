//! Templates: text with `{{names}}` in it.

use serde::{Deserialize, Deserializer, de::Error};
use serde_json::Value;

use super::text_schema;
use crate::script::{
    error::{Place, suggestion},
    yaml::Placed,
};

/// A text with names in it that are filled in when it is said.
#[derive(Clone, Debug)]
pub(in crate::script) struct Template {
    pub(in crate::script) place: Place,
    parts: Vec<Part>,
}

text_schema!(
    Template,
    "Text. {{user}}, {{state.path}}, {{answer.path}}, {{check.path}}, {{thread}}, {{run}}, {{agent}}, {{context.name}}, {{n}}, {{1}} and {{1.number}} are filled in."
);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Text(String),
    Name(Name),
}

/// Something that can be filled in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::script) enum Name {
    /// What the person said last.
    User,
    /// The id of the thread.
    Thread,
    /// The id of the run.
    Run,
    /// The name of the script that speaks.
    Agent,
    /// How often a `repeat` has begun.
    N,
    /// What the pattern caught.
    Caught(usize),
    /// The number that the pattern caught.
    CaughtNumber(usize),
    /// A part of the state.
    State(Vec<String>),
    /// A part of the answer.
    Answer(Vec<String>),
    /// A part of what was found out about the answer.
    Check(Vec<String>),
    /// A part of the arguments of a tool.
    Args(Vec<String>),
    /// A part of the facts that the client gave along.
    Context(Vec<String>),
}

const NAMES: [&str; 10] =
    ["user", "thread", "run", "agent", "n", "state", "answer", "check", "args", "context"];

/// What names stand for.
#[derive(Clone, Debug, Default)]
pub(in crate::script) struct Env {
    pub(in crate::script) user: String,
    pub(in crate::script) thread: String,
    pub(in crate::script) run: String,
    pub(in crate::script) agent: String,
    pub(in crate::script) n: u64,
    pub(in crate::script) caught: Vec<String>,
    pub(in crate::script) state: Value,
    pub(in crate::script) answer: Value,
    pub(in crate::script) check: Value,
    pub(in crate::script) args: Value,
    pub(in crate::script) context: Value,
}

impl Template {
    fn parse(place: Place, text: &str) -> Result<Self, String> {
        let mut parts = Vec::new();
        let mut rest = text;
        while let Some(at) = rest.find("{{") {
            let (before, found) = rest.split_at(at);
            // A backslash makes the braces text.
            if let Some(before) = before.strip_suffix('\\') {
                parts.push(Part::Text(format!("{before}{{{{")));
                rest = &found[2..];
                continue;
            }
            let end = found.find("}}").ok_or("`{{` has no `}}`; write `\\{{` for the braces themselves")?;
            parts.push(Part::Text(before.to_owned()));
            parts.push(Part::Name(Name::parse(found[2..end].trim())?));
            rest = &found[end + 2..];
        }
        parts.push(Part::Text(rest.to_owned()));
        parts.retain(|part| *part != Part::Text(String::new()));
        Ok(Self { place, parts })
    }

    /// The names in it.
    pub(in crate::script) fn names(&self) -> impl Iterator<Item = &Name> {
        self.parts.iter().filter_map(|part| match part {
            Part::Name(name) => Some(name),
            Part::Text(_) => None,
        })
    }

    /// Its text, if nothing has to be filled in.
    pub(in crate::script) fn constant(&self) -> Option<Value> {
        self.names().next().is_none().then(|| self.value(&Env::default()))
    }

    /// Whether it is one name and nothing else.
    pub(in crate::script) fn is_one_name(&self) -> bool {
        matches!(self.parts[..], [Part::Name(_)])
    }

    /// Fills it in. What is exactly one name keeps its type.
    pub(in crate::script) fn value(&self, env: &Env) -> Value {
        match &self.parts[..] {
            [Part::Name(name)] => name.value(env),
            _ => self.text(env).into(),
        }
    }

    /// Fills it in as text: nothing for null, JSON for whatever is no text.
    pub(in crate::script) fn text(&self, env: &Env) -> String {
        let text = |part: &Part| match part {
            Part::Text(text) => text.clone(),
            Part::Name(name) => plain(&name.value(env)),
        };
        self.parts.iter().map(text).collect()
    }
}

impl Name {
    fn parse(text: &str) -> Result<Self, String> {
        let (name, path) = match text.split_once('.') {
            Some((name, path)) => (name, path.split('.').map(str::to_owned).collect()),
            None => (text, Vec::new()),
        };
        if let Some(number) = name.parse::<usize>().ok().filter(|number| *number > 0)
            && path == ["number"]
        {
            return Ok(Self::CaughtNumber(number));
        }
        match name {
            "state" => return Ok(Self::State(path)),
            "answer" => return Ok(Self::Answer(path)),
            "check" => return Ok(Self::Check(path)),
            "args" => return Ok(Self::Args(path)),
            "context" => return Ok(Self::Context(path)),
            _ => {}
        }
        let simple = match name {
            "user" => Self::User,
            "thread" => Self::Thread,
            "run" => Self::Run,
            "agent" => Self::Agent,
            "n" => Self::N,
            number if number.parse::<usize>().is_ok_and(|number| number > 0) => {
                Self::Caught(number.parse().unwrap_or(1))
            }
            other => {
                return Err(format!("unknown name `{other}` in a template{}", suggestion(other, &NAMES)));
            }
        };
        if path.is_empty() {
            Ok(simple)
        } else {
            Err(format!("`{name}` has no parts, so `{text}` is nothing"))
        }
    }

    fn value(&self, env: &Env) -> Value {
        match self {
            Self::User => env.user.clone().into(),
            Self::Thread => env.thread.clone().into(),
            Self::Run => env.run.clone().into(),
            Self::Agent => env.agent.clone().into(),
            Self::N => env.n.into(),
            Self::Caught(number) => env.caught.get(number - 1).cloned().unwrap_or_default().into(),
            Self::CaughtNumber(number) => {
                let caught = env.caught.get(number - 1).map_or("", String::as_str);
                caught.parse::<serde_json::Number>().map_or_else(|_| caught.into(), Value::Number)
            }
            Self::State(path) => part(&env.state, path),
            Self::Answer(path) => part(&env.answer, path),
            Self::Check(path) => part(&env.check, path),
            Self::Args(path) => part(&env.args, path),
            Self::Context(path) => part(&env.context, path),
        }
    }
}

fn part(value: &Value, path: &[String]) -> Value {
    let step = |value: &Value, key: &String| match value {
        Value::Array(items) => key.parse::<usize>().ok().and_then(|at| items.get(at)).cloned(),
        other => other.get(key).cloned(),
    };
    path.iter().try_fold(value.clone(), |value, key| step(&value, key)).unwrap_or_default()
}

/// A value as people read it.
fn plain(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

impl TryFrom<Placed<String>> for Template {
    type Error = String;

    fn try_from(text: Placed<String>) -> Result<Self, String> {
        Self::parse(text.place, &text.value)
    }
}

impl<'de> Deserialize<'de> for Template {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Placed::<String>::deserialize(deserializer)?.try_into().map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{Env, Template};
    use crate::script::error::Place;

    fn fill(text: &str) -> Value {
        let env = Env {
            user: "hello".to_owned(),
            caught: ["friday", "250", "2.50"].map(str::to_owned).to_vec(),
            state: json!({"list": [{"n": 7}]}),
            ..Env::default()
        };
        Template::parse(Place::default(), text).unwrap().value(&env)
    }

    #[test]
    fn names_are_filled_in() {
        assert_eq!(fill("You said {{ user }} on {{1}}."), json!("You said hello on friday."));
        assert_eq!(fill("{{state.list.0.n}}"), json!(7), "one name alone keeps its type");
        assert_eq!(
            (fill("{{2}}"), fill("{{2.number}}"), fill("{{3.number}}")),
            (json!("250"), json!(250), json!(2.5))
        );
        assert_eq!(fill("{{1.number}}"), json!("friday"), "what is not a number stays text");
        assert_eq!(fill("{{state.list.0}}!"), json!("{\"n\":7}!"));
        assert_eq!(fill("{{state.nothing}}"), Value::Null);
        assert_eq!(fill("a \\{{user}} stays"), json!("a {{user}} stays"));
        assert_eq!(fill(""), json!(""));
    }

    #[test]
    fn unknown_names_are_refused_with_the_one_that_was_meant() {
        let refuse = |text: &str| Template::parse(Place::default(), text).unwrap_err();
        assert_eq!(refuse("{{usr}}"), "unknown name `usr` in a template, did you mean `user`?");
        assert_eq!(refuse("{{1.text}}"), "`1` has no parts, so `1.text` is nothing");
        assert_eq!(refuse("{{user.name}}"), "`user` has no parts, so `user.name` is nothing");
        assert!(refuse("{{user").contains("has no `}}`"));
    }
}
