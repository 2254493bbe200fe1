//! The view of a thread (`a2ui.v1`), which other clients see as a surface, and what is sent with its forms.
//!
//! A thread shows one view at a time. It is kept in an activity, beside the surface that it is drawn as, so that what is
//! sent can be held against it. What is sent can be corrected as long as the form is shown; the same values count once.

use forestage_a2ui::{
    bridge::draw_view,
    catalog::BASIC_0_9,
    v0_8::UserAction,
    v0_9,
    v1::{ACTION_MESSAGE, Action, ActionKind, Field, RENDER, View},
};
use forestage_protocol::{
    event::{ActivityDelta, Custom, Event},
    id::MessageId,
    message::{Message, UserMessage},
    patch::Patch,
};
use serde_json::{Map, Value, json};

use super::{ACTIVITY, OPERATIONS, act::at, status::snapshot};
use crate::{context::TurnTerms, error::Refusal};

/// The activity, and the surface in it.
pub(super) const VIEW: &str = "a2ui-view";

/// What shows a view to clients that draw surfaces.
pub(crate) fn activity(custom: &Custom) -> Option<Event> {
    if custom.name != RENDER {
        return None;
    }
    let shown = custom.value.to_value().ok()?["view"].take();
    let operations: Vec<_> = match View::read(&shown) {
        Ok(view) => {
            let surface = View { view_id: VIEW.to_owned(), ..view };
            draw_view(&surface, BASIC_0_9).iter().map(v0_9::Message::to_value).collect()
        }
        Err(_) => vec![v0_9::Message::DeleteSurface { surface_id: VIEW.to_owned() }.to_value()],
    };
    Some(snapshot(&VIEW.into(), json!({ OPERATIONS: operations, "view": shown })))
}

/// What a new message sends with a form, if it does and could. Returns what tells everybody.
pub(super) fn sent(messages: &[&Message], new: &[Message]) -> Result<Option<Event>, Refusal> {
    let said = new.iter().rfind(|message| matches!(message, Message::User(_)));
    let mut context = said.map(TurnTerms::of).unwrap_or_default().context;
    let action = context.get_mut("ui").and_then(|ui| ui.get_mut("a2uiAction")).map(Value::take);
    let Some(action) = action.filter(|action| !action.is_null()) else { return Ok(None) };
    let place = "forwardedProps.uiContext.a2uiAction";
    let action = Action::read(&action).map_err(|faults| {
        Refusal::invalid("invalid_action", format!("the action cannot be read: {faults}")).at(place)
    })?;
    accept(messages, &action, place).map(Some)
}

/// The same for a click on the surface that a view is drawn as: it becomes the message that a form is sent with.
pub(super) fn clicked(
    messages: &[&Message],
    clicked: &UserAction,
    id: MessageId,
) -> Result<(Message, Event), Refusal> {
    let view = shown(messages).and_then(|(view, _)| View::read(view).ok());
    let (Some(view), Some(form)) = (view, clicked.context.get("formId").and_then(Value::as_str)) else {
        return Err(Refusal::conflict("unknown_view", "no view is shown on this thread").at(at("/surfaceId")));
    };
    let values = clicked.context.get("values").and_then(Value::as_object).cloned().unwrap_or_default();
    let values = typed(view.form(form).unwrap_or_default(), values);
    let action = Action::form_submit(&view.view_id, form, values);
    let event = accept(messages, &action, &at("/context"))?;
    let mut message = Message::from(UserMessage::new(id, ACTION_MESSAGE));
    let context = Map::from_iter([("ui".to_owned(), json!({ "a2uiAction": action }))]);
    TurnTerms { context, ..TurnTerms::default() }.attach(&mut message);
    Ok((message, event))
}

fn accept(messages: &[&Message], action: &Action, place: &str) -> Result<Event, Refusal> {
    let Some((view, done)) = shown(messages) else {
        return Err(Refusal::conflict("unknown_view", "no view is shown on this thread").at(place));
    };
    let view =
        View::read(view).map_err(|faults| Refusal::conflict("unknown_view", faults.to_string()).at(place))?;
    view.check(action).map_err(|faults| {
        let at = format!("{place}.{}", faults.first().path);
        Refusal::conflict("impossible_action", format!("this cannot have been sent: {faults}")).at(at)
    })?;
    let ActionKind::FormSubmit { form_id, values } = &action.action;
    if done.and_then(|done| done.get(form_id)?.as_object()) == Some(values) {
        let text = format!("form `{form_id}` was sent with these values already");
        return Err(Refusal::conflict("already_acted", text)
            .at(place)
            .hint("it can be sent with other values, or when it is shown again"));
    }
    let data = json!({ "surfaceId": VIEW, "path": format!("/{}", pointer(form_id)), "value": values });
    let mut all = done.cloned().unwrap_or_default();
    all.insert(form_id.clone(), Value::Object(values.clone()));
    let patch = json!([
        { "op": "add", "path": format!("/{OPERATIONS}/-"), "value": { "version": "v0.9", "updateDataModel": data } },
        { "op": "add", "path": "/acted", "value": all },
    ]);
    let patch: Patch = serde_json::from_value(patch).unwrap_or_default();
    Ok(ActivityDelta::new(VIEW, ACTIVITY, patch).into())
}

/// The view that a conversation shows, and which of its forms were sent.
fn shown<'m>(messages: &[&'m Message]) -> Option<(&'m Value, Option<&'m Map<String, Value>>)> {
    let content = messages.iter().find_map(|message| match message {
        Message::Activity(activity) if *activity.id == *VIEW => Some(&activity.content),
        _ => None,
    })?;
    let view = content.get("view").filter(|view| !view.is_null())?;
    Some((view, content.get("acted").and_then(Value::as_object)))
}

/// A surface keeps what was not filled in as an empty text, and numbers as texts in some clients.
fn typed(fields: &[Field], mut values: Map<String, Value>) -> Map<String, Value> {
    for field in fields {
        let Some(text) = values.get(field.name()).and_then(Value::as_str).map(str::trim) else { continue };
        let number = serde_json::from_str::<Value>(text).ok().filter(Value::is_number);
        match (field, number) {
            _ if text.is_empty() => _ = values.remove(field.name()),
            (Field::Number { .. }, Some(number)) => _ = values.insert(field.name().to_owned(), number),
            _ => {}
        }
    }
    values
}

fn pointer(segment: &str) -> String {
    segment.replace('~', "~0").replace('/', "~1")
}
