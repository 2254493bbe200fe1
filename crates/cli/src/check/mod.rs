//! `forestage event|message|input check`: is this one value what AG-UI describes?

mod finding;

use clap::{Args, Subcommand};
use forestage_protocol::{
    Fault, Warning,
    compat::{self, Boundary},
    enforce,
    event::Event,
    input::RunAgentInput,
    json::Json,
    message::Message,
    scan,
};
use serde::Serialize;
use serde_json::{Value, json};

pub(crate) use self::finding::{Finding, text};
use crate::{exit::Answer, input::Source};

/// The commands of each group.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Check one value: strictly, as what we send, or with --enforce, as what others send
    #[command(after_help = AFTER_HELP)]
    Check(Check),
}

const AFTER_HELP: &str = "\
Examples:
  forestage event check event.json
  echo '{\"type\":\"TEXT_MESSAGE_END\",\"messageId\":\"m1\"}' | forestage event check --json
  jq '.messages[0]' input.json | forestage message check
  forestage input check --enforce input.json";

/// What to check, and how.
#[derive(Args, Debug)]
pub(crate) struct Check {
    /// A JSON document: a file, or - for standard input
    #[arg(value_name = "FILE", default_value = "-")]
    file: Source,
    /// Translate retired shapes, strip or drop what is unknown, and fail on what is malformed
    #[arg(long)]
    enforce: bool,
    /// Print one JSON object: ok, error, warnings, normalized
    #[arg(long)]
    json: bool,
}

/// What the value should be.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
    /// An event.
    Event,
    /// A message.
    Message,
    /// The input of a run.
    Input,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Self::Event => "event",
            Self::Message => "message",
            Self::Input => "input of a run",
        }
    }
}

/// Runs a check.
pub(crate) fn run(command: &Command, kind: Kind) -> Answer {
    let Command::Check(check) = command;
    let bytes = check.file.read()?;
    let finding = match text(&bytes).and_then(|text| at_depth(kind, text)) {
        Ok(text) if check.enforce => enforced(kind, text),
        Ok(text) => Finding::of(strict(kind, text).map(Some), Vec::new()),
        Err(fault) => Finding::of(Err(fault), Vec::new()),
    };
    finding.tell(kind.name(), &bytes, check.json)
}

/// What stands alone may be as deep as a request; an event is wrapped around it.
fn at_depth(kind: Kind, text: &str) -> Result<&str, Fault> {
    match kind {
        Kind::Event => scan::check_event_depth(text)?,
        Kind::Message | Kind::Input => scan::check_depth(text)?,
    }
    Ok(text)
}

fn strict(kind: Kind, text: &str) -> Result<Json, Fault> {
    match kind {
        Kind::Event => enforce::strict(text).map(|event| written(&event)),
        Kind::Message => enforce::strict_as::<Message>(text).map(|message| written(&message)),
        Kind::Input => enforce::strict_as::<RunAgentInput>(text).map(|input| written(&input)),
    }
}

fn enforced(kind: Kind, text: &str) -> Finding {
    let mut warnings = Vec::new();
    let normalized = enforce::tree(text).and_then(|value| enforce_value(kind, value, &mut warnings));
    Finding::of(normalized, warnings)
}

fn enforce_value(kind: Kind, mut value: Value, warnings: &mut Vec<Warning>) -> Result<Option<Json>, Fault> {
    match kind {
        Kind::Event => {
            enforce::event_type(&value)?;
            Boundary::default().upgrade(&mut value, 0, warnings);
            Ok(enforce::enforce(value, warnings)?.map(|event: Event| written(&event)))
        }
        Kind::Message => {
            let value = upgrade_message(value, warnings);
            Ok(enforce::enforce_as::<Message>(value, warnings)?.map(|message| written(&message)))
        }
        Kind::Input => {
            compat::upgrade_input(&mut value, warnings);
            Ok(enforce::enforce_as::<RunAgentInput>(value, warnings)?.map(|input| written(&input)))
        }
    }
}

/// A message is upgraded as the only one of an input, and reported as standing alone.
fn upgrade_message(message: Value, warnings: &mut Vec<Warning>) -> Value {
    const PLACE: &str = "/messages/0";
    let mut input = json!({ "messages": [message] });
    compat::upgrade_input(&mut input, warnings);
    for path in warnings.iter_mut().filter_map(|warning| warning.path.as_mut()) {
        if let Some(rest) = path.strip_prefix(PLACE) {
            *path = rest.to_owned();
        }
    }
    input["messages"][0].take()
}

fn written(value: &impl Serialize) -> Json {
    let text = serde_json::to_string(value).unwrap_or_default();
    Json::parse(&text).unwrap_or_else(|_| Json::null())
}
