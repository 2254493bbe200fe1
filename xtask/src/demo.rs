//! `cargo xtask demo`: something to look at within a minute of cloning.
//!
//! It builds the web app and the command, and runs `forestage demo`, which serves the built-in agents on loopback and
//! says what to try. `--stream` is a tour of the language tools on the recordings in `examples/streams/` instead.

use std::path::Path;

use crate::Answer;
use crate::run::{become_program, build_forestage, program, status, yes_or_no};
use crate::web;

/// One stop of the tour: what to notice, what to run, and the exit code that is right.
struct Stop {
    notice: &'static str,
    arguments: &'static str,
    exit_code: i32,
}

const TOUR: &[Stop] = &[
    Stop {
        notice: "Is a recorded run legal AG-UI 1.0? This one says hello in four pieces.",
        arguments: "stream verify examples/streams/hello.jsonl",
        exit_code: 0,
    },
    Stop {
        notice: "A stream folds into what a person would see: messages, state, outcome.\n\
                 This recording is SSE text: a tool call, its result, and state that is patched on the way.",
        arguments: "stream fold examples/streams/tool-call.sse",
        exit_code: 0,
    },
    Stop {
        notice: "The same recording, compacted: fewer events, and they fold to exactly the same thing.",
        arguments: "stream compact examples/streams/tool-call.sse",
        exit_code: 0,
    },
    Stop {
        notice: "A broken recording: text arrives for a message that nobody opened.\n\
                 The verifier must name the event and say no (exit code 1).",
        arguments: "stream verify examples/streams/broken.jsonl",
        exit_code: 1,
    },
];

/// Builds the command and hands over to its demo, with all arguments but ours.
pub(crate) fn demo(arguments: &[String]) -> Answer {
    if !arguments.iter().any(|word| word == "--stream") {
        web::app()?;
    }
    let forestage = build_forestage()?;
    if arguments.iter().any(|word| word == "--stream") {
        println!("\nThe tools for streams, on three small recordings.");
        println!("(`forestage` below is {}.)", forestage.display());
        return tour(&forestage);
    }
    become_program(program(&forestage, "demo").args(arguments))
}

/// Walks through the stops; says no if one of them ended otherwise than it should.
fn tour(forestage: &Path) -> Answer {
    let mut surprises = 0;
    for (stop, number) in TOUR.iter().zip(1..) {
        println!("\n── {number} of {}\n{}\n", TOUR.len(), stop.notice);
        let code = status(&mut program(forestage, stop.arguments))?.code();
        surprises += usize::from(!explain(code, stop.exit_code));
    }
    println!("\nNow try your own recording: `forestage stream --help`. docs/ARCHITECTURE.md has the map.");
    Ok(yes_or_no(surprises == 0))
}

/// Says how a stop ended, where that is worth a line; true if it ended as it should.
fn explain(code: Option<i32>, expected: i32) -> bool {
    match code {
        Some(0) if expected == 0 => {}
        Some(code) if code == expected => println!("(exit code {code}, as it should be)"),
        Some(code) => println!("UNEXPECTED: exit code {code} instead of {expected}"),
        None => println!("UNEXPECTED: the command was killed"),
    }
    code == Some(expected)
}
