//! A body that is sent act by act, and notices when nobody reads it any more.

use std::{collections::VecDeque, io};

use axum::body::{Body, Bytes};
use futures_util::stream;

use super::write::Act;

/// Tells that whoever read has gone, unless everything was sent.
struct Watch<F: FnOnce()> {
    gone: Option<F>,
}

impl<F: FnOnce()> Watch<F> {
    fn is_done(&mut self) {
        self.gone = None;
    }
}

impl<F: FnOnce()> Drop for Watch<F> {
    fn drop(&mut self) {
        if let Some(gone) = self.gone.take() {
            gone();
        }
    }
}

/// The body of an answer. `bytes` cuts it into pieces of that size.
pub(super) fn body<F: FnOnce() + Send + 'static>(acts: Vec<Act>, bytes: Option<usize>, gone: F) -> Body {
    let mut acts: VecDeque<_> = match bytes {
        Some(bytes) => recut(acts, bytes.max(1)),
        None => acts.into_iter().map(Sent::of).collect(),
    };
    acts.retain(|act| !matches!(act, Sent::Bytes(bytes) if bytes.is_empty()));
    let watch = Watch { gone: Some(gone) };
    Body::from_stream(stream::unfold((acts, watch), |(mut acts, mut watch)| async move {
        loop {
            match acts.pop_front() {
                Some(Sent::Bytes(bytes)) => return Some((Ok(bytes), (acts, watch))),
                Some(Sent::Sleep(time)) => tokio::time::sleep(time).await,
                Some(Sent::Hang) => std::future::pending().await,
                Some(Sent::Cut) => {
                    watch.is_done();
                    return Some((
                        Err(io::Error::other("the script breaks off here")),
                        (VecDeque::new(), watch),
                    ));
                }
                None => {
                    watch.is_done();
                    return None;
                }
            }
        }
    }))
}

enum Sent {
    Bytes(Bytes),
    Sleep(std::time::Duration),
    Cut,
    Hang,
}

impl Sent {
    fn of(act: Act) -> Self {
        match act {
            Act::Send(text) => Self::Bytes(text.into()),
            Act::Sleep(time) => Self::Sleep(time),
            Act::Cut => Self::Cut,
            Act::Hang => Self::Hang,
        }
    }
}

/// A moment between two pieces, so that they travel alone.
const APART: std::time::Duration = std::time::Duration::from_micros(200);

fn recut(acts: Vec<Act>, bytes: usize) -> VecDeque<Sent> {
    let mut sent = VecDeque::new();
    for act in acts {
        match act {
            Act::Send(text) => {
                let whole = Bytes::from(text);
                for at in (0..whole.len()).step_by(bytes) {
                    sent.push_back(Sent::Bytes(whole.slice(at..whole.len().min(at + bytes))));
                    sent.push_back(Sent::Sleep(APART));
                }
            }
            other => sent.push_back(Sent::of(other)),
        }
    }
    sent
}
