//! Where an AG-UI agent is, how it is called, and what it may do.

use std::{sync::Arc, time::Duration};

use forestage_protocol::compat::PeerVersion;
use forestage_runtime::{HistoryOwner, house::HouseRules, tool::Tools};

/// How long an agent may take to answer the phone, where nobody says otherwise.
const CONNECT: Duration = Duration::from_secs(10);

/// How long an agent may say nothing at all, where nobody says otherwise.
const IDLE: Duration = Duration::from_secs(300);

/// The largest event that is taken, where nobody says otherwise.
const MAX_EVENT: usize = 4 << 20;

/// Where an agent is, how it is called, and what it may do.
#[derive(Clone, Debug)]
pub struct AgUiConfig {
    /// The name it goes by.
    pub name: String,
    /// Its address, as it stands.
    pub url: String,
    /// What it does, for people.
    pub description: String,
    /// What is sent along, by name. `${NAME}` in a value is a secret from the environment.
    pub headers: Vec<(String, String)>,
    /// The header that tells the agent whose thread it is; nothing where it is not told.
    pub user_header: Option<String>,
    /// How long connecting may take.
    pub connect_timeout: Duration,
    /// How long it may send nothing, not even a comment.
    pub idle_timeout: Duration,
    /// How often it is called again when it could not be reached or had no time. Never after its first event.
    pub retries: u32,
    /// The largest event that is taken.
    pub max_event_bytes: usize,
    /// How much of the conversation it is told.
    pub told: Told,
    /// Who owns the history of its threads.
    pub history: HistoryOwner,
    /// Whether its `RAW` events, and the events that it made its own from, are kept.
    pub raw: bool,
    /// The version of AG-UI that it speaks at most, where that is none of 1.
    pub peer: Option<PeerVersion>,
    /// The tools of ours that it may call.
    pub tools: Arc<Tools>,
    /// What it may do and say.
    pub house: Arc<HouseRules>,
}

/// How much of the conversation an agent is told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Told {
    /// All of it, as the protocol has it.
    #[default]
    All,
    /// What the person said last, and what followed: for agents that remember threads themselves.
    New,
}

impl AgUiConfig {
    /// An agent of this name at this address.
    #[must_use]
    pub fn new(name: &str, url: &str) -> Self {
        Self {
            name: name.to_owned(),
            url: url.to_owned(),
            description: String::new(),
            headers: Vec::new(),
            user_header: None,
            connect_timeout: CONNECT,
            idle_timeout: IDLE,
            retries: 2,
            max_event_bytes: MAX_EVENT,
            told: Told::default(),
            history: HistoryOwner::default(),
            raw: false,
            peer: None,
            tools: Arc::default(),
            house: Arc::default(),
        }
    }
}
