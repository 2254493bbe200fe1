//! Agents: whoever turns an input into events.

use std::{collections::BTreeMap, future::Future, pin::Pin, sync::Arc};

use forestage_protocol::capabilities::AgentCapabilities;

use crate::{
    context::{RunContext, StateError},
    error::Stop,
    house::HouseRules,
    tool::{Checks, Tools},
};

/// A future in a box, since agents are chosen at run time.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// Speaks in runs.
///
/// # Contract
///
/// `run` is called once per run, in a task of its own, and says everything through the [`RunContext`]. The
/// engine has already started the run and ends it when the future does, so an agent never emits `RUN_STARTED`,
/// `RUN_FINISHED` or `RUN_ERROR`. What it leaves open is closed for it.
///
/// The future is dropped when the run is cancelled or its time is over: at any `await`. Work that must not stop
/// half way belongs into a task that watches [`RunContext::cancelled`].
///
/// An agent that asks a person ends with the question; when the answer arrives it is called again from the top,
/// and the context makes it reach the same line without saying or doing anything twice. See
/// [`RunContext::ask`].
pub trait Agent: Send + Sync + 'static {
    /// What it is, for lists and for clients that adapt to it.
    fn about(&self) -> About;

    /// The tools of ours that it may use, with [`RunContext::use_tool`].
    fn tools(&self) -> Arc<Tools> {
        Arc::default()
    }

    /// Gets ready for a run: what it needs from elsewhere is there when this is done, or known to be missing. Called
    /// before its tools are asked for; it takes a bounded time.
    fn ready(&self) -> BoxFuture<'_, ()> {
        Box::pin(std::future::ready(()))
    }

    /// What it may do and say, and who looks at it first.
    fn house(&self) -> Arc<HouseRules> {
        Arc::default()
    }

    /// What is known of the tools of clients that it calls.
    fn checks(&self) -> Arc<Checks> {
        Arc::default()
    }

    /// Takes part in one run.
    fn run(&self, ctx: RunContext) -> BoxFuture<'_, Result<(), AgentError>>;
}

impl<A: Agent + ?Sized> Agent for Arc<A> {
    fn about(&self) -> About {
        self.as_ref().about()
    }

    fn tools(&self) -> Arc<Tools> {
        self.as_ref().tools()
    }

    fn ready(&self) -> BoxFuture<'_, ()> {
        self.as_ref().ready()
    }

    fn house(&self) -> Arc<HouseRules> {
        self.as_ref().house()
    }

    fn checks(&self) -> Arc<Checks> {
        self.as_ref().checks()
    }

    fn run(&self, ctx: RunContext) -> BoxFuture<'_, Result<(), AgentError>> {
        self.as_ref().run(ctx)
    }
}

/// What an agent is.
#[derive(Clone, Debug)]
pub struct About {
    /// What it does, for people.
    pub description: String,
    /// How lists of agents show it.
    pub listing: Listing,
    /// What it can do, for clients.
    pub capabilities: AgentCapabilities,
    /// Who owns the history of its threads.
    pub history: HistoryOwner,
}

impl About {
    /// An agent that does this.
    #[must_use]
    pub fn new(description: &str) -> Self {
        Self {
            description: description.to_owned(),
            listing: Listing::default(),
            capabilities: AgentCapabilities::new(),
            history: HistoryOwner::default(),
        }
    }
}

/// How lists of agents show an agent: home pages, menus, the command line.
///
/// None of it changes what the agent does or the name that it is run by.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listing {
    /// What people call it, where that is not its name.
    pub title: Option<String>,
    /// The icon beside it: the name of an icon of the web app, or an emoji.
    pub icon: Option<String>,
    /// Its place in lists, lowest first. Agents without one follow those that have one.
    pub order: Option<i32>,
    /// The heading that it is listed under. Lists fold the group [`Listing::DEVELOPER`] away.
    pub group: Option<String>,
}

impl Listing {
    /// The group of agents that developers need and that other people do not look for.
    pub const DEVELOPER: &str = "developer";

    /// Sorts agents: by order first, by name where that is the same.
    #[must_use]
    pub fn sort_key<'a>(&self, name: &'a str) -> (bool, i32, &'a str) {
        (self.order.is_none(), self.order.unwrap_or_default(), name)
    }
}

/// Who says what was said before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HistoryOwner {
    /// We do: what a client sends is reconciled with the log, and forgeries are refused.
    #[default]
    Server,
    /// The client does: every run takes the messages and the state that come with it. For stateless use.
    Client,
}

/// Why an agent gave up. Any error becomes one, so `?` works on everything.
#[derive(Debug)]
pub struct AgentError {
    code: Option<String>,
    source: Box<dyn std::error::Error + Send + Sync>,
}

impl AgentError {
    /// An error with a code that clients can rely on.
    pub fn new(code: &str, message: impl Into<String>) -> Self {
        Self { code: Some(code.to_owned()), source: message.into().into() }
    }

