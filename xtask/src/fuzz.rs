//! `cargo xtask fuzz`: feeds the decoders, the patcher and the pipeline bytes that nobody wrote.

use std::fs::create_dir_all;
use std::path::Path;
use std::process::{Command, ExitCode};

use crate::Answer;
use crate::install;
use crate::run::{cargo, output, status};

/// What to fuzz and for how long.
struct Plan {
    target: Option<String>,
    seconds: u32,
}

/// Fuzzes the named target, or each of them in turn; stops at the first crash.
pub(crate) fn fuzz(arguments: &[String]) -> Answer {
    let plan = parse(arguments)?;
    if !install::on_path("cargo-fuzz") {
        return Err("cargo-fuzz is not installed; `cargo install cargo-fuzz` brings it".to_owned());
    }
    for target in targets(plan.target)? {
        if !status(&mut campaign(&target, plan.seconds)?)?.success() {
            return Ok(ExitCode::FAILURE);
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// One target for a while: what it learns goes to `corpus/`, which is nobody's but this machine's; the samples
/// in `seeds/` and the words in `agui.dict` it starts from. The crates have no unsafe code for a sanitizer to
/// watch, and without one the targets run several times as fast, and on stable.
fn campaign(target: &str, seconds: u32) -> Result<Command, String> {
    let corpus = format!("corpus/{target}");
    create_dir_all(Path::new("fuzz").join(&corpus))
        .map_err(|error| format!("cannot create fuzz/{corpus}: {error}"))?;
    Ok(cargo_fuzz(&format!(
        "run --sanitizer none {target} {corpus} seeds/{target} -- -dict=agui.dict -max_total_time={seconds}"
    )))
}

fn targets(chosen: Option<String>) -> Result<Vec<String>, String> {
    match chosen {
        Some(target) => Ok(vec![target]),
        None => Ok(output(&mut cargo_fuzz("list"))?.lines().map(str::to_owned).collect()),
    }
}

fn cargo_fuzz(arguments: &str) -> Command {
    let mut command = cargo(&format!("fuzz {arguments}"));
    command.current_dir("fuzz");
    command
}

fn parse(arguments: &[String]) -> Result<Plan, String> {
    let mut plan = Plan { target: None, seconds: 60 };
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "--seconds" => plan.seconds = seconds(words.next())?,
            flag if flag.starts_with('-') => return Err(format!("`fuzz` knows no flag `{flag}`")),
            target if plan.target.is_none() => plan.target = Some(target.to_owned()),
            target => return Err(format!("`fuzz` takes one target; `{target}` is a second")),
        }
    }
    Ok(plan)
}

fn seconds(word: Option<&String>) -> Result<u32, String> {
    word.and_then(|word| word.parse().ok()).ok_or_else(|| "`--seconds` wants a whole number".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, expected: Result<(Option<&str>, u32), &str>) {
        let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        let plan = parse(&words);
        let plan = plan.as_ref().map(|plan| (plan.target.as_deref(), plan.seconds)).map_err(String::as_str);
        assert_eq!(plan, expected, "{line}");
    }

    #[test]
    fn target_and_seconds_come_in_any_order() {
        check("", Ok((None, 60)));
        check("sse", Ok((Some("sse"), 60)));
        check("--seconds 5 sse", Ok((Some("sse"), 5)));
        check("sse --seconds 5", Ok((Some("sse"), 5)));
    }

    #[test]
    fn a_wrong_call_is_named() {
        check("--seconds", Err("`--seconds` wants a whole number"));
        check("--seconds soon", Err("`--seconds` wants a whole number"));
        check("--fast", Err("`fuzz` knows no flag `--fast`"));
        check("sse patch", Err("`fuzz` takes one target; `patch` is a second"));
    }
}
