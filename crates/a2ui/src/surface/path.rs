//! Where a value stands in a data model.

use std::{fmt, str::FromStr};

/// A path may have so many segments. Values deeper than that cannot be written as JSON that everybody reads.
pub const MAX_SEGMENTS: usize = 100;

/// Names that are parts of every object in JavaScript. A renderer refuses them, and so do we.
const FORBIDDEN: [&str; 3] = ["__proto__", "constructor", "prototype"];

/// Why a text is no path.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PathError {
    /// A segment that renderers refuse.
    #[error("`{segment}` is forbidden in a path: {path}")]
    Forbidden {
        /// The path, as it was written.
        path: String,
        /// The segment.
        segment: String,
    },
    /// More segments than [`MAX_SEGMENTS`].
    #[error("a path may have {MAX_SEGMENTS} segments, this one has {found}")]
    TooDeep {
        /// How many it has.
        found: usize,
    },
}

/// The place of a value, from the root of a data model.
///
/// It reads like a JSON Pointer with its escapes `~0` and `~1`, except that empty segments do not count: `/a/` and
/// `//a` are `/a`, and both `/` and the empty text are the whole model.
///
/// ```
/// use forestage_a2ui::surface::Path;
///
/// let item = Path::parse("/people/0")?;
/// assert_eq!(Path::resolve("name", &item)?.to_string(), "/people/0/name");
/// assert_eq!(Path::resolve(".", &item)?, item);
/// assert_eq!(Path::resolve("/title", &item)?.to_string(), "/title");
/// assert_eq!(Path::resolve_v0_8("tags[2].text", &item)?.to_string(), "/people/0/tags/2/text");
/// # Ok::<(), forestage_a2ui::surface::PathError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Path {
    segments: Vec<String>,
}

impl Path {
    /// The whole model.
    #[must_use]
    pub fn root() -> Self {
        Self::default()
    }

    /// Reads a path from the root. A relative one counts as if it began with `/`.
    pub fn parse(text: &str) -> Result<Self, PathError> {
        Self::root().then(text, text.split('/').map(unescape))
    }

    /// Reads a path that may be relative to the item that a template shows. `""` and `"."` are the item itself.
    pub fn resolve(text: &str, item: &Self) -> Result<Self, PathError> {
        match text {
            "" | "." => Ok(item.clone()),
            _ if text.starts_with('/') => Self::parse(text),
            _ => item.then(text, text.split('/').map(unescape)),
        }
    }

    /// Reads a path the way 0.8 writes them: `.` divides as `/` does, `[0]` is a segment, and there are no escapes.
    pub fn resolve_v0_8(text: &str, item: &Self) -> Result<Self, PathError> {
        let base = if text.starts_with('/') { &Self::root() } else { item };
        base.then(text, segments_v0_8(text))
    }

    /// The path of a member or an item.
    pub fn child(&self, segment: impl Into<String>) -> Result<Self, PathError> {
        let segment = segment.into();
        self.then(&segment.clone(), [segment])
    }

    /// What this lies in; nothing for the root.
    #[must_use]
    pub fn parent(&self) -> Option<Self> {
        let (_, above) = self.segments.split_last()?;
        Some(Self { segments: above.to_vec() })
    }

    /// The names from the root on, unescaped.
    #[must_use]
    pub fn segments(&self) -> &[String] {
        &self.segments
    }

    /// Whether it is the whole model.
    #[must_use]
    pub fn is_root(&self) -> bool {
        self.segments.is_empty()
    }

    /// Whether this is the other path or lies in it.
    #[must_use]
    pub fn starts_with(&self, other: &Self) -> bool {
        self.segments.starts_with(&other.segments)
    }

    fn then(&self, text: &str, more: impl IntoIterator<Item = String>) -> Result<Self, PathError> {
        let mut segments = self.segments.clone();
        segments.extend(more.into_iter().filter(|segment| !segment.is_empty()));
        if segments.len() > MAX_SEGMENTS {
            return Err(PathError::TooDeep { found: segments.len() });
        }
        match segments.iter().find(|segment| FORBIDDEN.contains(&segment.as_str())) {
            Some(segment) => Err(PathError::Forbidden { path: text.to_owned(), segment: segment.clone() }),
            None => Ok(Self { segments }),
        }
    }
}

impl FromStr for Path {
    type Err = PathError;

    fn from_str(text: &str) -> Result<Self, PathError> {
        Self::parse(text)
    }
}

