//! The requests for approval that a socket has shown, by the ids under which its client knows them.
//!
//! A request is named after its run, and a client may use one run id on several threads. An answer of the contract names
//! nothing but the request, so on one socket no two requests have the same id: the first keeps its own, and one of another
//! thread has that thread in front.

use std::{
    collections::{HashMap, hash_map::Entry},
    sync::{Mutex, PoisonError},
};

use forestage_protocol::id::{InterruptId, ThreadId};
use serde_json::Value;

use super::payload::REQUEST;

/// Which question on which thread a request is about.
pub(super) type Place = (ThreadId, InterruptId);

/// The requests of a socket. None is forgotten, since a late answer must not meet another request.
#[derive(Debug, Default)]
pub(super) struct Asked(Mutex<HashMap<String, Place>>);

impl Asked {
    /// Gives the request in a frame, if it holds one, an id that no other request on this socket has.
    pub(super) fn name(&self, thread_id: &str, frame: &mut Value) {
        if frame["name"] != REQUEST {
            return;
        }
        if let Some(Value::String(id)) = frame.pointer_mut("/value/approvalId") {
            *id = self.own(thread_id, id);
        }
    }

    fn own(&self, thread_id: &str, id: &str) -> String {
        let place = (ThreadId::from(thread_id), InterruptId::from(id));
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut name = id.to_owned();
        loop {
            match known.entry(name.clone()) {
                Entry::Vacant(free) => {
                    free.insert(place);
                    return name;
                }
                Entry::Occupied(taken) if *taken.get() == place => return name,
                Entry::Occupied(_) => name = qualified(thread_id, &name),
            }
        }
    }

    /// The question that a request with this id is about, if it was shown here.
    pub(super) fn find(&self, id: &str) -> Option<Place> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(id).cloned()
    }
}

/// The id of a request with its thread in front.
pub(super) fn qualified(thread_id: &str, id: &str) -> String {
    format!("{thread_id}/{id}")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn named(asked: &Asked, thread: &str) -> String {
        let mut frame = json!({ "type": "CUSTOM", "name": REQUEST, "value": { "approvalId": "r-i1" } });
        asked.name(thread, &mut frame);
        frame["value"]["approvalId"].as_str().expect("a text").to_owned()
    }

    #[test]
    fn each_request_has_an_id_of_its_own_and_keeps_it() {
        let asked = Asked::default();
        for _ in 0..2 {
            assert_eq!((named(&asked, "a"), named(&asked, "b")), ("r-i1".to_owned(), "b/r-i1".to_owned()));
        }
        assert_eq!(asked.find("r-i1"), Some(("a".into(), "r-i1".into())));
        assert_eq!(asked.find("b/r-i1"), Some(("b".into(), "r-i1".into())));
        assert_eq!(asked.find("a/r-i1"), None);
    }
}
