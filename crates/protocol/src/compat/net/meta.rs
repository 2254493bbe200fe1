//! `META`, which is an application's own event in 1.0.

use crate::{event::Custom, json::Object, wire::wire};

/// What names of custom events begin with that are `META` elsewhere.
pub(super) const PREFIX: &str = "meta:";

wire! {
    /// A remark about the conversation that is no part of it, such as a thumbs-up. It may stand anywhere.
    ///
    /// ```
    /// use forestage_protocol::{compat::net::Meta, event::Custom};
    /// use serde_json::json;
    ///
    /// let meta: Meta = serde_json::from_value(json!({
    ///     "type": "META", "metaType": "thumbs_up", "payload": { "messageId": "m1" },
    /// })).unwrap();
    /// let custom = Custom::from(meta.clone());
    /// assert_eq!(custom.name, "meta:thumbs_up");
    /// assert_eq!(Meta::of(&custom), Some(meta));
    /// ```
    tagged "type" "META" Meta {
        required {
            /// What it is, in the application's words.
            meta_type: String,
            /// What it says.
            payload: Object,
        }
        optional {}
    }
}

impl Meta {
    /// The remark in a custom event; `None` where it is another one. A value that is no object is the member `value`.
    #[must_use]
    pub fn of(custom: &Custom) -> Option<Self> {
        let meta_type = custom.name.strip_prefix(PREFIX)?.to_owned();
        let payload = match custom.value.to_value().ok()? {
            serde_json::Value::Object(payload) => payload,
            other => serde_json::Map::from_iter([("value".to_owned(), other)]),
        };
        Some(Self { meta_type, payload: payload.into() })
    }
}

impl From<Meta> for Custom {
    fn from(meta: Meta) -> Self {
        let payload = serde_json::Value::Object((*meta.payload).clone());
        Custom::new(format!("{PREFIX}{}", meta.meta_type), payload)
    }
}
