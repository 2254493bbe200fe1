//! What an agent draws in a run, in whichever way it draws.

use std::collections::HashMap;

use forestage_protocol::{
    Fault,
    event::{ActivityDelta, ActivitySnapshot, Event, ToolCallResult},
    id::{MessageId, SubagentRunId, ToolCallId},
};
use serde_json::{Value, json};

use super::{RunContext, lock};
use crate::{
    error::Stop,
    surface::{self, ACTIVITY, Client, Drawn, SEND, Screen, is_drawing_tool},
    tool::ToolError,
};

/// What is drawn in a run.
#[derive(Debug, Default)]
pub(crate) struct Easel {
    /// What is on the screen, once somebody draws.
    ready: Option<(Screen, Client)>,
    /// Calls whose arguments still come in.
    calls: HashMap<ToolCallId, Open>,
    /// Results of calls that the agent may give itself, and otherwise has from us.
    owed: Vec<Event>,
    /// What came of the last call.
    outcome: Option<Outcome>,
    /// Attempts that failed since something was drawn, and where people see that.
    attempts: u32,
    failure: Option<(MessageId, Vec<Fault>)>,
}

#[derive(Debug)]
struct Open {
    tool: String,
    arguments: String,
    tag: Option<SubagentRunId>,
}

/// The names of the surfaces that were drawn, or what is wrong.
type Outcome = Result<Vec<String>, ToolError>;

impl RunContext {
    /// Draws what messages of A2UI say, of 0.8 or 0.9, and returns the names of the surfaces. What cannot be drawn is an
    /// error for the agent, with everything that is wrong; people see that it is tried again.
    pub async fn draw(&self, messages: &Value) -> Result<Outcome, Stop> {
        self.draw_with(SEND, &json!({ "a2ui_json": messages })).await
    }

    /// The same as a call of `send_a2ui_json_to_client` or `render_a2ui` with these arguments.
    pub async fn draw_with(&self, tool: &str, arguments: &Value) -> Result<Outcome, Stop> {
        let arguments = arguments.to_string();
        if self.is_muted() {
            // On the way back to a question nothing is drawn again, and the same comes of it.
            return Ok(self.sketch(tool, &arguments));
        }
        let call = self.tool_call(tool)?;
        call.push(arguments).await?;
        call.end();
        Ok(lock(&self.core.easel).outcome.take().unwrap_or_else(|| Ok(Vec::new())))
    }

    /// What came of the last call that drew, for whoever wrote its arguments piece by piece. Once for each call.
    pub fn take_drawn(&self) -> Option<Result<Vec<String>, ToolError>> {
        lock(&self.core.easel).outcome.take()
    }

    /// Says an event, and draws what it draws.
    pub(super) fn show_and_draw(&self, event: Event) -> Result<(), Stop> {
        if !self.house().surfaces {
            return self.let_through(event);
        }
        match event {
            Event::ToolCallStart(start) => {
                if is_drawing_tool(&start.tool_call_name) && self.tools().get(&start.tool_call_name).is_none()
                {
                    let (tool, tag) = (start.tool_call_name.clone(), start.subagent_run_id.clone());
                    let open = Open { tool, arguments: String::new(), tag };
                    lock(&self.core.easel).calls.insert(start.tool_call_id.clone(), open);
                }
                self.let_through(start.into())
            }
            Event::ToolCallArgs(piece) => {
                if let Some(open) = lock(&self.core.easel).calls.get_mut(&piece.tool_call_id) {
                    open.arguments.push_str(&piece.delta);
                }
                self.let_through(piece.into())
            }
            Event::ToolCallEnd(end) => {
                let (open, id) =
                    (lock(&self.core.easel).calls.remove(&end.tool_call_id), end.tool_call_id.clone());
                self.let_through(end.into())?;
                open.map_or(Ok(()), |open| self.draw_call(&id, open))
            }
            Event::ToolCallResult(result) => self.draw_result(result),
            Event::ActivitySnapshot(activity) if activity.activity_type == ACTIVITY => {
                self.draw_activity(activity)
            }
            Event::ActivityDelta(change) if change.activity_type == ACTIVITY => self.draw_change(change),
            other => self.let_through(other),
        }
    }

