//! The beginning of a run: reconcile, write `RUN_STARTED`, let the agent go.

use std::sync::{
    Arc, Mutex, OnceLock,
    atomic::{AtomicBool, AtomicU64},
};

use forestage_protocol::{
    apply::RunEnd,
    event::{Event, MessagesSnapshot, RunStarted, StateSnapshot},
    id::RunId,
    input::RunAgentInput,
    json::Json,
    message::Message,
    pipeline::PROTOCOL_VERSION,
};
use forestage_store::{AppendError, Boundary, Lease, NewAudit, RunRecord, Thread};
use serde_json::{Value, json};
use tokio::sync::mpsc;

use super::{
    active::Entered,
    close_lost,
    outbox::Outbox,
    play,
    resume::{self, Continued},
    start::{StartRun, Started, Taken, started},
    writer::{Opening, Writer},
};
use crate::{
    Stage,
    agent::{Agent, HistoryOwner},
    apps, clock,
    context::{Core, Draft, Part},
    decide,
    error::{Refusal, Stop},
    log::live::Live,
    surface,
    thread::{
        Chain, Folded, claimed, fold_chain,
        history::{self, Plan},
        is_unverified, seeded, utterance,
    },
};

/// Where a run joins the conversation.
struct Place {
    /// The conversation before it.
    folded: Folded,
    /// The runs that lead to it.
    chain: Chain,
    /// The run it follows.
    parent: Option<RunId>,
    /// The run that `RUN_STARTED` names: the one that spawned this one, as the client says, or the one it branches off from.
    named: Option<RunId>,
    /// What the client adds.
    new: Vec<Message>,
    /// What shows what was typed on a surface.
    typed: Vec<Event>,
    /// The run that is said again, or differently.
    instead_of: Option<RunId>,
    /// Whether the log goes on from somewhere else than its end, so that its readers have to be told.
    elsewhere: bool,
}

/// Begins a run on a thread that is ours. Whatever goes wrong, the thread is free again. Nothing if the thread was to
/// be created and somebody else was faster.
pub(super) async fn begin(
    stage: &Arc<Stage>,
    agent: Arc<dyn Agent>,
    request: &StartRun,
    hash: u64,
    taken: Taken,
    entered: Entered,
) -> Result<Option<Started>, Refusal> {
    let thread = taken.thread.clone();
    let prepared = prepare(stage, &*agent, request, hash, taken, &entered).await;
    match prepared {
        Ok(Some((writer, core, started))) => {
            entered.active.has_begun();
            let stage = stage.clone();
            let limits = stage.limits;
            let playing = play::play(agent, core, entered.active.clone(), limits);
            stage.tasks.spawn(playing);
            let keeper = stage.clone();
            stage.scribes.give(stage.tasks.track_future(async move {
                if let Some(folded) = writer.run().await {
                    keeper.at_hand.put(&thread.id, thread.created_at, &entered.active.run_id, folded);
                }
                keeper.set_free(&thread, entered).await;
            }));
            Ok(Some(started))
        }
        other => {
            stage.lives.remove(&thread.id, &request.input.run_id);
            stage.set_free(&thread, entered).await;
            other.map(|_| None)
        }
    }
}

impl Stage {
    /// Gives a thread back. A run that has ended gave the lease back with its last commit.
    async fn set_free(&self, thread: &Thread, entered: Entered) {
        if let Some(lease) = entered.active.lease().filter(|_| !entered.active.is_ended())
            && let Err(error) = self.store.release(lease).await
        {
            tracing::warn!(thread = %thread.id, %error, "a lease was not released and has to expire");
        }
        self.lives.remove(&thread.id, &entered.active.run_id);
        self.actives.leave(&thread.id, entered);
        self.upkeep_soon.notify_one();
    }
}

