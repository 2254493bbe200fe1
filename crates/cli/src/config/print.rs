//! The configuration as a file: every setting with its documentation, ready to be kept and edited.

use std::fmt::Write;

use forestage_server::ApiKey;

use super::{Config, Remote, Value};

/// The file that says exactly this.
pub(crate) fn print(config: &Config) -> String {
    let mut out = "# The configuration of a Forestage server. What is left out has its default.\n".to_owned();
    let mut section = "";
    for setting in Config::SETTINGS {
        if setting.section != section {
            section = setting.section;
            let _ = write!(out, "\n[{section}]\n");
        }
        let _ = writeln!(out);
        for line in setting.about {
            let _ = writeln!(out, "#{line}");
        }
        let _ = writeln!(out, "# Environment: {}", setting.variable());
        let _ = writeln!(out, "{} = {}", setting.name, written(&(setting.get)(config)));
    }
    print_keys(&config.keys, &mut out);
    print_remotes(&config.remotes, &mut out);
    out
}

fn print_keys(keys: &[ApiKey], out: &mut String) {
    out.push_str("\n# Who may use the server; `forestage keys new` makes such a block.\n");
    if keys.is_empty() {
        out.push_str("# [[keys]]\n# user = \"ada\"\n# hash = \"sha256:…\"\n# roles = []\n");
    }
    for key in keys {
        out.push_str(&key_block(key));
    }
}

fn print_remotes(remotes: &[Remote], out: &mut String) {
    out.push_str("\n# Agents that run elsewhere.\n");
    if remotes.is_empty() {
        out.push_str(
            "# [[remotes]]\n# name = \"planner\"\n# kind = \"ag-ui\"\n# url = \"http://127.0.0.1:9000/\"\n",
        );
    }
    remotes.iter().for_each(|remote| out.push_str(&remote.block()));
}

/// A key as the file has it.
pub(crate) fn key_block(key: &ApiKey) -> String {
    let text = |text: &str| written(&Value::Text(text.to_owned()));
    let roles = written(&Value::List(key.roles.clone()));
    format!("[[keys]]\nuser = {}\nhash = {}\nroles = {roles}\n", text(&key.user), text(&key.hash))
}

/// A value as TOML writes it.
pub(super) fn written(value: &Value) -> String {
    match value {
        Value::Text(text) => toml::Value::String(text.clone()).to_string(),
        Value::Number(number) => number.to_string(),
        Value::List(items) => {
            let items: Vec<_> = items.iter().map(|item| written(&Value::Text(item.clone()))).collect();
            format!("[{}]", items.join(", "))
        }
        Value::Table(items) => {
            let text = |text: &String| toml::Value::String(text.clone()).to_string();
            let items: Vec<_> =
                items.iter().map(|(name, it)| format!("{} = {}", text(name), text(it))).collect();
            format!("{{ {} }}", items.join(", "))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_printed_reads_back_equal() {
        let hash = |digit: &str| format!("sha256:{}", digit.repeat(64));
        let key = ApiKey { user: "a\"b\n".to_owned(), hash: hash("1"), roles: vec!["r".to_owned()] };
        let config = Config {
            store: "sqlite:a \"b\".db".to_owned(),
            hosts: vec!["a.example".to_owned(), "b".to_owned()],
            run_events: 7,
            keys: vec![key.clone(), ApiKey { roles: Vec::new(), hash: hash("2"), ..key }],
            remotes: vec![
                Remote {
                    name: "coach".to_owned(),
                    kind: "ndjson".to_owned(),
                    url: "http://x".to_owned(),
                    hash: hash("3"),
                    ..Remote::default()
                },
                Remote {
                    name: "planner".to_owned(),
                    kind: "ag-ui".to_owned(),
                    url: "https://x/agent".to_owned(),
                    headers: [("x-key".to_owned(), "${KEY} \"".to_owned())].into(),
                    idle_seconds: 7,
                    messages: "new".to_owned(),
                    ..Remote::default()
                },
            ],
            ..Config::default()
        };
        for config in [config, Config::default()] {
            let (mut read, mut problems) = (Config::default(), Vec::new());
            read.read_toml("f", &print(&config), &mut problems);
            read.places.clear();
            assert_eq!((read, problems), (config, Vec::new()));
        }
    }
}
