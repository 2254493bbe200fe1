//! Nothing in the tree may belong to one machine: no absolute paths, no package registry hosts.
//!
//! A lock file that names a mirror, or a test that reads somebody's home folder, works for its author and for
//! nobody else. The forbidden words are put together from pieces, so that this file does not name them.

use std::fs;
use std::path::Path;

use crate::report::{Part, Setback};
use crate::run::{output, program};

/// Folders at the root of a machine; `/<name>/` at the start of a path is forbidden.
const MACHINE_FOLDERS: [&str; 3] = ["work", "root", "home"];

/// Package registries, as (name, top-level domain).
const REGISTRIES: [(&str, &str); 4] =
    [("crates", "io"), ("registry.npmjs", "org"), ("pypi", "org"), ("files.pythonhosted", "org")];

/// Reads every file that is tracked or about to be, and names each line at fault.
pub(crate) fn check() -> Part {
    let listing = output(&mut program("git", "ls-files -z --cached --others --exclude-standard"))?;
    let mut faults = Vec::new();
    for path in listing.split_terminator('\0') {
        // Binary files, and files deleted but not yet committed, hold no text to judge.
        if let Ok(text) = fs::read_to_string(path) {
            faults.extend(faults_in(path, &text));
        }
    }
    for fault in &faults {
        println!("{fault}");
    }
    match faults.len() {
        0 => Ok(()),
        count => Err(Setback::Failed(format!("lines at fault: {count}"))),
    }
}

/// `path:line: what is wrong`, for each line at fault.
fn faults_in(path: &str, text: &str) -> Vec<String> {
    let rule = rule_for(path);
    let numbered = text.lines().zip(1..);
    numbered
        .filter_map(|(line, number)| rule(line).map(|fault| format!("{path}:{number}: {fault}")))
        .collect()
}

fn rule_for(path: &str) -> fn(&str) -> Option<String> {
    match Path::new(path).file_name().and_then(|name| name.to_str()) {
        Some("Cargo.lock") => cargo_lock_fault,
        Some("package-lock.json") => package_lock_fault,
        _ => text_fault,
    }
}

/// Cargo writes the public index's own name whatever mirror it fetched from; another name is a leak.
fn cargo_lock_fault(line: &str) -> Option<String> {
    let (name, domain) = REGISTRIES[0];
    let source = line.strip_prefix("source = ")?;
    let public = source.ends_with(&format!("/{name}.{domain}-index\""));
    (!public).then(|| format!("a dependency from {source}"))
}

fn package_lock_fault(line: &str) -> Option<String> {
    if line.trim_start().starts_with("\"resolved\": \"http") {
        return Some(
            "a \"resolved\" address; write the file with `--omit-lockfile-registry-resolved`".to_owned(),
        );
    }
    text_fault(line)
}

fn text_fault(line: &str) -> Option<String> {
    let folder =
        MACHINE_FOLDERS.iter().map(|name| format!("/{name}/")).find(|path| has_absolute_path(line, path));
    let host = || {
        REGISTRIES.iter().map(|(name, domain)| format!("{name}.{domain}")).find(|host| line.contains(host))
    };
    folder
        .map(|path| format!("a path of one machine ({path})"))
        .or_else(|| host().map(|host| format!("a registry ({host})")))
}

/// True where `path` begins a path: `"/x/y"` does, `a/x/y` and `~/x/y` do not.
fn has_absolute_path(line: &str, path: &str) -> bool {
    line.match_indices(path).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        before.is_none_or(|letter| !letter.is_alphanumeric() && !"._-~}*".contains(letter))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(path: &str, line: &str, expected: bool) {
        assert_eq!(!faults_in(path, line).is_empty(), expected, "{path}: {line}");
    }

    #[test]
    fn absolute_paths_of_a_machine_are_faults() {
        for name in MACHINE_FOLDERS {
            check("notes.md", &format!("see `/{name}/me/x`"), true);
            check("notes.md", &format!("/{name}/me"), true);
            check("notes.md", &format!("https://example.com/{name}/me"), false);
            check("notes.md", &format!("docs/{name}/me, ../{name}/me, $HOME/{name}"), false);
        }
    }

    #[test]
    fn registry_hosts_are_faults() {
        for (name, domain) in REGISTRIES {
            check("README.md", &format!("https://{name}.{domain}/x"), true);
        }
        check("README.md", "https://example.org/x", false);
    }

    #[test]
    fn lock_files_name_no_mirror() {
        let (name, domain) = REGISTRIES[0];
        check(
            "Cargo.lock",
            &format!("source = \"registry+https://github.com/rust-lang/{name}.{domain}-index\""),
            false,
        );
        check("bench/Cargo.lock", "source = \"registry+https://mirror.example/index\"", true);
        check(
            "interop/node/package-lock.json",
            "      \"resolved\": \"https://mirror.example/a.tgz\",",
            true,
        );
        check("interop/node/package-lock.json", "      \"resolved\": \"packages/client\",", false);
    }

    #[test]
    fn a_fault_names_file_and_line() {
        let (name, domain) = REGISTRIES[2];
        let text = format!("fine\nfrom {name}.{domain}\n");
        assert_eq!(faults_in("a.txt", &text), [format!("a.txt:2: a registry ({name}.{domain})")]);
    }
}
