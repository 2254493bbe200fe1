//! Answers that break off: a reader says so, and leaves nothing behind that looks complete.

use std::{
    fs,
    io::{BufRead, BufReader, Write},
    net::{TcpListener, TcpStream},
    thread,
};

use tempfile::TempDir;

use crate::support::{HELLO, finish, forestage};

/// A peer that answers every request with the beginning of a thread, and resets the connection before the last chunk.
fn breaking_off() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    thread::spawn(move || listener.incoming().for_each(|stream| answer(stream.unwrap())));
    url
}

fn answer(mut stream: TcpStream) {
    let mut head = BufReader::new(stream.try_clone().unwrap()).lines().map_while(Result::ok);
    let request = head.next().unwrap_or_default();
    head.take_while(|line| !line.is_empty()).for_each(drop);
    let (kind, body) = match request.contains("format=jsonl") {
        true => {
            ("application/x-ndjson", HELLO[..3].iter().map(|event| format!("{event}\n")).collect::<String>())
        }
        false => {
            let frame = |(at, event): (usize, &&str)| format!("id: 1.{}\ndata: {event}\n\n", at + 1);
            ("text/event-stream", HELLO[..3].iter().enumerate().map(frame).collect())
        }
    };
    let head = format!("HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\ntransfer-encoding: chunked\r\n\r\n");
    let chunk = format!("{:x}\r\n{body}\r\n", body.len());
    // Whoever has enough may be gone.
    let _ = stream.write_all(format!("{head}{chunk}").as_bytes());
}

/// Runs a command against that peer in a folder: exit code, standard output, standard error.
fn run(folder: &TempDir, args: &[&str]) -> (i32, String, String) {
    let mut command = forestage(args);
    command.current_dir(folder.path()).env("FORESTAGE_URL", breaking_off());
    let (code, stdout, stderr) = finish(&mut command, "");
    (code, String::from_utf8(stdout).unwrap(), stderr)
}

#[test]
fn an_export_that_breaks_off_is_a_no_and_leaves_the_file_as_it_was() {
    let folder = TempDir::new().unwrap();
    let read = |name: &str| fs::read_to_string(folder.path().join(name));
    fs::write(folder.path().join("t.jsonl"), "the export of yesterday").unwrap();
    let (code, _, stderr) = run(&folder, &["export", "t", "-o", "t.jsonl"]);
    assert_eq!(code, 1, "{stderr}");
    assert!(stderr.contains("broke off") && stderr.contains("t.jsonl.partial"), "{stderr}");
    assert_eq!(read("t.jsonl").unwrap(), "the export of yesterday");
    assert_eq!(read("t.jsonl.partial").unwrap().lines().count(), 3);

    let (code, stdout, stderr) = run(&folder, &["export", "t"]);
    assert_eq!((code, stdout.lines().count()), (1, 3), "{stderr}");
}

#[test]
fn a_thread_that_breaks_off_is_not_played_as_if_it_were_whole() {
    let folder = TempDir::new().unwrap();
    for args in [&["replay", "t", "--speed", "max"][..], &["tail", "t", "--once", "--after", "start"]] {
        let (code, _, stderr) = run(&folder, args);
        assert_eq!(code, 1, "{args:?}: {stderr}");
        assert!(!stderr.is_empty(), "{args:?}");
    }
}

#[cfg(unix)]
#[test]
fn an_export_goes_to_what_is_not_a_file_as_it_comes() {
    let folder = TempDir::new().unwrap();
    let (code, stdout, stderr) = run(&folder, &["export", "t", "-o", "/dev/stdout"]);
    assert_eq!((code, stdout.lines().count()), (1, 3), "{stderr}");
    assert!(!std::path::Path::new("/dev/stdout.partial").exists());
}
