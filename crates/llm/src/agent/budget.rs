//! Long conversations: their beginning is told in short, once.

use std::{
    collections::HashMap,
    hash::{DefaultHasher, Hash, Hasher},
    sync::{Mutex, PoisonError},
};

use forestage_runtime::AgentError;

use super::ModelAgent;
use crate::model::{Said, Spoken, Turn};

/// So many bytes are a token, more or less.
const BYTES_PER_TOKEN: u64 = 4;

/// So many summaries are kept, so that the next turn need not ask again.
const KEPT: usize = 256;

const ASK: &str = "Summarise the conversation below for somebody who goes on with it. Keep names, numbers, decisions, open \
questions and what tools found out. Write plain sentences, at most 300 words, and nothing else.";

/// Summaries by what they summarise.
#[derive(Default)]
pub(super) struct Summaries(Mutex<HashMap<u64, String>>);

impl Summaries {
    fn get(&self, of: u64) -> Option<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(&of).cloned()
    }

    fn keep(&self, of: u64, summary: String) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() >= KEPT {
            kept.clear();
        }
        kept.insert(of, summary);
    }
}

impl ModelAgent {
    /// Makes a conversation fit. What the person said last and all that followed stays as it is, so calls that wait are
    /// never summarised.
    pub(super) async fn fit(&self, turns: &mut Vec<Turn>) -> Result<(), AgentError> {
        let Some(most) = self.part.limits.context else { return Ok(()) };
        if tokens(turns) <= most {
            return Ok(());
        }
        self.shorten_as_before(turns);
        if tokens(turns) <= most {
            return Ok(());
        }
        let Some(cut) = cut(turns, most / 2) else { return Ok(()) };
        let (of, told) = (hash(&turns[..cut]), tell(&turns[..cut]));
        let summary = self.ask_for_text(ASK, told).await?;
        self.summaries.keep(of, summary.clone());
        replace(turns, cut, &summary);
        Ok(())
    }

    /// Takes the longest beginning that was summarised before.
    fn shorten_as_before(&self, turns: &mut Vec<Turn>) {
        let found = places(turns).rev().find_map(|cut| Some((cut, self.summaries.get(hash(&turns[..cut]))?)));
        if let Some((cut, summary)) = found {
            replace(turns, cut, &summary);
        }
    }
}

/// The places where a person begins to speak, after the first.
fn places(turns: &[Turn]) -> impl DoubleEndedIterator<Item = usize> {
    (1..turns.len()).filter(|at| matches!(turns[*at], Turn::Person(_)))
}

/// The first place after which no more than this is left, or the last one.
fn cut(turns: &[Turn], left: u64) -> Option<usize> {
    places(turns).find(|at| tokens(&turns[*at..]) <= left).or_else(|| places(turns).next_back())
}

fn replace(turns: &mut Vec<Turn>, cut: usize, summary: &str) {
    turns.drain(..cut);
    let told = Said::Text(format!("[What was said before, in short: {summary}]"));
    match turns.first_mut() {
        Some(Turn::Person(said)) => said.insert(0, told),
        _ => turns.insert(0, Turn::Person(vec![told])),
    }
}

fn tokens(turns: &[Turn]) -> u64 {
    turns.iter().map(|turn| tell(std::slice::from_ref(turn)).len() as u64).sum::<u64>() / BYTES_PER_TOKEN
}

fn hash(turns: &[Turn]) -> u64 {
    let mut hasher = DefaultHasher::new();
    tell(turns).hash(&mut hasher);
    hasher.finish()
}

/// A conversation as text.
fn tell(turns: &[Turn]) -> String {
    let mut text = String::new();
    let mut line = |who: &str, what: &str| {
        text.push_str(who);
        text.push_str(what);
        text.push('\n');
    };
    for turn in turns {
        match turn {
            Turn::Person(said) => said.iter().for_each(|said| match said {
                Said::Text(words) => line("Person: ", words),
                _ => line("Person: ", "[an attachment]"),
            }),
            Turn::Model(spoken) => spoken.iter().for_each(|spoken| match spoken {
                Spoken::Text(words) => line("Agent: ", words),
                Spoken::Call { name, arguments, .. } => line("Agent calls ", &format!("{name} {arguments}")),
                Spoken::Sealed(_) => {}
            }),
            Turn::Results(results) => {
                results.iter().for_each(|result| line("Tool ", &format!("{}: {}", result.name, result.text)));
            }
        }
    }
    text
}
