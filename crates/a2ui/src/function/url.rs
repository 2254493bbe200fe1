//! `openUrl`: looked at, and never opened here.

use super::{Result, args::Args};

/// Why an address must not be opened.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UrlError {
    /// Something else than http or https.
    #[error("`{scheme}` is neither http nor https")]
    Scheme {
        /// What it is.
        scheme: String,
    },
    /// No host.
    #[error("there is no host in it")]
    NoHost,
    /// Blanks or control characters, which a browser would take out.
    #[error("there are blanks or control characters in it")]
    Blanks,
    /// Nothing at all.
    #[error("it is empty")]
    Empty,
}

/// Whether an address may be opened: one of http or https with a host, or one relative to the page.
pub fn check_url(url: &str) -> std::result::Result<(), UrlError> {
    let url = url.trim();
    if url.is_empty() {
        return Err(UrlError::Empty);
    }
    if url.chars().any(|letter| letter.is_control() || letter.is_whitespace()) {
        return Err(UrlError::Blanks);
    }
    let Some(scheme) = scheme(url) else { return Ok(()) };
    if !scheme.eq_ignore_ascii_case("http") && !scheme.eq_ignore_ascii_case("https") {
        return Err(UrlError::Scheme { scheme: scheme.to_ascii_lowercase() });
    }
    let rest = url[scheme.len() + 1..].trim_start_matches(['/', '\\']);
    match rest.is_empty() || rest.starts_with(['?', '#', ':', '@']) {
        true => Err(UrlError::NoHost),
        false => Ok(()),
    }
}

/// What stands in front of the first colon, unless the colon belongs to a path.
fn scheme(url: &str) -> Option<&str> {
    let (scheme, _) = url.split_once(':')?;
    let is_scheme = scheme.starts_with(|first: char| first.is_ascii_alphabetic())
        && scheme.chars().all(|letter| letter.is_ascii_alphanumeric() || "+-.".contains(letter));
    is_scheme.then_some(scheme)
}

/// It has no value, whatever it opens.
pub(super) fn open_url(args: Args<'_>) -> Result {
    check_url(&args.text("url")?)?;
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_web_is_opened() {
        for url in ["https://example.com", "HTTP://example.com/a?b#c", "/page", "page?x=1:2", "//example.com"]
        {
            assert_eq!(check_url(url), Ok(()), "{url}");
        }
        let scheme = |scheme: &str| UrlError::Scheme { scheme: scheme.to_owned() };
        for (url, error) in [
            ("javascript:alert(1)", scheme("javascript")),
            (" JavaScript:alert(1)", scheme("javascript")),
            ("java\nscript:alert(1)", UrlError::Blanks),
            ("data:text/html,x", scheme("data")),
            ("file:///etc/passwd", scheme("file")),
            ("https://", UrlError::NoHost),
            ("http:?x", UrlError::NoHost),
            ("", UrlError::Empty),
        ] {
            assert_eq!(check_url(url), Err(error), "{url}");
        }
    }
}
