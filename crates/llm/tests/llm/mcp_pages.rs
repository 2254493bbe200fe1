//! Pages that tools of MCP servers bring along: shown, kept, and what they may ask for.

use std::sync::{
    Arc,
    atomic::{AtomicU32, Ordering},
};

use axum::Router;
use forestage_llm::agent_file::{self, Setup};
use forestage_protocol::input::RunAgentInput;
use forestage_runtime::{Stage, apps::Page, tool::Notes};
use rmcp::{
    ErrorData, RoleServer, ServerHandler,
    model::{
        CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ListToolsResult,
        PaginatedRequestParams, ReadResourceRequestParams, ReadResourceResponse, ReadResourceResult,
        ServerCapabilities, ServerConfig, Tool, ToolAnnotations,
    },
    service::RequestContext,
    transport::streamable_http_server::{
        StreamableHttpServerConfig, StreamableHttpService, session::local::LocalSessionManager,
    },
};
use serde_json::{Value, json};
use tokio::net::TcpListener;

use crate::support::{answers, folded, kinds, of, run, said, says, server, stage};

/// A server whose tools bring pages along.
#[derive(Clone, Default)]
struct Desk {
    booked: Arc<AtomicU32>,
    /// Whether the client said that it shows pages.
    is_told: Arc<AtomicU32>,
}

fn tool(name: &str, meta: &Value) -> Tool {
    let schema =
        json!({ "type": "object", "properties": { "day": { "type": "string" } }, "required": ["day"] });
    let tool =
        json!({ "name": name, "title": format!("Title of {name}"), "inputSchema": schema, "_meta": meta });
    serde_json::from_value(tool).unwrap()
}

fn resource(uri: &str) -> Value {
    let page = |mime: &str, html: String, ui: Value| json!({ "uri": uri, "mimeType": mime, "text": html, "_meta": { "ui": ui } });
    let mime = "text/html;profile=mcp-app";
    match uri {
        "ui://desk/calendar" => {
            let csp = json!({ "connectDomains": ["https://api.example", "https://evil.example"] });
            page(mime, "<p>Calendar".to_owned(), json!({ "csp": csp, "prefersBorder": true }))
        }
        "ui://desk/large" => page(mime, "x".repeat((2 << 20) + 1), json!({})),
        "ui://desk/plain" => page("text/html", "<p>Plain".to_owned(), json!({})),
        "ui://desk/bytes" => {
            json!({ "uri": uri, "mimeType": "text/html; profile=mcp-app", "blob": "PHA+Qnl0ZXM=" })
        }
        "desk://rules" => json!({ "uri": uri, "mimeType": "text/plain", "text": "No dogs" }),
        _ => Value::Null,
    }
}

impl ServerHandler for Desk {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().enable_resources().build())
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let info = context.peer.peer_info().unwrap();
        let extensions = info.capabilities.extensions.clone().unwrap_or_default();
        let able = extensions.get("io.modelcontextprotocol/ui").and_then(|ui| ui.get("mimeTypes").cloned());
        if able == Some(json!(["text/html;profile=mcp-app"])) {
            self.is_told.fetch_add(1, Ordering::Relaxed);
        }
        let page = |uri: &str| json!({ "ui": { "resourceUri": uri } });
        let destroys = ToolAnnotations::new().destructive(true);
        Ok(ListToolsResult::with_all_items(vec![
            tool("show", &page("ui://desk/calendar")),
            tool("show_large", &page("ui://desk/large")),
            tool("show_plain", &page("ui://desk/plain")),
            tool("show_bytes", &json!({ "ui/resourceUri": "ui://desk/bytes" })),
            tool("book", &json!({ "ui": { "visibility": ["app"] } })).with_annotations(destroys),
            tool("think", &json!({ "ui": { "visibility": ["model"] } })),
        ]))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let arguments = Value::Object(request.arguments.unwrap_or_default());
        if request.name == "book" {
            self.booked.fetch_add(1, Ordering::Relaxed);
        }
        let mut result = CallToolResult::success(vec![ContentBlock::text(format!(
            "{} {}",
            request.name, arguments["day"]
        ))]);
        result.structured_content = Some(json!({ "free": ["10:00"] }));
        Ok(result.into())
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        match resource(&request.uri) {
            Value::Null => Err(ErrorData::resource_not_found(request.uri, None)),
            found => Ok(ReadResourceResult::new(vec![serde_json::from_value(found).unwrap()]).into()),
        }
    }
}

