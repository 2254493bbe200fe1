//! `serve` and `demo`: starting, announcing, stopping.

use std::{
    io::{Read, Write},
    net::TcpListener,
};

use crate::{
    server::{Lines, Server},
    support::{file, finish, forestage, run},
};

#[test]
fn a_server_stops_in_order_when_it_is_asked_to() {
    let mut server = Server::start();
    assert_eq!(server.stop(), 0);
}

#[test]
fn an_address_that_is_taken_is_told_with_a_way_out() {
    let server = Server::start();
    let address = server.url.trim_start_matches("http://");
    let mut second = forestage(&["serve", "--store", "memory:", "--listen", address]);
    let (code, _, stderr) = finish(second.current_dir(server.folder()), "");
    assert_eq!(code, 2);
    assert!(stderr.contains("may still be running"), "{stderr}");
    let other =
        stderr.split_once("--listen ").and_then(|(_, rest)| rest.split_once('`')).expect("a way out").0;
    assert!(other.starts_with("127.0.0.1:") && other != address, "{stderr}");
}

#[test]
fn other_machines_are_not_answered_without_keys() {
    let (code, _, stderr) =
        finish(&mut forestage(&["serve", "--store", "memory:", "--listen", "0.0.0.0:0"]), "");
    assert_eq!(code, 2);
    assert!(stderr.contains("no API keys"), "{stderr}");
}

#[test]
fn what_the_demo_says_to_try_works_as_pasted() {
    let folder = tempfile::TempDir::new().unwrap();
    let store = format!("sqlite:{}", folder.path().join("demo.db").display());
    let mut demo = Lines::of(forestage(&["demo", "--listen", "127.0.0.1:0", "--store", &store, "--fresh"]));
    demo.until("forestage chat --url http://127.0.0.1:");
    let line = demo.until("curl -N");
    let tail = demo.until("tail demo --after start");
    assert!(demo.until("kill -9 ").trim().ends_with(&demo.pid()), "it names itself");
    let shell = |line: &str| {
        let mut shell = std::process::Command::new("sh");
        // The shell becomes the program, so that ending it ends the program.
        shell.args(["-c", &format!("exec {}", line.trim())]).stdout(std::process::Stdio::piped());
        shell
    };
    let mut curl = Lines::of(shell(&line));
    curl.until("TEXT_MESSAGE_CONTENT");
    drop(curl);
    let mut follower = Lines::of(shell(&tail));
    follower.until("RUN_STARTED");
    follower.until("Brandt");
}

#[test]
fn nobody_listens_is_told_with_how_to_start_a_server() {
    let mut command = forestage(&["threads", "--url", "http://127.0.0.1:9"]);
    let (code, _, stderr) = finish(&mut command, "");
    assert_eq!(code, 2);
    assert!(stderr.contains("forestage serve") && stderr.contains("http://127.0.0.1:9"), "{stderr}");
}

#[test]
fn agents_come_from_a_folder_and_an_edit_answers_the_next_run() {
    let folder = tempfile::TempDir::new().unwrap();
    let script = folder.path().join("echo.yaml");
    std::fs::write(&script, "rules: [{ do: [{ text: 'first version' }] }]").unwrap();
    let server = Server::start_with(&["--agents", folder.path().to_str().unwrap()]);
    assert!(server.chat("echo", "t", "hi\n").contains("first version"));
    std::fs::write(&script, "rules: [{ do: [{ text: 'a second version' }] }]").unwrap();
    let mut number = 0;
    // Nothing tells when the folder was looked at, so the agent is asked until it has changed.
    loop {
        number += 1;
        if server.chat("echo", &format!("t{number}"), "hi\n").contains("a second version") {
            return;
        }
        assert!(number < 200, "it never changed");
    }
}

/// An agent elsewhere that answers one request with these lines.
fn elsewhere(lines: &'static str) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut request = [0; 4096];
        assert!(stream.read(&mut request).unwrap() > 0);
        let head = "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-type: application/x-ndjson";
        write!(stream, "{head}\r\ncontent-length: {}\r\n\r\n{lines}", lines.len()).unwrap();
    });
    url
}

#[test]
fn an_agent_elsewhere_is_configured_by_its_address() {
    let url = elsewhere(
        "{\"type\":\"TEXT_MESSAGE_CHUNK\",\"delta\":\"from elsewhere\"}\n{\"type\":\"RUN_FINISHED\"}",
    );
    let folder = tempfile::TempDir::new().unwrap();
    let config = folder.path().join("forestage.toml");
    std::fs::write(&config, format!("[[remotes]]\nname = 'coach'\nkind = 'ndjson'\nurl = '{url}'\n"))
        .unwrap();
    let server = Server::start_with(&["--config", config.to_str().unwrap()]);
    assert!(server.chat("coach", "t", "hi\n").contains("from elsewhere"));
}

#[test]
fn a_bad_script_is_told_with_file_and_line() {
    let folder = tempfile::TempDir::new().unwrap();
    std::fs::write(folder.path().join("bad.yaml"), "rules:\n  - do: [{ txt: x }]\n").unwrap();
    let agents = folder.path().to_str().unwrap();
    let (code, _, stderr) = finish(&mut forestage(&["serve", "--store", "memory:", "--agents", agents]), "");
    assert_eq!(code, 2);
    assert!(stderr.contains("bad.yaml:2:") && stderr.contains("`text`"), "{stderr}");
}

#[test]
fn a_folder_that_is_named_has_to_be_there() {
    let (code, _, stderr) =
        finish(&mut forestage(&["serve", "--store", "memory:", "--agents", "no-such"]), "");
    assert_eq!(code, 2);
    assert!(stderr.contains("no-such"), "{stderr}");
}

