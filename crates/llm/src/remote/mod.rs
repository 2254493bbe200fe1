//! Remote agents, one module for each way to call them.

pub mod agui;
pub mod ndjson;
mod refused;
mod unwise;

use std::{error::Error, time::Duration};

/// How long somebody may take to open the door.
const DOOR: Duration = Duration::from_secs(5);

/// Sees whether anybody is at an address, without calling the agent: whatever answers in HTTP is there. The error says
/// why not, without the address.
pub async fn reach(url: &str) -> Result<(), String> {
    let client = reqwest::Client::builder().timeout(DOOR).build().map_err(|error| error.to_string())?;
    match client.head(url).send().await {
        Ok(_) => Ok(()),
        Err(error) if error.is_timeout() => Err("nobody answers".to_owned()),
        Err(error) => Err(innermost(&error)),
    }
}

/// What is behind an error of a request. The error itself would say the address.
pub(crate) fn innermost(error: &reqwest::Error) -> String {
    let mut text = "the connection failed".to_owned();
    let mut source = error.source();
    while let Some(inner) = source {
        text = inner.to_string();
        source = inner.source();
    }
    text
}
