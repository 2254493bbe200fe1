//! What kinds of files the app has.

/// What a browser has to know about a file before it reads it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind {
    /// The media type.
    pub content_type: &'static str,
    /// Whether its name changes with what is in it, so that it can be kept for ever.
    pub immutable: bool,
}

/// The kind of the file at a path.
#[must_use]
pub fn kind_of(path: &str) -> Kind {
    // Only the build puts files there, each with a hash in its name.
    Kind { content_type: content_type(path), immutable: path.starts_with("assets/") }
}

fn content_type(path: &str) -> &'static str {
    match path.rsplit_once('.').map_or("", |(_, ending)| ending) {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" | "map" => "application/json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "woff" => "font/woff",
        "wasm" => "application/wasm",
        "zip" | "whl" => "application/zip",
        "txt" | "py" => "text/plain; charset=utf-8",
        "webmanifest" => "application/manifest+json",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_run_and_only_hashed_names_last() {
        let script = kind_of("assets/index-abc.js");
        assert_eq!(script, Kind { content_type: "text/javascript; charset=utf-8", immutable: true });
        assert!(!kind_of("favicon.svg").immutable);
        assert_eq!(kind_of("assets/pyodide.asm-1.wasm").content_type, "application/wasm");
        assert_eq!(kind_of("LICENSE").content_type, "application/octet-stream");
    }
}
