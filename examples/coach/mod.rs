//! A coach that gets to know people with a form, and remembers them.

mod agent;
mod profiles;
mod tools;
mod views;

use forestage::{
    Builder,
    runtime::{About, agent_fn, house::HouseRules, script::LoadError},
    server::Dialects,
};

pub use self::profiles::Profiles;
use crate::app::{AppError, Setup};

/// The name of the agent.
pub const AGENT: &str = "coach";

/// The house has views: a fenced block that a model says is shown, not read out.
const HOUSE: &str = "views: true";

/// The application.
pub fn server(setup: Setup) -> Result<Builder, AppError> {
    let builder = setup.server()?;
    let profiles = Profiles::open(&setup.data.join("profiles.db"))?;
    let builder = builder
        .tool(tools::Get::new(profiles.clone()))
        .tool(tools::Save::new(profiles))
        .dialects(Dialects { trainer2: Some(AGENT.to_owned()), ..Dialects::default() });
    if setup.has_model() {
        return Ok(setup.played_by_model(builder, "coach"));
    }
    let house = HouseRules::parse("coach", HOUSE).map_err(LoadError::Scripts)?;
    let about = About::new("Welcomes people, and asks new ones who they are");
    Ok(builder.agent(AGENT, agent_fn(about, agent::coach)).house(house))
}
