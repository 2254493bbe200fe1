//! Whole numbers that every JSON reader can hold.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

use crate::wire::{Reader, Refused, Shape, Wire, write};

/// The largest whole number that a double holds exactly.
pub const MAX_SAFE: i64 = (1 << 53) - 1;

/// A whole number between two bounds, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Bounded<const MIN: i64, const MAX: i64>(i64);

/// Milliseconds since 1970 by convention. Informational: never used for ordering.
pub type Timestamp = Bounded<{ -MAX_SAFE }, MAX_SAFE>;
/// A count: zero or more.
pub type Count = Bounded<0, MAX_SAFE>;

impl<const MIN: i64, const MAX: i64> Bounded<MIN, MAX> {
    /// The number, if it is within the bounds.
    #[must_use]
    pub const fn new(value: i64) -> Option<Self> {
        if value < MIN || value > MAX { None } else { Some(Self(value)) }
    }

    /// The number.
    #[must_use]
    pub const fn get(self) -> i64 {
        self.0
    }
}

impl<const MIN: i64, const MAX: i64> Serialize for Bounded<MIN, MAX> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_i64(self.0)
    }
}

impl<'de, const MIN: i64, const MAX: i64> Deserialize<'de> for Bounded<MIN, MAX> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = i64::deserialize(deserializer)?;
        Self::new(value)
            .ok_or_else(|| D::Error::custom(format_args!("{value} is not within {MIN} and {MAX}")))
    }
}

impl<const MIN: i64, const MAX: i64> Wire for Bounded<MIN, MAX> {
    const SHAPE: Shape = Shape::Integer { min: MIN, max: MAX };

    fn write_json(&self, out: &mut Vec<u8>) {
        write::integer(self.0, out);
    }

    fn read_json(reader: &mut Reader<'_>) -> Result<Self, Refused> {
        Self::new(reader.integer()?).ok_or(Refused)
    }
}
