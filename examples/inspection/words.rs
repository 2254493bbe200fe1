//! What is said and written, in both languages.

use serde_json::Value;

use super::{
    data::{Company, Data, PastInspection},
    draft::{Draft, Finding},
    pdf::Line,
    rules::Rule,
    speech::Language,
};

/// What the assistant is for.
pub(super) fn help(language: Language) -> String {
    language
        .choose(
            "Ik help u bij een inspectie. Zeg bijvoorbeeld: \"Start inspectie bij Restaurant Bella Rosa, kvk nummer: \
             92251854\". Vertel daarna wat u ziet, en zeg ten slotte: \"Genereer rapport\".",
            "I help you with an inspection. Say, for example: \"Start inspection at Restaurant Bella Rosa, KVK number: \
             92251854\". Then tell me what you see, and finally say: \"Generate report\".",
        )
        .to_owned()
}

pub(super) fn goodbye(language: Language) -> String {
    language
        .choose("Graag gedaan. Tot de volgende inspectie.", "You are welcome. Until the next inspection.")
        .to_owned()
}

pub(super) fn unknown_company(language: Language) -> String {
    language
        .choose(
            "Ik ken dit bedrijf niet. Noem het KVK-nummer van acht cijfers, of de naam zoals die in het register staat.",
            "I do not know this company. Give the KVK number of eight digits, or the name as it is in the register.",
        )
        .to_owned()
}

pub(super) fn no_inspection(language: Language) -> String {
    language
        .choose(
            "Er is geen inspectie begonnen. Bij welk bedrijf bent u?",
            "No inspection has begun. At which company are you?",
        )
        .to_owned()
}

/// The company and its past, with a warning about what was never mended.
pub(super) fn history(data: &Data, company: &Company, past: &[PastInspection], language: Language) -> String {
    let Company { name, kvk_number, address, activity, .. } = company;
    let mut text = language.choose(
        format!("**{name}** (KVK {kvk_number}), {activity}, {address}.\n\n"),
        format!("**{name}** (KVK {kvk_number}), {activity}, {address}.\n\n"),
    );
    if past.is_empty() {
        text += language.choose("Er zijn geen eerdere inspecties.", "There are no earlier inspections.");
        return text;
    }
    text += language.choose("Eerdere inspecties:\n", "Earlier inspections:\n");
    for inspection in past {
        for finding in &inspection.findings {
            let state = if finding.resolved {
                language.choose("opgelost", "resolved")
            } else {
                language.choose("niet opgelost", "not resolved")
            };
            let told = finding.text(language);
            let label = data.category(&finding.category).map_or("", |category| category.label(language));
            text += &format!(
                "- {} ({label}, {}, {state}): {told}\n",
                inspection.date,
                severity(&finding.severity, language)
            );
        }
    }
    let open = past.iter().find(|inspection| inspection.findings.iter().any(|finding| !finding.resolved));
    if let Some(open) = open {
        let year = open.date.split('-').next().unwrap_or_default();
        text += &language.choose(
            format!("\n⚠️ Let op: een overtreding uit {year} is niet opgelost. Ziet u haar weer, dan is zij herhaald."),
            format!("\n⚠️ Note: a violation of {year} is not resolved. If you see it again, it is a repeated one."),
        );
    }
    text
}

/// A severity as people of this language call it.
fn severity(severity: &str, language: Language) -> &str {
    match (severity, language) {
        ("ernstig", Language::English) => "serious",
        ("overtreding", Language::English) => "violation",
        ("gering", Language::English) => "minor",
        (severity, _) => severity,
    }
}

/// Rules with the places to cite.
pub(super) fn rules(found: &[Rule], language: Language) -> String {
    if found.is_empty() {
        return language
            .choose("Ik heb hier geen regel voor gevonden.", "I found no rule for this.")
            .to_owned();
    }
    let cited = found.iter().map(|rule| format!("- {} [{}]({})\n", rule.text, rule.citation, rule.url));
    let head = language.choose("Deze regels zijn van toepassing:\n", "These rules apply:\n");
    format!("{head}{}", cited.collect::<String>())
}

