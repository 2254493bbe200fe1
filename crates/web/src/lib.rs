//! The web app: the files that `npm run build` in `web/` writes, inside of the binary.
//!
//! A debug build reads them from the folder instead, so that a new build of the app needs no new build of the server.
//! Nobody has to build the app: without it [`page`] says how, and the API is the same.

mod dist;
mod kind;

use std::{borrow::Cow, fmt::Write};

pub use kind::{Kind, kind_of};

/// The page that all addresses of the app show.
pub const PAGE: &str = "index.html";

/// What stands in for the page until there is one.
const MISSING: &str = include_str!("missing.html");

/// A file of the app.
#[derive(Clone, Debug)]
pub struct File {
    /// What is in it.
    pub bytes: Cow<'static, [u8]>,
    /// A strong validator, with its quotes.
    pub etag: String,
}

/// The file at a path such as `assets/index-abc.js`; nothing if there is none.
#[must_use]
pub fn file(path: &str) -> Option<File> {
    // An export of the build's own bookkeeping would be found by a debug build, which reads the folder.
    if path.starts_with('.') || path.contains("/.") {
        return None;
    }
    let file = dist::get(path)?;
    Some(File { etag: etag(&file.metadata.sha256_hash()), bytes: file.data })
}

/// The page of the app, or one that says how to build it.
#[must_use]
pub fn page() -> File {
    file(PAGE)
        .unwrap_or_else(|| File { bytes: Cow::Borrowed(MISSING.as_bytes()), etag: "\"missing\"".to_owned() })
}

/// Whether the app is there.
#[must_use]
pub fn is_built() -> bool {
    dist::get(PAGE).is_some()
}

fn etag(hash: &[u8]) -> String {
    let mut etag = String::from('"');
    for byte in &hash[..16] {
        let _ = write!(etag, "{byte:02x}");
    }
    etag.push('"');
    etag
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_always_a_page() {
        let page = page();
        let text = String::from_utf8_lossy(&page.bytes);
        assert!(text.starts_with("<!doctype html>"), "{text}");
        assert!(page.etag.starts_with('"') && page.etag.ends_with('"'));
    }

    #[test]
    fn nothing_outside_of_the_folder_is_a_file_of_the_app() {
        for path in
            ["../package.json", "../../../Cargo.toml", ".vite/manifest.json", "/etc/passwd", "", "assets"]
        {
            assert!(file(path).is_none(), "{path}");
        }
    }
}
