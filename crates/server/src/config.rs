//! Settings of the server.

use serde::{Deserialize, Serialize};

/// How the server meets its clients.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Http {
    /// The address to listen on. Anything but loopback needs keys.
    pub listen: String,
    /// Host names under which clients may reach the server, beside those of loopback. Empty means: loopback names
    /// only without keys, any with keys.
    pub hosts: Vec<String>,
    /// Origins of other sites whose pages may use the API, such as `https://app.example`. None by default.
    pub allow_origins: Vec<String>,
    /// Origins from which the web app shows pictures that agents name, such as `https://images.example`. None by default:
    /// who serves a picture learns who looks at it, and when.
    pub picture_origins: Vec<String>,
    /// The largest request body.
    pub max_body_bytes: usize,
    /// The largest frame that a socket takes.
    pub max_frame_bytes: usize,
    /// How many members and elements a request body or a frame may have, beside one for every 48 bytes of it. In a
    /// recording it is one for every 12 bytes.
    pub max_values: usize,
    /// How many messages a request may have.
    pub max_messages: usize,
    /// How much memory the bodies and frames that are being read may need together. Others wait for two seconds, and
    /// are then told to come again.
    pub request_memory_bytes: usize,
    /// How many connections are open at most.
    pub max_connections: usize,
    /// How long a client may take to send its request's head.
    pub header_timeout_seconds: u64,
    /// How long a client may take to send its request's body.
    pub body_timeout_seconds: u64,
    /// The agents that clients of the dialects talk to.
    pub dialects: Dialects,
    /// Whether the web app shows its inspector, with every event of a thread.
    pub inspector: Inspector,
    /// Whether this server is a demo: the web app then shows what to try first.
    pub demo: bool,
    /// Whether people may speak to the web app, where their browser understands speech by itself. The microphone is closed
    /// to the page otherwise.
    pub dictation: bool,
    /// After how long a silent stream sends a comment, so that proxies keep it open.
    pub keep_alive_seconds: u64,
}

impl Default for Http {
    fn default() -> Self {
        Self {
            listen: "127.0.0.1:8787".to_owned(),
            hosts: Vec::new(),
            allow_origins: Vec::new(),
            picture_origins: Vec::new(),
            max_body_bytes: 32 << 20,
            max_frame_bytes: 32 << 20,
            max_values: 25_000,
            max_messages: 10_000,
            request_memory_bytes: 512 << 20,
            max_connections: 20_000,
            header_timeout_seconds: 10,
            body_timeout_seconds: 60,
            inspector: Inspector::Auto,
            demo: false,
            dictation: false,
            keep_alive_seconds: 15,
            dialects: Dialects::default(),
        }
    }
}

/// Who is shown the inspector of the web app.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Inspector {
    /// Everybody where there are no keys, because then only this machine can connect; nobody elsewhere.
    #[default]
    Auto,
    /// Everybody, of their own threads.
    On,
    /// Nobody.
    Off,
}

/// Which agent a client of a dialect talks to, unless its address names one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Dialects {
    /// On `GET /ws`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agora: Option<String>,
    /// On `POST /awp`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub its: Option<String>,
    /// On `POST /run`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub net: Option<String>,
    /// Under `/copilotkit`, where a front end asks for `default`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub copilotkit: Option<String>,
    /// On `GET /realtime`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trainer2: Option<String>,
}
