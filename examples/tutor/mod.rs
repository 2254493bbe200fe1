//! A tutor with two courses, whose lessons adapt to what learners answer.

mod agent;
mod course;
mod lesson;
mod progress;
mod show;
mod state;
mod talk;

use std::sync::Arc;

use forestage::{Builder, server::Dialects};

use self::{agent::Tutor, course::Courses};
use crate::app::{AppError, Setup};

/// The name of the agent.
pub const AGENT: &str = "tutor";

/// The application.
pub fn server(setup: Setup) -> Result<Builder, AppError> {
    let courses = Arc::new(Courses::load()?);
    let builder = progress::add(setup.server()?, &courses)
        .dialects(Dialects { its: Some(AGENT.to_owned()), ..Dialects::default() });
    if setup.has_model() {
        return Ok(setup.played_by_model(builder, "tutor"));
    }
    Ok(builder.agent(AGENT, Tutor::new(courses)))
}
