//! The words of a judgement.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What happens with a call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Action {
    /// It is made.
    #[default]
    Allow,
    /// A person decides.
    Ask,
    /// It is not made.
    Deny,
}

/// How much harm a call can do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Risk {
    /// Hardly any.
    #[default]
    Low,
    /// Some.
    Medium,
    /// Much.
    High,
    /// It cannot be made good.
    Critical,
}

/// What becomes of a question that nobody answers in time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum OnExpiry {
    /// The answer is no, and the agent goes on with that.
    #[default]
    Reject,
    /// The answer is yes. Never where the risk is high or critical.
    Approve,
    /// The question is withdrawn.
    Cancel,
}

/// The word as it is written in files and in the log.
macro_rules! words {
    ($($type:ident { $($variant:ident = $word:literal),* })*) => {
        $(impl $type {
            /// The word as it is written in files and in the log.
            #[must_use]
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $word),*
                }
            }
        }

        impl fmt::Display for $type {
            fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str(self.as_str())
            }
        })*
    };
}

words! {
    Action { Allow = "allow", Ask = "ask", Deny = "deny" }
    Risk { Low = "low", Medium = "medium", High = "high", Critical = "critical" }
    OnExpiry { Reject = "reject", Approve = "approve", Cancel = "cancel" }
}
