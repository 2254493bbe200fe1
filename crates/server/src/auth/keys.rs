//! API keys, kept as hashes.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::Identity;

/// How a hash is written in the configuration.
const PREFIX: &str = "sha256:";

/// A key as the configuration has it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ApiKey {
    /// Whose key it is: the owner of the threads that are started with it.
    pub user: String,
    /// The hash of the key, as `forestage keys new` prints it: `sha256:` and 64 hexadecimal digits.
    pub hash: String,
    /// What the user may do beside their own things: the roles that questions name, `importer`, `auditor`, `admin`, or `*`
    /// for all of them.
    #[serde(default)]
    pub roles: Vec<String>,
}

/// All keys, by hash.
#[derive(Clone, Debug, Default)]
pub struct Keys(HashMap<String, Identity>);

/// A key that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum KeysError {
    /// The hash is none.
    #[error("the key of `{0}` is not a hash; it looks like `sha256:` and 64 hexadecimal digits")]
    NotAHash(String),
    /// The user has no name.
    #[error("a key has no user")]
    NoUser,
    /// The same key twice.
    #[error("the key of `{0}` is also somebody else's")]
    Twice(String),
}

impl Keys {
    /// Takes the keys of a configuration.
    pub fn new(keys: &[ApiKey]) -> Result<Self, KeysError> {
        let mut by_hash = HashMap::new();
        for key in keys {
            if key.user.trim().is_empty() {
                return Err(KeysError::NoUser);
            }
            let hash = key.hash.to_ascii_lowercase();
            let digits = hash.strip_prefix(PREFIX).unwrap_or_default();
            if digits.len() != 64 || !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
                return Err(KeysError::NotAHash(key.user.clone()));
            }
            let identity = Identity { user: key.user.clone(), roles: key.roles.clone() };
            if by_hash.insert(hash, identity).is_some() {
                return Err(KeysError::Twice(key.user.clone()));
            }
        }
        Ok(Self(by_hash))
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whose key this is. Looking up a hash tells nothing about the key by its time.
    #[must_use]
    pub fn identify(&self, key: &str) -> Option<&Identity> {
        self.0.get(&hash_key(key))
    }
}

/// The hash of a key, as the configuration has it.
#[must_use]
pub fn hash_key(key: &str) -> String {
    let digest = Sha256::digest(key.as_bytes());
    let digits: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("{PREFIX}{digits}")
}