/// As a JSON Pointer, and the root as `/`.
impl fmt::Display for Path {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_root() {
            return out.write_str("/");
        }
        self.segments.iter().try_for_each(|segment| {
            out.write_str("/")?;
            out.write_str(&segment.replace('~', "~0").replace('/', "~1"))
        })
    }
}

/// A tilde that escapes nothing is a tilde.
fn unescape(segment: &str) -> String {
    match segment.contains('~') {
        true => segment.replace("~1", "/").replace("~0", "~"),
        false => segment.to_owned(),
    }
}

fn segments_v0_8(text: &str) -> impl Iterator<Item = String> {
    text.split(['/', '.']).flat_map(indexes)
}

/// `a[0][1]` is `a`, `0`, `1`. Brackets around anything else than digits are part of the name.
fn indexes(segment: &str) -> Vec<String> {
    let (mut name, mut found) = (segment, Vec::new());
    while let Some((before, index)) = name.strip_suffix(']').and_then(|name| name.rsplit_once('['))
        && !index.is_empty()
        && index.bytes().all(|byte| byte.is_ascii_digit())
    {
        found.push(index.to_owned());
        name = before;
    }
    found.push(name.to_owned());
    found.reverse();
    found
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn check(text: &str, item: &str, expected: &str) {
        let item = Path::parse(item).expect("a path");
        assert_eq!(
            Path::resolve(text, &item).map(|path| path.to_string()),
            Ok(expected.to_owned()),
            "{text}"
        );
    }

    #[test]
    fn a_path_is_resolved_against_its_item() {
        check("/a/b", "/items/0", "/a/b");
        check("a/b", "/items/0", "/items/0/a/b");
        check("a/b", "/", "/a/b");
        check("", "/items/0", "/items/0");
        check(".", "/items/0", "/items/0");
        check("", "/", "/");
        check("/", "/items/0", "/");
    }

    #[test]
    fn empty_segments_do_not_count_and_escapes_do() {
        check("/a/", "/", "/a");
        check("//a///b//", "/", "/a/b");
        check("/a~1b/~0c/~01/~", "/", "/a~1b/~0c/~01/~0");
        assert_eq!(Path::parse("/a~1b/~01").expect("a path").segments(), ["a/b", "~1"]);
    }

    #[test]
    fn dots_and_brackets_divide_in_0_8_alone() {
        let item = Path::parse("/list/3").expect("a path");
        for (text, expected) in [
            ("a.b[0].c", "/list/3/a/b/0/c"),
            ("/a.b[0][12]", "/a/b/0/12"),
            ("/a/b", "/a/b"),
            ("[1].x", "/list/3/1/x"),
            (".", "/list/3"),
            ("", "/list/3"),
            ("a[x]", "/list/3/a[x]"),
            ("~1", "/list/3/~01"),
        ] {
            assert_eq!(Path::resolve_v0_8(text, &item).map(|path| path.to_string()), Ok(expected.to_owned()));
        }
        check("a.b[0]", "/", "/a.b[0]");
    }

    #[test]
    fn what_reaches_into_javascript_is_forbidden() {
        for text in ["/__proto__", "/a/constructor/b", "prototype"] {
            assert!(matches!(Path::parse(text), Err(PathError::Forbidden { .. })), "{text}");
        }
        assert!(matches!(
            Path::resolve_v0_8("a.__proto__.b", &Path::root()),
            Err(PathError::Forbidden { .. })
        ));
        assert_eq!(Path::parse(&"/a".repeat(101)), Err(PathError::TooDeep { found: 101 }));
        assert!(Path::parse(&"/a".repeat(100)).is_ok());
    }

    #[test]
    fn a_path_knows_what_it_lies_in() {
        let path = Path::parse("/a/b").expect("a path");
        assert!(path.starts_with(&Path::parse("/a").expect("a path")) && path.starts_with(&path));
        assert!(!path.starts_with(&Path::parse("/a/bc").expect("a path")));
        assert_eq!(path.parent().map(|path| path.to_string()), Some("/a".to_owned()));
        assert_eq!(Path::root().parent(), None);
        assert_eq!(path.child("c/d").map(|path| path.to_string()), Ok("/a/b/c~1d".to_owned()));
    }

    proptest! {
        #[test]
        fn a_path_is_read_back_as_it_prints(text in "[/.~01ab\\[\\]é]{0,20}") {
            if let Ok(path) = Path::parse(&text) {
                prop_assert_eq!(Path::parse(&path.to_string()), Ok(path.clone()));
                prop_assert_eq!(Path::resolve(&text, &Path::root()).is_ok(), true);
            }
        }
    }
}
