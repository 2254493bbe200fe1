//! The texts of a conversation that people can search.

use forestage_protocol::message::Message;
use forestage_store::Utterance;

use super::Folded;

/// What people wrote among these messages.
pub(crate) fn of_people(messages: &[Message]) -> Vec<Utterance> {
    messages.iter().filter(|message| is_by_person(message)).filter_map(text_of).collect()
}

/// What the agent wrote since somebody spoke last, and what that was.
pub(crate) fn of_turn(folded: &Folded) -> Vec<Utterance> {
    let messages: Vec<_> = folded.view.messages().collect();
    let begin = messages.iter().rposition(|message| is_by_person(message)).unwrap_or(0);
    messages[begin..].iter().filter_map(|message| text_of(message)).collect()
}

fn is_by_person(message: &Message) -> bool {
    matches!(message, Message::User(_))
}

/// The text of a message, if it has one. Reasoning, tools and activities are not what anybody said.
fn text_of(message: &Message) -> Option<Utterance> {
    let text = match message {
        Message::User(message) => message.content.text().into_owned(),
        Message::Assistant(message) => message.content.clone()?,
        _ => return None,
    };
    let text = text.trim();
    (!text.is_empty()).then(|| Utterance::new(message.id().clone(), is_by_person(message), text))
}
