//! Script agents through their public surface: mistakes, steps, rules, questions, folders, examples.

#![expect(clippy::unwrap_used, reason = "a test that unwraps fails where it should")]

mod asks;
mod errors;
mod examples;
mod folders;
mod house;
mod rules;
mod schema;
mod steps;
mod support;
mod surfaces;
mod views;
