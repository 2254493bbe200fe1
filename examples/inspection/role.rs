//! Who speaks.

/// Who speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    General,
    History,
    Regulation,
    Reporting,
}

impl Role {
    pub(super) const ALL: [Self; 4] = [Self::General, Self::History, Self::Regulation, Self::Reporting];

    /// The name of the agent.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::General => "general-agent",
            Self::History => "history-agent",
            Self::Regulation => "regulation-agent",
            Self::Reporting => "reporting-agent",
        }
    }

    /// The call by which somebody hands over to it.
    pub(super) fn transfer(self) -> String {
        format!("transfer_to_{}", self.name().trim_end_matches("-agent"))
    }

    /// What it does, for people.
    pub(super) fn description(self) -> &'static str {
        match self {
            Self::General => "Accompanies an inspection and hands over to the specialists",
            Self::History => "Knows companies and their earlier inspections",
            Self::Regulation => "Knows the rules for food, and cites them",
            Self::Reporting => "Drafts the report, and makes it final when it is approved",
        }
    }
}
