//! What the fuzz targets share: reading a stream in pieces, events of a bytecode, and events as protobuf
//! leaves them.

pub mod framing;
pub mod lossy;
pub mod stream;
