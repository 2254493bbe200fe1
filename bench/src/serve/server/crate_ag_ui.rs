//! The crate `ag-ui` on axum, as its documentation mounts an agent.

use std::{sync::LazyLock, time::Duration};

use ag_ui::{
    Event, RunOutcome,
    axum::RouterExt,
    server::{Agent, Result, RunContext},
};
use tokio::time::interval;

use crate::serve::script::{self, BURST, PACE_MS, PACED, WAITING};

/// What the agent says; the crate adds the ends of the run.
static EVENTS: LazyLock<Vec<Event>> = LazyLock::new(|| {
    let events = script::events();
    let inner = &events[1..events.len() - 1];
    let parsed =
        inner.iter().map(|event| serde_json::from_value(event.clone()).expect("the script is legal"));
    parsed.collect()
});

pub(crate) fn router() -> axum::Router {
    let path = |agent: &str| format!("/v1/agents/{agent}/runs");
    axum::Router::new()
        .route_agui(&path(BURST), Burst)
        .route_agui(&path(PACED), Paced)
        .route_agui(&path(WAITING), Waiting)
}

struct Burst;
struct Paced;
struct Waiting;

impl Agent for Burst {
    type State = ();

    async fn run(&self, ctx: &mut RunContext<()>) -> Result<RunOutcome> {
        EVENTS.iter().try_for_each(|event| ctx.emit(event.clone()))?;
        Ok(RunOutcome::Success)
    }
}

impl Agent for Paced {
    type State = ();

    async fn run(&self, ctx: &mut RunContext<()>) -> Result<RunOutcome> {
        let mut ticks = interval(Duration::from_millis(PACE_MS));
        for event in EVENTS.iter() {
            ticks.tick().await;
            ctx.emit(event.clone())?;
        }
        ticks.tick().await;
        Ok(RunOutcome::Success)
    }
}

impl Agent for Waiting {
    type State = ();

    async fn run(&self, _ctx: &mut RunContext<()>) -> Result<RunOutcome> {
        std::future::pending().await
    }
}