async fn prepare(
    stage: &Arc<Stage>,
    agent: &dyn Agent,
    request: &StartRun,
    hash: u64,
    taken: Taken,
    entered: &Entered,
) -> Result<Option<(Writer, Arc<Core>, Started)>, Refusal> {
    let input = &request.input;
    let Taken { thread, lease, creation } = taken;
    let (thread, runs) = runs_in_order(stage, thread, &lease).await?;
    let mut place = find_place(stage, agent, &thread, &runs, input).await?;
    take_action(&mut place, input)?;
    // The conversation itself cannot be lent across threads, so what matters of it is.
    let (chain, pending) = (&place.chain, place.folded.view.pending_interrupts().to_vec());
    let failed = matches!(place.folded.view.end(), Some(RunEnd::Error { .. }));
    let asked = resume::Asked { chain, pending: &pending, failed };
    let mut record = match resume::check(stage, &thread, &asked, request).await? {
        Some(continued) => continued,
        None => resume::retried(stage, &runs, place.instead_of.as_ref(), chain, &place.new).await?,
    };
    let (mut audit, rules) = (std::mem::take(&mut record.audit), std::mem::take(&mut record.rules));
    if runs.is_empty() {
        audit.extend(seeded_by(request, &place.new));
    }
    let answers = std::mem::take(&mut record.answers);

    // Whoever wanted to look at the beginning of a turn wants to look at all of it.
    record.review |= wants_review(input);

    let outbox = Arc::new(Outbox::new(stage.limits));
    let logged = on_record(&place, input, &mut record);
    let state = brought_state(input)?.filter(|state| state != place.folded.view.state());
    let opening = opening(&place, input, logged, state.as_ref());
    for event in opening.into_iter().chain(place.typed.iter().cloned()) {
        outbox.say(event).map_err(|stop| bad_input(&stop))?;
    }
    let (ask_preludes, preludes) = mpsc::unbounded_channel();
    let first = thread.tail.forward(1);
    let live = Arc::new(Live::new(thread.id.clone(), input.run_id.clone(), first, ask_preludes));
    stage.lives.add(&live);
    record.review |= thread.review;
    let core = core(stage, agent, request, &place, state, record, &outbox, entered);
    let boundary = Boundary::Started {
        request_hash: hash,
        agent: request.agent.clone(),
        parent: place.parent.clone(),
        at: clock::now(),
        answers,
    };
    let utterances = utterance::of_people(&place.new);
    let mut writer = Writer {
        store: stage.store.clone(),
        thread_id: thread.id.clone(),
        run_id: input.run_id.clone(),
        owner: thread.owner.clone(),
        agent: request.agent.clone(),
        epoch: stage.epoch(&thread),
        tail: thread.tail,
        fence: lease.fence,
        outbox,
        active: entered.active.clone(),
        live,
        folded: place.folded,
        preludes,
    };
    match writer.begin(Opening { started: Some(boundary), creation, audit, rules, utterances }).await {
        Ok(()) => {}
        Err(AppendError::Exists(_)) => return Ok(None),
        Err(error) => return Err(not_begun(error)),
    }
    entered.active.set_lease_if_none(lease);
    let started = started(stage.epoch(&thread), &thread, &input.run_id, thread.tail.forward(1));
    Ok(Some((writer, Arc::new(core), started)))
}

/// What goes on record where a thread begins with what was not said here.
fn seeded_by(request: &StartRun, messages: &[Message]) -> Option<NewAudit> {
    let claimed: Vec<_> = messages.iter().filter(|message| is_unverified(message)).collect();
    if claimed.is_empty() {
        return None;
    }
    let results = claimed.iter().filter(|message| matches!(message, Message::Tool(_))).count();
    Some(decide::seeded(&request.decider(), &request.input, claimed.len(), results))
}

/// The runs of a thread, none of them open: one that was left behind is closed first.
async fn runs_in_order(
    stage: &Stage,
    thread: Thread,
    lease: &Lease,
) -> Result<(Thread, Vec<RunRecord>), Refusal> {
    if thread.runs == 0 {
        return Ok((thread, Vec::new()));
    }
    let runs = stage.store.runs(thread.id.clone()).await?;
    let Some(lost) = runs.iter().find(|run| run.end.is_none()) else {
        return Ok((thread, runs));
    };
    close_lost(stage, &thread, lost, lease).await?;
    let thread = stage.store.thread(thread.id.clone()).await?;
    let thread = thread.ok_or_else(|| Refusal::no_thread(&lost.thread_id))?;
    let runs = stage.store.runs(thread.id.clone()).await?;
    Ok((thread, runs))
}

