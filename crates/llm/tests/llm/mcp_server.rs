//! A real MCP server for the tests, over both transports: as a program (this test program, started again) and over HTTP.

use std::{
    env,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU32, Ordering},
    },
    time::Duration,
};

use axum::{Router, http::HeaderMap, response::IntoResponse};
use rmcp::{
    ErrorData, RoleServer, ServerHandler, ServiceExt,
    model::{
        CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ListToolsResult,
        PaginatedRequestParams, ProgressNotificationParam, ServerCapabilities, ServerConfig, Tool,
        ToolAnnotations,
    },
    service::RequestContext,
    transport::streamable_http_server::{
        StreamableHttpServerConfig, StreamableHttpService, session::local::LocalSessionManager,
    },
};
use serde_json::{Value, json};
use tokio::{net::TcpListener, sync::watch, task::JoinHandle};

/// What a server has seen.
#[derive(Clone, Default)]
pub(crate) struct Shop {
    pub(crate) refunds: Arc<AtomicU32>,
    pub(crate) waits: watch::Sender<&'static str>,
    is_larger: Arc<AtomicBool>,
}

fn tool(name: &'static str, properties: Value, hints: ToolAnnotations) -> Tool {
    let required: Vec<_> = properties.as_object().unwrap().keys().cloned().collect();
    let schema = json!({ "type": "object", "properties": properties, "required": required });
    Tool::new(name, format!("Does {name}"), Arc::new(schema.as_object().unwrap().clone()))
        .with_annotations(hints)
}

impl Shop {
    fn tools(&self) -> Vec<Tool> {
        let plain = ToolAnnotations::new;
        let mut tools = vec![
            tool("find_order", json!({ "order": { "type": "string" } }), plain().read_only(true)),
            tool("refund", json!({ "amount": { "type": "number" } }), plain().destructive(true)),
            tool("count", json!({ "to": { "type": "integer" } }), plain()),
            tool("wait", json!({}), plain()),
            tool("grow", json!({}), plain()),
            tool("crash", json!({}), plain()),
            tool("secret", json!({}), plain()),
        ];
        // No schema that arguments could fit.
        tools.push(Tool::new(
            "odd",
            "Is odd",
            Arc::new(json!({ "type": "string" }).as_object().unwrap().clone()),
        ));
        if self.is_larger.load(Ordering::Relaxed) {
            tools.push(tool("grown", json!({}), plain()));
        }
        tools
    }

    async fn count(&self, to: i64, context: &RequestContext<RoleServer>) -> CallToolResult {
        let token = context.meta.get_progress_token().unwrap();
        for step in 1..=to {
            let told = ProgressNotificationParam::new(token.clone(), step as f64).with_total(to as f64);
            context.peer.notify_progress(told.with_message(format!("step {step}"))).await.unwrap();
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        CallToolResult::structured(json!({ "counted": to }))
    }

    async fn wait(&self, context: &RequestContext<RoleServer>) -> CallToolResult {
        self.waits.send_replace("waiting");
        context.ct.cancelled().await;
        self.waits.send_replace("cancelled");
        CallToolResult::success(vec![])
    }
}

fn text(text: impl Into<String>) -> CallToolResult {
    CallToolResult::success(vec![ContentBlock::text(text)])
}

impl ServerHandler for Shop {
    fn get_info(&self) -> ServerConfig {
        let able = ServerCapabilities::builder().enable_tools().enable_tool_list_changed().build();
        ServerConfig::new(able)
    }

