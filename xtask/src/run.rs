//! Starting programs: the command is printed first, then run with its output left alone.

use std::env;
use std::ffi::OsStr;
use std::path::PathBuf;
use std::process::{Command, ExitCode, ExitStatus, Stdio};

use crate::Answer;

/// The cargo that started this program, so that a chosen toolchain stays chosen.
pub(crate) fn cargo(arguments: &str) -> Command {
    program(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()), arguments)
}

/// Any other program. `arguments` is split at blanks; what may hold a blank is added with [`Command::arg`].
pub(crate) fn program(name: impl AsRef<OsStr>, arguments: &str) -> Command {
    let mut command = Command::new(name);
    command.args(arguments.split_whitespace());
    command
}

/// Prints the command, runs it and fails unless it says yes.
pub(crate) fn run(command: &mut Command) -> Result<(), String> {
    let status = status(command)?;
    if status.success() { Ok(()) } else { Err(complaint(command, status)) }
}

/// Prints the command, runs it and turns how it ended into our exit code.
pub(crate) fn answer(command: &mut Command) -> Answer {
    Ok(yes_or_no(status(command)?.success()))
}

/// Our exit code for a question that was answered.
pub(crate) fn yes_or_no(yes: bool) -> ExitCode {
    if yes { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Prints the command, runs it and hands back how it ended.
pub(crate) fn status(command: &mut Command) -> Result<ExitStatus, String> {
    println!("$ {}", spell(command));
    command.status().map_err(|error| format!("cannot run `{}`: {error}", short_name(command)))
}

/// Prints the command and becomes it, where a process can: then Ctrl-C is the program's alone, and the terminal
/// waits until it has ended in order.
pub(crate) fn become_program(command: &mut Command) -> Answer {
    #[cfg(unix)]
    {
        use std::os::unix::process::CommandExt;
        println!("$ {}", spell(command));
        let error = command.exec();
        Err(format!("cannot run `{}`: {error}", short_name(command)))
    }
    #[cfg(not(unix))]
    answer(command)
}

/// Runs the command without a word and hands back what it printed.
pub(crate) fn output(command: &mut Command) -> Result<String, String> {
    let output = command
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| format!("cannot run `{}`: {error}", short_name(command)))?;
    if !output.status.success() {
        return Err(complaint(command, output.status));
    }
    String::from_utf8(output.stdout).map_err(|_| format!("`{}` printed no UTF-8", short_name(command)))
}

/// The folder cargo builds into: the one this program was built into.
pub(crate) fn target_dir() -> Result<PathBuf, String> {
    let executable = env::current_exe().map_err(|error| format!("cannot find my own file: {error}"))?;
    let target = executable.ancestors().nth(2).ok_or("my own file lies outside a build folder")?;
    Ok(target.to_path_buf())
}

/// Builds the `forestage` command (debug) and says where it is.
pub(crate) fn build_forestage() -> Result<PathBuf, String> {
    run(&mut cargo("build --package forestage-cli --bin forestage"))?;
    built("forestage")
}

/// The programs that tests drive as processes.
pub(crate) struct Programs {
    /// The command.
    pub(crate) forestage: PathBuf,
    /// A server with agents for tests.
    pub(crate) play: PathBuf,
    /// The applications in `examples/`.
    pub(crate) examples: PathBuf,
}

/// Builds the programs that tests drive (debug) and says where they are.
///
/// An example may use what only tests depend on. With one in the list cargo turns on the features that the tests have,
/// for the whole workspace, and so these programs share every crate with the tests instead of having their own.
pub(crate) fn build_programs() -> Result<Programs, String> {
    let programs = "--bin forestage --bin play --bin forestage-examples --example hello";
    run(&mut cargo(&format!("build --workspace {programs}")))?;
    Ok(Programs {
        forestage: built("forestage")?,
        play: built("play")?,
        examples: built("forestage-examples")?,
    })
}

fn built(binary: &str) -> Result<PathBuf, String> {
    Ok(target_dir()?.join("debug").join(format!("{binary}{}", env::consts::EXE_SUFFIX)))
}

/// True on a build machine, where a missing tool must not look like success.
pub(crate) fn in_ci() -> bool {
    env::var_os("CI").is_some_and(|value| !value.is_empty())
}

/// The command as one would type it: variables, program, arguments, and the folder if it is not the root.
fn spell(command: &Command) -> String {
    let variables = command.get_envs().filter_map(|(name, value)| {
        let value = value?.to_string_lossy();
        Some(format!("{}={}", name.to_string_lossy(), quote(&value)))
    });
    let arguments = command.get_args().map(|argument| quote(&argument.to_string_lossy()));
    let mut words: Vec<String> = variables.collect();
    words.push(short_name(command));
    words.extend(arguments);
    if let Some(folder) = command.get_current_dir() {
        words.push(format!("  # in {}", folder.display()));
    }
    words.join(" ")
}

/// The program's file name: `cargo`, not the path of the toolchain it came from.
fn short_name(command: &Command) -> String {
    let program = PathBuf::from(command.get_program());
    program.file_stem().unwrap_or(command.get_program()).to_string_lossy().into_owned()
}

fn quote(word: &str) -> String {
    let plain = |letter: char| letter.is_alphanumeric() || "-_./=:,@+%\\".contains(letter);
    if !word.is_empty() && word.chars().all(plain) { word.to_owned() } else { format!("'{word}'") }
}

/// Such as "`cargo build` ended with exit status: 101".
fn complaint(command: &Command, status: ExitStatus) -> String {
    let words = command.get_args().map(OsStr::to_string_lossy);
    let task: String = words
        .take(1)
        .filter(|word| word.chars().all(char::is_alphabetic))
        .map(|word| format!(" {word}"))
        .collect();
    format!("`{}{task}` ended with {status}", short_name(command))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_spelled_as_one_would_type_it() {
        let mut command = program("/opt/tools/npm", "run --silent");
        command.arg("two words").arg("").env("COLOR", "never").current_dir("web");
        assert_eq!(spell(&command), "COLOR=never npm run --silent 'two words' ''   # in web");
    }
}
