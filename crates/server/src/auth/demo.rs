//! The people of a demo: users that whoever sits at this machine may be, to try what needs more than one of them.
//!
//! A client states a person the way it states an API key, so streams and sockets need nothing of their own. There is no
//! secret in it, and therefore a server accepts people only if it was given some, has no keys, and is asked from loopback.

use super::Identity;

/// Begins what states a person, so that nobody mistakes it for an API key.
const PREFIX: &str = "fs_demo_";

/// The people of a demo; none on any other server.
#[derive(Clone, Debug, Default)]
pub(crate) struct People(Vec<Identity>);

impl People {
    pub(crate) fn new(people: Vec<Identity>) -> Self {
        Self(people)
    }

    /// Their names, for a page that offers to be one of them.
    pub(crate) fn names(&self) -> Vec<&str> {
        self.0.iter().map(|person| person.user.as_str()).collect()
    }

    /// The person that `token` states.
    pub(super) fn identify(&self, token: &str) -> Option<&Identity> {
        let name = token.strip_prefix(PREFIX)?;
        self.0.iter().find(|person| person.user == name)
    }
}

/// Whether this states a person of a demo.
pub(super) fn is_token(token: &str) -> bool {
    token.starts_with(PREFIX)
}
