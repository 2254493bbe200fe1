//! Who asks: API keys, the one local user of a server without any, and links for those who only read,
//! and the people of a demo.

mod demo;
mod extract;
mod keys;
mod share;

use forestage_store::Viewer;

pub(crate) use self::demo::People;
pub(crate) use self::extract::{Caller, Peer, Visitor, identify, key_in_headers};
pub use self::keys::{ApiKey, Keys, KeysError, hash_key};
pub(crate) use self::share::{Reader, fresh_token, hash_token};

/// Somebody.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// The name that owns threads.
    pub user: String,
    /// What they may do beside their own things.
    pub roles: Vec<String>,
}

impl Identity {
    /// Everybody, on a server that only this machine can reach. All that happens there is theirs to see and to decide.
    #[must_use]
    pub fn local() -> Self {
        Self {
            user: "local".to_owned(),
            roles: ["owner", "admin", Viewer::EVERY_ROLE].map(str::to_owned).to_vec(),
        }
    }
}
