//! Lines of a body that comes in pieces.

use bytes::{Buf, Bytes, BytesMut};
use memchr::memchr;

/// The longest line that is taken.
pub(crate) const MAX_LINE: usize = 4 << 20;

/// A line of a body.
#[derive(Debug)]
pub(crate) struct Cut {
    pub(crate) bytes: Bytes,
    /// Whether its end was there. The last line may come without.
    pub(crate) is_whole: bool,
}

/// Why there is no next line.
#[derive(Debug)]
pub(crate) enum LineError {
    /// The body broke off.
    BrokeOff(String),
    /// The line is longer than anybody means it to be.
    TooLong,
}

/// Cuts a body into lines. Empty ones are left out.
#[derive(Debug)]
pub(crate) struct Lines {
    response: reqwest::Response,
    buffer: BytesMut,
    is_over: bool,
}

impl Lines {
    pub(crate) fn new(response: reqwest::Response) -> Self {
        Self { response, buffer: BytesMut::new(), is_over: false }
    }

    /// The next line; nothing at the end. Nothing is lost if this is dropped while it waits.
    pub(crate) async fn next(&mut self) -> Result<Option<Cut>, LineError> {
        loop {
            if let Some(line) = self.cut() {
                if line.bytes.trim_ascii().is_empty() {
                    continue;
                }
                return Ok(Some(line));
            }
            if self.is_over {
                return Ok(None);
            }
            if self.buffer.len() > MAX_LINE {
                return Err(LineError::TooLong);
            }
            match self.response.chunk().await {
                Ok(Some(chunk)) => self.buffer.extend_from_slice(&chunk),
                Ok(None) => self.is_over = true,
                Err(error) => return Err(LineError::BrokeOff(error.without_url().to_string())),
            }
        }
    }

    fn cut(&mut self) -> Option<Cut> {
        match memchr(b'\n', &self.buffer) {
            Some(at) => {
                let bytes = self.buffer.split_to(at).freeze();
                self.buffer.advance(1);
                Some(Cut { bytes, is_whole: true })
            }
            None if self.is_over && !self.buffer.is_empty() => {
                Some(Cut { bytes: self.buffer.split().freeze(), is_whole: false })
            }
            None => None,
        }
    }
}
