//! Events read in one pass into owned strings, with payloads unparsed or parsed.

/// Floor A: payloads stay text.
pub(crate) mod raw {
    use std::fmt;

    use serde::{
        Deserialize, Deserializer, Serialize,
        de::{Error, MapAccess, Visitor, value::MapAccessDeserializer},
    };
    use serde_json::value::RawValue;

    use crate::floor::declare::{one_pass, structs, with_events};

    type Payload = Box<RawValue>;
    type Patch = Payload;
    type Metadata = Payload;

    with_events!(structs);
    with_events!(one_pass);
}

/// The same with payloads parsed, which is what can be folded.
pub(crate) mod parsed {
    use std::fmt;

    use serde::{
        Deserialize, Deserializer, Serialize,
        de::{Error, MapAccess, Visitor, value::MapAccessDeserializer},
    };
    use serde_json::{Map, Value};

    use crate::floor::declare::{one_pass, structs, with_events};

    type Payload = Value;
    type Patch = Vec<Operation>;
    pub(crate) type Metadata = Map<String, Value>;

    /// One operation of a JSON Patch, as far as our stream has them.
    #[derive(Serialize, Deserialize)]
    pub(crate) struct Operation {
        pub(crate) op: String,
        pub(crate) path: String,
        pub(crate) value: Value,
    }

    with_events!(structs);
    with_events!(one_pass);
}
