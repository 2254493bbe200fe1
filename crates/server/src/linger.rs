//! Closing without cutting off what was said last.
//!
//! Whoever is refused in the middle of a large body or frame is still sending when we close, and a system that closes with
//! bytes unread takes back what it sent. So a connection that we end first is read to its end, for a while, by nobody.

use std::{
    io,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, ready},
    time::Duration,
};

use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, ReadBuf},
    net::TcpStream,
    runtime::Handle,
    sync::Semaphore,
};

use crate::intake::Counter;

/// So long the other side may take to notice that we are done.
const PATIENCE: Duration = Duration::from_secs(10);

/// So many connections may linger at once.
const MOST: usize = 256;

/// Room for connections that linger.
#[derive(Clone, Debug)]
pub(crate) struct Room(Arc<Semaphore>);

impl Default for Room {
    fn default() -> Self {
        Self(Arc::new(Semaphore::new(MOST)))
    }
}

/// A connection that is read to its end after we are done with it.
#[derive(Debug)]
pub(crate) struct Lingering {
    stream: Option<TcpStream>,
    /// Whether the other side is done, or gone.
    over: bool,
    room: Room,
    /// Counts what a socket has sent of a message.
    counter: Counter,
}

impl Lingering {
    pub(crate) fn new(stream: TcpStream, room: Room, counter: Counter) -> Self {
        Self { stream: Some(stream), over: false, room, counter }
    }

    fn stream(&mut self) -> io::Result<Pin<&mut TcpStream>> {
        self.stream.as_mut().map(Pin::new).ok_or_else(|| io::ErrorKind::NotConnected.into())
    }
}

impl Drop for Lingering {
    fn drop(&mut self) {
        let Some(stream) = self.stream.take().filter(|_| !self.over) else { return };
        let (Ok(runtime), Ok(permit)) = (Handle::try_current(), self.room.0.clone().try_acquire_owned())
        else {
            return;
        };
        runtime.spawn(async move {
            let _ = tokio::time::timeout(PATIENCE, read_out(stream)).await;
            drop(permit);
        });
    }
}

async fn read_out(mut stream: TcpStream) -> io::Result<()> {
    stream.shutdown().await?;
    let mut nowhere = [0; 16 << 10];
    while stream.read(&mut nowhere).await? > 0 {}
    Ok(())
}

impl AsyncRead for Lingering {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        ready!(self.counter.poll_ready(context))?;
        let (before, room) = (buffer.filled().len(), buffer.remaining());
        let read = ready!(self.stream()?.poll_read(context, buffer));
        self.counter.add(buffer.filled().len() - before);
        self.over |= read.is_err() || (room > 0 && buffer.filled().len() == before);
        Poll::Ready(read)
    }
}

impl AsyncWrite for Lingering {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.stream()?.poll_write(context, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.stream()?.poll_write_vectored(context, slices)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.as_ref().is_some_and(AsyncWrite::is_write_vectored)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.stream()?.poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.stream()?.poll_shutdown(context)
    }
}
