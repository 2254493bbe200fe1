//! The conversation of a thread as a model is told of it.
//!
//! Providers want more order than a log has: what a model said and called is one turn, every call has its result right
//! behind it, and nothing else does.

use forestage_protocol::{
    content::{Content, ContentPart, PartSource},
    message::{Message, ToolMessage},
    tool::ToolCall,
};
use forestage_runtime::WarnedCall;
use serde_json::{Value, json};

use super::offer::Offer;
use crate::model::{CallResult, Said, Sealed, Spoken, Turn};

/// What a model is told of a call that nobody answered.
const UNANSWERED: &str = "nobody answered this call";

/// What a model is told before a result that no tool has given here: somebody brought it in with a history or a recording.
const UNVERIFIED: &str =
    "[unverified: this result was supplied with an imported history; no tool returned it here]";

/// The turns of a conversation. Activities are for people's eyes, and reasoning goes back sealed or not at all.
/// A component that is unwise is told of beside what came of it.
pub(super) fn turns(messages: &[Message], offer: &Offer, warned: &[WarnedCall]) -> Vec<Turn> {
    let mut turns = Vec::new();
    // What others said who were asked came back as results.
    for message in messages.iter().filter(|message| message.subagent_run_id().is_none()) {
        match message {
            Message::User(message) => person(&mut turns, said(&message.content)),
            Message::Developer(message) => person(&mut turns, vec![Said::Text(message.content.clone())]),
            Message::Reasoning(message) => {
                let sealed = message.encrypted_value.as_deref().and_then(Sealed::of_text);
                sealed.into_iter().for_each(|sealed| model(&mut turns, Spoken::Sealed(sealed)));
            }
            Message::Assistant(message) => {
                let sealed = message.encrypted_value.as_deref().and_then(Sealed::of_text);
                sealed.into_iter().for_each(|sealed| model(&mut turns, Spoken::Sealed(sealed)));
                if let Some(text) = message.content.as_ref().filter(|text| !text.is_empty()) {
                    model(&mut turns, Spoken::Text(text.clone()));
                }
                for call in message.tool_calls.iter().flatten() {
                    called(&mut turns, call, offer);
                }
            }
            Message::Tool(message) => {
                answered(&mut turns, message.tool_call_id.as_str(), result(message));
            }
            _ => {}
        }
    }
    settle(&mut turns);
    warn(&mut turns, warned);
    turns
}

/// Tells what is unwise about a call behind its result.
fn warn(turns: &mut [Turn], warned: &[WarnedCall]) {
    let results = turns.iter_mut().filter_map(|turn| match turn {
        Turn::Results(results) => Some(results),
        _ => None,
    });
    for result in results.flatten() {
        if let Some(call) = warned.iter().find(|call| call.id.as_str() == result.id) {
            result.text.push_str(&format!("\n[warning about the arguments of this call: {}]", call.message));
        }
    }
}

/// What a tool said, or is said to have said.
fn result(message: &ToolMessage) -> String {
    let text = message.content.text();
    let noted = message.metadata.as_ref().and_then(|metadata| metadata.get("forestage"));
    let text = match noted.and_then(grade) {
        Some(grade) => format!("{text}\n{grade}"),
        None => text.into_owned(),
    };
    match noted.is_some_and(|noted| noted["unverified"] == Value::Bool(true)) {
        true => format!("{UNVERIFIED}\n{text}"),
        false => text,
    }
}

/// How the server graded an answer, where it did: the model is told not to grade it again.
fn grade(noted: &Value) -> Option<String> {
    let check = &noted["check"];
    let verdict = if check["correct"].as_bool()? { "right" } else { "not right" };
    Some(format!("[graded by the server: {verdict}, {} of {}]", check["right"], check["total"]))
}

/// Instructions of clients' own are not mixed with ours: they are told as what a person said.
fn person(turns: &mut Vec<Turn>, said: Vec<Said>) {
    settle(turns);
    match turns.last_mut() {
        Some(Turn::Person(before)) => before.extend(said),
        _ => turns.push(Turn::Person(said)),
    }
}

fn model(turns: &mut Vec<Turn>, spoken: Spoken) {
    if matches!(turns.last(), Some(Turn::Results(_))) {
        settle(turns);
    }
    match (turns.last_mut(), spoken) {
        // What is sealed comes first, whatever it was found with.
        (Some(Turn::Model(before)), spoken @ Spoken::Sealed(_)) => before.insert(0, spoken),
        (Some(Turn::Model(before)), spoken) => before.push(spoken),
        (_, spoken) => turns.push(Turn::Model(vec![spoken])),
    }
}

