//! What a page of ours may do, as browsers enforce it.
//!
//! Agents write what pages show, and an agent may have read anything. So even if words of theirs became markup, no script
//! of theirs would run, no form of theirs would be sent, and nothing would be loaded from or told to another site. The one
//! exception is pictures from origins that the configuration names.

use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use forestage_runtime::apps::Hosts;

use crate::{config::Http, origin::check_picture_origin};

/// For the app. Styles may be written into the page, because diagrams and the editor bring theirs along; what such a
/// style could load is still only ours.
const APP: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
    img-src 'self' data: blob:{pictures}; media-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'; \
    worker-src 'self'; frame-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; \
    frame-ancestors 'none'";

/// For the frame that runs code which a person wrote: a page of nobody's origin, which can reach nothing at all. It may
/// compile what it is given, WebAssembly included, because that is what it is for.
const SANDBOX: &str = "sandbox allow-scripts; default-src 'none'; \
    script-src 'unsafe-inline' 'unsafe-eval' 'wasm-unsafe-eval' blob:; worker-src blob:; \
    style-src 'unsafe-inline'; img-src data: blob:; font-src data:; media-src data: blob:; \
    form-action 'none'; base-uri 'none'; frame-ancestors 'self'";

const PERMISSIONS_POLICY: HeaderName = HeaderName::from_static("permissions-policy");

/// What no page may use.
const FEATURES: &str = "camera=(), geolocation=(), microphone=(), payment=(), usb=()";

/// The same where people may speak to the app. Frames in it stay deaf.
const FEATURES_WITH_DICTATION: &str =
    "camera=(), geolocation=(), microphone=(self), on-device-speech-recognition=(self), payment=(), usb=()";

/// Sets what holds for the file at a path.
pub(super) fn protect(path: &str, http: &Http, headers: &mut HeaderMap) {
    let policy = match is_sandbox(path) {
        true => HeaderValue::from_static(SANDBOX),
        false => app(&http.picture_origins),
    };
    protect_with(policy, headers);
    if http.dictation && !is_sandbox(path) {
        headers.insert(PERMISSIONS_POLICY, HeaderValue::from_static(FEATURES_WITH_DICTATION));
    }
}

/// For the app, with pictures from these origins. What is not an origin would loosen the policy, so it is left out.
fn app(origins: &[String]) -> HeaderValue {
    let origins = origins.iter().filter(|origin| check_picture_origin(origin).is_ok());
    let pictures: String = origins.map(|origin| format!(" {origin}")).collect();
    HeaderValue::try_from(APP.replace("{pictures}", &pictures)).expect("origins are written in ASCII")
}

/// For the frame around a page that a tool brought along: a page of nobody's origin, too, which reaches these hosts and no
/// others. It may not compile what it is given.
pub(super) fn frame(hosts: &Hosts) -> String {
    let words = |hosts: &[String], otherwise: &str| match hosts {
        [] => otherwise.to_owned(),
        hosts => hosts.join(" "),
    };
    let resources = words(&hosts.resource_domains, "");
    let (connect, frames) = (words(&hosts.connect_domains, "'none'"), words(&hosts.frame_domains, "'none'"));
    format!(
        "sandbox allow-scripts allow-forms; default-src 'none'; script-src 'unsafe-inline' {resources}; \
         style-src 'unsafe-inline' {resources}; img-src data: blob: {resources}; font-src data: {resources}; \
         media-src data: blob: {resources}; connect-src {connect}; frame-src {frames}; worker-src blob:; \
         form-action 'none'; base-uri 'none'; frame-ancestors 'self'"
    )
}

/// Sets what holds for everything, and this policy.
pub(super) fn protect_with(policy: HeaderValue, headers: &mut HeaderMap) {
    headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    let mut set =
        |name: HeaderName, value: &'static str| headers.insert(name, HeaderValue::from_static(value));
    set(header::X_CONTENT_TYPE_OPTIONS, "nosniff");
    set(header::REFERRER_POLICY, "no-referrer");
    set(HeaderName::from_static("cross-origin-opener-policy"), "same-origin");
    set(HeaderName::from_static("cross-origin-resource-policy"), "same-origin");
    set(PERMISSIONS_POLICY, FEATURES);
}