impl Desk {
    /// Serves it, and gives the settings of an agent that uses it.
    async fn serve(&self) -> (String, tokio::task::JoinHandle<()>) {
        let served = self.clone();
        let config = StreamableHttpServerConfig::default();
        let sessions = Arc::new(LocalSessionManager::default());
        let service = StreamableHttpService::new(move || Ok(served.clone()), sessions, config);
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let app = Router::new().nest_service("/mcp", service);
        let serving = tokio::spawn(async move { axum::serve(listener, app).await.unwrap() });
        (format!("url: 'http://127.0.0.1:{port}/mcp', allowPrivate: true, timeout: 5s"), serving)
    }
}

fn file(settings: &str, more: &str) -> String {
    format!("---\nmodel: openai/test\nmcp:\n  desk: {{ {settings} }}\n{more}---\nBe brief.\n")
}

/// A model that calls a tool once and then is done.
fn calls(tool: &str) -> String {
    format!(
        "rules:\n  - {{ when: {{ result: {tool} }}, do: [{{ text: Done }}] }}\n  - {{ when: {{ says: go }}, do: [{{ calls: [{{ name: {tool}, args: {{ day: Monday }} }}] }}] }}\n  - {{ do: [{{ text: Hello }}] }}"
    )
}

/// What a page of the desk asks for.
fn asks(run: &str, method: &str, params: Value) -> RunAgentInput {
    let mut input = RunAgentInput::new("t", run, vec![]);
    let request = json!({ "serverHash": "", "serverId": "desk", "method": method, "params": params });
    input.forwarded_props = Some(json!({ "__proxiedMCPRequest": request }).into());
    input
}

fn books(run: &str) -> RunAgentInput {
    asks(run, "tools/call", json!({ "name": "book", "arguments": { "day": "Monday" } }))
}

/// A stage on which the page of a tool is shown.
async fn shown(desk: &Desk, tool: &str, settings: &str, more: &str) -> (Arc<Stage>, Vec<Value>) {
    let model = server(&calls(tool)).await;
    let stage = stage(&model, &[("a", &file(&format!("{}{settings}", desk.serve().await.0), more))]).await;
    let events = run(&stage, "a", says("r1", "go")).await;
    // The model has to be there while the stage is.
    Box::leak(Box::new(model));
    (stage, events)
}

/// The content of the activity that shows the page, as it is in the end.
async fn content(stage: &Arc<Stage>) -> Value {
    let messages = folded(stage).await.messages;
    let messages = messages.iter().map(|message| serde_json::to_value(message).unwrap());
    let mut activities = messages.filter(|message| message["activityType"] == "mcp-apps");
    activities.next().map(|activity| activity["content"].clone()).unwrap_or_default()
}

async fn kept(stage: &Arc<Stage>, content: &Value) -> Page {
    let notes = Notes::new(stage.store().clone(), "ada");
    Page::kept(&notes, content["page"].as_str().unwrap()).await.unwrap().unwrap()
}

#[tokio::test]
async fn a_call_shows_its_page_with_what_went_in_and_what_came_out() {
    let desk = Desk::default();
    let (stage, events) = shown(&desk, "desk_show", "", "").await;
    assert_eq!(said(&events), "Done", "{events:?}");
    assert!(desk.is_told.load(Ordering::Relaxed) > 0, "the server is told that pages are shown");
    let content = content(&stage).await;
    let call = of(&events, "TOOL_CALL_START")[0]["toolCallId"].clone();
    assert_eq!(content["toolCallId"], call);
    for (member, wanted) in [
        ("agent", json!("a")),
        ("serverId", json!("desk")),
        ("tool", json!("show")),
        ("title", json!("Title of show")),
        ("resourceUri", json!("ui://desk/calendar")),
        ("toolInput", json!({ "day": "Monday" })),
    ] {
        assert_eq!(content[member], wanted, "{member}");
    }
    assert_eq!(content["result"]["structuredContent"], json!({ "free": ["10:00"] }));
    assert_eq!(content["result"]["content"][0]["text"], "show \"Monday\"");
    let page = kept(&stage, &content).await;
    assert_eq!((page.html.as_str(), page.prefers_border), ("<p>Calendar", Some(true)));
    assert!(page.csp.connect_domains.is_empty(), "nobody has allowed it");
}

#[tokio::test]
async fn a_page_reaches_the_hosts_that_it_asks_for_and_that_the_file_allows() {
    let settings = ", appHosts: ['https://api.example', 'https://other.example']";
    let (stage, _) = shown(&Desk::default(), "desk_show", settings, "").await;
    let page = kept(&stage, &content(&stage).await).await;
    assert_eq!(page.csp.connect_domains, ["https://api.example"]);
    assert!(page.csp.resource_domains.is_empty());
}