async fn find_place(
    stage: &Stage,
    agent: &dyn Agent,
    thread: &Thread,
    runs: &[RunRecord],
    input: &RunAgentInput,
) -> Result<Place, Refusal> {
    let history = agent.about().history;
    let latest = runs.last().map(|run| run.run_id.clone());
    if history == HistoryOwner::Client || runs.is_empty() {
        let new = match history {
            HistoryOwner::Client => of_client(stage, thread, runs, input).await?,
            HistoryOwner::Server => seeded(&input.messages, &agent.checks())?,
        };
        let folded = Folded::default();
        return Ok(Place {
            folded,
            chain: Chain::default(),
            parent: None,
            named: input.parent_run_id.clone(),
            new,
            typed: Vec::new(),
            instead_of: None,
            elsewhere: !runs.is_empty(),
        });
    }
    // A parent that is no run of this thread says who spawned the run, not where it branches off.
    let is_ours = |id: &&RunId| runs.iter().any(|run| run.run_id == **id);
    let base = input.parent_run_id.as_ref().filter(is_ours).or(thread.head.as_ref()).cloned();
    let (chain, folded) = conversation(stage, thread, runs, base.as_ref()).await?;
    let says_nothing = surface::is_action(input) || apps::is_request(input);
    let plan = history::reconcile(&folded, &input.messages, &agent.tools(), &agent.checks(), says_nothing);
    match plan {
        Err(refusal) => {
            // Whoever asks again asks for the same conversation.
            if let Some(base) = &base {
                stage.put_back(thread, base, folded);
            }
            Err(refusal)
        }
        Ok(Plan::Continue { new }) => {
            let elsewhere = base != latest;
            let named = input.parent_run_id.clone().or_else(|| base.clone().filter(|_| elsewhere));
            Ok(Place {
                folded,
                chain,
                parent: base,
                named,
                new,
                typed: Vec::new(),
                instead_of: None,
                elsewhere,
            })
        }
        Ok(Plan::Branch { instead_of, new }) => {
            let parent = runs.iter().find(|run| run.run_id == instead_of).and_then(|run| run.parent.clone());
            let answers = input.resume.as_deref().unwrap_or_default();
            let now = folded;
            let (chain, folded) = conversation(stage, thread, runs, parent.as_ref()).await?;
            history::check_answers(&now.view, &folded.view, answers)?;
            Ok(Place {
                folded,
                chain,
                // It branches off before the run of this thread that the client names.
                named: input.parent_run_id.clone().filter(|id| !is_ours(&id)).or_else(|| parent.clone()),
                parent,
                new,
                typed: Vec::new(),
                instead_of: Some(instead_of),
                elsewhere: true,
            })
        }
    }
}

/// What a client that owns the history says of it, held against what was said here.
async fn of_client(
    stage: &Stage,
    thread: &Thread,
    runs: &[RunRecord],
    input: &RunAgentInput,
) -> Result<Vec<Message>, Refusal> {
    let head = thread.head.as_ref();
    let (_, known) = conversation(stage, thread, runs, head).await?;
    let messages = claimed(&input.messages, &known);
    if let Some(head) = head {
        stage.put_back(thread, head, known);
    }
    Ok(messages)
}

/// What a person did on a surface is a part of the conversation.
fn take_action(place: &mut Place, input: &RunAgentInput) -> Result<(), Refusal> {
    let messages: Vec<_> = place.folded.view.messages().collect();
    if let Some(acted) = surface::act(&messages, &place.new, input)? {
        place.new.extend(acted.messages);
        place.typed = acted.events;
    }
    Ok(())
}

/// The conversation at the end of a run, and the runs that lead there.
async fn conversation(
    stage: &Stage,
    thread: &Thread,
    runs: &[RunRecord],
    head: Option<&RunId>,
) -> Result<(Chain, Folded), Refusal> {
    let Some(head) = head else {
        return Ok((Chain::default(), Folded::default()));
    };
    let unknown = || Refusal::not_found("unknown_run", "the run to follow is not on this thread");
    let chain = Chain::to(head, runs).ok_or_else(unknown)?;
    let folded = match stage.at_hand.take(&thread.id, thread.created_at, head) {
        Some(folded) => folded,
        None => fold_chain(&*stage.store, &chain).await?,
    };
    Ok((chain, folded))
}

/// The first events of a run.
fn opening(
    place: &Place,
    input: &RunAgentInput,
    logged: Option<RunAgentInput>,
    state: Option<&Value>,
) -> Vec<Event> {
    let mut events = vec![Event::from(RunStarted {
        protocol_version: Some(PROTOCOL_VERSION.to_owned()),
        parent_run_id: place.named.clone(),
        input: logged.map(Box::new),
        ..RunStarted::new(&input.thread_id, &input.run_id)
    })];
    if place.elsewhere {
        let messages: Vec<_> = place.folded.view.messages().chain(&place.new).cloned().collect();
        events.push(MessagesSnapshot::new(messages).into());
    }
    if place.elsewhere || state.is_some() {
        events.push(StateSnapshot::new(state.unwrap_or(place.folded.view.state())).into());
    }
    events
}