/// The build names it so; no other page of the app is among the assets.
fn is_sandbox(path: &str) -> bool {
    path.starts_with("assets/sandbox-") && path.ends_with(".html")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn policy_of(path: &str) -> String {
        let mut headers = HeaderMap::new();
        protect(path, &Http::default(), &mut headers);
        headers[header::CONTENT_SECURITY_POLICY].to_str().unwrap_or_default().to_owned()
    }

    #[test]
    fn the_microphone_is_for_the_app_alone_and_where_somebody_says_so() {
        let features_of = |path: &str, dictation: bool| {
            let mut headers = HeaderMap::new();
            protect(path, &Http { dictation, ..Http::default() }, &mut headers);
            headers["permissions-policy"].to_str().unwrap_or_default().to_owned()
        };
        assert!(features_of("index.html", false).contains("microphone=(),"));
        assert!(features_of("index.html", true).contains("microphone=(self),"));
        assert!(features_of("assets/sandbox-1.html", true).contains("microphone=(),"));
    }

    #[test]
    fn only_the_sandbox_may_run_what_was_written() {
        for path in
            ["index.html", "assets/index-1.js", "assets/sandbox-1.js", "sandbox-1.html", "favicon.svg"]
        {
            let policy = policy_of(path);
            let script = policy.split(';').find(|part| part.trim().starts_with("script-src"));
            assert_eq!(script.map(str::trim), Some("script-src 'self'"), "{path}");
        }
    }

    #[test]
    fn pictures_come_from_here_or_from_an_origin_that_is_named() {
        let pictures_of = |path: &str, origins: &[&str]| {
            let mut headers = HeaderMap::new();
            let picture_origins = origins.iter().map(|&origin| origin.to_owned()).collect();
            protect(path, &Http { picture_origins, ..Http::default() }, &mut headers);
            let policy = headers[header::CONTENT_SECURITY_POLICY].to_str().unwrap_or_default().to_owned();
            policy.split("; ").find(|part| part.starts_with("img-src")).unwrap_or_default().to_owned()
        };
        assert_eq!(pictures_of("index.html", &[]), "img-src 'self' data: blob:");
        let named = ["https://a.example", "https://b.example:8443", "*", "https://c.example; script-src *"];
        let expected = "img-src 'self' data: blob: https://a.example https://b.example:8443";
        assert_eq!(pictures_of("index.html", &named), expected, "what is not an origin is left out");
        assert_eq!(pictures_of("assets/sandbox-1.html", &named), "img-src data: blob:");
    }

    #[test]
    fn a_page_of_a_tool_reaches_the_hosts_that_are_named_and_nothing_else() {
        let policy = frame(&Hosts::default());
        assert!(policy.starts_with("sandbox allow-scripts allow-forms; default-src 'none'; "), "{policy}");
        assert!(policy.contains("connect-src 'none'; frame-src 'none';"), "{policy}");
        assert!(
            !policy.contains("http") && !policy.contains("eval") && !policy.contains("same-origin"),
            "{policy}"
        );
        let named = |host: &str| vec![format!("https://{host}.example")];
        let hosts =
            Hosts { connect_domains: named("c"), resource_domains: named("r"), frame_domains: named("f") };
        let policy = frame(&hosts);
        assert!(policy.contains("script-src 'unsafe-inline' https://r.example;"), "{policy}");
        assert!(policy.contains("connect-src https://c.example; frame-src https://f.example;"), "{policy}");
    }

    #[test]
    fn the_sandbox_has_no_origin_and_no_network() {
        let policy = policy_of("assets/sandbox-1.html");
        assert!(policy.starts_with("sandbox allow-scripts; default-src 'none';"), "{policy}");
        assert!(!policy.contains("connect-src") && !policy.contains("allow-same-origin"), "{policy}");
    }
}
