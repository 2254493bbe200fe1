//! Whole applications on Forestage, each in a folder of its own.
//!
//! | module | what | contract |
//! |---|---|---|
//! | [`coach`] | gets to know people with a form, and remembers them | 002, `/realtime` |
//! | [`inspection`] | accompanies an inspection, from the company's history to the report | 001, `/ws` |
//! | [`tutor`] | two courses with lessons that adapt to answers | 000, `/awp` |
//! | [`surfaces`] | books a table with a form that it draws | 003 |
//!
//! `hello` (004) is a program of its own, in twenty lines.

pub mod app;
pub mod db;

#[path = "../coach/mod.rs"]
pub mod coach;
#[path = "../inspection/mod.rs"]
pub mod inspection;
#[path = "../surfaces/mod.rs"]
pub mod surfaces;
#[path = "../tutor/mod.rs"]
pub mod tutor;
