//! An assistant for inspectors of food safety: the company's past, the rules, the report.

mod agent;
mod data;
mod draft;
mod finding;
mod pdf;
mod report;
mod reports;
mod role;
mod rules;
mod speech;
mod tools;
mod words;

use std::sync::Arc;

use forestage::{
    Builder,
    runtime::{house::HouseRules, script::LoadError},
    server::Dialects,
};

use self::{agent::Inspector, data::Data, reports::Reports, role::Role, rules::Rules};
use crate::app::{AppError, Setup};

/// The agent that inspectors meet first. The others are named after it in `currentAgent`.
pub const AGENT: &str = "general-agent";

/// Which calls an inspector has to approve, and what may be said.
const HOUSE: &str = include_str!("../policies/agora.yaml");

/// The application.
pub fn server(setup: Setup) -> Result<Builder, AppError> {
    let builder = setup.server()?;
    let data = Arc::new(Data::load()?);
    let rules = Rules::open(&data)?;
    let reports = Reports::open(&setup.data.join("reports.db"))?;
    let builder = tools::add(builder, &data, &rules, &reports)
        .routes(reports::routes(reports))
        .dialects(Dialects { agora: Some(AGENT.to_owned()), ..Dialects::default() });
    if setup.has_model() {
        return Ok(setup.played_by_model(builder, "inspection"));
    }
    let house = HouseRules::parse("policies/agora.yaml", HOUSE).map_err(LoadError::Scripts)?;
    let agents = Role::ALL.map(|role| (role.name(), Inspector::new(role, data.clone())));
    Ok(agents.into_iter().fold(builder.house(house), |builder, (name, agent)| builder.agent(name, agent)))
}