#[tokio::test]
async fn a_page_in_bytes_and_named_in_the_old_way_is_shown_too() {
    let (stage, _) = shown(&Desk::default(), "desk_show_bytes", "", "").await;
    assert_eq!(kept(&stage, &content(&stage).await).await.html, "<p>Bytes");
}

#[tokio::test]
async fn a_page_that_is_none_or_too_large_is_told_and_the_tool_works_all_the_same() {
    for (tool, wanted) in
        [("desk_show_large", "and may have 2097152"), ("desk_show_plain", "it is `text/html` and not")]
    {
        let (stage, events) = shown(&Desk::default(), tool, "", "").await;
        assert_eq!(said(&events), "Done", "{events:?}");
        let content = content(&stage).await;
        assert!(content["page"].is_null(), "{content}");
        assert!(content["pageError"].as_str().unwrap().contains(wanted), "{content}");
        assert_eq!(content["result"]["structuredContent"], json!({ "free": ["10:00"] }));
    }
}

#[tokio::test]
async fn where_pages_are_not_wanted_there_are_none_and_the_server_knows() {
    let desk = Desk::default();
    let (stage, events) = shown(&desk, "desk_show", ", apps: false", "").await;
    assert!(of(&events, "ACTIVITY_SNAPSHOT").is_empty(), "{events:?}");
    assert_eq!(desk.is_told.load(Ordering::Relaxed), 0);
    assert!(stage.agents()["a"].tools().get("desk_book").is_none(), "it is for pages alone");
    let events = run(&stage, "a", books("r2")).await;
    assert_eq!(events.last().unwrap()["code"], "unknown_page");
}

#[tokio::test]
async fn tools_for_pages_are_not_offered_to_models() {
    let model = server(&calls("desk_show")).await;
    let (settings, _serving) = Desk::default().serve().await;
    let stage = stage(&model, &[("a", &file(&settings, ""))]).await;
    run(&stage, "a", says("r1", "go")).await;
    let offered = model.requests()[0].body["tools"].to_string();
    assert!(offered.contains("desk_think") && !offered.contains("desk_book"), "{offered}");
}

#[tokio::test]
async fn a_page_calls_a_tool_in_its_own_name_and_the_model_does_not_take_it_for_its_own() {
    let desk = Desk::default();
    let model = server(&calls("desk_show")).await;
    let (settings, _serving) = desk.serve().await;
    let stage = stage(&model, &[("a", &file(&settings, ""))]).await;
    run(&stage, "a", says("r1", "go")).await;
    let events = run(&stage, "a", books("r2")).await;
    let finished = events.last().unwrap();
    assert_eq!(finished["result"]["structuredContent"], json!({ "free": ["10:00"] }), "{events:?}");
    assert_eq!(finished["result"]["content"][0]["text"], "book \"Monday\"", "as the server gave it");
    assert_eq!(desk.booked.load(Ordering::Relaxed), 1);
    let call = of(&events, "TOOL_CALL_START")[0];
    assert_eq!(call["toolCallName"], "desk_book");
    assert_eq!(call["subagentRunId"], of(&events, "SUBAGENT_STARTED")[0]["subagentRunId"]);
    assert_eq!(model.requests().len(), 2, "no model is asked about what a page wants");
    run(&stage, "a", says("r3", "thanks")).await;
    let told = model.requests().last().unwrap().body["messages"].to_string();
    assert!(told.contains("desk_show") && !told.contains("desk_book"), "{told}");
}

#[tokio::test]
async fn a_person_decides_about_what_a_page_calls_and_then_it_is_called_once() {
    let desk = Desk::default();
    let rules = "house: { rules: [{ tools: [desk_book], action: ask }] }\n";
    let (stage, _) = shown(&desk, "desk_show", "", rules).await;
    let events = run(&stage, "a", books("r2")).await;
    let question = &events.last().unwrap()["outcome"]["interrupts"][0];
    assert_eq!(
        (desk.booked.load(Ordering::Relaxed), &question["metadata"]["tool"]),
        (0, &json!("desk_book"))
    );
    let id = question["id"].as_str().unwrap();
    let events = run(&stage, "a", answers("r3", id, json!({ "approved": true }))).await;
    let finished = events.last().unwrap();
    assert_eq!(desk.booked.load(Ordering::Relaxed), 1);
    assert_eq!(finished["result"]["content"][0]["text"], "book \"Monday\"", "{events:?}");
    let events = run(&stage, "a", books("r4")).await;
    let id = events.last().unwrap()["outcome"]["interrupts"][0]["id"].as_str().unwrap().to_owned();
    let events = run(&stage, "a", answers("r5", &id, json!({ "approved": false, "reason": "no" }))).await;
    let result = &events.last().unwrap()["result"];
    assert_eq!((&result["isError"], desk.booked.load(Ordering::Relaxed)), (&json!(true), 1), "{result}");
}

