//! `?onLeave=cancel`: a run that is cancelled when the client that asked for it closes the connection.
//!
//! When a client leaves, hyper drops its request, or the body of its response, and with it the [`Leave`] that goes along. An
//! answer that comes to its end disarms it, and so does whatever is the server's doing: a refusal, a failing store, a
//! shutdown.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use axum::{body::Body, response::Response};
use forestage_protocol::id::{RunId, ThreadId};
use forestage_runtime::{Refusal, RefusalKind, Stage, StartRun, Started};
use futures_util::{StreamExt, stream};
use tokio::runtime::Handle;
use tokio_util::sync::CancellationToken;

/// How often a run that is about to begin is looked for.
const RETRY: Duration = Duration::from_millis(50);

/// Cancels a run when it is dropped, unless it was disarmed.
#[derive(Debug)]
pub(crate) struct Leave {
    wanted: Wanted,
    ending: CancellationToken,
    is_armed: bool,
}

/// The run that the client waits for, once it is known.
#[derive(Clone, Debug, Default)]
pub(crate) struct Wanted(Arc<Mutex<Option<Run>>>);

/// A run that is about to begin, or has begun.
#[derive(Debug)]
struct Run {
    stage: Arc<Stage>,
    owner: String,
    thread_id: ThreadId,
    run_id: RunId,
    /// It has begun, or was refused.
    settled: CancellationToken,
}

impl Leave {
    /// One that does nothing unless it is armed.
    pub(crate) fn new(ending: CancellationToken, is_armed: bool) -> Self {
        Self { wanted: Wanted::default(), ending, is_armed }
    }

    /// Returns what has to start the run for it to be cancelled; `None` if it is not armed.
    pub(crate) fn wanted(&self) -> Option<Wanted> {
        self.is_armed.then(|| self.wanted.clone())
    }

    pub(crate) fn disarm(&mut self) {
        self.is_armed = false;
    }

    /// Goes along with a response until its body ends.
    pub(crate) fn attach(self, response: Response) -> Response {
        if !self.is_armed {
            return response;
        }
        response.map(|body| {
            let state = (body.into_data_stream(), self);
            Body::from_stream(stream::unfold(state, |(mut body, mut leave)| async move {
                let chunk = body.next().await;
                // A body that ends, or fails, by itself was not left.
                if !matches!(chunk, Some(Ok(_))) {
                    leave.disarm();
                }
                Some((chunk?, (body, leave)))
            }))
        })
    }
}

impl Drop for Leave {
    fn drop(&mut self) {
        // A server that shuts down closes connections, too, and gives runs their own time to end.
        if !self.is_armed || self.ending.is_cancelled() {
            return;
        }
        let run = self.wanted.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let (Some(run), Ok(runtime)) = (run, Handle::try_current()) {
            runtime.spawn(run.stop());
        }
    }
}

impl Wanted {
    /// Starts a run. It begins even if the client leaves meanwhile, and is stopped then.
    pub(crate) async fn start(&self, stage: &Arc<Stage>, request: StartRun) -> Result<Started, Refusal> {
        let settled = CancellationToken::new();
        let run = Run {
            stage: stage.clone(),
            owner: request.owner.clone(),
            thread_id: request.input.thread_id.clone(),
            run_id: request.input.run_id.clone(),
            settled: settled.clone(),
        };
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(run);
        let stage = stage.clone();
        let started = tokio::spawn(async move {
            let _settled = settled.drop_guard();
            stage.start(request).await
        });
        started.await.unwrap_or_else(|error| std::panic::resume_unwind(error.into_panic()))
    }
}

impl Run {
    /// Stops the run: in the queue, under way, or as soon as it has begun.
    async fn stop(self) {
        loop {
            let is_settled = self.settled.is_cancelled();
            match self.stage.stop(&self.owner, &self.thread_id, &self.run_id).await {
                Err(refusal) if refusal.kind == RefusalKind::NotFound && !is_settled => {}
                Err(refusal) if refusal.kind != RefusalKind::NotFound => {
                    return tracing::warn!(%refusal, run = %self.run_id, "a run goes on that its client has left");
                }
                _ => return,
            }
            tokio::select! {
                () = self.settled.cancelled() => {}
                () = tokio::time::sleep(RETRY) => {}
            }
        }
    }
}
