//! Names by which others know a site: origins of pages, and hosts. What is none is refused before anything starts, since
//! it would be compared with what browsers send, and silently never fit.

use axum::http::{Uri, uri::Authority};

/// Whether a browser could send this as the origin of a page; else what is wrong with it, for people.
pub fn check_origin(text: &str) -> Result<(), String> {
    if text == "*" {
        return Err("`*` would let the pages of every site use the server; name each of them, such as \
                    `https://app.example`"
            .to_owned());
    }
    match origin_in(text) {
        Some(origin) if origin == text => Ok(()),
        Some(origin) => Err(format!("`{text}` is not an origin; did you mean `{origin}`?")),
        None => Err(format!(
            "`{text}` is not an origin; expected a scheme and a host, such as `https://app.example`"
        )),
    }
}

/// Whether pictures could be loaded from this origin; else what is wrong with it, for people.
pub fn check_picture_origin(text: &str) -> Result<(), String> {
    if text == "*" {
        return Err(
            "`*` would show pictures of every site; name each of them, such as `https://images.example`"
                .to_owned(),
        );
    }
    check_origin(text)?;
    match text.starts_with("https://") || text.starts_with("http://") {
        true => Ok(()),
        false => {
            Err(format!("`{text}` serves no pictures; expected an origin such as `https://images.example`"))
        }
    }
}

/// Whether clients could call the server by this name; else what is wrong with it, for people.
pub fn check_host(text: &str) -> Result<(), String> {
    let rest = text.split_once("://").map_or(text, |(_, rest)| rest);
    let rest = rest.split(['/', '?', '#']).next().unwrap_or_default();
    match host_in(rest) {
        Some(host) if host.eq_ignore_ascii_case(text) => Ok(()),
        Some(host) => Err(format!("`{text}` is not the name of a host; did you mean `{host}`?")),
        None => Err(format!("`{text}` is not the name of a host; expected one such as `app.example`")),
    }
}

/// The origin of an address, as browsers write it.
fn origin_in(text: &str) -> Option<String> {
    let uri: Uri = text.parse().ok()?;
    let scheme = uri.scheme_str().unwrap_or("https").to_ascii_lowercase();
    let authority = uri.authority()?;
    let host = host_in(authority.as_str())?;
    let usual = match scheme.as_str() {
        "http" => Some(80),
        "https" => Some(443),
        _ => None,
    };
    let port = authority.port_u16().filter(|port| Some(*port) != usual);
    Some(format!("{scheme}://{host}{}", port.map(|port| format!(":{port}")).unwrap_or_default()))
}

/// The host of `host:port`, in small letters. An address of IPv6 stands in brackets.
fn host_in(text: &str) -> Option<String> {
    let bracketed = || text.parse::<std::net::Ipv6Addr>().is_ok().then(|| format!("[{text}]"));
    let authority: Authority = bracketed().as_deref().unwrap_or(text).parse().ok()?;
    let host = authority.host().to_ascii_lowercase();
    let is_letter = |letter: char| letter.is_ascii_alphanumeric() || "-._".contains(letter);
    let is_name = !host.starts_with('.') && !host.is_empty() && host.chars().all(is_letter);
    let is_address = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
    let is_address = is_address.is_some_and(|address| address.parse::<std::net::Ipv6Addr>().is_ok());
    ((is_name || is_address) && !authority.as_str().contains('@')).then_some(host)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn origins_are_what_browsers_send() {
        for good in ["https://app.example", "http://localhost:5173", "http://[::1]:3000", "tauri://localhost"]
        {
            assert_eq!(check_origin(good), Ok(()), "{good}");
        }
        for (wrong, meant) in [
            ("https://app.example/", Some("https://app.example")),
            ("https://app.example/path?x=1", Some("https://app.example")),
            ("https://App.Example:443", Some("https://app.example")),
            ("app.example", Some("https://app.example")),
            ("*", None),
            ("https://*.example", None),
            ("https://user@app.example", None),
            ("", None),
            ("https://", None),
            ("two words", None),
        ] {
            let told = check_origin(wrong).expect_err(wrong);
            let found = told.split_once("did you mean `").map(|(_, rest)| rest.trim_end_matches("`?"));
            assert_eq!(found, meant, "{told}");
        }
    }

    #[test]
    fn hosts_have_no_scheme_no_port_and_no_path() {
        for good in ["app.example", "App.Example", "127.0.0.1", "[::1]", "my_host"] {
            assert_eq!(check_host(good), Ok(()), "{good}");
        }
        for (wrong, meant) in [
            ("https://app.example", Some("app.example")),
            ("app.example:443", Some("app.example")),
            ("app.example/chat", Some("app.example")),
            ("::1", Some("[::1]")),
            ("*", None),
            (".example", None),
            ("", None),
        ] {
            let told = check_host(wrong).expect_err(wrong);
            let found = told.split_once("did you mean `").map(|(_, rest)| rest.trim_end_matches("`?"));
            assert_eq!(found, meant, "{told}");
        }
    }
}
