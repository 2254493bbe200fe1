//! Reads the test cases of a JUnit file, which nextest, Vitest and Node write.
//!
//! It looks at `<testcase>` elements alone and at what they hold, which is all that the three have in common.

/// How a test case ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Verdict {
    Passed,
    Failed,
    Skipped,
}

/// One test case.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Case {
    /// The test binary for nextest, the test file for the others.
    pub(crate) class: String,
    pub(crate) name: String,
    pub(crate) verdict: Verdict,
}

/// All test cases of a file.
pub(crate) fn cases(text: &str) -> Vec<Case> {
    text.split("<testcase ").skip(1).filter_map(case).collect()
}

/// One test case, from its first attribute on. Node repeats one class for all files, and has the file beside it.
fn case(text: &str) -> Option<Case> {
    let (attributes, rest) = split_tag(text)?;
    let class = attribute(attributes, "file").or_else(|| attribute(attributes, "classname"))?;
    let name = attribute(attributes, "name")?;
    let inside = if attributes.ends_with('/') { "" } else { rest.split("</testcase>").next()? };
    Some(Case { class, name, verdict: verdict(inside) })
}

/// Splits behind the tag's end. A `>` may stand in an attribute.
fn split_tag(text: &str) -> Option<(&str, &str)> {
    let mut quoted = false;
    let end = text.find(|letter| {
        quoted ^= letter == '"';
        letter == '>' && !quoted
    })?;
    Some((&text[..end], &text[end + 1..]))
}

fn attribute(attributes: &str, name: &str) -> Option<String> {
    let marker = format!("{name}=\"");
    let at = attributes.match_indices(&marker).map(|(at, _)| at).find(|at| is_start(attributes, *at))?;
    let value = attributes[at + marker.len()..].split('"').next()?;
    Some(unescape(value))
}

/// `name` is also how `classname` ends.
fn is_start(attributes: &str, at: usize) -> bool {
    at == 0 || attributes[..at].ends_with(char::is_whitespace)
}

fn verdict(inside: &str) -> Verdict {
    if ["<failure", "<error"].iter().any(|tag| inside.contains(tag)) {
        Verdict::Failed
    } else if inside.contains("<skipped") {
        Verdict::Skipped
    } else {
        Verdict::Passed
    }
}

/// The five entities of XML. The ampersand comes last, or it would make new ones.
fn unescape(text: &str) -> String {
    let entities = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&#39;", "'")];
    let text = entities.iter().fold(text.to_owned(), |text, (entity, letter)| text.replace(entity, letter));
    text.replace("&amp;", "&")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, class: &str, name: &str, verdict: Verdict) {
        let expected = Case { class: class.to_owned(), name: name.to_owned(), verdict };
        assert_eq!(cases(text), [expected]);
    }

    #[test]
    fn a_case_passes_unless_it_holds_a_failure_or_a_skip() {
        check(r#"<testcase name="a::b" classname="p::t" time="1"/>"#, "p::t", "a::b", Verdict::Passed);
        check(
            r#"<testcase classname="t" name="n"><failure>no</failure></testcase>"#,
            "t",
            "n",
            Verdict::Failed,
        );
        check(r#"<testcase classname="t" name="n"><skipped/></testcase>"#, "t", "n", Verdict::Skipped);
        check(
            r#"<testcase classname="t" name="n"><system-out>x</system-out></testcase>"#,
            "t",
            "n",
            Verdict::Passed,
        );
    }

    #[test]
    fn names_are_read_as_they_were_written() {
        check(
            r#"<testcase classname="t" name="a &gt; b's &quot;c&quot; &amp;lt;" />"#,
            "t",
            r#"a > b's "c" &lt;"#,
            Verdict::Passed,
        );
        check(r#"<testcase classname="t" name="a > b"/>"#, "t", "a > b", Verdict::Passed);
    }

    #[test]
    fn a_file_is_more_exact_than_a_class() {
        check(
            r#"<testcase name="n" classname="test" file="test/a.mjs"/>"#,
            "test/a.mjs",
            "n",
            Verdict::Passed,
        );
    }
}
