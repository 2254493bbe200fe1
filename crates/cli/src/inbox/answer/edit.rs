//! Changing the arguments of a call in an editor.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context, bail};
use forestage_client::InterruptRecord;
use forestage_protocol::json::Json;
use serde_json::Value;

/// Lets a person change the arguments; nothing if they leave them as they are.
pub(super) fn edit(record: &InterruptRecord) -> anyhow::Result<Option<Json>> {
    let Some(arguments) = record.fact("arguments") else {
        bail!("the question is not about a call with arguments; there is nothing to edit");
    };
    let draft = Draft::new(&format!("{arguments:#}\n"))?;
    open(&draft.0)?;
    let text = fs::read_to_string(&draft.0).context("what was edited cannot be read")?;
    let edited = Json::parse(&text).context("what was edited is not JSON; nothing was decided")?;
    Ok(Some(edited).filter(|edited| edited.to_value().is_ok_and(|edited: Value| edited != *arguments)))
}

/// A file that is gone when nobody needs it any more. Others on the machine cannot read it.
struct Draft(PathBuf);

impl Draft {
    fn new(text: &str) -> anyhow::Result<Self> {
        let path = std::env::temp_dir().join(format!("forestage-{}.json", uuid::Uuid::now_v7()));
        let mut options = fs::OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options.open(&path).with_context(|| format!("cannot write {}", path.display()))?;
        let draft = Self(path);
        std::io::Write::write_all(&mut file, text.as_bytes())?;
        Ok(draft)
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        // That it stays behind is no reason to fail.
        let _ = fs::remove_file(&self.0);
    }
}

/// The editor may be named with flags, so it is a shell that calls it.
fn open(path: &Path) -> anyhow::Result<()> {
    let editor = ["VISUAL", "EDITOR"].iter().find_map(|name| std::env::var(name).ok());
    let Some(editor) = editor.filter(|editor| !editor.trim().is_empty()) else {
        bail!("no editor is named; set VISUAL or EDITOR, or give the arguments with --args");
    };
    let status = Command::new("sh").args(["-c", &format!("{editor} \"$1\""), "sh"]).arg(path).status();
    match status.with_context(|| format!("cannot start {editor}"))?.success() {
        true => Ok(()),
        false => bail!("{editor} did not end well; nothing was decided"),
    }
}