    /// Gives calls their results that the agent does not give itself.
    pub(super) fn settle_drawings(&self, next: Option<&Event>) -> Result<(), Stop> {
        let own = next.and_then(|next| match next {
            Event::ToolCallResult(result) => Some(&result.tool_call_id),
            _ => None,
        });
        let is_own =
            |owed: &Event| matches!(owed, Event::ToolCallResult(owed) if Some(&owed.tool_call_id) == own);
        let owed = std::mem::take(&mut lock(&self.core.easel).owed);
        owed.into_iter().filter(|owed| !is_own(owed)).try_for_each(|owed| self.let_through(owed))
    }

    /// The run ends, or asks: nothing is tried again.
    pub(crate) fn end_drawings(&self) -> Result<(), Stop> {
        self.settle_drawings(None)?;
        let failure = lock(&self.core.easel).failure.take();
        failure.map_or(Ok(()), |(id, faults)| self.let_through(surface::failed(&id, u32::MAX, &faults)))
    }

    fn draw_call(&self, id: &ToolCallId, open: Open) -> Result<(), Stop> {
        let Open { tool, arguments, tag } = open;
        let first = format!("{ACTIVITY}-{id}").into();
        let drawn = self.with_screen(|screen, client| {
            let payload = surface::payload(&tool, &arguments, screen, client).map_err(|fault| vec![fault])?;
            screen.draw(&payload, client, &first)
        });
        let outcome = self.show_drawn(drawn, &first, tag.as_ref(), &tool)?;
        let content = match &outcome {
            Ok(surface_ids) => json!({ "status": "rendered", "surfaceIds": surface_ids }),
            Err(error) => {
                json!({ "error": { "code": error.code, "message": error.message, "faults": error.faults } })
            }
        };
        let result = ToolCallResult::new(self.new_id("r"), id, content.to_string());
        let mut easel = lock(&self.core.easel);
        easel.owed.push(ToolCallResult { subagent_run_id: tag, ..result }.into());
        easel.outcome = Some(outcome);
        Ok(())
    }

    fn draw_result(&self, result: ToolCallResult) -> Result<(), Stop> {
        let payload = surface::drawn_by_result(&result.content.text());
        let (id, tag) = (result.tool_call_id.clone(), result.subagent_run_id.clone());
        self.let_through(result.into())?;
        let Some(payload) = payload else { return Ok(()) };
        let first = format!("{ACTIVITY}-{id}").into();
        let drawn = self.with_screen(|screen, client| screen.draw(&payload, client, &first));
        self.show_drawn(drawn, &first, tag.as_ref(), SEND).map(drop)
    }

    /// An agent that makes the activity itself. What it says beside drawing is passed on.
    fn draw_activity(&self, activity: ActivitySnapshot) -> Result<(), Stop> {
        let drawn = ["a2ui_operations", "operations"]
            .into_iter()
            .find_map(|name| activity.content.get(name).cloned());
        let Some(payload) = drawn.filter(|drawn| drawn.as_array().is_some_and(|drawn| !drawn.is_empty()))
        else {
            return self.let_through(activity.into());
        };
        let (first, tag) = (activity.message_id.clone(), activity.subagent_run_id.clone());
        let drawn = self.with_screen(|screen, client| screen.draw(&payload, client, &first));
        self.show_drawn(drawn, &first, tag.as_ref(), SEND).map(drop)
    }

