//! Opens the web app for somebody who sits at this machine. `forestage demo` calls it.
//!
//! It never fails: whoever has no browser here reads the address in the terminal.

use std::{
    env,
    ffi::OsString,
    io::IsTerminal,
    process::{Command, Stdio},
    thread,
};

/// Opens a page in the browser of the person at this terminal, if there is one.
pub(crate) fn open(url: &str) {
    let is_seen = std::io::stdout().is_terminal();
    if !should_open(is_seen, |name| env::var_os(name)) {
        return;
    }
    let Ok(mut child) = opener(url).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn()
    else {
        return;
    };
    // Somebody has to wait for it, or it stays in the list of processes for as long as the server runs.
    thread::spawn(move || child.wait());
}

/// Whether a person is here to see a browser: programs that read our output, build machines and shells without a screen
/// have none.
fn should_open(is_terminal: bool, variable: impl Fn(&str) -> Option<OsString>) -> bool {
    let is_set = |name: &str| variable(name).is_some_and(|value| !value.is_empty());
    let has_screen =
        !cfg!(all(unix, not(target_os = "macos"))) || is_set("DISPLAY") || is_set("WAYLAND_DISPLAY");
    is_terminal && !is_set("CI") && !is_set("SSH_CONNECTION") && has_screen
}

fn opener(url: &str) -> Command {
    let (program, arguments): (&str, &[&str]) = if cfg!(target_os = "macos") {
        ("open", &[])
    } else if cfg!(windows) {
        // The empty argument is the title of a window; without it `start` takes the address for one.
        ("cmd", &["/C", "start", ""])
    } else {
        ("xdg-open", &[])
    };
    let mut command = Command::new(program);
    command.args(arguments).arg(url);
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_browser_is_opened_only_for_a_person_at_this_machine() {
        let opens = |is_terminal, set: &[&str]| {
            should_open(is_terminal, |name| set.contains(&name).then(|| OsString::from("1")))
        };
        assert!(opens(true, &["DISPLAY"]));
        assert!(opens(true, &["WAYLAND_DISPLAY"]));
        assert!(!opens(false, &["DISPLAY"]), "a program reads the output");
        assert!(!opens(true, &["DISPLAY", "CI"]), "a build machine");
        assert!(!opens(true, &["DISPLAY", "SSH_CONNECTION"]), "the screen is elsewhere");
        assert_eq!(opens(true, &[]), !cfg!(all(unix, not(target_os = "macos"))), "no screen");
        assert!(
            !should_open(true, |_| Some(OsString::new())) || cfg!(not(target_os = "linux")),
            "set to nothing"
        );
    }
}
