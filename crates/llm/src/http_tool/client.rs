//! HTTP clients that go where they are told to, and nowhere else.

use std::{net::IpAddr, sync::Arc};

use reqwest::{Client, ClientBuilder, Url, redirect};

use super::address::{PublicOnly, is_public};

/// So often an answer may lead elsewhere.
const MAX_REDIRECTS: usize = 5;

/// A client for an address. Redirects may lead to its host and to these, and to private networks only where that is
/// allowed, as the address itself may.
pub(crate) fn client_for(url: &Url, hosts: &[String], allow_private: bool) -> Result<ClientBuilder, String> {
    let mut hosts = hosts.to_vec();
    hosts.extend(url.host_str().map(str::to_owned));
    if !allow_private && !may_connect(url) {
        return Err("this is an address of a private network; `allowPrivate: true` permits it".to_owned());
    }
    let follow = redirect::Policy::custom(move |attempt| {
        match may_follow(attempt.previous(), attempt.url(), &hosts, allow_private) {
            true => attempt.follow(),
            false => attempt.error("the redirect leads where the tool may not go"),
        }
    });
    // A proxy would look names up for us, out of our sight.
    let client = Client::builder().redirect(follow).no_proxy();
    Ok(if allow_private { client } else { client.dns_resolver(Arc::new(PublicOnly)) })
}

/// Whether an answer may lead from these addresses, the last of which gave it, to the next.
fn may_follow(previous: &[Url], next: &Url, hosts: &[String], allow_private: bool) -> bool {
    let is_known =
        next.host_str().is_some_and(|host| hosts.iter().any(|known| known.eq_ignore_ascii_case(host)));
    // Headers with secrets go along to a host that the file names, so never without a lock that was there before.
    let is_weaker = next.scheme() == "http" && previous.iter().any(|url| url.scheme() == "https");
    previous.len() <= MAX_REDIRECTS && is_known && !is_weaker && (allow_private || may_connect(next))
}

/// An address whose host stands fixed, whatever holes the rest has.
pub(crate) fn fixed_url(text: &str) -> Result<Url, String> {
    let host =
        text.split_once("://").map_or("", |(_, rest)| rest).split(['/', '?', '#']).next().unwrap_or("");
    if host.is_empty() || host.contains('{') || host.contains('@') {
        return Err("the host has to stand fixed, as in `https://api.example.org/items/{id}`".to_owned());
    }
    let url = Url::parse(text).map_err(|error| format!("`{text}` is no address: {error}"))?;
    match url.scheme() {
        "http" | "https" => Ok(url),
        other => Err(format!("`{other}` is not spoken here; write http or https")),
    }
}

/// Whether an address that is written out may be connected to. Names are looked at when they are looked up.
fn may_connect(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']);
    host.parse::<IpAddr>().map_or(true, is_public)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(text: &str) -> Url {
        Url::parse(text).expect(text)
    }

    #[test]
    fn a_redirect_never_gives_up_encryption_that_was_there_before() {
        let hosts = ["api.example".to_owned(), "other.example".to_owned()];
        for (previous, next, may) in [
            (&["http://api.example/"][..], "http://other.example/", true),
            (&["http://api.example/"], "https://other.example/", true),
            (&["https://api.example/"], "https://other.example/", true),
            (&["https://api.example/"], "http://api.example/", false),
            (&["http://api.example/", "https://api.example/"], "http://api.example/", false),
            (&["https://api.example/"], "https://stranger.example/", false),
            (&["http://api.example/"; MAX_REDIRECTS], "http://api.example/", true),
            (&["http://api.example/"; MAX_REDIRECTS + 1], "http://api.example/", false),
        ] {
            let seen: Vec<_> = previous.iter().map(|text| url(text)).collect();
            assert_eq!(may_follow(&seen, &url(next), &hosts, false), may, "{previous:?} to {next}");
        }
        let private = ["10.0.0.1".to_owned()];
        let seen = [url("http://10.0.0.1/")];
        assert!(!may_follow(&seen, &seen[0], &private, false));
        assert!(may_follow(&seen, &seen[0], &private, true));
    }
}
