//! `binary` content parts: a file by its bytes, its address, or the id it was uploaded under.

use serde_json::{Map, Value, json};

use crate::{content::ContentPart, wire::wire};

/// What an address begins with that names something uploaded before.
const UPLOAD: &str = "upload:";

wire! {
    /// A file within the content of a user message. At least one of `id`, `url` and `data` is there.
    ///
    /// ```
    /// use forestage_protocol::compat::net::BinaryContent;
    ///
    /// let binary = BinaryContent { url: Some("https://example.org/a.png".into()), ..BinaryContent::new("image/png") };
    /// let part = binary.to_part().expect("it has a place");
    /// assert_eq!(serde_json::to_value(&part).unwrap()["type"], "image");
    /// assert_eq!(BinaryContent::of(&part), Some(binary));
    /// assert!(BinaryContent::new("image/png").to_part().is_none(), "neither id, url nor data");
    /// ```
    tagged "type" "binary" BinaryContent {
        required {
            /// The media type, such as `image/jpeg`.
            mime_type: String,
        }
        optional {
            /// What it was uploaded under.
            id: String,
            /// Where it can be fetched.
            url: String,
            /// Its bytes in base64.
            data: String,
            /// The name of the file.
            filename: String,
        }
    }
}

impl BinaryContent {
    /// The part of 1.0 that says the same; `None` without an id, a url and data.
    #[must_use]
    pub fn to_part(&self) -> Option<ContentPart> {
        let value = serde_json::to_value(self).ok()?;
        serde_json::from_value(upgrade_part(value.as_object()?)?).ok()
    }

    /// The file in a part of 1.0; `None` where it is text.
    #[must_use]
    pub fn of(part: &ContentPart) -> Option<Self> {
        let mut value = serde_json::to_value(part).ok()?;
        downgrade_part(&mut value);
        serde_json::from_value(value).ok()
    }
}

/// The part of 1.0 that says what a `binary` part says; `None` without an id, a url and data. A value of the wrong kind
/// is handed on, for the check to refuse.
#[must_use]
pub fn upgrade_part(part: &Map<String, Value>) -> Option<Value> {
    let given =
        |name: &str| part.get(name).filter(|value| !value.is_null() && value.as_str() != Some("")).cloned();
    let mime = part.get("mimeType").cloned().unwrap_or_default();
    let (place, value) = match (given("data"), given("url"), given("id")) {
        (Some(data), ..) => ("data", data),
        (None, Some(url), _) => ("url", url),
        (None, None, id) => ("url", upload(&id?)),
    };
    let beside = ["id", "url", "filename"].into_iter().filter(|name| *name != place);
    let metadata: Map<_, _> = beside.filter_map(|name| Some((name.to_owned(), given(name)?))).collect();
    let kind = super::super::binary::part_type(mime.as_str().unwrap_or_default());
    let mut media = json!({ "type": kind, "source": { "type": place, "value": value, "mimeType": mime } });
    if !metadata.is_empty() {
        media["metadata"] = metadata.into();
    }
    Some(media)
}

/// Turns a part with a source into a `binary` part. Text stays as it is.
pub fn downgrade_part(part: &mut Value) {
    let Some(source) = part.get("source").cloned() else { return };
    let mut binary = Map::from_iter([("type".to_owned(), json!("binary"))]);
    let mime = source.get("mimeType").cloned().unwrap_or_else(|| json!("application/octet-stream"));
    binary.insert("mimeType".to_owned(), mime);
    let kept = |name: &str| part.pointer(&format!("/metadata/{name}")).cloned();
    // What was uploaded before has no place of its own, and is known by its id.
    if kept("id").map(|id| upload(&id)) != Some(source["value"].clone()) {
        let place = match source["type"].as_str() {
            Some("url") => "url",
            // A handle of a provider's is what something was uploaded under.
            Some("file") => "id",
            _ => "data",
        };
        binary.insert(place.to_owned(), source["value"].clone());
    }
    for name in ["id", "url", "filename"] {
        if let Some(value) = kept(name) {
            binary.insert(name.to_owned(), value);
        }
    }
    *part = Value::Object(binary);
}

/// The address of something that was uploaded before.
fn upload(id: &Value) -> Value {
    format!("{UPLOAD}{}", id.as_str().unwrap_or_default()).into()
}
