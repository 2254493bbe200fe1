//! The report: drafted, completed, approved.

use forestage::runtime::{AgentError, Question};
use serde_json::{Map, Value, json};

use super::{
    agent::{Scene, new_draft},
    draft::Draft,
    role::Role,
    words,
};

impl Scene<'_> {
    /// The report: what is missing is asked, the final one needs somebody's approval.
    pub(super) async fn report(&mut self) -> Result<(), AgentError> {
        self.hand_over(Role::Reporting).await?;
        let Some((draft, completeness)) = self.complete().await? else {
            return self.say(&words::unknown_company(self.language)).await;
        };
        self.remember(draft.clone()).await?;
        self.say(&words::summary(&draft, &completeness, self.language)).await?;
        let call = json!({
            "inspectionId": draft.inspection_id, "kvkNumber": draft.kvk_number,
            "findings": draft.findings, "language": self.language.code(),
        });
        let made = {
            let _step = self.ctx.step("executing_tools")?;
            self.ctx.use_tool("generate_final_report", call).await?
        };
        match made {
            Ok(result) => {
                self.say(&words::report_ready(&serde_json::from_str(&result)?, self.language)).await
            }
            Err(error) => self.say(&words::report_refused(&error.to_string(), self.language)).await,
        }
    }

    /// The draft, with what was missing; nothing if nobody knows the company.
    async fn complete(&mut self) -> Result<Option<(Draft, Value)>, AgentError> {
        let mut draft = self.state.inspection.clone().unwrap_or_default();
        let mut examined = self.extract(&draft).await?;
        let questions = examined["questions"].as_array().cloned().unwrap_or_default();
        for question in &questions {
            let asked = question["question"].as_str().unwrap_or_default();
            let schema = Map::from_iter([("type".to_owned(), json!("string"))]);
            let answer = self.ctx.ask(Question::new("input_required", asked).schema(schema)).await?.value();
            let answer = answer.as_str().unwrap_or_default();
            if question["field"] == "company" {
                let Some(company) = self.company_in(answer) else { return Ok(None) };
                draft = Draft { findings: draft.findings, ..new_draft(&company) };
            } else {
                let (finding, ..) = self.examine(&draft.kvk_number, answer).await?;
                draft.findings.push(finding);
            }
        }
        if !questions.is_empty() {
            examined = self.extract(&draft).await?;
        }
        Ok(Some((draft, examined["completeness"].clone())))
    }

    async fn extract(&self, draft: &Draft) -> Result<Value, AgentError> {
        let which = json!({ "draft": draft, "language": self.language.code() });
        Ok(serde_json::from_str(&self.ctx.use_tool("extract_inspection_data", which).await??)?)
    }
}
