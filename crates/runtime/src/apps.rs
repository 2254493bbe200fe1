//! Views of MCP Apps: pages that tools bring along, and what such a page asks for.
//!
//! A page belongs to the conversation, but not into its log: the same page comes with every call of its tool, and may be
//! large. So the activity that shows it names it by its hash, and the page is kept once among the notes of the owner of the
//! thread. A thread draws the same after years, whatever has become of the server that the page is from.

use forestage_protocol::{
    input::RunAgentInput,
    json::Object,
    message::{ActivityMessage, Message},
};
use forestage_store::StoreError;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

use crate::tool::Notes;

/// The type of the activities that show a page, as peers have it (`@ag-ui/mcp-apps-middleware`).
pub const ACTIVITY: &str = "mcp-apps";

/// The type of content that is a page.
pub const MIME_TYPE: &str = "text/html;profile=mcp-app";

/// The member of `forwardedProps` with what a page asks for, as peers have it.
pub const REQUEST: &str = "__proxiedMCPRequest";

/// A page, with what it may reach.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Page {
    /// What its server calls it.
    pub uri: String,
    /// The page itself.
    pub html: String,
    /// The hosts that it may reach: those that it asked for and that are allowed.
    #[serde(default)]
    pub csp: Hosts,
    /// Whether it wants a border around it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prefers_border: Option<bool>,
}

/// Hosts that a page may reach, in the words of MCP Apps.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Hosts {
    /// For requests.
    pub connect_domains: Vec<String>,
    /// For scripts, styles, pictures, fonts and sounds.
    pub resource_domains: Vec<String>,
    /// For frames inside of the page.
    pub frame_domains: Vec<String>,
}

impl Page {
    /// Keeps the page, and gives the name under which it is found again. The same page has the same name.
    pub async fn keep(&self, notes: &Notes) -> Result<String, StoreError> {
        let body = json!(self);
        let digest = Sha256::digest(body.to_string().as_bytes());
        let id: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
        let name = note_name(&id);
        if notes.read(&name).await?.is_null() {
            notes.change(&name, |kept| kept.clone_from(&body)).await?;
        }
        Ok(id)
    }

    /// The page that was kept under a name.
    pub async fn kept(notes: &Notes, id: &str) -> Result<Option<Self>, StoreError> {
        let kept = notes.read(&note_name(id)).await?;
        Ok(serde_json::from_value(kept).ok())
    }

    /// The page in the words of MCP, as `resources/read` answers.
    #[must_use]
    pub fn as_resource(&self) -> Value {
        let mut ui = json!({ "csp": self.csp });
        if let Some(border) = self.prefers_border {
            ui["prefersBorder"] = border.into();
        }
        json!({ "contents": [{ "uri": self.uri, "mimeType": MIME_TYPE, "text": self.html, "_meta": { "ui": ui } }] })
    }
}

/// Whether something is a host, such as `https://api.example.org:8443` or `https://*.example.org`. A policy is a list of
/// words, and nothing else may get into it.
#[must_use]
pub fn is_host(text: &str) -> bool {
    let Some((scheme, host)) = text.split_once("://") else { return false };
    let (host, port) = host.split_once(':').map_or((host, None), |(host, port)| (host, Some(port)));
    let is_label = |label: &str| {
        let plain = |sign: u8| sign.is_ascii_lowercase() || sign.is_ascii_digit() || sign == b'-';
        !label.is_empty() && label.bytes().all(plain)
    };
    matches!(scheme, "https" | "http" | "wss" | "ws")
        && host.strip_prefix("*.").unwrap_or(host).split('.').all(is_label)
        && port.is_none_or(|port| port.parse::<u16>().is_ok_and(|number| number.to_string() == port))
}

fn note_name(id: &str) -> String {
    format!("mcp-app/{id}")
}

/// What a page asks for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PageRequest {
    /// The server that the page is from, by the hash that its activity has.
    #[serde(default)]
    pub server_hash: String,
    /// The same by its name.
    #[serde(default)]
    pub server_id: Option<String>,
    /// What is asked for, such as `tools/call`.
    pub method: String,
    /// With what.
    #[serde(default)]
    pub params: Map<String, Value>,
}

impl PageRequest {
    /// What a page asks for with this input, if it does; an error where it cannot be read.
    #[must_use]
    pub fn of(input: &RunAgentInput) -> Option<Result<Self, serde_json::Error>> {
        let mut properties = input.forwarded_props.as_ref()?.to_value().ok()?;
        let request = properties.get_mut(REQUEST)?.take();
        (!request.is_null()).then(|| serde_json::from_value(request))
    }

