//! Listening: connections, their limits, and ending in order.

use std::{io, net::SocketAddr, sync::Arc, time::Duration};

use axum::{Router, http::Request};
use hyper::{body::Incoming, server::conn::http1, service::Service};
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    service::TowerToHyperService,
};
use tokio::{
    net::{TcpListener, TcpStream},
    sync::Semaphore,
};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use crate::{
    app::App,
    auth::Peer,
    intake::{Counter, Unread},
    linger::{Lingering, Room},
};

/// How long connections may take to end once everything was said.
const LAST_WORDS: Duration = Duration::from_secs(5);

/// So much may wait in a connection whose reader is slow; the rest waits in the log. It bounds the head of a request, too.
const BUFFER: usize = 64 << 10;

/// Answers connections until `stop`; then stops accepting and lets what is open come to its end.
pub(crate) async fn accept(
    listener: TcpListener,
    router: Router,
    app: &App,
    stop: CancellationToken,
) -> TaskTracker {
    let http = &app.http;
    let connections = TaskTracker::new();
    let room = Arc::new(Semaphore::new(http.max_connections.clamp(1, Semaphore::MAX_PERMITS)));
    let lingering = Room::default();
    let mut server = http1::Builder::new();
    server
        .timer(TokioTimer::new())
        .header_read_timeout(longest(http.header_timeout_seconds))
        .max_headers(100)
        .max_buf_size(BUFFER)
        .half_close(false);
    loop {
        let Some(permit) = until(&stop, room.clone().acquire_owned()).await.and_then(Result::ok) else {
            break;
        };
        let Some(accepted) = until(&stop, listener.accept()).await else { break };
        let Some((stream, peer)) = opened(accepted).await else { continue };
        let unread = Unread::new(&app.budget, longest(http.body_timeout_seconds));
        let stream = Lingering::new(stream, lingering.clone(), Counter::new(unread.clone()));
        let router = TowerToHyperService::new(router.clone());
        let service = Visit { router, peer: Peer(peer.ip()), unread };
        let connection = server.serve_connection(TokioIo::new(stream), service).with_upgrades();
        let stop = stop.clone();
        connections.spawn(async move {
            serve(connection, stop).await;
            drop(permit);
        });
    }
    connections.close();
    connections
}

/// A time that can be added to the present. Longer ones mean: as long as it takes.
fn longest(seconds: u64) -> Duration {
    Duration::from_secs(seconds.clamp(1, u64::from(u32::MAX)))
}

/// Waits for the connections that are left.
pub(crate) async fn last_words(connections: TaskTracker) {
    let _ = tokio::time::timeout(LAST_WORDS, connections.wait()).await;
}

async fn until<T>(stop: &CancellationToken, future: impl Future<Output = T>) -> Option<T> {
    tokio::select! {
        value = future => Some(value),
        () = stop.cancelled() => None,
    }
}

async fn opened(accepted: io::Result<(TcpStream, SocketAddr)>) -> Option<(TcpStream, SocketAddr)> {
    match accepted {
        Ok((stream, peer)) => {
            // Tokens are small and must not wait for company.
            let _ = stream.set_nodelay(true);
            Some((stream, peer))
        }
        Err(error) => {
            // Out of descriptors, most likely: others have to end before the next can begin.
            tracing::warn!(%error, "a connection could not be accepted");
            tokio::time::sleep(Duration::from_millis(50)).await;
            None
        }
    }
}

/// The routes, as one connection meets them: every request is told where it comes from.
struct Visit {
    router: TowerToHyperService<Router>,
    peer: Peer,
    unread: Unread,
}

impl Service<Request<Incoming>> for Visit {
    type Response = <TowerToHyperService<Router> as Service<Request<Incoming>>>::Response;
    type Error = <TowerToHyperService<Router> as Service<Request<Incoming>>>::Error;
    type Future = <TowerToHyperService<Router> as Service<Request<Incoming>>>::Future;

    fn call(&self, mut request: Request<Incoming>) -> Self::Future {
        request.extensions_mut().insert(self.peer);
        request.extensions_mut().insert(self.unread.clone());
        self.router.call(request)
    }
}

type Connection = http1::UpgradeableConnection<TokioIo<Lingering>, Visit>;

async fn serve(connection: Connection, stop: CancellationToken) {
    let mut connection = std::pin::pin!(connection);
    let ended = tokio::select! {
        ended = connection.as_mut() => ended,
        () = stop.cancelled() => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = ended {
        tracing::debug!(%error, "a connection broke");
    }
}
