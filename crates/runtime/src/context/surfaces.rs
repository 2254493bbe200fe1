//! What an agent draws in a run, in whichever way it draws.

use forestage_a2ui::{Version, catalog::Catalog, prompt, surface::Data0_8};
use forestage_protocol::{
    Fault,
    event::{ActivityDelta, ActivitySnapshot, Event, ToolCallResult},
    id::{MessageId, SubagentRunId, ToolCallId},
    message::Message,
};
use serde_json::{Value, json};

use super::{
    RunContext,
    easel::{Open, Outcome, Told, activity_of, first},
    lock,
};
use crate::{
    error::Stop,
    surface::{self, ACTIVITY, Client, Drawn, SEND, Screen, is_drawing_tool},
    tool::ToolError,
};

impl RunContext {
    /// Draws what messages of A2UI say, of 0.8 or 0.9, and returns the names of the surfaces. What cannot be drawn is an
    /// error for the agent, with everything that is wrong and what to do about it; people see that it is tried again.
    /// After three attempts in a row that failed nothing more is drawn in the run.
    pub async fn draw(&self, messages: &Value) -> Result<Outcome, Stop> {
        self.draw_with(SEND, &json!({ "a2ui_json": messages })).await
    }

    /// The same as a call of `send_a2ui_json_to_client` or `render_a2ui` with these arguments.
    pub async fn draw_with(&self, tool: &str, arguments: &Value) -> Result<Outcome, Stop> {
        Ok(self.draw_and_tell(tool, arguments).await?.map(|(surface_ids, _)| surface_ids))
    }

    /// What a model has to know to draw for the client of this run, in this version or in the one that the client draws:
    /// the chapter of [`forestage_a2ui::prompt`] for its catalog.
    #[must_use]
    pub fn drawing_instructions(&self, version: Option<Version>) -> String {
        prompt::instructions(&self.drawing_catalog(version))
    }

    /// The catalog with which an agent should draw for the client of this run.
    #[must_use]
    pub fn drawing_catalog(&self, version: Option<Version>) -> Catalog {
        Client::of(self.input()).catalog(version)
    }

    /// Whether a call of this tool draws.
    pub(super) fn draws(&self, tool: &str) -> bool {
        is_drawing_tool(tool) && self.house().surfaces && self.tools().get(tool).is_none()
    }

    /// Draws, and says what the agent hears of it.
    pub(crate) async fn draw_and_tell(&self, tool: &str, arguments: &Value) -> Result<Told, Stop> {
        let arguments = arguments.to_string();
        if self.is_muted() {
            // On the way back to a question nothing is drawn again, and the same comes of it.
            return Ok(self.sketch(tool, &arguments));
        }
        let call = self.tool_call(tool)?;
        call.push(arguments).await?;
        call.end();
        Ok(lock(&self.core.easel).told.take().unwrap_or_else(|| Ok((Vec::new(), Value::Null))))
    }

    /// The result of the last call that drew, for whoever wrote its arguments piece by piece: whether people see the
    /// surfaces, their names, and warnings. Once for each call.
    pub fn take_drawn(&self) -> Option<Result<Value, ToolError>> {
        let told = lock(&self.core.easel).told.take()?;
        Some(told.map(|(_, content)| content))
    }

