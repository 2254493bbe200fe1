//! Ids of an agent elsewhere, as they are called here.
//!
//! An id is kept as it is, unless it is taken: by something that was said before, by something of another kind, or by what
//! the stage itself will say in this run. Those of an agent that another one has asked are always exchanged. Nothing that an agent says can thereby change what somebody else has said.

use std::collections::{HashMap, HashSet};

use forestage_runtime::RunContext;

/// What an id is of. Those of different kinds never meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    /// A message with text, calls, or both.
    Message,
    /// A message that is the result of a call.
    Result,
    /// Something that was thought.
    Reasoning,
    /// Something that is shown.
    Activity,
    /// A call of a tool.
    Call,
    /// An invocation of a subagent.
    Subagent,
}

/// The ids of one run.
#[derive(Debug, Default)]
pub(super) struct Names {
    ours: HashMap<(Kind, String), String>,
    taken: HashSet<String>,
}

impl Names {
    /// The agent is called: what it says now has nothing to do with what it has said so far, except by ids that are taken.
    pub(super) fn begin(&mut self, taken: impl Iterator<Item = String>) {
        self.ours.clear();
        self.taken.extend(taken);
    }

    /// What something new is called here, or something that was named since the agent was called.
    pub(super) fn name(&mut self, ctx: &RunContext, kind: Kind, theirs: &str) -> String {
        if let Some(ours) = self.find(kind, theirs) {
            return ours.to_owned();
        }
        // Whoever is invited does not know what else is said on the thread.
        let is_guest = ctx.invited_by().is_some();
        let ours = match is_guest || self.taken.contains(theirs) || is_the_stages(ctx, theirs) {
            true => ctx.new_id(kind.sign()),
            false => theirs.to_owned(),
        };
        self.taken.insert(ours.clone());
        self.ours.insert((kind, theirs.to_owned()), ours.clone());
        ours
    }

    /// What something is called here that was named since the agent was called.
    pub(super) fn find(&self, kind: Kind, theirs: &str) -> Option<&str> {
        self.ours.get(&(kind, theirs.to_owned())).map(String::as_str)
    }
}

/// Whether the stage may come to use this id in the run.
fn is_the_stages(ctx: &RunContext, id: &str) -> bool {
    id.strip_prefix(ctx.run_id().as_str()).is_some_and(|rest| rest.starts_with('-'))
}

impl Kind {
    /// What new ids of this kind have in them.
    fn sign(self) -> &'static str {
        match self {
            Self::Message => "m",
            Self::Result => "r",
            Self::Reasoning => "g",
            Self::Activity => "a",
            Self::Call => "c",
            Self::Subagent => "s",
        }
    }
}
