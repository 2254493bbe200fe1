//! The servers under load that are written in Rust, each in a process of its own.
//!
//! `forestage-bench server <kind>` listens on a free port of loopback, says which on standard output, and ends when its
//! standard input does, so that no server outlives the bench.

mod crate_ag_ui;
mod floor;
mod ours;

use std::io::Read;

use tokio::{net::TcpListener, sync::oneshot};

/// Serves until standard input ends.
pub(crate) fn serve(kind: &str) -> Result<(), String> {
    super::allow_many_files();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let runtime = runtime.map_err(|error| error.to_string())?;
    runtime.block_on(async {
        match kind {
            "ours" => ours::serve(stopped()).await,
            "floor-sse" => plain(floor::one_event_per_write()).await,
            "floor-body" => plain(floor::several_events_per_write()).await,
            "crate" => plain(crate_ag_ui::router()).await,
            other => Err(format!("there is no server `{other}`")),
        }
    })
}

/// Tells the bench where the server is.
fn announce(address: std::net::SocketAddr) {
    println!("listening on {address}");
}

/// Resolves when standard input ends.
fn stopped() -> impl Future<Output = ()> + Send + 'static {
    let (sender, receiver) = oneshot::channel();
    std::thread::spawn(move || {
        let _ = std::io::stdin().read_to_end(&mut Vec::new());
        let _ = sender.send(());
    });
    async { receiver.await.unwrap_or_default() }
}

async fn plain(router: axum::Router) -> Result<(), String> {
    let listener = TcpListener::bind("127.0.0.1:0").await.map_err(|error| error.to_string())?;
    announce(listener.local_addr().map_err(|error| error.to_string())?);
    let listener = axum::serve::ListenerExt::tap_io(listener, |stream| {
        let _ = stream.set_nodelay(true);
    });
    tokio::select! {
        ended = axum::serve(listener, router) => ended.map_err(|error| error.to_string()),
        () = stopped() => Ok(()),
    }
}
