//! Ids that nobody else has.

/// A fresh id of any kind: a random UUID, which AG-UI clients use by custom.
#[must_use]
pub fn fresh<T: From<String>>() -> T {
    uuid::Uuid::new_v4().to_string().into()
}
