//! Script agents: agents that play from a YAML file.
//!
//! They mock a back end and show flows without a model. [`parse`] reads one, [`load_folder`] a folder of them,
//! [`watch_folder`] keeps up with a folder that is being edited, and [`builtin`] holds those that come along.
//! The format is described in `docs/script-agents.md` and, for editors, by [`schema`].
//!
//! ```
//! use forestage_runtime::script;
//!
//! let agent = script::parse("hello", "rules: [{ do: [{ text: 'Hello, {{user}}!' }] }]").unwrap();
//! let errors = script::parse("hello", "rules: [{ do: [{ txt: Hello }] }]").unwrap_err();
//! assert_eq!(
//!     errors[0].to_string(),
//!     "hello:1:18: rules[0].do[0].txt: unknown name `txt`, did you mean `text`?"
//! );
//! ```

mod agent;
mod builtin;
mod check;
pub(crate) mod error;
mod file;
mod folder;
pub(crate) mod house;
mod play;
mod rule;
pub(crate) mod schema;
mod step;
pub(crate) mod tool;
pub(crate) mod value;
mod watch;
pub(crate) mod yaml;

pub use self::{
    agent::{ScriptAgent, parse},
    builtin::builtin,
    error::{LoadError, ScriptError},
    folder::{load_folder, load_folder_among, names},
    schema::schema,
    watch::{Watch, watch_folder, watch_folder_among},
};
