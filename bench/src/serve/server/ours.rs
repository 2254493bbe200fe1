//! Forestage, as it is shipped: agents, a log in SQLite on the disk, the whole server.

use std::time::Duration;

use forestage_runtime::{About, AgentError, Agents, Limits, RunContext, Stage, agent_fn};
use forestage_server::{Http, Keys, Server};
use tokio::time::{Interval, interval};

use super::announce;
use crate::serve::script::{self, BURST, PACE_MS, PACED, WAITING};

pub(crate) async fn serve(stopped: impl Future<Output = ()> + Send + 'static) -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let url = format!("sqlite:{}", folder.path().join("bench.db").display());
    let store = forestage_store::open(&url).await.map_err(|error| error.to_string())?;
    let limits = Limits { grace: Duration::from_millis(10), ..Limits::default() };
    let stage = Stage::new(store, agents(), limits);
    let http = Http { listen: "127.0.0.1:0".to_owned(), ..Http::default() };
    let server = Server::bind(stage, Keys::default(), http).await.map_err(|error| error.to_string())?;
    announce(server.address());
    // Nobody waits for the last words of a measured server.
    tokio::select! {
        () = server.run(std::future::pending()) => {}
        () = stopped => {}
    }
    Ok(())
}

fn agents() -> Agents {
    let burst = agent_fn(About::new("says the script"), |ctx| say(ctx, Pace(None)));
    let paced = agent_fn(About::new("says the script slowly"), |ctx| {
        say(ctx, Pace(Some(interval(Duration::from_millis(PACE_MS)))))
    });
    let waiting = agent_fn(About::new("says nothing"), |ctx: RunContext| async move {
        ctx.cancelled().await;
        Ok(())
    });
    Agents::from([(BURST.to_owned(), burst), (PACED.to_owned(), paced), (WAITING.to_owned(), waiting)])
}

/// When the next event may be said.
struct Pace(Option<Interval>);

impl Pace {
    async fn next(&mut self) {
        if let Some(ticks) = &mut self.0 {
            ticks.tick().await;
        }
    }
}

async fn say(ctx: RunContext, mut pace: Pace) -> Result<(), AgentError> {
    pace.next().await;
    let step = ctx.step("answer")?;
    pace.next().await;
    let text = ctx.text()?;
    for delta in script::DELTAS.iter() {
        pace.next().await;
        text.push(delta.as_str()).await?;
    }
    pace.next().await;
    text.end();
    pace.next().await;
    step.end();
    call(&ctx, &mut pace).await?;
    pace.next().await;
    ctx.send_state(&script::state()).await?;
    pace.next().await;
    Ok(())
}

async fn call(ctx: &RunContext, pace: &mut Pace) -> Result<(), AgentError> {
    pace.next().await;
    let call = ctx.tool_call("forecast")?;
    for piece in script::ARGUMENTS {
        pace.next().await;
        call.push(piece).await?;
    }
    pace.next().await;
    let id = call.end();
    pace.next().await;
    ctx.tool_result(&id, script::RESULT).await?;
    Ok(())
}