/// What a page on another origin is told when it asks for something.
fn asked_by_page(url: &str, path: &str) -> String {
    let address = url.trim_start_matches("http://");
    let mut stream = std::net::TcpStream::connect(address).unwrap();
    let request = format!(
        "GET {path} HTTP/1.1\r\nhost: {address}\r\norigin: http://localhost:5173\r\nconnection: close\r\n\r\n"
    );
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

#[test]
fn pages_use_the_demo_if_it_is_told_to_let_them() {
    let start = |flags: &[&str], variable: Option<&str>| {
        let mut demo =
            forestage(&[&["demo", "--listen", "127.0.0.1:0", "--store", "memory:"], flags].concat());
        if let Some(origins) = variable {
            demo.env("FORESTAGE_ALLOW_ORIGINS", origins);
        }
        let mut demo = Lines::of(demo);
        let line = demo.until("chat --url http://127.0.0.1:");
        let url = line.split_whitespace().find(|word| word.starts_with("http://")).unwrap().to_owned();
        (demo, url)
    };
    let allowed = "access-control-allow-origin: http://localhost:5173";
    let (_demo, url) =
        start(&["--allow-origins", "http://localhost:5173", "--copilotkit-agent", "hello"], None);
    let answer = asked_by_page(&url, "/copilotkit/info");
    assert!(answer.contains(allowed) && answer.contains("default"), "{answer}");
    let (_demo, url) = start(&[], Some("http://localhost:5173"));
    assert!(asked_by_page(&url, "/v1/agents").contains(allowed));
    let (_demo, url) = start(&[], None);
    assert!(!asked_by_page(&url, "/v1/agents").contains("access-control-allow-origin"));
}

#[test]
fn a_fresh_demo_deletes_nothing_that_is_not_its_own() {
    let precious = file("precious.db", "years of work");
    let store = format!("sqlite:{}", precious.display());
    let (code, _, error) = run(&["demo", "--fresh", "--listen", "127.0.0.1:0", "--store", &store], "");
    assert_ne!(code, 0);
    assert!(error.contains("not a store of forestage"), "{error}");
    assert_eq!(std::fs::read_to_string(&precious).unwrap(), "years of work");
}

#[test]
fn a_fresh_demo_deletes_nothing_that_a_server_uses() {
    let server = Server::start();
    server.chat("hello", "kept", "hi\n");
    let store = format!("sqlite:{}", server.file("forestage.db").display());
    let (code, _, error) = run(&["demo", "--fresh", "--listen", "127.0.0.1:0", "--store", &store], "");
    assert_ne!(code, 0);
    assert!(error.contains("forestage.db is in use"), "{error}");
    assert!(server.ok(&["threads"], "").contains("kept"));
}

#[test]
fn a_copy_of_the_one_file_of_a_stopped_server_has_everything() {
    let mut server = Server::start();
    server.chat("hello", "kept", "hi\n");
    let mut follower = Lines::of(server.command(&["tail", "kept", "--after", "start"]));
    follower.until("RUN_FINISHED");
    assert_eq!(server.stop(), 0);
    let folder = tempfile::TempDir::new().unwrap();
    let copy = folder.path().join("copy.db");
    std::fs::copy(server.file("forestage.db"), &copy).unwrap();
    let restored = Server::start_with(&["--store", &format!("sqlite:{}", copy.display())]);
    assert!(restored.ok(&["threads"], "").contains("kept"));
}

#[test]
fn a_variable_that_nothing_reads_is_told_with_a_suggestion() {
    let mut command = forestage(&["serve", "--json", "--store", "memory:", "--log", "warn"]);
    // Nothing else would be told, and the server ends because the address is no address of this machine.
    command
        .args(["--listen", "192.0.2.1:1"])
        .env("FORESTAGE_LISTNE", "127.0.0.1:0")
        .env("FORESTAGE_KEY", "k");
    let (_, _, stderr) = finish(&mut command, "");
    assert!(stderr.contains("`FORESTAGE_LISTNE`") && stderr.contains("mean `FORESTAGE_LISTEN`?"), "{stderr}");
    assert!(!stderr.contains("FORESTAGE_KEY"), "{stderr}");
}

/// What a server answers to a request without a body.
#[cfg(target_os = "linux")]
fn asked(url: &str, path: &str) -> String {
    let address = url.trim_start_matches("http://");
    let mut stream = std::net::TcpStream::connect(address).unwrap();
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

/// A limit on the length of files stands for a full disk: every write behind it fails.
#[cfg(target_os = "linux")]
#[test]
fn a_server_without_room_is_not_ready_until_it_has_room() {
    let mut server = Server::start_for_full_disks();
    let pid = server.pid();
    let limit = |bytes: &str| {
        let mut prlimit = std::process::Command::new("prlimit");
        assert!(prlimit.args(["--pid", &pid, &format!("--fsize={bytes}:")]).status().unwrap().success());
    };
    assert!(asked(&server.url, "/readyz").contains("200 OK"));
    limit("4096");
    let (code, ..) = server.run(&["chat", "hello", "--plain", "--thread", "t"], "hi\n");
    assert_ne!(code, 0, "nothing can be written");
    let answer = asked(&server.url, "/readyz");
    assert!(answer.contains("503") && answer.contains("store_unwritable"), "{answer}");
    limit("unlimited");
    assert!(asked(&server.url, "/readyz").contains("200 OK"), "it finds out when it is asked");
    server.chat("hello", "t", "hi\n");
    assert_eq!(server.stop(), 0);
}
