//! An agent that draws: it books a table with a form, an answer in the form, and a confirmation.

use forestage::Builder;

use crate::app::{AppError, Setup, folder};

/// The name of the agent.
pub const AGENT: &str = "booking";

/// The application. Nothing of it is Rust but this: the agent is a script, or a file for a model.
pub fn server(setup: Setup) -> Result<Builder, AppError> {
    let builder = setup.server()?;
    if setup.has_model() {
        return Ok(setup.played_by_model(builder, "surfaces"));
    }
    Ok(builder.agents_dir(folder("surfaces").join("scripts")))
}
