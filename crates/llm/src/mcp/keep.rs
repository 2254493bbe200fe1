//! Keeps a server up: connects, lists its tools, hears when they change, and connects again when it is gone.

use std::{sync::Arc, time::Duration};

use tokio::time::{Instant, sleep, timeout};

use super::{
    McpError,
    connect::{Linked, connect},
    list::list,
    server::{Connection, Link, Shared},
};

/// The pause before the second attempt. Each is twice as long as the one before.
const FIRST_PAUSE: Duration = Duration::from_millis(250);

/// The longest pause.
const LONGEST_PAUSE: Duration = Duration::from_secs(30);

/// A connection that stood for so long was a good one: pauses begin anew.
const STEADY: Duration = Duration::from_secs(10);

/// So long a connection may take to end.
const CLOSE_WAIT: Duration = Duration::from_secs(5);

/// Why a connection is no more.
enum Ended {
    /// It ended by itself.
    Over,
    /// It is of no use any more.
    Broken,
    /// Nobody wants it any more.
    Stopped,
}

/// Keeps a server up until it is told to stop.
pub(super) async fn keep(shared: Arc<Shared>) {
    let mut pause = FIRST_PAUSE;
    loop {
        let began = Instant::now();
        let connected = tokio::select! {
            () = shared.stop.cancelled() => return,
            connected = connect(&shared.spec) => connected,
        };
        match connected {
            Err(error) => shared.down(error),
            Ok(linked) => match attend(&shared, linked).await {
                Ended::Stopped => return,
                _ if began.elapsed() > STEADY => pause = FIRST_PAUSE,
                _ => {}
            },
        }
        tokio::select! {
            () = shared.stop.cancelled() => return,
            () = wait(&shared, pause) => {}
        }
        pause = (pause * 2).min(LONGEST_PAUSE);
    }
}

/// Waits, less long if somebody wants to call.
async fn wait(shared: &Shared, pause: Duration) {
    sleep(FIRST_PAUSE).await;
    tokio::select! {
        () = shared.wanted.notified() => {}
        () = sleep(pause.saturating_sub(FIRST_PAUSE)) => {}
    }
}

/// Looks after a connection until it is no more.
async fn attend(shared: &Arc<Shared>, linked: Linked) -> Ended {
    let Linked { running, progress, changed } = linked;
    let (peer, closing) = (running.peer().clone(), running.cancellation_token());
    let mut waiting = std::pin::pin!(running.waiting());
    let connection = Connection { peer, broken: Arc::default(), progress };
    let mut error = McpError::Lost { server: shared.spec.name.clone() };
    let ended = loop {
        // Whoever waits for the connection waits for the list, too.
        let listed = tokio::select! {
            () = shared.stop.cancelled() => break Ended::Stopped,
            listed = list(shared, &connection.peer) => listed,
        };
        if let Err(failed) = listed {
            error = failed;
            break Ended::Broken;
        }
        shared.state.send_modify(|state| state.link = Link::Up(connection.clone()));
        tokio::select! {
            () = shared.stop.cancelled() => break Ended::Stopped,
            () = connection.broken.notified() => break Ended::Broken,
            _ = &mut waiting => break Ended::Over,
            () = changed.notified() => {}
        }
    };
    // First nobody takes the connection any more, then it ends.
    match ended {
        Ended::Stopped => shared.state.send_modify(|state| state.link = Link::Down(error)),
        _ => shared.down(error),
    }
    if !matches!(ended, Ended::Over) {
        closing.cancel();
        let _ = timeout(CLOSE_WAIT, waiting).await;
    }
    ended
}
