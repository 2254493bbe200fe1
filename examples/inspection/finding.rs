//! Findings: which rules they break, and whether they were found before.

use forestage::runtime::AgentError;
use serde_json::{Value, json};

use super::{
    agent::{Scene, member},
    data::Category,
    draft::{Finding, worst},
    role::Role,
    rules::Rule,
    words,
};

impl Scene<'_> {
    /// What the rules say, without anything being noted.
    pub(super) async fn explain(&mut self) -> Result<(), AgentError> {
        self.hand_over(Role::Regulation).await?;
        let found = self.search(&self.said).await?;
        self.say(&words::rules(&found, self.language)).await
    }

    /// Something was found: which rules does it break, and was it found before?
    pub(super) async fn find(&mut self) -> Result<(), AgentError> {
        self.hand_over(Role::Regulation).await?;
        let Some(mut draft) = self.state.inspection.clone() else {
            return self.say(&words::no_inspection(self.language)).await;
        };
        let (finding, found, previous) = self.examine(&draft.kvk_number, &self.said).await?;
        let text = words::rules(&found, self.language)
            + &words::finding(self.data, &finding, &previous, self.language);
        draft.findings.push(finding);
        self.remember(draft).await?;
        self.say(&text).await
    }

    pub(super) async fn examine(
        &self,
        kvk_number: &str,
        text: &str,
    ) -> Result<(Finding, Vec<Rule>, Vec<Value>), AgentError> {
        let categories = self.data.categories_in(text);
        let found = self.search(text).await?;
        let _step = self.ctx.step("executing_tools")?;
        let ids: Vec<_> = categories.iter().map(|category| category.id.clone()).collect();
        let which = json!({ "kvkNumber": kvk_number, "categories": ids });
        let previous: Vec<Value> = match self.ctx.use_tool("check_repeat_violation", which).await? {
            Ok(result) => member(&result, "previous")?,
            Err(_) => Vec::new(),
        };
        let finding = Finding {
            text: text.to_owned(),
            categories: ids,
            severity: grade(&categories, !previous.is_empty()),
            citations: found.iter().map(|rule| rule.citation.clone()).collect(),
            repeated: !previous.is_empty(),
        };
        Ok((finding, found, previous))
    }

    async fn search(&self, query: &str) -> Result<Vec<Rule>, AgentError> {
        let _step = self.ctx.step("executing_tools")?;
        let which = json!({ "query": query, "limit": 4, "language": self.language.code() });
        match self.ctx.use_tool("search_regulations", which).await? {
            Ok(result) => member(&result, "regulations"),
            Err(_) => Ok(Vec::new()),
        }
    }
}

/// What is repeated is serious, whatever it is.
fn grade(categories: &[&Category], repeated: bool) -> String {
    if repeated {
        return "ernstig".to_owned();
    }
    let of = |category: &&Category| Finding { severity: category.severity.clone(), ..Finding::default() };
    let found: Vec<_> = categories.iter().map(of).collect();
    if found.is_empty() { "gering".to_owned() } else { worst(&found).to_owned() }
}
