//! Servers that are programs: started here, heard, and ended with all that they started.

use std::{
    collections::BTreeMap,
    env,
    process::Stdio,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use process_wrap::tokio::{CommandWrap, KillOnDrop};
use rmcp::{RoleClient, ServiceExt, service::RunningService, transport::TokioChildProcess};
use tokio::{
    io::{AsyncBufReadExt, BufReader},
    process::{ChildStderr, Command},
    time::timeout,
};

use super::{
    McpError, Spec,
    connect::{Ears, filled, plain, within},
};

/// So much of what a program says on its standard error is told when it does not start.
const MAX_TOLD: usize = 500;

/// What of our environment a program gets: enough to run, and no secret of ours.
const INHERITED: [&str; 22] = [
    "APPDATA",
    "HOME",
    "HOMEDRIVE",
    "HOMEPATH",
    "LANG",
    "LC_ALL",
    "LOCALAPPDATA",
    "LOGNAME",
    "PATH",
    "PATHEXT",
    "PROCESSOR_ARCHITECTURE",
    "PROGRAMFILES",
    "SHELL",
    "SYSTEMDRIVE",
    "SYSTEMROOT",
    "TEMP",
    "TERM",
    "TMP",
    "TMPDIR",
    "USER",
    "USERNAME",
    "USERPROFILE",
];

/// Starts a program, and says why where it does not come to speak.
pub(super) async fn program(
    spec: &Spec,
    command: &str,
    args: &[String],
    env: &BTreeMap<String, String>,
    ears: Ears,
) -> Result<RunningService<RoleClient, Ears>, McpError> {
    let secrets = filled(spec, env)?;
    let failed = |why: String| McpError::Start { server: spec.name.clone(), why };
    let inherited = INHERITED.iter().filter_map(|name| Some((name, env::var_os(name)?)));
    let mut program = Command::new(command);
    program.args(args).env_clear().envs(inherited).envs(&secrets);
    let started = TokioChildProcess::builder(whole(program)).stderr(Stdio::piped()).spawn();
    let (transport, stderr) = started.map_err(|error| failed(format!("`{command}`: {error}")))?;
    let told = Arc::new(Mutex::new(String::new()));
    let hearing = stderr.map(|stderr| tokio::spawn(hear(spec.name.clone(), stderr, told.clone())));
    let error = match within(spec, ears.serve(transport)).await? {
        Ok(running) => return Ok(running),
        Err(error) => error,
    };
    if let Some(hearing) = hearing {
        // What it said last is mostly why.
        let _ = timeout(Duration::from_secs(1), hearing).await;
    }
    let last = told.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let last = secrets
        .values()
        .filter(|secret| secret.len() > 5)
        .fold(last, |last, it| last.replace(it, "[secret]"));
    Err(failed(if last.is_empty() { plain(&error) } else { last }))
}

/// A program that ends with all that it started.
fn whole(program: Command) -> CommandWrap {
    let mut program = CommandWrap::from(program);
    program.wrap(KillOnDrop);
    #[cfg(unix)]
    program.wrap(process_wrap::tokio::ProcessGroup::leader());
    #[cfg(windows)]
    program.wrap(process_wrap::tokio::JobObject);
    program
}

/// Takes down what a program says beside the protocol: for the log, and its last line for whoever wonders.
async fn hear(server: String, stderr: ChildStderr, told: Arc<Mutex<String>>) {
    let mut lines = BufReader::new(stderr).lines();
    while let Ok(Some(line)) = lines.next_line().await {
        tracing::debug!(%server, "{line}");
        if !line.trim().is_empty() {
            *told.lock().unwrap_or_else(PoisonError::into_inner) = line.chars().take(MAX_TOLD).collect();
        }
    }
}
