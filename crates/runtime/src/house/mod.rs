//! The rules of a house: what its agents may do and say, and who looks at it first.
//!
//! One YAML file holds all of them, each part optional: `rules` and `otherwise` about tools, `moderation` of texts, and
//! `review` of answers. [`HouseRules::parse`] reads a text, [`HouseRules::load`] a file; a script agent may have them
//! inline. The format is described in `docs/house-rules.md` and, for editors, by [`schema`].
//!
//! ```
//! use forestage_runtime::{house::HouseRules, policy::{Action, Risk}};
//! use serde_json::json;
//!
//! let house = HouseRules::parse("house", "
//! rules:
//!   - { tools: ['pay*'], when: { amount: { above: 100 } }, action: ask, risk: high, by: { role: manager } }
//! ").unwrap();
//! let judgement = house.policy.judge("pay_bill", &json!({ "amount": 250 }));
//! assert_eq!((judgement.action, judgement.risk), (Action::Ask, Risk::High));
//! assert_eq!(house.policy.judge("pay_bill", &json!({ "amount": "250" })).action, Action::Allow);
//! ```

mod file;

use std::{fs, path::Path, time::Duration};

use serde_json::Value;

pub(crate) use self::file::HouseFile;
use crate::{
    moderation::Rules,
    policy::{OnExpiry, Policy},
    script::{
        LoadError, ScriptError,
        error::{Place, text_of},
        schema::schema_of,
        yaml,
    },
};

/// What an agent may do and say, and who looks at it first.
#[derive(Clone, Debug)]
pub struct HouseRules {
    /// Which calls of tools are allowed, asked about or denied.
    pub policy: Policy,
    /// What may be said; nothing is checked where absent.
    pub moderation: Option<Rules>,
    /// Who sees the agent's answers before the person does; nobody where absent.
    pub review: Option<Review>,
    /// Whether a fenced block `a2ui` in what the agent says is a view: it is taken out of the text and shown with a
    /// `CUSTOM` event named `A2UI_RENDER`.
    pub views: bool,
    /// Whether what the agent draws with `send_a2ui_json_to_client`, `render_a2ui` or in the result of a tool is drawn here.
    /// If not, such calls are the client's.
    pub surfaces: bool,
    /// Whether data of A2UI 0.8 replaces what stands at its path, as that version says. Otherwise what a message does not
    /// name stays.
    pub strict_a2ui_0_8: bool,
}

impl Default for HouseRules {
    fn default() -> Self {
        Self {
            policy: Policy::default(),
            moderation: None,
            review: None,
            views: false,
            surfaces: true,
            strict_a2ui_0_8: false,
        }
    }
}

/// The agent's answers are held as drafts until somebody decides.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Review {
    /// Who may decide; the owner of the thread where absent.
    pub role: Option<String>,
    /// How long there is to decide.
    pub timeout: Option<Duration>,
    /// What becomes of a draft that nobody decides about in time.
    pub on_expiry: OnExpiry,
}

impl HouseRules {
    /// Whether words may be held back or taken out.
    pub(crate) fn looks_at_words(&self) -> bool {
        self.views || self.moderation.is_some()
    }

    /// Reads a text; `file` is what mistakes are told with. They come all at once, in the order of the text.
    pub fn parse(file: &str, text: &str) -> Result<Self, Vec<ScriptError>> {
        let (read, mut errors) = yaml::read_part::<HouseFile>(file, text);
        let Some(read) = read else { return Err(errors) };
        let (house, faults) = read.build();
        // What is empty because all of it is bad is not told twice.
        let is_known = |place: &Place| errors.iter().any(|error| error.path.starts_with(&place.path));
        let faults: Vec<_> = faults.into_iter().filter(|(place, _)| !is_known(place)).collect();
        errors.extend(faults.into_iter().map(|(place, message)| ScriptError::new(file, place, message)));
        if errors.is_empty() {
            return Ok(house);
        }
        errors.sort();
        Err(errors)
    }

    /// Reads a file.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, LoadError> {
        let path = path.as_ref();
        let failed = |source| LoadError::Io { path: path.to_owned(), source };
        let bytes = fs::read(path).map_err(failed)?;
        Self::read(&path.display().to_string(), bytes).map_err(LoadError::Scripts)
    }

    /// Reads what a file holds.
    pub(crate) fn read(file: &str, bytes: Vec<u8>) -> Result<Self, Vec<ScriptError>> {
        Self::parse(file, &text_of(file, bytes).map_err(|error| vec![error])?)
    }
}

/// The JSON Schema of a file. It is committed as `spec/schema/policy.json`.
#[must_use]
pub fn schema() -> Value {
    schema_of::<HouseFile>()
}