    /// Three tools on a page.
    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let from: usize = request.and_then(|it| it.cursor).map_or(0, |cursor| cursor.parse().unwrap());
        let tools = self.tools();
        let next = from + 3;
        let mut page = ListToolsResult::with_all_items(tools[from..next.min(tools.len())].to_vec());
        page.next_cursor = (next < tools.len()).then(|| next.to_string());
        Ok(page)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let arguments = Value::Object(request.arguments.unwrap_or_default());
        let result = match request.name.as_ref() {
            "find_order" if arguments["order"] == "A-17" => {
                CallToolResult::structured(json!({ "order": "A-17", "price": 40 }))
            }
            "find_order" => CallToolResult::error(vec![ContentBlock::text("there is no such order")]),
            "refund" => {
                self.refunds.fetch_add(1, Ordering::Relaxed);
                text(format!("refunded {}", arguments["amount"]))
            }
            "count" => self.count(arguments["to"].as_i64().unwrap(), &context).await,
            "wait" => self.wait(&context).await,
            "grow" => {
                self.is_larger.store(true, Ordering::Relaxed);
                context.peer.notify_tool_list_changed().await.unwrap();
                text("grown")
            }
            "crash" => std::process::exit(3),
            "secret" => text(format!(
                "{} {}",
                env::var("SHOP_TOKEN").unwrap_or_default(),
                env::var("CARGO_MANIFEST_DIR").unwrap_or_default()
            )),
            other => return Err(ErrorData::invalid_params(format!("no tool {other}"), None)),
        };
        Ok(result.into())
    }
}

/// The settings of a server that is a program: this one, as [`as_program`].
pub(crate) fn program(more: &str) -> String {
    let me = env::current_exe().unwrap();
    // What the test harness prints is not for the client, so the server writes past it.
    let line = "exec \\\"$0\\\" --exact mcp_server::as_program --ignored --nocapture 3>&1 >/dev/null";
    format!("{{ command: sh, args: [-c, \"{line}\", {}]{more} }}", me.display())
}

#[tokio::test]
#[ignore = "is the program that other tests start"]
async fn as_program() {
    let output = tokio::net::unix::pipe::OpenOptions::new().open_sender("/dev/fd/3").unwrap();
    let running = Shop::default().serve((tokio::io::stdin(), output)).await.unwrap();
    running.waiting().await.unwrap();
    // Standard input is read by a thread that nobody can stop.
    std::process::exit(0);
}

/// A server at an address.
pub(crate) struct Web {
    pub(crate) shop: Shop,
    pub(crate) port: u16,
    serving: JoinHandle<()>,
    stop: tokio_util::sync::CancellationToken,
}

impl Web {
    pub(crate) async fn start() -> Self {
        Self::at(0, Shop::default()).await
    }

    pub(crate) async fn at(port: u16, shop: Shop) -> Self {
        let (served, stop) = (shop.clone(), tokio_util::sync::CancellationToken::new());
        let service = StreamableHttpService::new(
            move || Ok(served.clone()),
            Arc::new(LocalSessionManager::default()),
            StreamableHttpServerConfig::default().with_cancellation_token(stop.clone()),
        );
        let guard = axum::middleware::from_fn(
            async |headers: HeaderMap, request: axum::extract::Request, next: axum::middleware::Next| {
                match headers.get("x-token").is_some_and(|token| token == env!("CARGO_PKG_NAME")) {
                    true => next.run(request).await,
                    false => axum::http::StatusCode::FORBIDDEN.into_response(),
                }
            },
        );
        let app = Router::new().nest_service("/mcp", service).layer(guard);
        let listener = TcpListener::bind(("127.0.0.1", port)).await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let serving = tokio::spawn(async move { axum::serve(listener, app).await.unwrap() });
        Self { shop, port, serving, stop }
    }

    /// The settings of an agent that uses it.
    pub(crate) fn settings(&self) -> String {
        let port = self.port;
        format!(
            "{{ url: 'http://127.0.0.1:{port}/mcp', allowPrivate: true, headers: {{ x-token: '${{CARGO_PKG_NAME}}' }}, timeout: 5s }}"
        )
    }

    /// Ends it, with all its connections.
    pub(crate) async fn stop(self) -> (u16, Shop) {
        self.stop.cancel();
        self.serving.abort();
        let _ = self.serving.await;
        (self.port, self.shop)
    }
}
