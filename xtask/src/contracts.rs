//! The last part of `cargo xtask test`: every test that `docs/contracts.md` names has run and passed.
//!
//! Test runners write JUnit files into the reports folder while they run. This part reads those files, so a test that was
//! renamed, skipped, ignored or filtered out no longer proves anything.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use crate::install;
use crate::junit::{Case, Verdict, cases};
use crate::report::{Part, Setback};
use crate::run::target_dir;

const TABLE: &str = "docs/contracts.md";

/// The environment variable that tells test runners where to write their JUnit files.
pub(crate) const REPORTS: &str = "XTASK_REPORTS";

/// The folder for JUnit files.
pub(crate) fn reports() -> Result<PathBuf, String> {
    Ok(target_dir()?.join("reports"))
}

/// Empties the reports folder, so that no earlier run proves anything.
pub(crate) fn forget_reports() -> Result<(), String> {
    let folder = reports()?;
    let emptied = fs::remove_dir_all(&folder).or_else(|error| match error.kind() {
        std::io::ErrorKind::NotFound => Ok(()),
        _ => Err(error),
    });
    emptied
        .and_then(|()| fs::create_dir_all(&folder))
        .map_err(|error| format!("cannot empty {}: {error}", folder.display()))
}

/// Copies what nextest has reported under a profile, where it could begin at all.
pub(crate) fn keep_report(profile: &str) -> Result<(), String> {
    // Wherever cargo builds, nextest keeps what it writes in the workspace.
    let written = Path::new("target/nextest").join(profile).join("junit.xml");
    let kept = reports()?.join(format!("rust-{profile}.xml"));
    if !written.exists() {
        return Ok(());
    }
    // What is found there next time is of that time. The two folders may be on different disks.
    let moved = fs::copy(&written, &kept).and_then(|_| fs::remove_file(&written));
    moved.map_err(|error| format!("cannot move {}: {error}", written.display()))
}

/// Checks each row of the table against the reports of this run.
pub(crate) fn part() -> Part {
    if !install::on_path("cargo-nextest") {
        return install::missing("without cargo-nextest nothing reports which tests have passed".to_owned());
    }
    let table = fs::read_to_string(TABLE).map_err(|error| format!("cannot read {TABLE}: {error}"))?;
    let ran = read_reports(&reports()?)?;
    let proofs: Vec<Proof<'_>> = table.lines().flat_map(proofs).collect();
    let faults: Vec<Fault<'_>> = proofs.iter().filter_map(|proof| proof.fault(&ran)).collect();
    println!("{} tests named in {TABLE}, {} test cases reported by this run", proofs.len(), ran.len());
    for fault in &faults {
        println!("{fault}");
    }
    let reason = format!("{} tests that {TABLE} names did not run and pass", faults.len());
    match faults.iter().any(|fault| fault.verdict == Some(Verdict::Failed)) {
        _ if faults.is_empty() => Ok(()),
        true => Err(Setback::Failed(reason)),
        // Without a browser or the text of the contracts, for example, some cannot run.
        false => install::missing(reason),
    }
}

/// Every test case in the folder's files, with the path of its test file as far as the runner reports it.
fn read_reports(folder: &Path) -> Result<Vec<Case>, String> {
    let failed = |error: std::io::Error| format!("cannot read {}: {error}", folder.display());
    let mut all = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        all.extend(cases(&fs::read_to_string(entry.map_err(failed)?.path()).map_err(failed)?));
    }
    Ok(all)
}

/// A test that a row names.
#[derive(Debug, PartialEq)]
struct Proof<'a> {
    requirement: &'a str,
    path: &'a str,
    name: &'a str,
}

/// A proof that does not hold.
struct Fault<'a> {
    proof: &'a Proof<'a>,
    /// `None` if the test did not run.
    verdict: Option<Verdict>,
}

impl fmt::Display for Fault<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Proof { requirement, path, name } = self.proof;
        let word = match self.verdict {
            None => "did not run",
            Some(Verdict::Skipped) => "was skipped",
            Some(_) => "failed",
        };
        write!(f, "{requirement}: {path}::{name} {word}")
    }
}

/// The tests of one line of the table: everything in its third cell that is quoted as `path::name`.
fn proofs(line: &str) -> Vec<Proof<'_>> {
    let cells: Vec<&str> = line.trim_matches('|').split(" | ").map(str::trim).collect();
    let [requirement, _, proof] = cells[..] else { return Vec::new() };
    let quoted = proof.split('`').skip(1).step_by(2);
    quoted
        .filter_map(|test| test.split_once("::"))
        .map(|(path, name)| Proof { requirement, path, name })
        .collect()
}

impl Proof<'_> {
    /// Returns what is wrong with this proof; `None` if all of its cases ran and passed.
    fn fault(&self, ran: &[Case]) -> Option<Fault<'_>> {
        let verdicts: Vec<Verdict> =
            ran.iter().filter(|case| self.is_run_by(case)).map(|case| case.verdict).collect();
        let found = |wanted| verdicts.contains(&wanted).then_some(wanted);
        match found(Verdict::Failed).or(found(Verdict::Skipped)) {
            None if !verdicts.is_empty() => None,
            verdict => Some(Fault { proof: self, verdict }),
        }
    }

    fn is_run_by(&self, case: &Case) -> bool {
        match RustTest::at(self.path) {
            Some(test) => test.is_run_by(case, self.name),
            None => is_in_file(self.path, &case.class) && is_named(self.name, &case.name),
        }
    }
}

