//! What files of agents are made of, for formats other than scripts.
//!
//! [`read`] makes a type of YAML and finds all mistakes at once, each with line, column and path. [`Placed`] keeps the
//! place of a value for checks that come later, [`text_of`] makes text of bytes; [`HouseMember`] and [`DeclaredTools`] are members that several formats
//! have in common.

pub use crate::script::{
    error::{Place, meant, text_of},
    house::HouseMember,
    schema::schema_of,
    tool::DeclaredTools,
    value::Time,
    yaml::{List, Placed, read_part as read},
};
