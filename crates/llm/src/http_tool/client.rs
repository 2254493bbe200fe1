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
        match may_follow(attempt.url(), attempt.previous(), &hosts, allow_private) {
            true => attempt.follow(),
            false => attempt.error("the redirect leads where the tool may not go"),
        }
    });
    // A proxy would look names up for us, out of our sight.
    let client = Client::builder().redirect(follow).no_proxy();
    Ok(if allow_private { client } else { client.dns_resolver(Arc::new(PublicOnly)) })
}

/// Whether a redirect may be followed, behind these addresses.
fn may_follow(url: &Url, previous: &[Url], hosts: &[String], allow_private: bool) -> bool {
    let is_known =
        url.host_str().is_some_and(|host| hosts.iter().any(|known| known.eq_ignore_ascii_case(host)));
    // Headers with secrets go along to a host that the file names, so never without a lock that was there before.
    let is_weaker = url.scheme() == "http" && previous.iter().any(|url| url.scheme() == "https");
    previous.len() <= MAX_REDIRECTS && is_known && !is_weaker && (allow_private || may_connect(url))
}

/// An address whose host stands fixed, whatever holes the rest has.
pub(crate) fn fixed_url(text: &str) -> Result<Url, String> {
    let host =
        text.split_once("://").map_or("", |(_, rest)| rest).split(['/', '?', '#']).next().unwrap_or("");
    if host.is_empty() || host.contains('{') || host.contains('@') {
        return Err("the host has to stand fixed, as in `https://api.example.org/items/{id}`".to_owned());
    }
    let url = Url::parse(text).map_err(|error| format!("`{text}` is not an address: {error}"))?;
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

    fn follows(previous: &[&str], to: &str, allow_private: bool) -> bool {
        let url = |text: &str| Url::parse(text).expect("an address");
        let previous: Vec<_> = previous.iter().map(|text| url(text)).collect();
        let hosts = ["api.example".to_owned(), "files.example".to_owned(), "10.0.0.1".to_owned()];
        may_follow(&url(to), &previous, &hosts, allow_private)
    }

    #[test]
    fn a_redirect_leads_to_hosts_that_were_named() {
        assert!(follows(&["https://api.example/a"], "https://API.example/b", false));
        assert!(follows(&["https://api.example/a"], "https://files.example/b", false));
        assert!(!follows(&["https://api.example/a"], "https://evil.example/b", false));
        assert!(!follows(&["https://api.example/a"], "https://api.example.evil.example/b", false));
    }

    #[test]
    fn a_redirect_never_leads_from_https_to_http() {
        assert!(follows(&["http://api.example/a"], "http://api.example/b", false));
        assert!(follows(&["http://api.example/a"], "https://api.example/b", false));
        assert!(!follows(&["https://api.example/a"], "http://api.example/b", false));
        let there_and_back = ["http://api.example/a", "https://api.example/b"];
        assert!(!follows(&there_and_back, "http://api.example/c", false));
    }

    #[test]
    fn a_redirect_leads_to_a_private_network_only_where_that_is_allowed() {
        assert!(!follows(&["http://api.example/a"], "http://10.0.0.1/b", false));
        assert!(follows(&["http://api.example/a"], "http://10.0.0.1/b", true));
    }

    #[test]
    fn redirects_come_to_an_end() {
        let many = ["https://api.example/a"; MAX_REDIRECTS + 1];
        assert!(follows(&many[1..], "https://api.example/b", false));
        assert!(!follows(&many, "https://api.example/b", false));
    }
}
