//! `docs/configuration.md` says what the code says. `UPDATE=1` rewrites what stands between the markers.

use std::{env, fs, path::PathBuf};

use super::{Config, Setting, print::written};

const BEGIN: &str = "<!-- generated: settings -->\n";
const END: &str = "<!-- end -->";

#[test]
fn the_page_is_current() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/configuration.md");
    let page = fs::read_to_string(&path).expect("docs/configuration.md");
    let (before, rest) = page.split_once(BEGIN).expect("a begin marker");
    let (_, after) = rest.split_once(END).expect("an end marker");
    let current = format!("{before}{BEGIN}{}{END}{after}", sections());
    if page != current && env::var_os("UPDATE").is_some() {
        return fs::write(path, current).expect("writable");
    }
    assert!(page == current, "docs/configuration.md is stale; UPDATE=1 rewrites it");
}

fn sections() -> String {
    let headings = [
        ("", "The top of the file"),
        ("http", "`[http]`"),
        ("dialects", "`[dialects]`"),
        ("limits", "`[limits]`"),
    ];
    let known =
        Config::SETTINGS.iter().all(|setting| headings.iter().any(|(name, _)| *name == setting.section));
    assert!(known, "every section has a heading");
    headings.iter().map(|(name, heading)| section(name, heading)).collect()
}

fn section(name: &str, heading: &str) -> String {
    let rows = Config::SETTINGS.iter().filter(|setting| setting.section == name).map(row);
    let rows: String = rows.collect();
    format!("\n## {heading}\n\n| setting | default | environment | what it is |\n|---|---|---|---|\n{rows}\n")
}

fn row(setting: &Setting) -> String {
    let default = written(&(setting.get)(&Config::default()));
    format!("| `{}` | `{default}` | `{}` | {} |\n", setting.name, setting.variable(), setting.sentence())
}
