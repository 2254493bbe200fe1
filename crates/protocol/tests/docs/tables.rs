//! Tables of what is declared: events, messages, inputs, rules.

use forestage_protocol::{
    capabilities::AgentCapabilities,
    chunks::Expander,
    codec::proto,
    content::{ContentPart, PartSource},
    event::{Base, Event, EventType},
    input::{Context, RunAgentInput},
    interrupt::{Interrupt, ResumeEntry, RunOutcome, SubagentOutcome},
    message::Message,
    tool::{FunctionCall, Tool, ToolCall},
    usage::TokenUsage,
    verify::Rule,
    wire::{Field, Shape, Struct, Union, Wire},
};
use serde_json::{Value, json};

use crate::members::{is_bool, is_text, kind, list, name, sentence, table};

/// The order of the families on the page.
const FAMILIES: [&str; 11] = [
    "RUN",
    "STEP",
    "TEXT",
    "TOOL",
    "REASONING",
    "STATE",
    "MESSAGES",
    "ACTIVITY",
    "SUBAGENT",
    "CUSTOM",
    "RAW",
];

/// Rules that the specification has and the official client 1.0.0 does not check.
const OURS_ALONE: [Rule; 4] =
    [Rule::RunIdMismatch, Rule::ThreadIdMismatch, Rule::InterruptIdDuplicate, Rule::StreamTruncated];

pub(crate) fn base() -> String {
    fields(Base::FIELDS)
}

pub(crate) fn events() -> String {
    let mut events = union(Event::SHAPE).members.to_vec();
    events.sort_by_key(|event| FAMILIES.iter().position(|family| tag(event).starts_with(family)));
    let head = ["event", "members", "tag", "arm", "type", "meaning"];
    table(
        head,
        events.into_iter().map(|event| {
            let tagged = if is_attributable(event) { "yes" } else { "" };
            let own = event.fields.iter().filter(|field| !is_subagent_tag(field));
            let number = EventType::parse(tag(event)).expect("an event").number();
            [
                format!("`{}`", tag(event)),
                list(own, is_text),
                tagged.to_owned(),
                arm(event).to_string(),
                number.to_string(),
                sentence(event.doc),
            ]
        }),
    )
}

pub(crate) fn messages() -> String {
    tagged("role", union(Message::SHAPE))
}

pub(crate) fn parts() -> String {
    tagged("type", union(ContentPart::SHAPE))
}

pub(crate) fn sources() -> String {
    tagged("type", union(PartSource::SHAPE))
}

pub(crate) fn tools() -> String {
    let types = [Tool::SHAPE, ToolCall::SHAPE, FunctionCall::SHAPE, Context::SHAPE].map(structure);
    table(
        ["type", "members", "meaning"],
        types.map(|known| {
            [format!("`{}`", known.name), list(known.all_fields(), is_text), sentence(known.doc)]
        }),
    )
}

pub(crate) fn run_agent_input() -> String {
    fields(structure(RunAgentInput::SHAPE).fields)
}

pub(crate) fn interrupt() -> String {
    fields(structure(Interrupt::SHAPE).fields)
}

pub(crate) fn resume_entry() -> String {
    fields(structure(ResumeEntry::SHAPE).fields)
}

pub(crate) fn token_usage() -> String {
    fields(structure(TokenUsage::SHAPE).fields)
}

pub(crate) fn outcomes() -> String {
    let rows = [("RUN_FINISHED", RunOutcome::SHAPE), ("SUBAGENT_FINISHED", SubagentOutcome::SHAPE)];
    let rows = rows.into_iter().flat_map(|(event, outcome)| {
        union(outcome).members.iter().map(move |outcome| {
            let members = list(outcome.all_fields(), is_text);
            [format!("`{event}`"), format!("`{}`", tag(outcome)), members, sentence(outcome.doc)]
        })
    });
    table(["of", "type", "members", "meaning"], rows)
}

pub(crate) fn capabilities() -> String {
    let groups = structure(AgentCapabilities::SHAPE).fields;
    let rows = groups
        .iter()
        .map(|group| [format!("`{}`", group.name), members_of(&group.shape), sentence(group.doc)]);
    table(["group", "members", "meaning"], rows)
}

/// The members of a group of capabilities. A group inside a group is written out.
fn members_of(shape: &Shape) -> String {
    let Shape::Struct(known) = shape else { return kind(shape) };
    let is_group = |field: &&Field| matches!(field.shape, Shape::Struct(_));
    if !known.fields.iter().any(|field| is_group(&field)) {
        return list(known.all_fields(), is_bool);
    }
    let groups = known.fields.iter().map(|field| format!("{} {{{}}}", field.name, members_of(&field.shape)));
    groups.collect::<Vec<_>>().join(", ")
}

