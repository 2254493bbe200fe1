//! What the assistant knows: companies, their past, the rules, and the words by which findings are told apart.

use serde::{Deserialize, Serialize};

use super::speech::Language;

/// All of it.
#[derive(Debug)]
pub(super) struct Data {
    pub(super) companies: Vec<Company>,
    pub(super) categories: Vec<Category>,
    pub(super) regulations: Vec<Regulation>,
}

/// A company, by its number in the trade register.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Company {
    pub(super) kvk_number: String,
    pub(super) name: String,
    pub(super) address: String,
    pub(super) activity: String,
    #[serde(skip_serializing)]
    pub(super) inspections: Vec<PastInspection>,
}

/// An inspection of the past.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PastInspection {
    pub(super) id: String,
    pub(super) date: String,
    pub(super) inspector: String,
    pub(super) findings: Vec<PastFinding>,
}

/// What was found then.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PastFinding {
    pub(super) category: String,
    pub(super) severity: String,
    nl: String,
    en: String,
    pub(super) resolved: bool,
}

impl PastFinding {
    pub(super) fn text(&self, language: Language) -> &str {
        language.choose(&self.nl, &self.en)
    }
}

/// A kind of finding.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Category {
    pub(super) id: String,
    /// The section of the report.
    pub(super) section: String,
    pub(super) severity: String,
    nl: String,
    en: String,
    /// What it is recognised by.
    words: Vec<String>,
}

impl Category {
    pub(super) fn label(&self, language: Language) -> &str {
        language.choose(&self.nl, &self.en)
    }
}

/// A piece of the law, in our words.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Regulation {
    pub(super) id: String,
    pub(super) citation: Citation,
    pub(super) celex: String,
    pub(super) category: String,
    pub(super) nl: String,
    pub(super) en: String,
}

/// Where it stands.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Citation {
    pub(super) nl: String,
    pub(super) en: String,
}

impl Data {
    /// Reads what comes along.
    pub(super) fn load() -> Result<Self, serde_json::Error> {
        Ok(Self {
            companies: serde_json::from_str(include_str!("data/companies.json"))?,
            categories: serde_json::from_str(include_str!("data/categories.json"))?,
            regulations: serde_json::from_str(include_str!("data/regulations.json"))?,
        })
    }

    /// The company with this number.
    pub(super) fn company(&self, kvk_number: &str) -> Option<&Company> {
        self.companies.iter().find(|company| company.kvk_number == kvk_number)
    }

    /// The company that is named in a text.
    pub(super) fn company_in(&self, text: &str) -> Option<&Company> {
        let text = text.to_lowercase();
        self.companies
            .iter()
            .find(|company| text.contains(&company.kvk_number) || text.contains(&company.name.to_lowercase()))
    }

    /// The kind of finding of this name.
    pub(super) fn category(&self, id: &str) -> Option<&Category> {
        self.categories.iter().find(|category| category.id == id)
    }

    /// The kinds of findings that a text tells of.
    pub(super) fn categories_in(&self, text: &str) -> Vec<&Category> {
        let text = text.to_lowercase();
        let is_told = |category: &&Category| category.words.iter().any(|word| tells(&text, word));
        self.categories.iter().filter(is_told).collect()
    }
}

/// Whether a word begins somewhere in a text. A short one has to be the whole word.
fn tells(text: &str, word: &str) -> bool {
    let begins = |at: usize| !text[..at].chars().next_back().is_some_and(char::is_alphanumeric);
    let ends = |at: usize| !text[at..].chars().next().is_some_and(char::is_alphanumeric);
    text.match_indices(word).any(|(at, _)| begins(at) && (word.len() > 4 || ends(at + word.len())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_regulation_and_every_past_finding_has_a_category() {
        let data = Data::load().expect("the data can be read");
        let past = data.companies.iter().flat_map(|company| &company.inspections);
        let found = past.flat_map(|inspection| &inspection.findings).map(|finding| &finding.category);
        for category in data.regulations.iter().map(|regulation| &regulation.category).chain(found) {
            assert!(data.category(category).is_some(), "{category}");
        }
    }

    #[test]
    fn findings_are_told_apart_by_whole_words_where_those_are_short() {
        let data = Data::load().expect("the data can be read");
        let ids = |text| data.categories_in(text).iter().map(|it| it.id.as_str()).collect::<Vec<_>>();
        assert_eq!(ids("Er liggen uitwerpselen van muizen"), ["pests"]);
        assert_eq!(ids("A demonstration of openness"), [""; 0]);
    }
}
