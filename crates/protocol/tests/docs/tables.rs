//! Tables of what is declared: events, messages, inputs, rules.

use forestage_protocol::{
    capabilities::{AgentCapabilities, SubagentInfo},
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

use crate::{
    members::{is_bool, is_text, kind, list, name, sentence, table},
    sample,
};

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

pub(crate) fn run_agent_input() -> String {
    fields(structure(RunAgentInput::SHAPE).fields)
}

pub(crate) fn interrupt() -> String {
    fields(structure(Interrupt::SHAPE).fields)
}

fn fields(fields: &[Field]) -> String {
    let row = |field: &Field| [name(field), kind(&field.shape), sentence(field.doc)];
    table(["member", "type", "meaning"], fields.iter().map(row))
}

pub(crate) fn events() -> String {
    let head = ["event", "members", "tag", "arm", "type", "meaning"];
    table(head, all_events().into_iter().map(event))
}

fn event(event: &'static Struct) -> [String; 6] {
    let tagged = if event.fields.iter().any(is_subagent_tag) { "yes" } else { "" };
    let own = event.fields.iter().filter(|field| !is_subagent_tag(field));
    let number = EventType::parse(tag(event)).expect("an event").number();
    [
        code(tag(event)),
        list(own, is_text),
        tagged.to_owned(),
        arm(event).to_string(),
        number.to_string(),
        sentence(event.doc),
    ]
}

/// A subagent's tag on an event. On the events about a subagent the same member is required.
fn is_subagent_tag(field: &Field) -> bool {
    field.name == "subagentRunId" && !field.required
}

/// The protobuf arm of an event, as it is written: the first field number of the bytes.
fn arm(event: &'static Struct) -> u32 {
    let mut bytes = Vec::new();
    proto::encode(&sample::event(event), &mut bytes);
    let low = u32::from(bytes[0] & 0x7f);
    let high = if bytes[0] & 0x80 == 0 { 0 } else { u32::from(bytes[1]) << 7 };
    (low | high) >> 3
}

pub(crate) fn messages() -> String {
    let row = |message: &&Struct| [code(tag(message)), members(message), sentence(message.doc)];
    table(["role", "members", "meaning"], union(Message::SHAPE).members.iter().map(row))
}

pub(crate) fn types() -> String {
    let types = [
        Tool::SHAPE,
        ToolCall::SHAPE,
        FunctionCall::SHAPE,
        Context::SHAPE,
        ResumeEntry::SHAPE,
        TokenUsage::SHAPE,
        SubagentInfo::SHAPE,
    ];
    let row = |known: &Struct| [code(known.name), members(known), sentence(known.doc)];
    table(["type", "members", "meaning"], types.map(structure).map(row))
}

pub(crate) fn content() -> String {
    alternatives([("part", ContentPart::SHAPE), ("source", PartSource::SHAPE)])
}

pub(crate) fn outcomes() -> String {
    alternatives([("`RUN_FINISHED`", RunOutcome::SHAPE), ("`SUBAGENT_FINISHED`", SubagentOutcome::SHAPE)])
}

/// Unions told apart by `type`, one after the other.
fn alternatives(unions: [(&str, Shape); 2]) -> String {
    let rows = unions.into_iter().flat_map(|(of, shape)| {
        let row =
            move |known: &&Struct| [of.to_owned(), code(tag(known)), members(known), sentence(known.doc)];
        union(shape).members.iter().map(row)
    });
    table(["of", "type", "members", "meaning"], rows)
}

pub(crate) fn capabilities() -> String {
    let row = |group: &Field| [code(group.name), capability(&group.shape), sentence(group.doc)];
    table(["group", "members", "meaning"], structure(AgentCapabilities::SHAPE).fields.iter().map(row))
}

/// The members of a group of capabilities. Groups inside a group are written out.
fn capability(shape: &Shape) -> String {
    let Shape::Struct(group) = shape else { return kind(shape) };
    if !group.fields.iter().all(|field| matches!(field.shape, Shape::Struct(_))) {
        return list(group.all_fields(), is_bool);
    }
    let inner = group.fields.iter().map(|field| format!("{} {{{}}}", field.name, capability(&field.shape)));
    inner.collect::<Vec<_>>().join(", ")
}

/// What each event closes, as sending it shows.
pub(crate) fn closing() -> String {
    let row = |what: &str, lanes: &[&str]| {
        let events = all_events().into_iter().filter(|event| !tag(event).ends_with("_CHUNK"));
        let closing = events.filter(|event| sample::closes(event) == lanes).map(|event| code(tag(event)));
        [what.to_owned(), closing.collect::<Vec<_>>().join(", ")]
    };
    let rows = [
        row("every lane", &["parent", "subagent"]),
        row("the lane of its tag", &["parent"]),
        row("the lane of the subagent it names", &["subagent"]),
        row("nothing", &[]),
    ];
    table(["closes", "events"], rows)
}

pub(crate) fn rules() -> String {
    let rows = Rule::ALL.iter().map(|rule| {
        let checked = if OURS_ALONE.contains(rule) { "**no**" } else { "yes" };
        [code(rule.code()), sentence(rule.about()), checked.to_owned()]
    });
    table(["code", "rule", "official client"], rows)
}

/// The events in the order of the page.
fn all_events() -> Vec<&'static Struct> {
    let mut events = union(Event::SHAPE).members.to_vec();
    events.sort_by_key(|event| FAMILIES.iter().position(|family| tag(event).starts_with(family)));
    events
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

fn members(known: &Struct) -> String {
    list(known.all_fields(), is_text)
}

fn tag(known: &Struct) -> &'static str {
    known.tag.expect("a tag").1
}

fn code(text: &str) -> String {
    format!("`{text}`")
}
