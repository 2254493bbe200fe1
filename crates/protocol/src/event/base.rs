//! The members every event may carry.

use serde::{de::MapAccess, ser::SerializeMap};

use crate::{
    json::{Json, Metadata},
    number::Timestamp,
    wire::{self, Field, Reader, Refused, Shape, Wire},
};

/// Timestamp, original event and metadata: the optional members that all events share.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Base {
    /// When it was produced. Informational: the order of a stream is its order of arrival.
    pub timestamp: Option<Timestamp>,
    /// The provider's event this one was made from.
    pub raw_event: Option<Json>,
    /// Out-of-band facts. On the events of a message or tool call they are merged into it.
    pub metadata: Option<Metadata>,
}

impl Base {
    /// How these members look on the wire.
    pub const FIELDS: &'static [Field] = &[
        Field {
            name: "timestamp",
            doc: "When it was produced, in milliseconds since 1970 by convention. Never used for ordering.",
            required: false,
            shape: Timestamp::SHAPE,
        },
        Field {
            name: "rawEvent",
            doc: "The provider's event this one was made from.",
            required: false,
            shape: Shape::Present,
        },
        Field {
            name: "metadata",
            doc: "Out-of-band facts, open by key; `ag-ui` is reserved.",
            required: false,
            shape: Shape::Object,
        },
    ];

    /// Whether nothing is set.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.timestamp.is_none() && self.raw_event.is_none() && self.metadata.is_none()
    }

    /// Reads the member `key` if it is one of ours.
    pub(crate) fn read_member<'de, A: MapAccess<'de>>(
        &mut self,
        key: &str,
        map: &mut A,
    ) -> Result<bool, A::Error> {
        match key {
            "timestamp" => self.timestamp = Some(map.next_value()?),
            "rawEvent" => self.raw_event = Some(wire::present(map)?),
            "metadata" => self.metadata = Some(map.next_value()?),
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Reads what comes next of it.
    pub(crate) fn read_written(&mut self, reader: &mut Reader<'_>) -> Result<(), Refused> {
        reader.optional(b",\"timestamp\":", &mut self.timestamp)?;
        reader.optional(b",\"rawEvent\":", &mut self.raw_event)?;
        reader.optional(b",\"metadata\":", &mut self.metadata)
    }

    /// Appends what is set, each with a comma before it.
    pub(crate) fn write_json_members(&self, out: &mut Vec<u8>) {
        if let Some(timestamp) = &self.timestamp {
            out.extend_from_slice(b",\"timestamp\":");
            timestamp.write_json(out);
        }
        if let Some(raw_event) = &self.raw_event {
            out.extend_from_slice(b",\"rawEvent\":");
            raw_event.write_json(out);
        }
        if let Some(metadata) = &self.metadata {
            out.extend_from_slice(b",\"metadata\":");
            metadata.write_json(out);
        }
    }

    pub(crate) fn write_members<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        if let Some(timestamp) = &self.timestamp {
            map.serialize_entry("timestamp", timestamp)?;
        }
        if let Some(raw_event) = &self.raw_event {
            map.serialize_entry("rawEvent", raw_event)?;
        }
        if let Some(metadata) = &self.metadata {
            map.serialize_entry("metadata", metadata)?;
        }
        Ok(())
    }
}
