//! Just enough HTTP to read event streams fast: one connection, one answer after the other.

use std::{io, net::SocketAddr};

use memchr::memmem;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

/// A connection to a server.
pub(crate) struct Connection {
    stream: TcpStream,
    buffer: Box<[u8]>,
    answer: Answer,
}

/// What a read brought.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Read {
    pub(crate) events: usize,
    pub(crate) ended: bool,
}

impl Connection {
    /// Connects, with a buffer of so many bytes.
    pub(crate) async fn open(address: SocketAddr, buffer: usize) -> io::Result<Self> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        Ok(Self { stream, buffer: vec![0; buffer].into(), answer: Answer::default() })
    }

    /// Asks for a stream.
    pub(crate) async fn send(&mut self, request: &[u8]) -> io::Result<()> {
        self.answer = Answer::default();
        self.stream.write_all(request).await
    }

    /// Reads some of the answer.
    pub(crate) async fn read(&mut self) -> io::Result<Read> {
        let count = self.stream.read(&mut self.buffer).await?;
        if count == 0 {
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the server closed the connection"));
        }
        self.answer.take(&self.buffer[..count])
    }
}

/// A request with a JSON body.
pub(crate) fn post(path: &str, body: &str) -> Vec<u8> {
    let length = body.len();
    format!(
        "POST {path} HTTP/1.1\r\nhost: localhost\r\naccept: text/event-stream\r\n\
         content-type: application/json\r\ncontent-length: {length}\r\n\r\n{body}"
    )
    .into_bytes()
}

/// A request without one.
pub(crate) fn get(path: &str) -> Vec<u8> {
    format!("GET {path} HTTP/1.1\r\nhost: localhost\r\naccept: text/event-stream\r\n\r\n").into_bytes()
}

/// An answer in chunks, as far as it has come.
#[derive(Default)]
struct Answer {
    part: Part,
    /// A head or a chunk's size that is not complete yet.
    line: Vec<u8>,
    /// Whether the last byte of the body was a line's end.
    after_line: bool,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Part {
    #[default]
    Head,
    Size,
    Data(usize),
    /// The line's end behind the data.
    Behind,
    /// The line's end behind the last chunk.
    Last,
}

impl Answer {
    fn take(&mut self, mut bytes: &[u8]) -> io::Result<Read> {
        let mut read = Read::default();
        while !bytes.is_empty() && !read.ended {
            match self.part {
                Part::Head => bytes = self.head(bytes)?,
                Part::Size => bytes = self.size(bytes)?,
                Part::Data(left) => {
                    let (data, rest) = bytes.split_at(left.min(bytes.len()));
                    read.events += self.frames(data);
                    self.part = if data.len() == left { Part::Behind } else { Part::Data(left - data.len()) };
                    bytes = rest;
                }
                Part::Behind => bytes = self.line_end(bytes, Part::Size).0,
                Part::Last => (bytes, read.ended) = self.line_end(bytes, Part::Head),
            }
        }
        Ok(read)
    }

    fn head<'a>(&mut self, bytes: &'a [u8]) -> io::Result<&'a [u8]> {
        let begin = self.line.len();
        self.line.extend_from_slice(bytes);
        let Some(end) = memmem::find(&self.line, b"\r\n\r\n") else {
            return Ok(&[]);
        };
        if !self.line.starts_with(b"HTTP/1.1 200") {
            return Err(io::Error::other(String::from_utf8_lossy(&self.line).into_owned()));
        }
        self.line.clear();
        self.part = Part::Size;
        Ok(&bytes[end + 4 - begin..])
    }

    fn size<'a>(&mut self, bytes: &'a [u8]) -> io::Result<&'a [u8]> {
        let Some(end) = memchr::memchr(b'\n', bytes) else {
            self.line.extend_from_slice(bytes);
            return Ok(&[]);
        };
        self.line.extend_from_slice(&bytes[..end]);
        let text = String::from_utf8_lossy(&self.line);
        let size = usize::from_str_radix(text.trim(), 16);
        let size = size.map_err(|_| io::Error::other(format!("`{text}` is not the size of a chunk")))?;
        self.line.clear();
        self.part = if size == 0 { Part::Last } else { Part::Data(size) };
        Ok(&bytes[end + 1..])
    }

    fn line_end<'a>(&mut self, bytes: &'a [u8], next: Part) -> (&'a [u8], bool) {
        let (end, rest) = (bytes[0] == b'\n', &bytes[1..]);
        if end {
            self.part = next;
        }
        (rest, end)
    }

    /// Counts empty lines: each ends a frame.
    fn frames(&mut self, data: &[u8]) -> usize {
        let across = usize::from(self.after_line && data.first() == Some(&b'\n'));
        self.after_line = data.last() == Some(&b'\n') && !data.ends_with(b"\n\n") && across != data.len();
        across + memmem::find_iter(&data[across..], b"\n\n").count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ANSWER: &[u8] = b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n\
        9\r\ndata: 1\n\n\r\n8\r\ndata: 2\n\r\n1\r\n\n\r\nb\r\nid: 3\ndata:\r\n3\r\n3\n\n\r\n0\r\n\r\n";

    #[test]
    fn any_split_of_the_bytes_counts_alike() {
        for split in 1..ANSWER.len() {
            let mut answer = Answer::default();
            let (front, back) = ANSWER.split_at(split);
            let (first, second) = (answer.take(front).unwrap(), answer.take(back).unwrap());
            assert_eq!(first.events + second.events, 3, "split at {split}");
            assert!(second.ended && !first.ended, "split at {split}");
        }
    }

    #[test]
    fn a_refusal_is_an_error() {
        let refusal = b"HTTP/1.1 409 Conflict\r\ncontent-length: 0\r\n\r\n";
        assert!(Answer::default().take(refusal).is_err());
    }
}