/// Where nextest finds the tests of a Rust file.
struct RustTest {
    /// Such as `forestage-server::dialect` for tests in `crates/server/tests/dialect/`.
    class: String,
    /// Such as `its_walk::` for those in its file `its_walk.rs`.
    module: String,
}

impl RustTest {
    fn at(path: &str) -> Option<Self> {
        let path = path.strip_suffix(".rs")?;
        // The examples are one package, beside the folder of the others.
        let (krate, inside) = path.strip_prefix("crates/").unwrap_or(path).split_once('/')?;
        let package = if krate == "forestage" { krate.to_owned() } else { format!("forestage-{krate}") };
        let mut modules: Vec<&str> = inside.split('/').collect();
        let class = match modules.remove(0) {
            "tests" => format!("{package}::{}", modules.remove(0)),
            _ => package,
        };
        modules.retain(|module| !matches!(*module, "mod" | "main" | "lib"));
        Some(Self { class, module: modules.iter().map(|module| format!("{module}::")).collect() })
    }

    /// A file's tests may be in modules of it, and a package's unit tests in its library or in its program.
    fn is_run_by(&self, case: &Case, name: &str) -> bool {
        let rest = case.class.strip_prefix(&self.class);
        let inside = case.name.strip_prefix(&self.module);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with("::bin/"))
            && inside.is_some_and(|inside| inside.rsplit("::").next() == Some(name))
    }
}

/// Runners in JavaScript report paths from the root of the package or of the machine.
fn is_in_file(path: &str, reported: &str) -> bool {
    let (longer, shorter) = if reported.len() > path.len() { (reported, path) } else { (path, reported) };
    longer.strip_suffix(shorter).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
}

/// Whether a reported name is the one that the table has. Names of groups stand in front of it, and `%s` stands for
/// whatever the test was run for.
fn is_named(name: &str, reported: &str) -> bool {
    let Some((before, after)) = name.split_once("%s") else {
        return reported.strip_suffix(name).is_some_and(|group| group.is_empty() || group.ends_with(" > "));
    };
    let reported = reported.rsplit(" > ").next().unwrap_or(reported);
    reported.strip_prefix(before).is_some_and(|rest| rest.len() > after.len() && rest.ends_with(after))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROW: &str = "| R0-001 | words | one: `crates/server/tests/dialect/its_walk.rs::a_walk`; two: `web/packages/react/test/a.test.tsx::%s is drawn` |";

    fn case(class: &str, name: &str, verdict: Verdict) -> Case {
        Case { class: class.to_owned(), name: name.to_owned(), verdict }
    }

    fn faults(ran: &[Case]) -> Vec<String> {
        proofs(ROW).iter().filter_map(|proof| proof.fault(ran).map(|fault| fault.to_string())).collect()
    }

    #[test]
    fn a_row_names_a_test_for_each_of_its_clauses() {
        let named: Vec<_> = proofs(ROW).iter().map(|proof| (proof.requirement, proof.name)).collect();
        assert_eq!(named, [("R0-001", "a_walk"), ("R0-001", "%s is drawn")]);
        assert_eq!(proofs("|---|---|---|"), []);
    }

    #[test]
    fn every_case_of_a_named_test_must_run_and_pass() {
        let walk = case("forestage-server::dialect", "its_walk::a_walk", Verdict::Passed);
        let quiz = case("test/a.test.tsx", "group > a quiz is drawn", Verdict::Passed);
        let slider = case("test/a.test.tsx", "group > a slider is drawn", Verdict::Failed);
        assert_eq!(faults(&[walk.clone(), quiz.clone()]), [""; 0]);
        assert_eq!(
            faults(&[walk.clone(), quiz, slider]),
            ["R0-001: web/packages/react/test/a.test.tsx::%s is drawn failed"]
        );
        let skipped = case("test/a.test.tsx", "a quiz is drawn", Verdict::Skipped);
        assert_eq!(
            faults(&[walk, skipped]),
            ["R0-001: web/packages/react/test/a.test.tsx::%s is drawn was skipped"]
        );
    }

    #[test]
    fn a_test_of_the_same_name_elsewhere_proves_nothing() {
        let elsewhere = [
            case("forestage-server::http", "its_walk::a_walk", Verdict::Passed),
            case("forestage-server::dialect", "agora_walk::a_walk", Verdict::Passed),
            case("forestage-server::dialects", "its_walk::a_walk", Verdict::Passed),
            case("test/aa.test.tsx", "a quiz is drawn", Verdict::Passed),
            case("test/a.test.tsx", "a quiz is drawn twice", Verdict::Passed),
        ];
        assert_eq!(faults(&elsewhere).len(), 2);
    }

    #[test]
    fn unit_tests_are_found_in_modules_of_libraries_and_programs() {
        let test = RustTest::at("crates/cli/src/chat/mod.rs").expect("a Rust file");
        assert!(test.is_run_by(
            &case("forestage-cli::bin/forestage", "chat::tests::works", Verdict::Passed),
            "works"
        ));
        assert!(test.is_run_by(&case("forestage-cli", "chat::tests::works", Verdict::Passed), "works"));
        assert!(!test.is_run_by(&case("forestage-client", "chat::tests::works", Verdict::Passed), "works"));
    }

    #[test]
    fn tests_of_the_examples_are_found_in_their_package() {
        let test = RustTest::at("examples/tests/apps/coach.rs").expect("a Rust file");
        assert!(test.is_run_by(&case("forestage-examples::apps", "coach::saves", Verdict::Passed), "saves"));
        assert!(!test.is_run_by(&case("forestage-examples::apps", "tutor::saves", Verdict::Passed), "saves"));
        assert!(RustTest::at("web/packages/react/test/a.test.tsx").is_none());
    }
}
