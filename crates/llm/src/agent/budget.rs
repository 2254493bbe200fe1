//! Long conversations: their beginning is told in short, once.
//!
//! The summary is remembered with the thread, so neither a later turn nor another process asks for it again, and the model
//! reads the same words each time.

use std::borrow::Cow;

use forestage_runtime::{AgentError, RunContext};
use serde::{Deserialize, Serialize};

use super::ModelAgent;
use crate::model::{Said, Spoken, Turn};

/// So many bytes are a token, more or less.
const BYTES_PER_TOKEN: u64 = 4;

const ASK: &str = "Summarise the conversation below for somebody who goes on with it. Keep names, numbers, decisions, open \
questions and what tools found out. Write plain sentences, at most 300 words, and nothing else.";

/// A summary of the beginning of a conversation.
#[derive(Debug, Serialize, Deserialize)]
struct Summary {
    /// What it summarises, as [`mark`] has it: a conversation that was changed has another beginning.
    of: String,
    text: String,
}

impl ModelAgent {
    /// Makes a conversation fit. What the person said last and all that followed stays as it is, so calls that wait are
    /// never summarised.
    pub(super) async fn fit<'t>(
        &self,
        ctx: &RunContext,
        turns: &'t [Turn],
    ) -> Result<Cow<'t, [Turn]>, AgentError> {
        let Some(most) = self.part.limits.context.filter(|most| tokens(turns) > *most) else {
            return Ok(turns.into());
        };
        let name = format!("summary:{}", self.part.name);
        let before = self.shortened(ctx, &name, turns);
        let (dropped, shorter) = before.unwrap_or_else(|| (0, turns.to_vec()));
        let Some(at) = cut(&shorter, most / 2).filter(|_| tokens(&shorter) > most) else {
            return Ok(shorter.into());
        };
        let text = self.ask_for_text(ctx, ASK, tell(&shorter[..at])).await?;
        let summary = Summary { of: mark(&turns[..dropped + at]), text };
        ctx.remember(&name, &serde_json::to_value(&summary)?).await?;
        Ok(replaced(&turns[dropped + at..], &summary.text).into())
    }

    /// The conversation with the summary that was made before, and how much of it that stands for.
    fn shortened(&self, ctx: &RunContext, name: &str, turns: &[Turn]) -> Option<(usize, Vec<Turn>)> {
        let summary: Summary = serde_json::from_value(ctx.remembered(name)?).ok()?;
        let at = places(turns).rev().find(|at| mark(&turns[..*at]) == summary.of)?;
        Some((at, replaced(&turns[at..], &summary.text)))
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

fn replaced(rest: &[Turn], summary: &str) -> Vec<Turn> {
    let mut turns = rest.to_vec();
    let told = Said::Text(format!("[What was said before, in short: {summary}]"));
    match turns.first_mut() {
        Some(Turn::Person(said)) => said.insert(0, told),
        _ => turns.insert(0, Turn::Person(vec![told])),
    }
    turns
}

fn tokens(turns: &[Turn]) -> u64 {
    turns.iter().map(|turn| tell(std::slice::from_ref(turn)).len() as u64).sum::<u64>() / BYTES_PER_TOKEN
}

/// Tells one beginning of a conversation from another (FNV-1a): the same on every machine and in every version.
fn mark(turns: &[Turn]) -> String {
    let text = tell(turns);
    let sum = text
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |sum, byte| (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    format!("{:x}-{sum:016x}", text.len())
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
