//! What tools remember of somebody, on whatever thread.

use std::{fmt, sync::Arc};

use forestage_store::{Note, Store, StoreError, memory::MemoryStore};
use serde_json::Value;

/// So often somebody else may be faster.
const ATTEMPTS: usize = 100;

/// What tools remember of the owner of a thread. It outlives the thread and the process.
#[derive(Clone)]
pub struct Notes {
    store: Arc<dyn Store>,
    owner: String,
}

impl Notes {
    /// The notes about this person.
    #[must_use]
    pub fn new(store: Arc<dyn Store>, owner: &str) -> Self {
        Self { store, owner: owner.to_owned() }
    }

    /// What is remembered under a name; null if it is nothing.
    pub async fn read(&self, name: &str) -> Result<Value, StoreError> {
        let note = self.store.note(self.owner.clone(), name.to_owned()).await?;
        Ok(note.map(|note| value_of(&note)).unwrap_or_default())
    }

    /// Changes what is remembered under a name, and returns it. Of changes at the same time none is lost, so `change` may
    /// be called more than once.
    pub async fn change(&self, name: &str, change: impl Fn(&mut Value)) -> Result<Value, StoreError> {
        for _ in 0..ATTEMPTS {
            let note = self.store.note(self.owner.clone(), name.to_owned()).await?;
            let mut value = note.as_ref().map(value_of).unwrap_or_default();
            change(&mut value);
            let note = Note {
                owner: self.owner.clone(),
                name: name.to_owned(),
                body: value.to_string().into(),
                version: note.map_or(0, |note| note.version),
            };
            if self.store.put_note(note).await? {
                return Ok(value);
            }
        }
        Err(StoreError::Database(format!("the note `{name}` is changed all the time").into()))
    }
}

fn value_of(note: &Note) -> Value {
    serde_json::from_slice(&note.body).unwrap_or_default()
}

impl Default for Notes {
    /// Notes about nobody, which are forgotten with the value. For calling a tool by itself.
    fn default() -> Self {
        Self::new(Arc::new(MemoryStore::default()), "")
    }
}

impl fmt::Debug for Notes {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Notes").field("owner", &self.owner).finish_non_exhaustive()
    }
}