/// What becomes of a finding.
pub(super) fn finding(data: &Data, finding: &Finding, previous: &[Value], language: Language) -> String {
    let labels = finding.categories.iter().filter_map(|id| Some(data.category(id)?.label(language)));
    let labels = labels.collect::<Vec<_>>().join(", ");
    let grade = severity(&finding.severity, language);
    let mut text = language
        .choose(format!("\nGenoteerd als {grade}: {labels}. "), format!("\nNoted as {grade}: {labels}. "));
    let dates: Vec<_> = previous.iter().filter_map(|before| before["date"].as_str()).collect();
    text += &match dates.is_empty() {
        true => language.choose(
            "Dit soort overtreding is hier niet eerder vastgesteld.".to_owned(),
            "A violation of this kind was not found here before.".to_owned(),
        ),
        false => language.choose(
            format!(
                "⚠️ Herhaalde overtreding: eerder vastgesteld op {}. Ik schaal op naar ernstig.",
                dates.join(", ")
            ),
            format!("⚠️ Repeated violation: found before on {}. I escalate it to serious.", dates.join(", ")),
        ),
    };
    text
}

pub(super) fn report_ready(result: &Value, language: Language) -> String {
    let part = |name: &str| result[name].as_str().unwrap_or_default();
    let (id, pdf, json) = (part("reportId"), part("pdf"), part("json"));
    language.choose(
        format!("Het rapport {id} is klaar: [PDF]({pdf}) of [JSON]({json})."),
        format!("The report {id} is ready: [PDF]({pdf}) or [JSON]({json})."),
    )
}

pub(super) fn report_refused(why: &str, language: Language) -> String {
    language.choose(
        format!("Het rapport is niet gemaakt. {why} U kunt bevindingen toevoegen en het opnieuw vragen."),
        format!("The report was not made. {why} You can add findings and ask for it again."),
    )
}

/// What is about to be reported.
pub(super) fn summary(draft: &Draft, completeness: &Value, language: Language) -> String {
    let count = draft.findings.len();
    language.choose(
        format!(
            "Het concept voor {} is voor {completeness}% compleet, met {count} bevinding(en). ",
            draft.company
        ),
        format!("The draft for {} is {completeness}% complete, with {count} finding(s). ", draft.company),
    )
}

/// A report as it is printed.
pub(super) fn report_lines(report: &Value) -> Vec<Line> {
    let language = if report["language"] == "en" { Language::English } else { Language::Dutch };
    let part = |name: &str| report[name].as_str().unwrap_or_default().to_owned();
    let company = |name: &str| report["company"][name].as_str().unwrap_or_default().to_owned();
    let mut lines = vec![
        Line::heading(
            language.choose("Inspectierapport voedselveiligheid", "Food safety inspection report"),
            16,
        ),
        Line::plain(format!("{} · {} · {}", part("reportId"), part("inspectionId"), part("date"))),
        Line::plain(format!("{}: {}", language.choose("Inspecteur", "Inspector"), part("inspector"))),
        Line::plain(""),
        Line::heading(company("name"), 12),
        Line::plain(format!("KVK {} · {}", company("kvkNumber"), company("address"))),
        Line::plain(format!(
            "{}: {}",
            language.choose("Ernst", "Severity"),
            severity(&part("severity"), language)
        )),
    ];
    for (name, findings) in report["sections"].as_object().into_iter().flatten() {
        lines.push(Line::plain(""));
        lines.push(Line::heading(section(name, language), 12));
        let findings = findings.as_array().map(Vec::as_slice).unwrap_or_default();
        if findings.is_empty() {
            lines.push(Line::plain(language.choose("Geen bevindingen.", "No findings.")));
        }
        findings.iter().for_each(|finding| finding_lines(finding, language, &mut lines));
    }
    lines
}

fn finding_lines(finding: &Value, language: Language, lines: &mut Vec<Line>) {
    let grade = severity(finding["severity"].as_str().unwrap_or_default(), language);
    lines.push(Line::plain(format!("• {} ({grade})", finding["text"].as_str().unwrap_or_default())));
    if finding["repeated"] == true {
        lines.push(Line::plain(language.choose("  Herhaalde overtreding.", "  Repeated violation.")));
    }
    for citation in finding["citations"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        lines.push(Line::plain(format!("  – {citation}")));
    }
}

fn section(name: &str, language: Language) -> &str {
    match name {
        "hygiene" => language.choose("Hygiëne", "Hygiene"),
        "pestControl" => language.choose("Ongediertebestrijding", "Pest control"),
        "foodSafety" => language.choose("Voedselveiligheid", "Food safety"),
        "allergens" => language.choose("Allergenen", "Allergens"),
        _ => language.choose("Overige informatie", "Additional information"),
    }
}
