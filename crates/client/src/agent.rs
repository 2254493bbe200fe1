//! One agent, wherever it is served.

use bytes::Bytes;
use forestage_protocol::{
    apply::ThreadView,
    compat::{self, PeerVersion},
    id::{InterruptId, RunId, ThreadId},
    input::RunAgentInput,
    interrupt::ResumeEntry,
    json::Json,
    message::Message,
    pipeline::PROTOCOL_VERSION,
};
use reqwest::Url;
use serde_json::{Map, Value};

use crate::{
    client::Client,
    cursor::Cursor,
    error::ClientError,
    folded::Folded,
    http::{self, Http, PROTOBUF_OR_SSE, SSE},
    pump::{Ask, Ends, Pump},
    retry::Settings,
    run::Run,
};

/// What a Forestage server does with a run on a thread where another one is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnBusy {
    /// It refuses; this is what it does unless asked.
    Reject,
    /// It runs this one afterwards.
    Queue,
    /// It cancels the other one first.
    Replace,
}

impl OnBusy {
    /// Its name on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Reject => "reject",
            Self::Queue => "queue",
            Self::Replace => "replace",
        }
    }
}

/// One agent: at a Forestage server ([`Client::agent`]), or at any AG-UI endpoint ([`AgentClient::at`]).
#[derive(Clone, Debug)]
pub struct AgentClient {
    url: Url,
    http: Http,
    client: Option<Client>,
    peer: Option<PeerVersion>,
    prefers_protobuf: bool,
}

impl AgentClient {
    /// The agent at an AG-UI endpoint: the address that runs are posted to.
    pub fn at(url: &str) -> Result<Self, ClientError> {
        Self::at_with(url, Settings::default())
    }

    /// The same with other limits.
    pub fn at_with(url: &str, settings: Settings) -> Result<Self, ClientError> {
        let url = http::address(url)?;
        let http = Http::new(&url, settings)?;
        Ok(Self { url, http, client: None, peer: None, prefers_protobuf: false })
    }

    pub(crate) fn of(client: Client, url: Url) -> Self {
        let http = client.http().clone();
        Self { url, http, client: Some(client), peer: None, prefers_protobuf: false }
    }

    /// Sends this key with every request, as a bearer token.
    pub fn with_key(mut self, key: &str) -> Result<Self, ClientError> {
        self.http.set_key(key)?;
        self.client = self.client.map(|client| client.with_key(key)).transpose()?;
        Ok(self)
    }

    /// Sends this header with every run.
    pub fn with_header(mut self, name: &str, value: &str) -> Result<Self, ClientError> {
        self.http.set_header(name, value)?;
        Ok(self)
    }

    /// Asks for events in protobuf, which is smaller. It has no cursors: a connection that breaks ends the run.
    #[must_use]
    pub fn in_protobuf(self) -> Self {
        Self { prefers_protobuf: true, ..self }
    }

    /// Speaks to an agent that knows an older version of AG-UI at most.
    #[must_use]
    pub fn for_peer(self, peer: PeerVersion) -> Self {
        Self { peer: Some(peer), ..self }
    }

    /// Says what is to become of a run on a busy thread. Only a Forestage server understands it.
    #[must_use]
    pub fn on_busy(mut self, on_busy: OnBusy) -> Self {
        let other: Vec<(String, String)> =
            self.url.query_pairs().into_owned().filter(|(name, _)| name != "onBusy").collect();
        self.url.query_pairs_mut().clear().extend_pairs(other).append_pair("onBusy", on_busy.as_str());
        self
    }

    /// Whether the server keeps the conversation, so that only what is new has to be sent.
    #[must_use]
    pub fn keeps_history(&self) -> bool {
        self.client.is_some()
    }

    /// The server's client, where it is a Forestage server.
    #[must_use]
    pub fn client(&self) -> Option<&Client> {
        self.client.as_ref()
    }

    /// Starts a run; or attaches to it, where a Forestage server has got this very input before.
    ///
    /// The answer is awaited: a run that is refused is an error here. The conversation is folded onto the
    /// messages and the state of the input.
    pub async fn run(&self, input: RunAgentInput) -> Result<Run, ClientError> {
        let state = input.state.as_ref().and_then(|state| state.to_value().ok());
        let view = ThreadView::new(input.messages.clone(), state.unwrap_or(Value::Object(Map::new())));
        self.run_onto(input, view).await
    }

    /// Starts a run and folds its events onto a conversation that the caller has already.
    pub async fn run_onto(&self, input: RunAgentInput, view: ThreadView) -> Result<Run, ClientError> {
        self.start(input, view, None).await
    }

