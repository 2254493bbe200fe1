//! The workshop: `cargo xtask <task>` is how this repository is shown, tested, checked and measured.
//!
//! It depends on the standard library alone, so its first build takes a second. Every command it starts is
//! printed before it runs and can be copied into a shell. Exit code 0 means yes, 1 means no, 2 means that the
//! call was wrong or a tool is missing.

mod demo;
mod test;
mod conformance;
mod contracts;
mod check;
mod hygiene;
mod bench;
mod fuzz;
mod mutants;
mod web;

mod install;
mod interop;
mod junit;
mod report;
mod run;

use std::env;
use std::fs;
use std::path::Path;
use std::process::ExitCode;

/// What a task answers: an exit code, or a sentence that says why it could not begin.
type Answer = Result<ExitCode, String>;

/// One line of the help and the function behind it.
struct Task {
    name: &'static str,
    arguments: &'static str,
    about: &'static str,
    run: fn(&[String]) -> Answer,
}

const TASKS: &[Task] = &[
    Task {
        name: "demo",
        arguments: "[--stream] [--listen ADDRESS] [--fresh]",
        about: "serve the built-in agents and say what to try; --stream shows the stream tools",
        run: demo::demo,
    },
    Task {
        name: "test",
        arguments: "[rust|interop|web|conformance ...]",
        about: "install what the tests need and run them all, or the named groups",
        run: test::test,
    },
    Task {
        name: "versions",
        arguments: "[0.0.N ...]",
        about: "run every published AG-UI client, or the named ones, against a server",
        run: interop::versions,
    },
    Task {
        name: "check",
        arguments: "",
        about: "formatting, lints, docs, licences, nothing of one machine in the tree",
        run: check::check,
    },
    Task {
        name: "bench",
        arguments: "a2ui|codec|fold|log|serve [--quick]",
        about: "measure against peers and floors",
        run: bench::bench,
    },
    Task {
        name: "fuzz",
        arguments: "[target] [--seconds N]",
        about: "fuzz one target or all of them, 60 s each",
        run: fuzz::fuzz,
    },
    Task {
        name: "mutants",
        arguments: "[area ...] [--sample N] [--shard K/N ...]",
        about: "change the code and see whether a test notices; takes hours",
        run: mutants::mutants,
    },
    Task { name: "web", arguments: "", about: "build the packages for the browser", run: web::web },
];

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    match enter_workspace().and_then(|()| dispatch(&arguments)) {
        Ok(code) => code,
        Err(message) => {
            eprintln!("xtask: {message}");
            ExitCode::from(2)
        }
    }
}

fn dispatch(arguments: &[String]) -> Answer {
    let Some((name, rest)) = arguments.split_first() else {
        print_help();
        return Ok(ExitCode::from(2));
    };
    if matches!(name.as_str(), "help" | "--help" | "-h")
        || rest.iter().any(|word| word == "--help" || word == "-h")
    {
        print_help();
        return Ok(ExitCode::SUCCESS);
    }
    let task = TASKS
        .iter()
        .find(|task| task.name == name)
        .ok_or_else(|| format!("no task is named `{name}`; `cargo xtask --help` lists them"))?;
    (task.run)(rest)
}

fn print_help() {
    println!("The workshop of Forestage.\n\nUsage: cargo xtask <task> [arguments]\n");
    for Task { name, arguments, about, .. } in TASKS {
        println!("  {:<37} {about}", format!("{name} {arguments}"));
    }
    println!("\nWith CI set (to anything), a missing tool that a test needs is a failure instead of a skip.");
    println!("FORESTAGE_CONFORMANCE names a folder with the official AG-UI conformance data.");
    println!("FORESTAGE_CONTRACTS names a folder with the text of the tutoring contract, 000-*.md.");
}

/// Makes the workspace root the current folder, so that every path in this program is relative to it.
///
/// The variable is read at run time, not with `env!`: a build folder shared by several checkouts may hold a
/// binary that was compiled in another one.
fn enter_workspace() -> Result<(), String> {
    let manifest = env::var_os("CARGO_MANIFEST_DIR").ok_or("run me as `cargo xtask`")?;
    let root = Path::new(&manifest).parent().ok_or("xtask lies outside a workspace")?;
    env::set_current_dir(root).map_err(|error| format!("cannot enter {}: {error}", root.display()))?;
    sign_build_folder(root)
}

/// Writes into the build folder which checkout used it last: `.ci/run` reads it, and has everything compiled again where
/// that was another one.
fn sign_build_folder(root: &Path) -> Result<(), String> {
    let file = run::target_dir()?.join(".checkout");
    let line = format!("{}\n", root.display());
    if fs::read_to_string(&file).is_ok_and(|old| old == line) {
        return Ok(());
    }
    fs::write(&file, line).map_err(|error| format!("cannot write {}: {error}", file.display()))
}

/// Fails for a task that takes no arguments and got some.
fn no_arguments(task: &str, arguments: &[String]) -> Result<(), String> {
    match arguments.first() {
        None => Ok(()),
        Some(word) => Err(format!("`{task}` takes no arguments, not even `{word}`")),
    }
}
