//! The report: what is known, what is missing, and how it is put together.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::{
    data::{Company, Data},
    speech::Language,
};

/// Nobody is asked more at once.
const MAX_QUESTIONS: usize = 3;

/// What is known of an inspection.
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(super) struct Draft {
    /// The inspection.
    pub(super) inspection_id: String,
    /// The number of the company in the trade register.
    pub(super) kvk_number: String,
    /// The name of the company.
    pub(super) company: String,
    /// What was found.
    pub(super) findings: Vec<Finding>,
}

/// Something that was found.
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(super) struct Finding {
    /// In the inspector's words.
    pub(super) text: String,
    /// Of which kinds it is: hygiene, temperature, pests, haccp, allergens, safety.
    pub(super) categories: Vec<String>,
    /// `gering`, `overtreding` or `ernstig`.
    pub(super) severity: String,
    /// The rules that it breaks, to be cited.
    pub(super) citations: Vec<String>,
    /// Whether it was found before.
    pub(super) repeated: bool,
}

impl Draft {
    /// How complete it is, what is missing, and what to ask.
    pub(super) fn examined(&self, language: Language) -> Value {
        let is_there = [
            ("company", !self.kvk_number.is_empty()),
            ("findings", !self.findings.is_empty()),
            ("categories", self.all(|finding| !finding.categories.is_empty())),
            ("severity", self.all(|finding| !finding.severity.is_empty())),
            ("citations", self.all(|finding| !finding.citations.is_empty())),
        ];
        let missing: Vec<_> = is_there.iter().filter(|(_, there)| !there).map(|(name, _)| *name).collect();
        let questions: Vec<_> =
            missing.iter().filter_map(|name| question(name, language)).take(MAX_QUESTIONS).collect();
        json!({
            "status": if questions.is_empty() { "verified" } else { "draft" },
            "completeness": (is_there.len() - missing.len()) * 100 / is_there.len(),
            "missing": missing,
            "questions": questions,
        })
    }

    fn all(&self, holds: impl Fn(&Finding) -> bool) -> bool {
        !self.findings.is_empty() && self.findings.iter().all(holds)
    }
}

/// What only a person can say.
fn question(field: &str, language: Language) -> Option<Value> {
    let text = match field {
        "company" => language.choose(
            "Bij welk bedrijf is de inspectie? Noem de naam of het KVK-nummer.",
            "Which company is inspected? Give its name or its KVK number.",
        ),
        "findings" => language.choose("Wat hebt u vastgesteld?", "What did you find?"),
        _ => return None,
    };
    Some(json!({ "field": field, "question": text }))
}

/// The final report.
pub(super) fn report(
    data: &Data,
    company: &Company,
    inspection_id: &str,
    findings: Vec<Finding>,
    language: Language,
) -> Value {
    let draft = Draft {
        inspection_id: inspection_id.to_owned(),
        kvk_number: company.kvk_number.clone(),
        company: company.name.clone(),
        findings,
    };
    json!({
        "inspectionId": inspection_id,
        "status": "generated",
        "language": language.code(),
        "company": company,
        "severity": worst(&draft.findings),
        "repeatViolation": draft.findings.iter().any(|finding| finding.repeated),
        "completeness": draft.examined(language)["completeness"],
        "sections": sections(data, &draft.findings),
    })
}

/// The findings by section. One of several kinds stands in the section of each.
fn sections(data: &Data, findings: &[Finding]) -> Map<String, Value> {
    let names = ["hygiene", "pestControl", "foodSafety", "allergens", "additionalInfo"];
    let of = |name: &str| findings.iter().filter(|finding| belongs(data, finding, name)).collect::<Vec<_>>();
    names.iter().map(|name| ((*name).to_owned(), json!(of(name)))).collect()
}

fn belongs(data: &Data, finding: &Finding, section: &str) -> bool {
    let mut known = finding.categories.iter().filter_map(|id| data.category(id)).peekable();
    match known.peek() {
        Some(_) => known.any(|category| category.section == section),
        None => section == "additionalInfo",
    }
}

/// The severity of the worst finding.
pub(super) fn worst(findings: &[Finding]) -> &'static str {
    let is = |severity: &str| findings.iter().any(|finding| finding.severity == severity);
    ["ernstig", "overtreding", "gering"].into_iter().find(|severity| is(severity)).unwrap_or("geen")
}