    /// Says an event, and draws what it draws.
    pub(super) fn show_and_draw(&self, event: Event) -> Result<(), Stop> {
        if !self.house().surfaces {
            return self.let_through(event);
        }
        match event {
            Event::ToolCallStart(start) => {
                if self.draws(&start.tool_call_name) {
                    let (tool, tag) = (start.tool_call_name.clone(), start.subagent_run_id.clone());
                    let open =
                        Open { tool, arguments: String::new(), tag, pieces: 0, underway: Default::default() };
                    lock(&self.core.easel).calls.insert(start.tool_call_id.clone(), open);
                }
                self.let_through(start.into())
            }
            Event::ToolCallArgs(piece) => {
                let (id, tag) = (piece.tool_call_id.clone(), piece.subagent_run_id.clone());
                let seen = self.grow(&id, &piece.delta);
                self.let_through(piece.into())?;
                seen.map_or(Ok(()), |event| self.let_through(signed(event, tag.as_ref())))
            }
            Event::ToolCallEnd(end) => {
                let (open, id) =
                    (lock(&self.core.easel).calls.remove(&end.tool_call_id), end.tool_call_id.clone());
                self.let_through(end.into())?;
                open.map_or(Ok(()), |open| self.draw_call(&id, open))
            }
            Event::ToolCallResult(result) => self.draw_result(result),
            Event::TextMessageStart(start) => self.begin_text(start),
            Event::TextMessageEnd(end) => self.end_text(end),
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
        self.settle_drawings(None)
    }

    /// What people see of a call that goes on, if it draws.
    fn grow(&self, id: &ToolCallId, delta: &str) -> Option<Event> {
        let easel = &mut *lock(&self.core.easel);
        let is_exhausted = easel.is_exhausted();
        let open = easel.calls.get_mut(id)?;
        let news = open.take(delta)?;
        let at = first(id);
        let begins = open.pieces == 2;
        let painted = (!is_exhausted).then(|| {
            let (screen, client) = easel.ready.get_or_insert_with(|| self.screen_of(self.messages()));
            open.underway.push(&news, screen, client, &at)
        });
        painted.flatten().or_else(|| begins.then(|| surface::building(&at)))
    }

    fn draw_call(&self, id: &ToolCallId, open: Open) -> Result<(), Stop> {
        let (first, announced) = (first(id), open.is_announced());
        let Open { tool, arguments, tag, underway, .. } = open;
        if lock(&self.core.easel).is_exhausted() {
            let events = announced.then(|| surface::withdrawn(&first, underway.surface_id()));
            events.into_iter().try_for_each(|event| self.let_through(signed(event, tag.as_ref())))?;
            return self.owe(id, tag, Err(surface::exhausted()));
        }
        let drawn = self.with_screen(|screen, client| {
            let payload = surface::payload(&tool, &arguments, screen, client).map_err(|fault| vec![fault])?;
            screen.draw_over(Some(&underway), &payload, client, &first)
        });
        let told = drawn.as_ref().ok().map(drawn_content);
        let at = Place {
            first: &first,
            tag: tag.as_ref(),
            tool: &tool,
            announced,
            painted: underway.surface_id(),
        };
        let outcome = self.show_drawn(drawn, &at)?;
        self.owe(id, tag, outcome.map(|surface_ids| (surface_ids, told.unwrap_or_default())))
    }

    /// The result of a call, for an agent that does not give one itself.
    fn owe(&self, id: &ToolCallId, tag: Option<SubagentRunId>, told: Told) -> Result<(), Stop> {
        let content = match &told {
            Ok((_, content)) => content.clone(),
            Err(error) => error_content(error),
        };
        let result = ToolCallResult::new(self.new_id("r"), id, content.to_string());
        let mut easel = lock(&self.core.easel);
        easel.owed.push(ToolCallResult { subagent_run_id: tag, ..result }.into());
        easel.told = Some(told);
        Ok(())
    }

    fn draw_result(&self, result: ToolCallResult) -> Result<(), Stop> {
        let payload = surface::drawn_by_result(&result.content.text());
        let (id, tag) = (result.tool_call_id.clone(), result.subagent_run_id.clone());
        self.let_through(result.into())?;
        let Some(payload) = payload else { return Ok(()) };
        self.draw_payload(&payload, &first(id), tag.as_ref())
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
        self.draw_payload(&payload, &first, tag.as_ref())
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
        self.draw_payload(&Value::Array(payload), &first, tag.as_ref())
    }

    pub(super) fn draw_payload(
        &self,
        payload: &Value,
        first: &MessageId,
        tag: Option<&SubagentRunId>,
    ) -> Result<(), Stop> {
        let drawn = self.with_screen(|screen, client| screen.draw(payload, client, first));
        self.show_drawn(drawn, &Place { first, tag, tool: SEND, announced: false, painted: None }).map(drop)
    }

    fn show_drawn(&self, drawn: Result<Drawn, Vec<Fault>>, at: &Place<'_>) -> Result<Outcome, Stop> {
        let mut easel = lock(&self.core.easel);
        let (mut events, outcome) = match drawn {
            Ok(mut drawn) => (easel.has_drawn(&mut drawn), Ok(drawn.surface_ids)),
            Err(faults) => {
                let faults: Vec<_> =
                    faults.into_iter().map(|fault| surface::in_arguments(at.tool, fault)).collect();
                let event = easel.has_failed(at.first, &faults);
                (vec![event], Err(surface::not_drawn(faults, easel.attempts)))
            }
        };
        drop(easel);
        if at.announced && !events.iter().any(|event| activity_of(event) == Some(at.first)) {
            // What was being built has become a part of something else.
            events.push(surface::withdrawn(at.first, at.painted));
        }
        for event in events {
            self.let_through(signed(event, at.tag))?;
        }
        Ok(outcome)
    }

    fn with_screen<R>(&self, work: impl FnOnce(&mut Screen, &Client) -> R) -> R {
        let mut easel = lock(&self.core.easel);
        let (screen, client) = easel.ready.get_or_insert_with(|| self.screen_of(self.messages()));
        work(screen, client)
    }

    /// What a conversation has on the screen, and who looks at it.
    fn screen_of(&self, messages: &[Message]) -> (Screen, Client) {
        let is_strict = self.core.strict_a2ui_0_8 || self.house().strict_a2ui_0_8;
        let data = if is_strict { Data0_8::Replace } else { Data0_8::Merge };
        (Screen::of(messages).with_data_0_8(data), Client::of(self.input()))
    }

    /// What would come of drawing, while nothing is drawn.
    fn sketch(&self, tool: &str, arguments: &str) -> Told {
        let mut easel = lock(&self.core.easel);
        if easel.is_exhausted() {
            return Err(surface::exhausted());
        }
        let (mut screen, client) =
            easel.sketch.take().unwrap_or_else(|| self.screen_of(self.turn_messages()));
        let drawn = surface::payload(tool, arguments, &screen, &client).map_err(|fault| vec![fault]);
        let drawn = drawn.and_then(|payload| screen.draw(&payload, &client, &ACTIVITY.into()));
        easel.sketch = Some((screen, client));
        easel.attempts = if drawn.is_ok() { 0 } else { easel.attempts + 1 };
        match drawn {
            Ok(drawn) => Ok((drawn.surface_ids.clone(), drawn_content(&drawn))),
            Err(faults) => {
                let faults = faults.into_iter().map(|fault| surface::in_arguments(tool, fault)).collect();
                Err(surface::not_drawn(faults, easel.attempts))
            }
        }
    }
}

/// Where something is drawn, and by whom.
struct Place<'a> {
    /// The activity of the first surface that is new.
    first: &'a MessageId,
    tag: Option<&'a SubagentRunId>,
    tool: &'a str,
    /// Whether people wait for it there.
    announced: bool,
    /// The surface that they see there already.
    painted: Option<&'a str>,
}

/// What the agent hears of what it drew. What nobody can see yet is not called drawn.
fn drawn_content(drawn: &Drawn) -> Value {
    let status = if drawn.is_shown { "rendered" } else { "not_shown" };
    let mut content = json!({ "status": status, "surfaceIds": drawn.surface_ids });
    if !drawn.warnings.is_empty() {
        content["warnings"] = json!(drawn.warnings);
    }
    content
}

fn error_content(error: &ToolError) -> Value {
    let ToolError { code, message, faults, hint, .. } = error;
    json!({ "error": { "code": code, "message": message, "faults": faults, "hint": hint } })
}

fn signed(mut event: Event, tag: Option<&SubagentRunId>) -> Event {
    match &mut event {
        Event::ActivitySnapshot(event) => event.subagent_run_id = tag.cloned(),
        Event::ActivityDelta(event) => event.subagent_run_id = tag.cloned(),
        _ => {}
    }
    event
}
