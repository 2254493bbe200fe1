//! MCP Apps (SEP-1865, 2026-01-26): tools that bring a page along, and what such a page may ask for.
//!
//! ```text
//! a call of a tool with a page ──> resources/read ──> checked, kept by its hash
//!            └──> an activity `mcp-apps` with the input, the result and the hash
//! the page, in the browser ──> a run with what it asks for ──> tools/call, under the rules of the house
//! ```

mod answer;
mod hosts;
mod meta;
mod page;
mod show;

pub(crate) use self::answer::Expected;
pub(super) use self::{
    answer::Answers,
    hosts::check_host,
    meta::ToolMeta,
    page::fetch,
    show::{Show, Told},
};

/// The name of the extension.
pub(super) const EXTENSION: &str = "io.modelcontextprotocol/ui";