    /// What is added to an activity is drawn; anything else that changes it is the agent's own affair.
    fn draw_change(&self, change: ActivityDelta) -> Result<(), Stop> {
        let patch = serde_json::to_value(&change.patch).unwrap_or_default();
        let added = patch.as_array().into_iter().flatten().map(|it| {
            let is_added =
                it["op"] == "add" && (it["path"] == "/a2ui_operations/-" || it["path"] == "/operations/-");
            is_added.then(|| it["value"].clone())
        });
        let Some(payload) = added.collect::<Option<Vec<_>>>().filter(|added| !added.is_empty()) else {
            return self.let_through(change.into());
        };
        let (first, tag) = (change.message_id.clone(), change.subagent_run_id.clone());
        let drawn = self.with_screen(|screen, client| screen.draw(&Value::Array(payload), client, &first));
        self.show_drawn(drawn, &first, tag.as_ref(), SEND).map(drop)
    }

    fn show_drawn(
        &self,
        drawn: Result<Drawn, Vec<Fault>>,
        first: &MessageId,
        tag: Option<&SubagentRunId>,
        tool: &str,
    ) -> Result<Outcome, Stop> {
        let (events, outcome) = match drawn {
            Ok(drawn) => (lock(&self.core.easel).has_drawn(drawn.events), Ok(drawn.surface_ids)),
            Err(faults) => {
                let faults: Vec<_> =
                    faults.into_iter().map(|fault| surface::in_arguments(tool, fault)).collect();
                let events = vec![lock(&self.core.easel).has_failed(first, &faults)];
                (events, Err(not_drawn(faults)))
            }
        };
        for event in events {
            self.let_through(signed(event, tag))?;
        }
        Ok(outcome)
    }

    fn with_screen<R>(&self, work: impl FnOnce(&mut Screen, &Client) -> R) -> R {
        let mut easel = lock(&self.core.easel);
        let (screen, client) =
            easel.ready.get_or_insert_with(|| (Screen::of(self.messages()), Client::of(self.input())));
        work(screen, client)
    }

    /// What would come of drawing, while nothing is drawn.
    fn sketch(&self, tool: &str, arguments: &str) -> Outcome {
        let mut screen = Screen::of(self.turn_messages());
        let client = Client::of(self.input());
        let drawn = surface::payload(tool, arguments, &screen, &client).map_err(|fault| vec![fault]);
        let drawn = drawn.and_then(|payload| screen.draw(&payload, &client, &ACTIVITY.into()));
        drawn.map(|drawn| drawn.surface_ids).map_err(not_drawn)
    }
}

impl Easel {
    /// Whatever was said of failures before does not count any more.
    fn has_drawn(&mut self, mut events: Vec<Event>) -> Vec<Event> {
        self.attempts = 0;
        if let Some((id, _)) = self.failure.take() {
            events.push(surface::withdrawn(&id));
        }
        events
    }

    /// People see all attempts in one place.
    fn has_failed(&mut self, first: &MessageId, faults: &[Fault]) -> Event {
        self.attempts += 1;
        let id = self.failure.take().map_or_else(|| first.clone(), |(id, _)| id);
        self.failure = Some((id.clone(), faults.to_vec()));
        surface::failed(&id, self.attempts, faults)
    }
}

fn not_drawn(faults: Vec<Fault>) -> ToolError {
    let told: Vec<_> =
        faults.iter().take(5).map(|fault| format!("{}: {}", fault.path, fault.message)).collect();
    let more = if faults.len() > told.len() {
        format!("; and {} more", faults.len() - told.len())
    } else {
        String::new()
    };
    let message = format!("the surface cannot be drawn: {}{more}", told.join("; "));
    ToolError::new("invalid_a2ui", message).faults(faults)
}

fn signed(mut event: Event, tag: Option<&SubagentRunId>) -> Event {
    match &mut event {
        Event::ActivitySnapshot(event) => event.subagent_run_id = tag.cloned(),
        Event::ActivityDelta(event) => event.subagent_run_id = tag.cloned(),
        _ => {}
    }
    event
}
