//! The conversation before a stream, and the request that a client makes of it.

use anyhow::Context;
use forestage_protocol::{
    Warning,
    apply::ThreadView,
    compat::{self, PeerVersion},
    enforce,
    input::RunAgentInput,
    pipeline::{PROTOCOL_VERSION, Reader},
};
use serde_json::{Map, Value, json, to_value};

/// What was there before the stream.
#[derive(Debug)]
pub(super) struct Given {
    input: RunAgentInput,
    state: Value,
    /// Whether the stream has to be on the input's thread.
    names_thread: bool,
    warnings: Vec<Warning>,
}

impl Given {
    /// Reads an input of which every member may be missing.
    pub(super) fn read(value: Value) -> anyhow::Result<Self> {
        let Value::Object(given) = value else {
            anyhow::bail!("a JSON object is expected");
        };
        let names_thread = given.get("threadId").is_some_and(Value::is_string);
        let mut warnings = Vec::new();
        let input = enforce::enforce_as::<RunAgentInput>(complete(given), &mut warnings)
            .map_err(|fault| anyhow::anyhow!("{}: {}", fault.path, fault.message))?
            .context("nothing of it is known")?;
        let state = match &input.state {
            Some(state) => state.to_value().context("the state is too deep or too large")?,
            None => json!({}),
        };
        Ok(Self { input, state, names_thread, warnings })
    }

    /// Where reading and folding begin.
    pub(super) fn start(&self) -> (Reader, ThreadView) {
        let reader = if self.names_thread {
            Reader::for_thread(self.input.thread_id.clone())
        } else {
            Reader::default()
        };
        let view = ThreadView::new(self.input.messages.clone(), self.state.clone());
        (reader, view)
    }

    /// What there was to say about the input.
    pub(super) fn warnings(&self) -> Vec<Warning> {
        self.warnings.clone()
    }

    /// What a client would send, to a peer of this version.
    pub(super) fn request(&self, peer: Option<PeerVersion>, warnings: &mut Vec<Warning>) -> Value {
        let mut request = to_value(&self.input).expect("an input that was read from a tree is one");
        compat::refresh_input(&mut request);
        if let Some(peer) = peer {
            compat::downgrade_input(&mut request, peer, warnings);
        }
        request
    }
}

/// An input with everything a client sends; nulls count as absent.
fn complete(given: Map<String, Value>) -> Value {
    let mut input = json!({
        "threadId": "thread",
        "runId": "run",
        "protocolVersion": PROTOCOL_VERSION,
        "state": {},
        "messages": [],
        "tools": [],
        "context": [],
        "forwardedProps": {},
    });
    for (name, value) in given.into_iter().filter(|(_, value)| !value.is_null()) {
        input[name] = value;
    }
    if let Some(messages) = input["messages"].as_array_mut() {
        for message in messages {
            compat::upgrade_message(message);
        }
    }
    input
}
