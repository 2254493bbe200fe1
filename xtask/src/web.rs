//! `cargo xtask web`: a place kept for building the web app.

use std::process::ExitCode;

use crate::Answer;
use crate::no_arguments;

/// Says that there is nothing to build yet.
pub(crate) fn web(arguments: &[String]) -> Answer {
    no_arguments("web", arguments)?;
    println!("The web app does not exist yet: it comes with the server, and this task will build it.");
    Ok(ExitCode::SUCCESS)
}
