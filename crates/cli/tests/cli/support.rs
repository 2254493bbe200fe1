//! Running the command.

use std::{
    io::Write,
    path::PathBuf,
    process::{Command, Stdio},
    sync::{
        atomic::{AtomicUsize, Ordering},
        mpsc,
    },
    time::Duration,
};

use serde_json::{Value, json};

/// What the tests call.
pub(crate) const FORESTAGE: &str = env!("CARGO_BIN_EXE_forestage");

/// A run that says hello, event by event.
pub(crate) const HELLO: [&str; 5] = [
    r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#,
    r#"{"type":"TEXT_MESSAGE_START","messageId":"m","role":"assistant"}"#,
    r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"Hello"}"#,
    r#"{"type":"TEXT_MESSAGE_END","messageId":"m"}"#,
    r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r"}"#,
];

/// The command, with nothing of the environment that could change its mind.
pub(crate) fn forestage(args: &[&str]) -> Command {
    let mut command = Command::new(FORESTAGE);
    command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    for name in ["AGUI_INPUT", "AGUI_MAX_PROTOCOL_VERSION", "NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"] {
        command.env_remove(name);
    }
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("FORESTAGE_"))
    {
        command.env_remove(name);
    }
    command
}

/// Runs the command to its end: exit code, standard output as bytes, standard error.
pub(crate) fn run_bytes(args: &[&str], stdin: impl AsRef<[u8]>) -> (i32, Vec<u8>, String) {
    finish(&mut forestage(args), stdin)
}

/// Runs the command to its end: exit code, standard output, standard error.
pub(crate) fn run(args: &[&str], stdin: impl AsRef<[u8]>) -> (i32, String, String) {
    let (code, stdout, stderr) = run_bytes(args, stdin);
    (code, String::from_utf8(stdout).unwrap(), stderr)
}

/// Runs the command and reads its standard output as one JSON value.
pub(crate) fn run_json(args: &[&str], stdin: impl AsRef<[u8]>) -> (i32, Value) {
    let (code, stdout, stderr) = run(args, stdin);
    let value =
        serde_json::from_str(&stdout).unwrap_or_else(|error| panic!("{error}: {stdout:?} {stderr:?}"));
    (code, value)
}

/// Runs a prepared command to its end.
pub(crate) fn finish(command: &mut Command, stdin: impl AsRef<[u8]>) -> (i32, Vec<u8>, String) {
    let mut child = command.spawn().unwrap();
    let mut pipe = child.stdin.take().unwrap();
    let bytes = stdin.as_ref().to_vec();
    // A command that stops early closes its input, which is no concern of the test.
    let writer = std::thread::spawn(move || drop(pipe.write_all(&bytes)));
    let alarm = alarm(child.id());
    let output = child.wait_with_output().unwrap();
    drop(alarm);
    writer.join().unwrap();
    (output.status.code().unwrap(), output.stdout, String::from_utf8(output.stderr).unwrap())
}

/// Kills a command that takes a minute, so that a test that hangs is a test that fails. Dropping it calls it off.
fn alarm(pid: u32) -> mpsc::Sender<()> {
    let (sender, called_off) = mpsc::channel();
    std::thread::spawn(move || {
        if called_off.recv_timeout(Duration::from_secs(60)) == Err(mpsc::RecvTimeoutError::Timeout) {
            let _ = Command::new("kill").args(["-9", &pid.to_string()]).status();
        }
    });
    sender
}

/// Events as JSON lines.
pub(crate) fn jsonl(events: &[&str]) -> String {
    events.iter().map(|event| format!("{event}\n")).collect()
}

/// A run around these events.
pub(crate) fn run_of(events: &[&str]) -> String {
    jsonl(&[&HELLO[..1], events, &HELLO[4..]].concat())
}

/// JSON lines as values.
pub(crate) fn values(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The types of events in JSON lines.
pub(crate) fn types(text: &str) -> Vec<String> {
    values(text).iter().map(|event| event["type"].as_str().unwrap().to_owned()).collect()
}

/// A file with this content. Tests that share one do so at the same time, so it is there at once or not at all.
pub(crate) fn file(name: &str, content: impl AsRef<[u8]>) -> PathBuf {
    static DRAFTS: AtomicUsize = AtomicUsize::new(0);
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("cli");
    std::fs::create_dir_all(&folder).unwrap();
    // Tests may be processes of their own, so the number alone would not be unique.
    let number = DRAFTS.fetch_add(1, Ordering::Relaxed);
    let draft = folder.join(format!("{}-{number}.draft", std::process::id()));
    let path = folder.join(name);
    std::fs::write(&draft, content).unwrap();
    std::fs::rename(&draft, &path).unwrap();
    path
}

/// The result of a fold that nothing has happened in.
pub(crate) fn empty_fold() -> Value {
    json!({
        "ok": true, "error": null, "warnings": [], "messages": [], "state": {}, "outcome": null, "events": [],
    })
}
