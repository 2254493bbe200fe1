//! The functions that a surface may call, with the results that renderers show.
//!
//! They are those of the basic catalog of 0.9 and the ones that web renderers have beside them, in both spellings
//! (`not_equals`, `notEquals`). A function that fails has no value; [`Evaluated::faults`](crate::surface::Evaluated)
//! says why. Nothing is ever done: `openUrl` is looked at and not opened.

mod action;
mod args;
mod check;
mod civil;
mod date;
mod logic;
mod math;
mod number;
mod plural;
mod regex;
mod template;
mod text;
mod url;
mod validate;

use serde_json::{Map, Value};

use self::args::Args;
use crate::surface::{Evaluator, PathError};

pub use self::{
    action::{ActionError, Offer, offer},
    check::{FailedCheck, failed_checks},
    regex::MAX_PATTERN,
    template::{MAX_TEMPLATE_DEPTH, TemplateError, parse_template},
    url::{UrlError, check_url},
};

/// Calls nest so deep in the arguments of calls.
pub const MAX_CALL_DEPTH: usize = 5;

/// A call has at most so many arguments.
pub const MAX_ARGUMENTS: usize = 1_000;

/// Expressions in templates nest so deep, templates in templates included.
pub(crate) const MAX_NESTING: usize = 100;

/// One value may cost so much, in about bytes.
pub(crate) const MAX_WORK: usize = 4 << 20;

/// Why a function has no value.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FunctionError {
    /// There is no such function.
    #[error("there is no function `{name}`")]
    Unknown {
        /// Its name.
        name: String,
    },
    /// An argument has no value.
    #[error("`{function}` needs `{argument}`")]
    Missing {
        /// The function.
        function: &'static str,
        /// The argument.
        argument: &'static str,
    },
    /// An argument is of no use.
    #[error("`{argument}` of `{function}` must be {expected}")]
    Wrong {
        /// The function.
        function: &'static str,
        /// The argument.
        argument: &'static str,
        /// What it should be.
        expected: &'static str,
    },
    /// A template that cannot be read.
    #[error("cannot read the template of `formatString`: {0}")]
    Template(#[from] TemplateError),
    /// A pattern that cannot be read, or takes too long.
    #[error("cannot use the pattern of `regex`: {reason}")]
    Pattern {
        /// Why.
        reason: String,
    },
    /// An address that must not be opened.
    #[error("cannot open the address: {0}")]
    Url(#[from] UrlError),
    /// A path that cannot be read.
    #[error(transparent)]
    Path(PathError),
    /// Calls nest too deep.
    #[error("calls nest too deep")]
    TooDeep,
    /// More arguments than [`MAX_ARGUMENTS`].
    #[error("`{function}` has more than {MAX_ARGUMENTS} arguments")]
    TooManyArguments {
        /// The function.
        function: String,
    },
    /// A value that takes too much work.
    #[error("the value takes too much work")]
    TooMuch,
}

pub(crate) type Result<T = Option<Value>> = std::result::Result<T, FunctionError>;

/// Calls a function by its name.
pub(crate) fn call(name: &str, arguments: &Map<String, Value>, evaluator: &mut Evaluator<'_, '_>) -> Result {
    let args = |function| Args::new(function, arguments);
    let scope = evaluator.scope;
    let value = match name {
        "required" => validate::required(args("required"))?,
        "regex" => validate::regex(args("regex"))?,
        "length" => validate::length(args("length"))?,
        "numeric" => validate::numeric(args("numeric"))?,
        "email" => validate::email(args("email"))?,
        "formatString" => template::format_string(args("formatString"), evaluator)?,
        "formatNumber" => number::format_number(args("formatNumber"), scope.locale())?,
        "formatCurrency" => number::format_currency(args("formatCurrency"), scope.locale())?,
        "formatDate" => date::format_date(args("formatDate"), scope.utc_offset())?,
        "pluralize" => plural::pluralize(args("pluralize"), scope.locale())?,
        "openUrl" => return url::open_url(args("openUrl")),
        "and" => logic::and(args("and"))?,
        "or" => logic::or(args("or"))?,
        "not" => logic::not(args("not"))?,
        "equals" => logic::equals(args("equals"))?,
        "not_equals" | "notEquals" => logic::not_equals(args("not_equals"))?,
        "add" => math::add(args("add"))?,
        "subtract" => math::subtract(args("subtract"))?,
        "multiply" => math::multiply(args("multiply"))?,
        "divide" => math::divide(args("divide"))?,
        "greater_than" | "greaterThan" => math::greater_than(args("greater_than"))?,
        "less_than" | "lessThan" => math::less_than(args("less_than"))?,
        "contains" => text::contains(args("contains"))?,
        "starts_with" | "startsWith" => text::starts_with(args("starts_with"))?,
        "ends_with" | "endsWith" => text::ends_with(args("ends_with"))?,
        "capitalize" => text::capitalize(args("capitalize"))?,
        _ => return Err(FunctionError::Unknown { name: name.to_owned() }),
    };
    Ok(Some(value))
}