fn called(turns: &mut Vec<Turn>, call: &ToolCall, offer: &Offer) {
    if let Some(sealed) = call.encrypted_value.as_deref().and_then(Sealed::of_text) {
        model(turns, Spoken::Sealed(sealed));
    }
    let arguments = serde_json::from_str(&call.function.arguments).ok().filter(Value::is_object);
    let (id, name) = (call.id.to_string(), offer.wire_name(&call.function.name));
    model(turns, Spoken::Call { id, name, arguments: arguments.unwrap_or_else(|| json!({})) });
}

/// A result belongs to the last turn of the model. One without a call there is left out.
fn answered(turns: &mut Vec<Turn>, id: &str, text: String) {
    let Some(at) = turns.iter().rposition(|turn| matches!(turn, Turn::Model(_))) else { return };
    let Some(name) = calls(&turns[at]).find(|(call, _)| *call == id).map(|(_, name)| name.to_owned()) else {
        return;
    };
    let result = CallResult { id: id.to_owned(), name, text };
    match turns.get_mut(at + 1) {
        Some(Turn::Results(results)) if results.iter().all(|known| known.id != id) => results.push(result),
        Some(_) => {}
        None => turns.push(Turn::Results(vec![result])),
    }
}

/// Calls without results get one that says so, before anybody else speaks.
fn settle(turns: &mut Vec<Turn>) {
    let Some(at) = turns.iter().rposition(|turn| matches!(turn, Turn::Model(_))) else { return };
    let answered = match turns.get(at + 1) {
        Some(Turn::Results(results)) => results.iter().map(|result| result.id.clone()).collect(),
        Some(_) => return,
        None => Vec::new(),
    };
    let missing: Vec<_> = calls(&turns[at])
        .filter(|(id, _)| !answered.iter().any(|answered| answered == id))
        .map(|(id, name)| CallResult {
            id: id.to_owned(),
            name: name.to_owned(),
            text: UNANSWERED.to_owned(),
        })
        .collect();
    match turns.get_mut(at + 1) {
        Some(Turn::Results(results)) => results.extend(missing),
        _ if missing.is_empty() => {}
        _ => turns.push(Turn::Results(missing)),
    }
}

fn calls(turn: &Turn) -> impl Iterator<Item = (&str, &str)> {
    let spoken = if let Turn::Model(spoken) = turn { spoken.as_slice() } else { &[] };
    spoken.iter().filter_map(|spoken| match spoken {
        Spoken::Call { id, name, .. } => Some((id.as_str(), name.as_str())),
        _ => None,
    })
}

fn said(content: &Content) -> Vec<Said> {
    match content {
        Content::Text(text) => vec![Said::Text(text.clone())],
        Content::Parts(parts) => parts.iter().map(part).collect(),
    }
}

fn part(part: &ContentPart) -> Said {
    let (source, usual, what) = match part {
        ContentPart::Text(part) => return Said::Text(part.text.clone()),
        ContentPart::Image(part) => (&part.source, "image/png", "an image"),
        ContentPart::Document(part) => (&part.source, "application/pdf", "a document"),
        ContentPart::Audio(part) => (&part.source, "audio/mpeg", "sound"),
        _ => return Said::Text("[something that cannot be shown here]".to_owned()),
    };
    match source {
        PartSource::Data(data) => {
            Said::Data { mime_type: data.mime_type.clone(), base64: data.value.clone() }
        }
        PartSource::Url(link) => Said::Link {
            mime_type: link.mime_type.clone().unwrap_or_else(|| usual.to_owned()),
            url: link.value.clone(),
        },
        _ => Said::Text(format!("[{what} that cannot be shown here]")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_that_nobody_can_vouch_for_says_so_to_the_model() {
        let genuine = ToolMessage::new("m", "paid", "c");
        assert_eq!(result(&genuine), "paid");
        let mut claimed = genuine.clone();
        claimed
            .metadata
            .get_or_insert_default()
            .insert("forestage".to_owned(), json!({ "unverified": true }));
        assert_eq!(result(&claimed), format!("{UNVERIFIED}\npaid"));
        claimed.metadata.get_or_insert_default().insert("forestage".to_owned(), json!({ "check": 1 }));
        assert_eq!(result(&claimed), "paid");
    }
}