    /// Comes back to a run behind a cursor that was kept. The input has to be the one that it was started with.
    /// Until the next run starts, the order of events cannot be verified.
    pub async fn rejoin(
        &self,
        input: RunAgentInput,
        after: Cursor,
        view: ThreadView,
    ) -> Result<Run, ClientError> {
        self.start(input, view, Some(after)).await
    }

    /// Answers questions that a run of this thread ended on, with a new run.
    pub async fn resume(
        &self,
        thread_id: impl Into<ThreadId>,
        run_id: impl Into<RunId>,
        answers: Vec<ResumeEntry>,
    ) -> Result<Run, ClientError> {
        let input = RunAgentInput { resume: Some(answers), ..RunAgentInput::new(thread_id, run_id, []) };
        self.run(input).await
    }

    async fn start(
        &self,
        input: RunAgentInput,
        view: ThreadView,
        after: Option<Cursor>,
    ) -> Result<Run, ClientError> {
        let (thread_id, run_id) = (input.thread_id.clone(), input.run_id.clone());
        let ask = Ask::Run { url: self.url.clone(), input: self.encode(input)?, accept: self.accept() };
        let ends = Ends::WithRun { repeatable: self.keeps_history() };
        let pump = Pump::new(&self.http, &thread_id, ask, ends).with_peer(self.peer).after(after.clone());
        let folded = Folded::new(pump.open().await?, view, after);
        Ok(Run::new(self.clone(), thread_id, run_id, folded))
    }

    fn accept(&self) -> &'static str {
        if self.prefers_protobuf { PROTOBUF_OR_SSE } else { SSE }
    }

    fn encode(&self, input: RunAgentInput) -> Result<Bytes, ClientError> {
        let input = ready(input);
        let unusable = |error| ClientError::unusable("the input", error);
        let Some(peer) = self.peer else {
            return serde_json::to_vec(&input).map(Bytes::from).map_err(unusable);
        };
        let mut value = serde_json::to_value(&input).map_err(unusable)?;
        compat::downgrade_input(&mut value, peer, &mut Vec::new());
        serde_json::to_vec(&value).map(Bytes::from).map_err(unusable)
    }

    /// The input that goes on with a conversation: what is new, or all of it where nobody else keeps it.
    pub(crate) fn turn(&self, thread_id: &ThreadId, view: &ThreadView, new: Vec<Message>) -> RunAgentInput {
        if self.keeps_history() {
            return RunAgentInput::new(thread_id, crate::id::fresh::<RunId>(), new);
        }
        let messages: Vec<Message> = view.messages().cloned().chain(new).collect();
        let state = Some(Json::from(view.state())).filter(|state| state.get() != "null");
        RunAgentInput { state, ..RunAgentInput::new(thread_id, crate::id::fresh::<RunId>(), messages) }
    }

    /// The input that answers the open questions of a conversation, which has to be done in one go.
    pub(crate) fn answers(
        &self,
        thread_id: &ThreadId,
        view: &ThreadView,
        answers: Vec<ResumeEntry>,
    ) -> Result<RunAgentInput, ClientError> {
        check_answers(view, &answers)?;
        let turn = self.turn(thread_id, view, Vec::new());
        Ok(RunAgentInput { resume: Some(answers), ..turn })
    }
}

/// What AG-UI wants of an input that leaves: a version, and no activities, which are shown and never sent.
pub(crate) fn ready(mut input: RunAgentInput) -> RunAgentInput {
    input.messages.retain(|message| !matches!(message, Message::Activity(_)));
    input.protocol_version.get_or_insert_with(|| PROTOCOL_VERSION.to_owned());
    input
}

/// The specification makes it the client's duty to answer every open question, and nothing else.
fn check_answers(view: &ThreadView, answers: &[ResumeEntry]) -> Result<(), ClientError> {
    let open: Vec<&InterruptId> = view.pending_interrupts().iter().map(|question| &question.id).collect();
    let given: Vec<&InterruptId> = answers.iter().map(|answer| &answer.interrupt_id).collect();
    let but = |left: &[&InterruptId], right: &[&InterruptId]| -> Vec<InterruptId> {
        left.iter().filter(|id| !right.contains(id)).map(|id| (*id).clone()).collect()
    };
    let (missing, unknown) = (but(&open, &given), but(&given, &open));
    if missing.is_empty() && unknown.is_empty() {
        return Ok(());
    }
    Err(ClientError::Answers { missing, unknown })
}