/// The input as the log keeps it: what the agent gets of it, without what the log has elsewhere: messages from before, and
/// the state, which follows in a STATE_SNAPSHOT where the client changed it. Nothing where the client brings nothing.
/// `forwardedProps` are left out, since callers put credentials there and everybody who may read the thread reads its log.
fn on_record(place: &Place, input: &RunAgentInput, continued: &mut Continued) -> Option<RunAgentInput> {
    let bare = RunAgentInput::new(&input.thread_id, &input.run_id, Vec::new());
    let kept = RunAgentInput {
        messages: place.new.clone(),
        tools: input.tools.clone().filter(|tools| !tools.is_empty()),
        context: input.context.clone().filter(|context| !context.is_empty()),
        resume: continued.logged.take(),
        forwarded_props: continued.review.then(|| Json::from(json!({ "forestage": { "review": true } }))),
        ..bare.clone()
    };
    (kept != bare).then_some(kept)
}

/// The state that the client brings. An empty one means that it has none.
fn brought_state(input: &RunAgentInput) -> Result<Option<Value>, Refusal> {
    let state = input.state.as_ref().map(Json::to_value).transpose().map_err(|error| {
        Refusal::invalid("json_limits", format!("the state cannot be read: {error}")).at("state")
    })?;
    Ok(state.filter(|state| !state.is_null() && state.as_object().is_none_or(|state| !state.is_empty())))
}

#[expect(clippy::too_many_arguments, reason = "it is where everything comes together")]
fn core(
    stage: &Stage,
    agent: &dyn Agent,
    request: &StartRun,
    place: &Place,
    state: Option<Value>,
    continued: Continued,
    outbox: &Arc<Outbox>,
    entered: &Entered,
) -> Core {
    let state = state.unwrap_or_else(|| place.folded.view.state().clone());
    let (first, then) = match continued.state {
        Some(before) => (before, Some(state)),
        None => (state, None),
    };
    let house = agent.house();
    Core {
        input: RunAgentInput { messages: place.new.clone(), ..request.input.clone() },
        agent: request.agent.clone(),
        owner: request.owner.clone(),
        messages: heard(place),
        outbox: outbox.clone(),
        store: stage.store.clone(),
        draft: Mutex::new(Draft::new(house.review.is_some() || continued.review)),
        views: Mutex::default(),
        chunks: Mutex::default(),
        said: Mutex::default(),
        easel: Mutex::default(),
        strict_a2ui_0_8: stage.limits.strict_a2ui_0_8,
        release: Mutex::new(continued.release),
        withdrawn: request.withdraw.then_some(continued.calls),
        part: Mutex::new(Part { tools: agent.tools(), house }),
        checks: agent.checks(),
        held: Mutex::default(),
        cancelled: entered.active.stop.clone(),
        state: Mutex::new(first),
        state_when_heard: Mutex::new(then),
        record: Mutex::new(continued.record),
        memory: Mutex::new(place.folded.memory.clone()),
        muted: AtomicBool::new(continued.muted),
        plain: AtomicBool::new(false),
        asked: Mutex::default(),
        result: Mutex::default(),
        usage: Mutex::default(),
        id_prefix: id_prefix(request, place),
        ids: AtomicU64::new(0),
        staged: OnceLock::new(),
        mailboxes: stage.mailboxes.clone(),
        agents: stage.agents(),
    }
}

/// The conversation as the agent finds it, with what was typed on its surfaces.
fn heard(place: &Place) -> Vec<Message> {
    if place.typed.is_empty() {
        return place.folded.as_heard(&place.new);
    }
    let mut folded = place.folded.clone();
    place.typed.iter().for_each(|event| folded.apply(event));
    folded.as_heard(&place.new)
}

/// Whether whoever asks wants to look at the answer before it counts.
pub(super) fn wants_review(input: &RunAgentInput) -> bool {
    let properties = input.forwarded_props.as_ref().and_then(|properties| properties.to_value().ok());
    properties.is_some_and(|properties| properties["forestage"]["review"] == Value::Bool(true))
}

/// The run's own id, unless a message is called as if the run had said it: then nobody could have guessed it.
fn id_prefix(request: &StartRun, place: &Place) -> String {
    let run_id = &request.input.run_id;
    let begins_alike = |id: &str| id.strip_prefix(run_id.as_str()).is_some_and(|rest| rest.starts_with('-'));
    let mut messages = place.folded.view.messages().chain(&place.new);
    match messages.any(|message| begins_alike(message.id())) {
        true => format!("{run_id}-{}", uuid::Uuid::new_v4().simple()),
        false => run_id.to_string(),
    }
}

fn bad_input(stop: &Stop) -> Refusal {
    Refusal::invalid("invalid_input", stop.to_string())
}

fn not_begun(error: AppendError) -> Refusal {
    match error {
        AppendError::NotPending { interrupt_id, decided_by } => {
            resume::not_pending(&interrupt_id, decided_by.as_deref())
        }
        AppendError::Store(error) => error.into(),
        other => Refusal::conflict("thread_busy", format!("the run could not begin: {other}")),
    }
}