pub(crate) fn rules() -> String {
    let rows = Rule::ALL.iter().map(|rule| {
        let checked = if OURS_ALONE.contains(rule) { "**no**" } else { "yes" };
        [format!("`{}`", rule.code()), sentence(rule.about()), checked.to_owned()]
    });
    table(["code", "rule", "official client"], rows)
}

/// What each event closes, found out by sending it after a chunk of the parent agent and one of a subagent.
pub(crate) fn closing() -> String {
    let mut rows: Vec<(String, Vec<&str>)> = Vec::new();
    for event in union(Event::SHAPE).members.iter().filter(|event| !tag(event).ends_with("_CHUNK")) {
        let closes = match closed_by(&sample_event(event)).as_slice() {
            [] => "nothing",
            ["parent"] => "the lane it is tagged with",
            ["subagent"] => "the lane of that subagent",
            _ => "every lane",
        };
        match rows.iter_mut().find(|(known, _)| known == closes) {
            Some((_, events)) => events.push(tag(event)),
            None => rows.push((closes.to_owned(), vec![tag(event)])),
        }
    }
    let named =
        |events: Vec<&str>| events.iter().map(|event| format!("`{event}`")).collect::<Vec<_>>().join(", ");
    table(["closes", "events"], rows.into_iter().map(|(closes, events)| [closes, named(events)]))
}

/// Whose open item ends when the event comes.
fn closed_by(event: &Event) -> Vec<&'static str> {
    let mut expander = Expander::default();
    let mut out = Vec::new();
    let mut take = |event: Event| expander.expand(event, &mut out).expect("a legal chunk");
    take(read(&json!({"type": "TEXT_MESSAGE_CHUNK", "messageId": "parent"})));
    take(read(&json!({"type": "TEXT_MESSAGE_CHUNK", "messageId": "subagent", "subagentRunId": SAMPLE})));
    take(event.clone());
    let ends = out[..out.len() - 1].iter().filter_map(|event| match event {
        Event::TextMessageEnd(end) if end.subagent_run_id.is_some() => Some("subagent"),
        Event::TextMessageEnd(_) => Some("parent"),
        _ => None,
    });
    ends.collect()
}

/// Objects told apart by one member.
fn tagged(key: &str, union: &Union) -> String {
    table(
        [key, "members", "meaning"],
        union.members.iter().map(|member| {
            [format!("`{}`", tag(member)), list(member.all_fields(), is_text), sentence(member.doc)]
        }),
    )
}

fn fields(fields: &[Field]) -> String {
    table(
        ["member", "type", "meaning"],
        fields.iter().map(|field| [name(field), kind(&field.shape), sentence(field.doc)]),
    )
}

fn union(shape: Shape) -> &'static Union {
    match shape {
        Shape::Union(union) => union,
        other => panic!("not a union: {other:?}"),
    }
}

fn structure(shape: Shape) -> &'static Struct {
    match shape {
        Shape::Struct(known) => known,
        other => panic!("not a struct: {other:?}"),
    }
}

fn tag(known: &Struct) -> &'static str {
    known.tag.expect("a tag").1
}

fn is_attributable(event: &Struct) -> bool {
    event.fields.iter().any(is_subagent_tag)
}

fn is_subagent_tag(field: &Field) -> bool {
    field.name == "subagentRunId" && !field.required
}

/// The protobuf arm of an event, as it is written: the first field number of the bytes.
fn arm(event: &'static Struct) -> u32 {
    let mut bytes = Vec::new();
    proto::encode(&sample_event(event), &mut bytes);
    let low = u32::from(bytes[0] & 0x7f);
    let high = if bytes[0] & 0x80 == 0 { 0 } else { u32::from(bytes[1]) << 7 };
    (low | high) >> 3
}

const SAMPLE: &str = "x";

/// The shortest event of a kind.
fn sample_event(event: &'static Struct) -> Event {
    read(&sample(&Shape::Struct(event)))
}

fn read(event: &Value) -> Event {
    Event::from_json(&event.to_string()).expect("a legal event")
}

/// The shortest value of a shape.
fn sample(shape: &Shape) -> Value {
    match shape {
        Shape::Any | Shape::Present | Shape::Integer { .. } => json!(1),
        Shape::Object => json!({}),
        Shape::Text | Shape::TextOrParts(_) => json!(SAMPLE),
        Shape::Pointer => json!(""),
        Shape::Bool => json!(true),
        Shape::Name(names) => json!(names.members[0]),
        Shape::List { item, min } => (0..*min).map(|_| sample(item)).collect(),
        Shape::Struct(known) => {
            let tag = known.tag.into_iter().map(|(key, value)| (key.to_owned(), json!(value)));
            let required = known.all_fields().filter(|field| field.required);
            tag.chain(required.map(|field| (field.name.to_owned(), sample(&field.shape)))).collect()
        }
        Shape::Union(union) => sample(&Shape::Struct(union.members[0])),
        Shape::Operation => json!({"op": "remove", "path": ""}),
    }
}
