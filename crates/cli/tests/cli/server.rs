//! A real server for a test: its own port, its own folder, gone when the test is.

use std::{
    io::{BufRead, BufReader, Write},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
};

use serde_json::Value;
use tempfile::TempDir;

use crate::support::{FORESTAGE, finish, forestage};

/// A server that runs.
pub(crate) struct Server {
    child: Child,
    folder: TempDir,
    pub(crate) url: String,
}

impl Server {
    /// A server with a store in a folder of its own.
    pub(crate) fn start() -> Self {
        Self::start_in(TempDir::new().unwrap(), &[])
    }

    /// A server with these flags as well.
    pub(crate) fn start_with(flags: &[&str]) -> Self {
        Self::start_in(TempDir::new().unwrap(), flags)
    }

    fn start_in(folder: TempDir, flags: &[&str]) -> Self {
        Self::start_as(forestage(&["serve", "--json", "--log", "error"]), folder, flags)
    }

    /// A server that a file may be too long for: it is told so, and not killed.
    #[cfg(target_os = "linux")]
    pub(crate) fn start_for_full_disks() -> Self {
        let mut shell = Command::new("sh");
        shell.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        shell.args(["-c", "trap '' XFSZ; exec \"$0\" \"$@\"", FORESTAGE, "serve", "--json", "--log", "off"]);
        Self::start_as(shell, TempDir::new().unwrap(), &[])
    }

    fn start_as(mut command: Command, folder: TempDir, flags: &[&str]) -> Self {
        if !flags.contains(&"--listen") {
            command.args(["--listen", "127.0.0.1:0"]);
        }
        let mut child = command.args(flags).current_dir(folder.path()).spawn().unwrap();
        let url = announced(&mut child);
        Self { child, folder, url }
    }

    /// Kills it as a crash would, and starts another one on the same store and address.
    pub(crate) fn kill_and_restart(mut self, flags: &[&str]) -> Self {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
        let address = self.url.trim_start_matches("http://").to_owned();
        let folder = std::mem::replace(&mut self.folder, TempDir::new().unwrap());
        Self::start_in(folder, &[&["--listen", address.as_str()], flags].concat())
    }

    /// Asks it to stop and says how it ended.
    pub(crate) fn stop(&mut self) -> i32 {
        let pid = self.child.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &pid]).status().unwrap().success());
        self.child.wait().unwrap().code().unwrap()
    }

    /// Its process.
    pub(crate) fn pid(&self) -> String {
        self.child.id().to_string()
    }

    /// The folder it runs in.
    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// A file in its folder.
    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.folder().join(name)
    }

    /// A command that talks to it.
    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = forestage(args);
        command.current_dir(self.folder()).env("FORESTAGE_URL", &self.url);
        command
    }

    /// Runs a command that talks to it: exit code, standard output, standard error.
    pub(crate) fn run(&self, args: &[&str], stdin: &str) -> (i32, String, String) {
        let (code, stdout, stderr) = finish(&mut self.command(args), stdin);
        (code, String::from_utf8(stdout).unwrap(), stderr)
    }

    /// Runs a command that has to say yes, and returns what it printed.
    pub(crate) fn ok(&self, args: &[&str], stdin: &str) -> String {
        let (code, stdout, stderr) = self.run(args, stdin);
        assert_eq!(code, 0, "{args:?}: {stdout}{stderr}");
        stdout
    }

    /// Has a conversation of these lines on a thread, and returns what was printed.
    pub(crate) fn chat(&self, agent: &str, thread: &str, lines: &str) -> String {
        self.ok(&["chat", agent, "--plain", "--thread", thread], lines)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The address in the first line that a server prints.
fn announced(child: &mut Child) -> String {
    let mut line = String::new();
    let stdout = child.stdout.take().unwrap();
    BufReader::new(stdout).read_line(&mut line).unwrap();
    let served: Value = serde_json::from_str(&line).unwrap_or_else(|error| {
        let mut said = String::new();
        let _ = std::io::Read::read_to_string(child.stderr.as_mut().unwrap(), &mut said);
        panic!("{error}: {line:?} {said}")
    });
    served["url"].as_str().unwrap().to_owned()
}

/// A command whose standard output is read line by line while it runs.
pub(crate) struct Lines {
    child: Child,
    out: BufReader<std::process::ChildStdout>,
}

impl Lines {
    pub(crate) fn of(mut command: Command) -> Self {
        let mut child = command.stdin(Stdio::null()).spawn().unwrap();
        let out = BufReader::new(child.stdout.take().unwrap());
        Self { child, out }
    }

    /// The same for a command that reads these lines first and waits for more.
    pub(crate) fn fed(mut command: Command, lines: &str) -> Self {
        let mut child = command.spawn().unwrap();
        child.stdin.as_mut().unwrap().write_all(lines.as_bytes()).unwrap();
        let out = BufReader::new(child.stdout.take().unwrap());
        Self { child, out }
    }

    /// Its process.
    pub(crate) fn pid(&self) -> String {
        self.child.id().to_string()
    }

    /// The next line; the end of the output is a failure of the test.
    pub(crate) fn next(&mut self) -> String {
        let mut line = String::new();
        assert!(self.out.read_line(&mut line).unwrap() > 0, "it ended");
        line
    }

    /// Reads on until a line has this in it.
    pub(crate) fn until(&mut self, text: &str) -> String {
        loop {
            let line = self.next();
            if line.contains(text) {
                return line;
            }
        }
    }
}

impl Drop for Lines {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