    /// The content of the last activity that shows a page of the server that is asked. What was never shown asks for
    /// nothing.
    pub fn shown<'m>(&self, messages: impl IntoIterator<Item = &'m Message>) -> Option<&'m Object> {
        let shown = messages.into_iter().filter_map(|message| match message {
            Message::Activity(activity) => self.is_of(activity).then_some(&activity.content),
            _ => None,
        });
        shown.last()
    }

    /// The same for one page, by what its server calls it: the name under which it is kept.
    pub fn page<'m>(&self, messages: impl IntoIterator<Item = &'m Message>, uri: &str) -> Option<&'m str> {
        let pages = messages.into_iter().filter_map(|message| match message {
            Message::Activity(activity) if self.is_of(activity) => {
                let content = &activity.content;
                content
                    .get("page")?
                    .as_str()
                    .filter(|_| content.get("resourceUri").is_some_and(|it| it == uri))
            }
            _ => None,
        });
        pages.last()
    }

    fn is_of(&self, activity: &ActivityMessage) -> bool {
        let is = |name: &str, wanted: &str| activity.content.get(name).is_some_and(|it| it == wanted);
        let server = self.server_id.as_deref();
        activity.activity_type == ACTIVITY
            && (self.server_hash.is_empty() || is("serverHash", &self.server_hash))
            && server.is_none_or(|server| is("serverId", server))
    }
}

/// Whether an input says nothing, because it is a page that asks for something.
pub(crate) fn is_request(input: &RunAgentInput) -> bool {
    PageRequest::of(input).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(id: &str, server: &str, uri: &str, page: &str) -> Message {
        let content = json!({ "serverId": server, "serverHash": format!("#{server}"), "resourceUri": uri, "page": page });
        let content = content.as_object().cloned().unwrap_or_default();
        ActivityMessage::new(id, ACTIVITY, Object::from(content)).into()
    }

    fn asks(server: &str, hash: &str) -> PageRequest {
        let server_id = (!server.is_empty()).then(|| server.to_owned());
        PageRequest { server_hash: hash.to_owned(), server_id, method: "ping".to_owned(), params: Map::new() }
    }

    #[test]
    fn a_page_is_found_by_its_server_and_name_and_the_newest_counts() {
        let messages = [
            shown("1", "shop", "ui://a", "old"),
            shown("2", "shop", "ui://a", "new"),
            shown("3", "shop", "ui://b", "b"),
            shown("4", "bank", "ui://a", "theirs"),
        ];
        assert_eq!(asks("shop", "#shop").page(&messages, "ui://a"), Some("new"));
        assert_eq!(asks("", "#bank").page(&messages, "ui://a"), Some("theirs"));
        assert_eq!(asks("shop", "#bank").page(&messages, "ui://a"), None, "both have to fit");
        assert_eq!(asks("shop", "").page(&messages, "ui://c"), None);
        assert!(asks("post", "").shown(&messages).is_none());
    }

    #[test]
    fn nothing_but_a_host_gets_into_a_policy() {
        for text in [
            "*",
            "https:",
            "https://*",
            "https://*.",
            "https://a.*.example",
            "https://a.example/path",
            "https://a.example; script-src *",
            "https://a.example https://b.example",
            "https://a.example:80:80",
            "https://a.example:080",
            "https://user@a.example",
            "https://A.example",
            "ftp://a.example",
            "data:",
            "'self'",
            "",
        ] {
            assert!(!is_host(text), "{text}");
        }
        for text in
            ["https://a.example", "https://*.a.example", "http://localhost:3000", "wss://10.0.0.1:8443"]
        {
            assert!(is_host(text), "{text}");
        }
    }

    #[tokio::test]
    async fn a_page_is_kept_once_and_found_by_its_hash() {
        let page = Page {
            uri: "ui://a".to_owned(),
            html: "<p>Hi".to_owned(),
            csp: Hosts::default(),
            prefers_border: None,
        };
        let notes = Notes::default();
        let id = page.keep(&notes).await.unwrap();
        assert_eq!(page.keep(&notes).await.unwrap(), id);
        assert_eq!(Page::kept(&notes, &id).await.unwrap(), Some(page.clone()));
        assert_eq!(Page::kept(&notes, "other").await.unwrap(), None);
        let other = Page { html: "<p>Ho".to_owned(), ..page };
        assert_ne!(other.keep(&notes).await.unwrap(), id);
    }
}
