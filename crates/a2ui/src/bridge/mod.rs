//! One surface, many clients: what 0.8 drew for clients of 0.9 and the other way round, `a2ui.v1` views as surfaces, and
//! what a certain client would refuse.

mod raise;
mod value;

pub(crate) use self::raise::raise;
