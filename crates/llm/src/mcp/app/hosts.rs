//! Which hosts a page may reach: those that it asks for, as far as the agent file allows them. Nothing else.

use forestage_runtime::apps::{Hosts, is_host};
use serde_json::Value;

/// The hosts of a page: what it asks for and what is allowed, for each purpose.
pub(super) fn allowed(asked: Option<&Value>, allowed: &[String]) -> Hosts {
    let of = |member: &str| {
        let list = asked.and_then(|asked| asked.get(member)).and_then(Value::as_array);
        let hosts = list.into_iter().flatten().filter_map(Value::as_str);
        hosts.filter(|host| is_allowed(host, allowed)).map(str::to_owned).collect()
    };
    Hosts {
        connect_domains: of("connectDomains"),
        resource_domains: of("resourceDomains"),
        frame_domains: of("frameDomains"),
    }
}

/// The hosts that a page asks for in vain.
pub(super) fn denied(asked: Option<&Value>, allowed: &[String]) -> Vec<String> {
    let lists = asked.and_then(Value::as_object).into_iter().flat_map(|asked| asked.values());
    let hosts = lists.filter_map(Value::as_array).flatten().filter_map(Value::as_str);
    let mut denied: Vec<_> = hosts.filter(|host| !is_allowed(host, allowed)).map(str::to_owned).collect();
    denied.sort();
    denied.dedup();
    denied
}

/// What is asked for stands in the list, or is a host of a domain that does.
fn is_allowed(asked: &str, allowed: &[String]) -> bool {
    let within = |allowed: &String| {
        let (Some((scheme, domain)), Some((of, host))) =
            (allowed.split_once("://*"), asked.split_once("://"))
        else {
            return false;
        };
        scheme == of && host.ends_with(domain) && host.len() > domain.len()
    };
    is_host(asked) && allowed.iter().any(|host| host == asked || within(host))
}

/// Why something is no host.
pub(in crate::mcp) fn check_host(text: &str) -> Result<(), String> {
    let wrong =
        || format!("`{text}` is not a host, such as `https://api.example.org` or `https://*.example.org`");
    is_host(text).then_some(()).ok_or_else(wrong)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn check(asked: &str, list: &[&str], is: bool) {
        let list: Vec<_> = list.iter().map(|host| (*host).to_owned()).collect();
        assert_eq!(is_allowed(asked, &list), is, "{asked} in {list:?}");
    }

    #[test]
    fn only_what_the_file_allows_is_reached() {
        check("https://a.example", &["https://a.example"], true);
        check("https://a.example", &[], false);
        check("http://a.example", &["https://a.example"], false);
        check("https://a.example:444", &["https://a.example"], false);
        check("https://x.a.example", &["https://*.a.example"], true);
        check("https://*.a.example", &["https://*.a.example"], true);
        check("https://a.example", &["https://*.a.example"], false);
        check("https://eviltoo-a.example", &["https://*.a.example"], false);
        check("https://*.example", &["https://*.a.example"], false);
        check("https://x.a.example", &["https://a.example"], false);
    }

    #[test]
    fn what_is_asked_for_in_vain_is_told_once() {
        let asked = json!({
            "connectDomains": ["https://b.example", "https://a.example"],
            "resourceDomains": ["https://a.example", "https://c.example"],
        });
        let list = ["https://c.example".to_owned()];
        assert_eq!(denied(Some(&asked), &list), ["https://a.example", "https://b.example"]);
        let hosts = allowed(Some(&asked), &list);
        assert_eq!(hosts.resource_domains, ["https://c.example"]);
        assert!(hosts.connect_domains.is_empty() && hosts.frame_domains.is_empty());
        assert_eq!(allowed(None, &list), Hosts::default());
    }
}