    /// The code of the `RUN_ERROR`.
    #[must_use]
    pub fn code(&self) -> &str {
        self.code.as_deref().unwrap_or("agent_error")
    }

    /// The sentence of the `RUN_ERROR`.
    #[must_use]
    pub fn message(&self) -> String {
        self.source.to_string()
    }

    /// Why the engine made it stop, if it did.
    #[must_use]
    pub fn stop(&self) -> Option<&Stop> {
        match self.source.downcast_ref() {
            Some(StateError::Stop(stop)) => Some(stop),
            _ => self.source.downcast_ref(),
        }
    }
}

impl<E: std::error::Error + Send + Sync + 'static> From<E> for AgentError {
    fn from(error: E) -> Self {
        Self { code: None, source: Box::new(error) }
    }
}

/// An agent made of a function.
///
/// ```
/// use forestage_runtime::{About, RunContext, agent_fn};
///
/// let hello = agent_fn(About::new("says hello"), |ctx: RunContext| async move {
///     ctx.say("Hello!").await?;
///     Ok(())
/// });
/// ```
pub fn agent_fn<F, R>(about: About, function: F) -> Arc<dyn Agent>
where
    F: Fn(RunContext) -> R + Send + Sync + 'static,
    R: Future<Output = Result<(), AgentError>> + Send + 'static,
{
    struct Function<F>(About, F);

    impl<F, R> Agent for Function<F>
    where
        F: Fn(RunContext) -> R + Send + Sync + 'static,
        R: Future<Output = Result<(), AgentError>> + Send + 'static,
    {
        fn about(&self) -> About {
            self.0.clone()
        }

        fn run(&self, ctx: RunContext) -> BoxFuture<'_, Result<(), AgentError>> {
            Box::pin((self.1)(ctx))
        }
    }

    Arc::new(Function(about, function))
}

/// An agent with tools, and under rules of the house, in place of its own.
///
/// ```
/// use std::sync::Arc;
/// use forestage_runtime::{About, RunContext, agent_fn, house::HouseRules, tool::{Tools, tool_fn}, with_house};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let agent = agent_fn(About::new("asks before it acts"), |ctx: RunContext| async move {
///     let said = match ctx.use_tool("now", serde_json::json!({})).await? {
///         Ok(result) => result,
///         Err(error) => error.to_string(),
///     };
///     ctx.say(said).await?;
///     Ok(())
/// });
/// let now = tool_fn("now", |_, (): ()| async { Ok("noon") });
/// let house = HouseRules::default();
/// let agent = with_house(agent, Tools::new(), house);
/// # Ok(()) }
/// ```
pub fn with_house(agent: Arc<dyn Agent>, tools: Tools, house: HouseRules) -> Arc<dyn Agent> {
    struct Housed(Arc<dyn Agent>, Arc<Tools>, Arc<HouseRules>);

    impl Agent for Housed {
        fn about(&self) -> About {
            self.0.about()
        }

        fn tools(&self) -> Arc<Tools> {
            self.1.clone()
        }

        fn ready(&self) -> BoxFuture<'_, ()> {
            self.0.ready()
        }

        fn house(&self) -> Arc<HouseRules> {
            self.2.clone()
        }

        fn checks(&self) -> Arc<Checks> {
            self.0.checks()
        }

        fn run(&self, ctx: RunContext) -> BoxFuture<'_, Result<(), AgentError>> {
            self.0.run(ctx)
        }
    }

    Arc::new(Housed(agent, Arc::new(tools), Arc::new(house)))
}

/// An agent that knows this of the tools of clients, in place of what it knew.
///
/// ```
/// use forestage_runtime::{About, RunContext, agent_fn, tool::Checks, with_checks};
///
/// let agent = agent_fn(About::new("shows whatever it likes"), |ctx: RunContext| async move {
///     ctx.call_client_tool("its:render_quick_quiz", &serde_json::json!({})).await?;
///     Ok(())
/// });
/// let agent = with_checks(agent, Checks::none());
/// ```
pub fn with_checks(agent: Arc<dyn Agent>, checks: Checks) -> Arc<dyn Agent> {
    struct Checked(Arc<dyn Agent>, Arc<Checks>);

    impl Agent for Checked {
        fn about(&self) -> About {
            self.0.about()
        }

        fn tools(&self) -> Arc<Tools> {
            self.0.tools()
        }

        fn ready(&self) -> BoxFuture<'_, ()> {
            self.0.ready()
        }

        fn house(&self) -> Arc<HouseRules> {
            self.0.house()
        }

        fn checks(&self) -> Arc<Checks> {
            self.1.clone()
        }

        fn run(&self, ctx: RunContext) -> BoxFuture<'_, Result<(), AgentError>> {
            self.0.run(ctx)
        }
    }

    Arc::new(Checked(agent, Arc::new(checks)))
}

/// The agents of a server, by name. Exchanged as a whole, so that a run keeps the agent it began with.
pub type Agents = BTreeMap<String, Arc<dyn Agent>>;
