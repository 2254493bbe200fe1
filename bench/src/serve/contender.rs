//! The servers that are compared, and how each is started.

use std::{
    env,
    io::{BufRead, BufReader},
    net::SocketAddr,
    path::PathBuf,
    process::{Child, ChildStdin, Command, Stdio},
};

use super::{
    COPILOTKIT, FAST_API, NODE,
    load::{Loaded, Mode, Plan},
    script,
};
use crate::peer::{self, Skip};

/// A server to be measured.
#[derive(Clone, Debug)]
pub(crate) struct Contender {
    pub(crate) name: &'static str,
    /// The program and its arguments.
    pub(crate) command: Vec<String>,
    /// Where it runs agents.
    pub(crate) path: &'static str,
}

/// Where Forestage and all who imitate it run agents.
pub(crate) const PATH: &str = "/v1/agents/{agent}/runs";

impl Contender {
    /// A server of this program's own.
    pub(crate) fn own(name: &'static str, kind: &str) -> Self {
        Self { name, command: vec![own_program(), "server".to_owned(), kind.to_owned()], path: PATH }
    }

    /// Node's own server with the official encoder.
    pub(crate) fn node() -> Result<Self, Skip> {
        let packages = peer::node_packages().map_err(|reason| format!("{NODE}: {reason}"))?;
        Ok(Self { name: NODE, command: script_in("node", "serve.mjs", Some(packages))?, path: PATH })
    }

    /// FastAPI with the official package.
    pub(crate) fn fast_api() -> Result<Self, Skip> {
        let packages = ["ag-ui-protocol==1.0.0", "fastapi", "uvicorn[standard]"];
        let python = peer::python_environment("serve-python", &packages);
        let python = python.map_err(|reason| format!("{FAST_API}: {reason}"))?;
        Ok(Self {
            name: FAST_API,
            command: script_in(&python.to_string_lossy(), "serve.py", None)?,
            path: PATH,
        })
    }

    /// The runtime of CopilotKit, with a runner that keeps threads in memory.
    pub(crate) fn copilotkit() -> Result<Self, Skip> {
        let packages = peer::install_node_packages("copilotkit", &["@copilotkit/runtime@1.75.0"]);
        let packages = packages.map_err(|reason| format!("{COPILOTKIT}: {reason}"))?;
        let command = script_in("node", "serve-copilotkit.mjs", Some(packages))?;
        Ok(Self { name: COPILOTKIT, command, path: "/agent/{agent}/run" })
    }

    /// Starts the server, puts a load on it, and ends it.
    pub(crate) fn measure(&self, mode: Mode, streams: usize, times: Times) -> Result<Loaded, String> {
        let server = Running::start(&self.command).map_err(|reason| format!("{}: {reason}", self.name))?;
        let plan = Plan {
            mode,
            address: server.address,
            pid: server.child.id(),
            path: self.path.to_owned(),
            streams,
            warm_up: times.warm_up,
            window: times.window,
        };
        load(&plan).map_err(|reason| format!("{}, {mode:?} with {streams} streams: {reason}", self.name))
    }
}

/// How long to warm up and to measure, in milliseconds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Times {
    pub(crate) warm_up: u64,
    pub(crate) window: u64,
}

/// A script in `peers/` that is told where its packages are, if it has to be, and what to send.
fn script_in(program: &str, script: &str, packages: Option<PathBuf>) -> Result<Vec<String>, Skip> {
    let texts: Vec<String> = script::events().iter().map(ToString::to_string).collect();
    let paths = [Some(peer::file_of(script)), packages, Some(peer::stream_file(script, &texts)?)];
    let paths = paths.into_iter().flatten().map(|path| path.to_string_lossy().into_owned());
    Ok(std::iter::once(program.to_owned()).chain(paths).collect())
}

fn own_program() -> String {
    env::current_exe().unwrap_or_default().to_string_lossy().into_owned()
}

fn load(plan: &Plan) -> Result<Loaded, String> {
    let plan = serde_json::to_string(plan).map_err(|error| error.to_string())?;
    let output = Command::new(own_program()).args(["load", &plan]).output();
    let output = output.map_err(|error| error.to_string())?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).trim().to_owned());
    }
    serde_json::from_slice(&output.stdout).map_err(|error| error.to_string())
}

/// A server in a process of its own. It ends with its standard input, and is killed if it does not.
struct Running {
    child: Child,
    input: Option<ChildStdin>,
    address: SocketAddr,
}

impl Running {
    fn start(command: &[String]) -> Result<Self, String> {
        let (program, arguments) = command.split_first().ok_or("there is no program")?;
        let mut child = Command::new(program)
            .args(arguments)
            .env("NODE_ENV", "production")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .map_err(|error| format!("cannot run `{program}`: {error}"))?;
        let input = child.stdin.take();
        let mut said = String::new();
        let output = child.stdout.take().ok_or("the server has no output")?;
        // Whatever else it says is read as well, so that it never waits for us.
        let mut output = BufReader::new(output);
        while let Ok(count) = output.read_line(&mut said)
            && count > 0
        {
            if let Some(address) = address_in(&said) {
                std::thread::spawn(move || std::io::copy(&mut output, &mut std::io::sink()));
                return Ok(Self { child, input, address });
            }
            said.clear();
        }
        let _ = child.kill();
        let _ = child.wait();
        Err("it ended before it listened".to_owned())
    }
}

fn address_in(line: &str) -> Option<SocketAddr> {
    line.trim().strip_prefix("listening on ")?.parse().ok()
}

impl Drop for Running {
    fn drop(&mut self) {
        self.input.take();
        for _ in 0..100 {
            if let Ok(Some(_)) = self.child.try_wait() {
                return;
            }
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