#[tokio::test]
async fn a_page_may_ask_for_nothing_that_is_not_meant_for_it() {
    let desk = Desk::default();
    let (stage, _) = shown(&desk, "desk_show", "", "").await;
    let call = |name: &str| json!({ "name": name, "arguments": { "day": "Monday" } });
    for (at, method, params, code) in [
        ("1", "tools/call", call("think"), "page_refused"),
        ("2", "tools/call", call("nothing"), "page_refused"),
        ("3", "prompts/get", json!({}), "page_refused"),
    ] {
        let events = run(&stage, "a", asks(at, method, params)).await;
        assert_eq!(events.last().unwrap()["code"], code, "{method}: {events:?}");
        assert!(of(&events, "TOOL_CALL_START").is_empty());
    }
    let events =
        run(&stage, "a", asks("4", "tools/call", json!({ "name": "book", "arguments": { "day": 1 } }))).await;
    assert_eq!(events.last().unwrap()["result"]["_meta"]["code"], "invalid_arguments");
    assert_eq!(desk.booked.load(Ordering::Relaxed), 0);
}

#[tokio::test]
async fn a_page_that_is_not_shown_asks_for_nothing() {
    let desk = Desk::default();
    let model = server(&calls("desk_show")).await;
    let (settings, _serving) = desk.serve().await;
    let stage = stage(&model, &[("a", &file(&settings, ""))]).await;
    run(&stage, "a", says("r1", "hello")).await;
    let events = run(&stage, "a", books("r2")).await;
    assert_eq!(events.last().unwrap()["code"], "unknown_page");
    assert_eq!(desk.booked.load(Ordering::Relaxed), 0);
}

#[tokio::test]
async fn a_call_of_a_page_brings_no_other_page_along() {
    let (stage, _) = shown(&Desk::default(), "desk_show", "", "").await;
    let again = json!({ "name": "show", "arguments": { "day": "Friday" } });
    let events = run(&stage, "a", asks("r2", "tools/call", again)).await;
    assert_eq!(events.last().unwrap()["result"]["content"][0]["text"], "show \"Friday\"");
    assert!(of(&events, "ACTIVITY_SNAPSHOT").is_empty(), "{:?}", kinds(&events));
}

#[tokio::test]
async fn a_page_reads_itself_and_what_else_its_server_has() {
    let (stage, _) = shown(&Desk::default(), "desk_show", "", "").await;
    for (at, uri, text) in [("r2", "ui://desk/calendar", "<p>Calendar"), ("r3", "desk://rules", "No dogs")] {
        let events = run(&stage, "a", asks(at, "resources/read", json!({ "uri": uri }))).await;
        assert_eq!(events.last().unwrap()["result"]["contents"][0]["text"], text, "{events:?}");
    }
    let events = run(&stage, "a", asks("r4", "resources/read", json!({ "uri": "desk://none" }))).await;
    assert_eq!(events.last().unwrap()["code"], "mcp_protocol");
}

#[tokio::test]
async fn a_connection_finds_pages_and_what_they_ask_for_in_vain() {
    let (settings, _serving) = Desk::default().serve().await;
    let text = file(&format!("{settings}, appHosts: ['https://api.example']"), "");
    let (found, errors) = agent_file::connect("a.md", &text, None, &Setup::default()).await;
    let pages: Vec<_> = found[0].pages.iter().map(|page| (page.tool.as_str(), page.denied.is_ok())).collect();
    assert_eq!(
        pages,
        [
            ("desk_show", true),
            ("desk_show_bytes", true),
            ("desk_show_large", false),
            ("desk_show_plain", false)
        ]
    );
    assert_eq!(found[0].pages[0].denied.clone().unwrap(), ["https://evil.example"]);
    let errors: Vec<_> = errors.iter().map(ToString::to_string).collect();
    assert!(
        errors.len() == 2 && errors.iter().all(|error| error.contains("(mcp_page_unusable)")),
        "{errors:?}"
    );
}

#[test]
fn hosts_of_pages_are_checked_with_their_place() {
    let check = |settings: &str, wanted: &str| {
        let text = file(settings, "");
        let errors = agent_file::parse("a.md", &text, &Setup::default()).map(|_| ()).unwrap_err();
        assert!(errors[0].to_string().starts_with(wanted), "{errors:?}");
    };
    check("command: x, appHosts: ['*']", "a.md:4:34: mcp.desk.appHosts[0]: `*` is not a host");
    check(
        "command: x, apps: false, appHosts: ['https://a.example']",
        "a.md:4:46: mcp.desk.appHosts: `appHosts` means something",
    );
}
