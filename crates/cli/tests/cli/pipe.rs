//! Pipes: read as they fill, and left in peace when they break.

use std::{
    io::{BufRead, BufReader, Write},
    process::ChildStdin,
};

use crate::support::{HELLO, finish, forestage, jsonl};

fn send(pipe: &mut ChildStdin, event: &str) {
    writeln!(pipe, "{event}").unwrap();
    pipe.flush().unwrap();
}

#[test]
fn events_come_out_before_the_stream_ends() {
    for args in [&["stream", "expand"][..], &["stream", "verify"], &["stream", "convert", "--to", "jsonl"]] {
        let mut child = forestage(args).spawn().unwrap();
        let mut pipe = child.stdin.take().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap());
        for event in &HELLO[..2] {
            send(&mut pipe, event);
            let mut line = String::new();
            lines.read_line(&mut line).unwrap();
            let name = event.split('"').nth(3).unwrap();
            assert!(line.contains(name), "{args:?}: {line}");
        }
        drop(pipe);
        child.wait().unwrap();
    }
}

#[test]
fn a_closed_pipe_ends_the_command_without_a_panic() {
    let long = jsonl(&HELLO).repeat(5000);
    for args in [
        &["stream", "expand"][..],
        &["stream", "verify"],
        &["stream", "fold"],
        &["stream", "fold", "--json"],
        &["stream", "compact"],
        &["stream", "convert", "--to", "sse"],
        &["schema"],
        &["its", "prompt"],
        &["a2ui", "prompt"],
        &["agents", "schema"],
        &["keys", "hash"],
        &["serve", "--print-config"],
        &["serve", "--store", "memory:", "--listen", "127.0.0.1:0"],
    ] {
        // Nobody reads this pipe from the beginning, so that the first write fails.
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let (code, _, stderr) = finish(forestage(args).stdout(writer), &long);
        assert_eq!((code, stderr.as_str()), (141, ""), "{args:?}");
    }
}
