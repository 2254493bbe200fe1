//! The four agents, without a model: who speaks, what they look up, what they say.

use std::sync::Arc;

use forestage::runtime::{About, Agent, AgentError, BoxFuture, RunContext, tool::ToolError};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::{Value, json};

use super::{
    data::{Company, Data, PastInspection},
    draft::Draft,
    role::Role,
    speech::{Intent, Language, kvk_number},
    words,
};

/// One of the four.
pub(super) struct Inspector {
    role: Role,
    data: Arc<Data>,
}

/// What the thread remembers.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct State {
    current_agent: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) inspection: Option<Draft>,
}

impl Inspector {
    pub(super) fn new(role: Role, data: Arc<Data>) -> Self {
        Self { role, data }
    }
}

impl Agent for Inspector {
    fn about(&self) -> About {
        let mut about = About::new(self.role.description());
        let suggestions = json!({ "suggestions": [
            "Start inspectie bij Restaurant Bella Rosa, kvk nummer: 92251854",
            "Welke regels gelden voor allergenen?",
        ] });
        about.capabilities.custom = suggestions.as_object().cloned().map(Into::into);
        about
    }

    fn run(&self, ctx: RunContext) -> BoxFuture<'_, Result<(), AgentError>> {
        Box::pin(async move { Scene::of(ctx, self).play().await })
    }
}

/// One turn.
pub(super) struct Scene<'a> {
    pub(super) ctx: RunContext,
    pub(super) data: &'a Data,
    pub(super) said: String,
    pub(super) language: Language,
    pub(super) state: State,
}

impl<'a> Scene<'a> {
    fn of(ctx: RunContext, inspector: &'a Inspector) -> Self {
        let said = ctx.said().unwrap_or_default();
        let mut state: State = ctx.state_as().unwrap_or_default();
        if state.current_agent.is_empty() {
            inspector.role.name().clone_into(&mut state.current_agent);
        }
        Self { ctx, data: &inspector.data, language: Language::of(&said), said, state }
    }

    async fn play(mut self) -> Result<(), AgentError> {
        let is_finding = self.state.inspection.is_some() && !self.data.categories_in(&self.said).is_empty();
        match Intent::of(&self.said) {
            Intent::Start => self.start().await,
            Intent::Report => self.report().await,
            Intent::History => self.look_back().await,
            Intent::Regulation => self.explain().await,
            Intent::Finding => self.find().await,
            Intent::Thanks => self.end(words::goodbye(self.language)).await,
            Intent::Other if is_finding => self.find().await,
            Intent::Other => self.end(words::help(self.language)).await,
        }
    }

    /// An inspection begins: who is it, and what happened there before?
    async fn start(&mut self) -> Result<(), AgentError> {
        self.hand_over(Role::History).await?;
        let Some(company) = self.company_in(&self.said) else {
            return self.say(&words::unknown_company(self.language)).await;
        };
        let past = match self.look_up(&company).await? {
            Ok(past) => past,
            Err(error) => return self.say(&error.to_string()).await,
        };
        self.begin(&company).await?;
        self.say(&words::history(self.data, &company, &past, self.language)).await
    }

    async fn look_back(&mut self) -> Result<(), AgentError> {
        self.hand_over(Role::History).await?;
        let inspected =
            self.state.inspection.as_ref().and_then(|it| self.data.company(&it.kvk_number).cloned());
        let Some(company) = self.company_in(&self.said).or(inspected) else {
            return self.say(&words::unknown_company(self.language)).await;
        };
        match self.look_up(&company).await? {
            Ok(past) => self.say(&words::history(self.data, &company, &past, self.language)).await,
            Err(error) => self.say(&error.to_string()).await,
        }
    }

    async fn look_up(&self, company: &Company) -> Result<Result<Vec<PastInspection>, ToolError>, AgentError> {
        let _step = self.ctx.step("executing_tools")?;
        let which = json!({ "kvkNumber": company.kvk_number });
        let calls =
            ["get_company_info", "get_inspection_history"].map(|name| (name.to_owned(), which.clone()));
        let mut results = self.ctx.use_tools(calls.to_vec()).await?;
        match results.pop() {
            Some(Ok(past)) => Ok(Ok(member(&past, "inspections")?)),
            Some(Err(error)) => Ok(Err(error)),
            None => Ok(Ok(Vec::new())),
        }
    }

    async fn end(&mut self, text: String) -> Result<(), AgentError> {
        self.hand_over(Role::General).await?;
        self.say(&text).await
    }

    /// Somebody else speaks from now on. Everybody sees it: as a call, and in the state.
    pub(super) async fn hand_over(&mut self, role: Role) -> Result<(), AgentError> {
        let _step = self.ctx.step("routing")?;
        if self.state.current_agent != role.name() {
            let from = json!({ "from": self.state.current_agent });
            self.ctx.call_tool(&role.transfer(), &from, async |_| role.name()).await?;
            role.name().clone_into(&mut self.state.current_agent);
        }
        Ok(self.ctx.set_state(&self.state).await?)
    }

    async fn begin(&mut self, company: &Company) -> Result<(), AgentError> {
        self.remember(new_draft(company)).await
    }

    pub(super) async fn remember(&mut self, draft: Draft) -> Result<(), AgentError> {
        self.state.inspection = Some(draft);
        Ok(self.ctx.set_state(&self.state).await?)
    }

    pub(super) fn company_in(&self, text: &str) -> Option<Company> {
        // A number that is there counts, whatever name stands beside it.
        match kvk_number(text) {
            Some(number) => self.data.company(number).cloned(),
            None => self.data.company_in(text).cloned(),
        }
    }

    pub(super) async fn say(&self, text: &str) -> Result<(), AgentError> {
        let _step = self.ctx.step("thinking")?;
        let message = self.ctx.text()?;
        for word in text.split_inclusive(' ') {
            message.push(word).await?;
        }
        Ok(())
    }
}

/// A company has so many inspections behind it; this is the next.
pub(super) fn new_draft(company: &Company) -> Draft {
    Draft {
        inspection_id: format!("INS-{}-{}", company.kvk_number, company.inspections.len() + 1),
        kvk_number: company.kvk_number.clone(),
        company: company.name.clone(),
        findings: Vec::new(),
    }
}

/// A member of what a tool gave.
pub(super) fn member<T: DeserializeOwned>(result: &str, name: &str) -> Result<T, AgentError> {
    Ok(serde_json::from_value(serde_json::from_str::<Value>(result)?[name].take())?)
}
