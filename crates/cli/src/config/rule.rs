//! Which texts and numbers settings can be. What is refused is told with what would be right.

use forestage_protocol::compat::PeerVersion;
use forestage_server::{check_host, check_origin, check_picture_origin};
use url::Url;

use super::shape::Rule;
use crate::serve::log_filter;

/// A time in seconds, or a count, that can be added to the present and waited for. It lasts for more than a century.
pub(super) const SOME: Rule = Rule::Between(1, u32::MAX as u64);

/// The same, where nothing at all makes sense, too.
pub(super) const MAYBE_NONE: Rule = Rule::Between(0, u32::MAX as u64);

/// Where threads are kept.
pub(super) const STORE: Rule =
    Rule::Text(|text| forestage_store::check_url(text).map_err(|error| error.to_string()));

/// A folder that has a name.
pub(super) const FOLDER: Rule = Rule::Text(|text| match text.trim() {
    "" => Err("expected a folder, such as `agents`".to_owned()),
    _ => Ok(()),
});

/// The address of a server, or nothing.
pub(super) const SERVER: Rule = Rule::Text(|text| if text.is_empty() { Ok(()) } else { web_address(text) });

/// The address of a remote agent.
pub(super) const ADDRESS: Rule = Rule::Text(web_address);

/// What is logged.
pub(super) const LOG: Rule = Rule::Text(|text| log_filter(text).map(drop));

/// Where to listen.
pub(super) const LISTEN: Rule = Rule::Text(listen);

/// The name of a host.
pub(super) const HOST: Rule = Rule::Text(check_host);

/// The origin of a page.
pub(super) const ORIGIN: Rule = Rule::Text(check_origin);

/// Where pictures may come from.
pub(super) const PICTURE_ORIGIN: Rule = Rule::Text(check_picture_origin);

/// A version of AG-UI, or nothing.
pub(super) const VERSION: Rule = Rule::Text(|text| match PeerVersion::parse(text) {
    None if !text.is_empty() => Err(format!("expected a version such as `0.0.45`, found `{text}`")),
    _ => Ok(()),
});

fn web_address(text: &str) -> Result<(), String> {
    let expected = "expected an address such as `http://127.0.0.1:9000`";
    match Url::parse(text) {
        Ok(url) if matches!(url.scheme(), "http" | "https") && url.has_host() => Ok(()),
        _ => Err(format!("{expected}, found `{text}`")),
    }
}

/// A host and a port. Whether the host is this machine's, only listening can tell.
fn listen(text: &str) -> Result<(), String> {
    let expected = "expected a host and a port";
    let rest = text.split_once("://").map_or(text, |(_, rest)| rest).trim_end_matches('/');
    let (host, port) = match rest.rsplit_once(':') {
        Some((host, port)) => (host, port.parse::<u16>().ok()),
        None => (rest.parse::<u16>().map_or(rest, |_| ""), rest.parse().ok()),
    };
    let host = if host.is_empty() { "127.0.0.1" } else { host };
    match (check_host(host), port) {
        (Ok(()), Some(port)) if text == format!("{host}:{port}") => Ok(()),
        (Ok(()), Some(port)) => Err(format!("{expected}, found `{text}`; did you mean `{host}:{port}`?")),
        _ => Err(format!("{expected}, such as `127.0.0.1:8787`, found `{text}`")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_to_listen_on_have_a_host_and_a_port() {
        for good in ["127.0.0.1:8787", "localhost:0", "[::1]:80", "0.0.0.0:65535"] {
            assert_eq!(listen(good), Ok(()), "{good}");
        }
        for (wrong, told) in [
            ("8787", "; did you mean `127.0.0.1:8787`?"),
            (":8787", "; did you mean `127.0.0.1:8787`?"),
            ("http://localhost:8787/", "; did you mean `localhost:8787`?"),
            ("127.0.0.1", "such as `127.0.0.1:8787`, found `127.0.0.1`"),
            ("127.0.0.1:99999", "such as `127.0.0.1:8787`, found `127.0.0.1:99999`"),
            ("", "such as `127.0.0.1:8787`, found ``"),
        ] {
            let error = listen(wrong).expect_err(wrong);
            assert!(error.ends_with(told), "{error}");
        }
    }
}
