//! Where the files are: inside of the binary, or in the folder for a debug build.

#[cfg(not(debug_assertions))]
pub(crate) use embedded::get;
#[cfg(debug_assertions)]
pub(crate) use folder::get;

#[cfg(not(debug_assertions))]
mod embedded {
    use rust_embed::{EmbeddedFile, RustEmbed};

    #[derive(RustEmbed)]
    #[folder = "../../web/app/dist"]
    #[allow_missing = true]
    struct Dist;

    /// The file at a path.
    pub(crate) fn get(path: &str) -> Option<EmbeddedFile> {
        Dist::get(path)
    }
}

/// The derive could read the folder, too, but only one that was there when this was compiled.
#[cfg(debug_assertions)]
mod folder {
    use std::path::Path;

    use rust_embed::{EmbeddedFile, utils::read_file_from_fs};

    const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/app/dist");

    // Cargo does not compile this again for another clone that shares the build folder, unless the clone's variable of
    // `.cargo/config.toml` is read as well.
    const _: Option<&str> = option_env!("CHECKOUT");

    /// The file at a path. What a path leads to outside of the folder is not found.
    pub(crate) fn get(path: &str) -> Option<EmbeddedFile> {
        let folder = Path::new(FOLDER).canonicalize().ok()?;
        let file = folder.join(path).canonicalize().ok()?;
        let is_inside = file.starts_with(&folder) && file.is_file();
        is_inside.then(|| read_file_from_fs(&file).ok()).flatten()
    }
}
