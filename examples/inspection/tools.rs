//! The tools of the agents. What they take and give is the same whoever plays.

use std::sync::Arc;

use forestage::{
    Builder,
    runtime::tool::{Invocation, ToolError, tool_fn},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{
    data::{Company, Data, PastInspection},
    draft::{Draft, Finding},
    reports::Reports,
    rules::Rules,
    speech::Language,
};

/// Looks a company up in the trade register.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct CompanyInfo {
    /// The number in the trade register: eight digits.
    kvk_number: String,
}

/// Lists earlier inspections of a company with what was found.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct InspectionHistory {
    /// The number in the trade register: eight digits.
    kvk_number: String,
}

/// Searches the rules for food by words, and returns them with the place to cite.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct SearchRegulations {
    /// What to search for, in words.
    query: String,
    /// How many rules at most; three where absent.
    limit: Option<u32>,
    /// In which language they come: `nl` or `en`.
    language: Option<Speech>,
}

/// Checks whether a company was found to break rules of the same kind before.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct RepeatViolation {
    /// The number in the trade register: eight digits.
    kvk_number: String,
    /// Kinds of findings: hygiene, temperature, pests, haccp, allergens, safety.
    categories: Vec<String>,
}

/// Drafts the report, and says what is missing for it.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ExtractData {
    /// What is known.
    draft: Draft,
    /// The language of the questions: `nl` or `en`.
    language: Option<Speech>,
}

/// Makes the final report, as PDF and JSON. It cannot be taken back.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct FinalReport {
    /// The inspection.
    inspection_id: String,
    /// The number in the trade register: eight digits.
    kvk_number: String,
    /// What was found.
    findings: Vec<Finding>,
    /// The language of the report: `nl` or `en`.
    language: Option<Speech>,
}

#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Speech {
    Nl,
    En,
}

impl From<Option<Speech>> for Language {
    fn from(speech: Option<Speech>) -> Self {
        match speech {
            Some(Speech::En) => Self::English,
            _ => Self::Dutch,
        }
    }
}

/// An earlier finding of the same kind.
#[derive(Serialize)]
struct Before<'a> {
    date: &'a str,
    inspection: &'a str,
    category: &'a str,
    resolved: bool,
}

/// Gives them all to a server. All but the last read only; the last one makes its report once for each call.
pub(super) fn add(builder: Builder, data: &Arc<Data>, rules: &Rules, reports: &Reports) -> Builder {
    let (companies, history) = (data.clone(), data.clone());
    let (repeats, finals) = (data.clone(), data.clone());
    let (rules, reports) = (rules.clone(), reports.clone());
    let info = tool_fn("get_company_info", move |_: Invocation, it: CompanyInfo| {
        let data = companies.clone();
        async move { Ok(json!({ "company": company(&data, &it.kvk_number)? })) }
    });
    let history = tool_fn("get_inspection_history", move |_: Invocation, it: InspectionHistory| {
        let data = history.clone();
        async move { Ok(json!({ "inspections": company(&data, &it.kvk_number)?.inspections })) }
    });
    let search = tool_fn("search_regulations", move |_: Invocation, it: SearchRegulations| {
        let rules = rules.clone();
        async move {
            let found = rules.search(&it.query, it.limit.unwrap_or(3).min(10), it.language.into()).await?;
            Ok(json!({ "regulations": found }))
        }
    });
    let repeat = tool_fn("check_repeat_violation", move |_: Invocation, it: RepeatViolation| {
        let data = repeats.clone();
        async move { repeated(company(&data, &it.kvk_number)?, &it.categories) }
    });
    let extract = tool_fn("extract_inspection_data", |_: Invocation, it: ExtractData| async move {
        Ok(it.draft.examined(it.language.into()))
    });
    let report = tool_fn("generate_final_report", move |call: Invocation, it: FinalReport| {
        let (data, reports) = (finals.clone(), reports.clone());
        async move {
            let company = company(&data, &it.kvk_number)?;
            let report =
                super::draft::report(&data, company, &it.inspection_id, it.findings, it.language.into());
            Ok(reports.keep(call, report).await?)
        }
    });
    let readers = [info, history, search, repeat, extract];
    readers
        .into_iter()
        .fold(builder, |builder, tool| builder.tool(tool.repeatable()))
        .tool(report.repeatable())
}

fn company<'d>(data: &'d Data, kvk_number: &str) -> Result<&'d Company, ToolError> {
    let missing = || ToolError::new("unknown_company", format!("the register has no company {kvk_number}"));
    data.company(kvk_number).ok_or_else(missing)
}

fn repeated(company: &Company, categories: &[String]) -> Result<Value, ToolError> {
    let before = |inspection: &'_ PastInspection| -> Vec<Value> {
        let same = inspection.findings.iter().filter(|finding| categories.contains(&finding.category));
        let told = same.map(|finding| Before {
            date: &inspection.date,
            inspection: &inspection.id,
            category: &finding.category,
            resolved: finding.resolved,
        });
        told.map(|before| json!(before)).collect()
    };
    let previous: Vec<_> = company.inspections.iter().flat_map(before).collect();
    Ok(json!({ "repeat": !previous.is_empty(), "previous": previous }))
}
