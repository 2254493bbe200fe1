//! Contract 001: an inspection from its beginning to the report, in Dutch and in English.

use forestage::Running;
use forestage_examples::{
    app::{Player, Setup},
    inspection,
};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::{Process, Socket, model, of_type, text};

const DUTCH: [&str; 3] = [
    "Start inspectie bij Restaurant Bella Rosa, kvk nummer: 92251854",
    "Ik zie een geopende ton met rauwe vis op kamertemperatuur naast een afvoerputje vol schoonmaakmiddelresten, \
     terwijl de vloer glad is van het vet en er geen HACCP-plan zichtbaar is.",
    "Genereer rapport",
];

const ENGLISH: [&str; 3] = [
    "Start inspection at Restaurant Bella Rosa, KVK number: 92251854",
    "I see an open barrel of raw fish at room temperature next to a drain full of cleaning agents, \
     while the floor is slippery with grease and no HACCP plan is to be seen.",
    "Generate report",
];

fn said(text: &str) -> Value {
    json!({ "threadId": "t1", "messages": [{ "role": "user", "content": text }], "context": {} })
}

fn decided(request: &Value, approved: bool, feedback: &str) -> Value {
    let value =
        json!({ "approvalId": request["value"]["approvalId"], "approved": approved, "feedback": feedback });
    json!({ "type": "CUSTOM", "name": "agora:tool_approval_response", "value": value })
}

fn is_request(frame: &Value) -> bool {
    frame["name"] == "agora:tool_approval_request"
}

fn tools(frames: &[Value]) -> Vec<&str> {
    of_type(frames, "TOOL_CALL_START").iter().filter_map(|frame| frame["toolCallName"].as_str()).collect()
}

/// Who speaks at the end.
fn speaker(frames: &[Value]) -> Value {
    of_type(frames, "STATE_SNAPSHOT").last().expect("there is a snapshot")["snapshot"]["currentAgent"].clone()
}

/// The first two steps, which are the same every time.
async fn inspected(socket: &mut Socket, words: [&str; 3]) -> [Vec<Value>; 2] {
    let mut heard = [Vec::new(), Vec::new()];
    for (text, heard) in words.iter().zip(&mut heard) {
        socket.send(&said(text)).await;
        *heard = socket.until_type("RUN_FINISHED").await;
    }
    heard
}

async fn started(data: &TempDir) -> Running {
    let app = inspection::server(Setup::rules(data.path())).expect("it can be built");
    app.start().await.expect("it starts")
}

/// What is fetched: its status and its bytes.
async fn fetched(url: &str, path: &str, key: Option<&str>) -> (u16, Vec<u8>) {
    let request = reqwest::Client::new().get(format!("{url}{path}"));
    let request = match key {
        Some(key) => request.bearer_auth(key),
        None => request,
    };
    let response = request.send().await.expect("it answers");
    (response.status().as_u16(), response.bytes().await.expect("a body").to_vec())
}

#[tokio::test]
async fn the_demo_is_played_word_by_word_in_dutch_and_the_approval_outlives_a_crash() {
    let data = TempDir::new().expect("a folder");
    let server = Process::start("inspection", data.path(), &["--keys", "ann,bob"]);
    let mut socket = Socket::open(&server.url, "/ws?token=ann").await;
    let [begun, found] = inspected(&mut socket, DUTCH).await;
    assert_eq!(tools(&begun), ["transfer_to_history", "get_company_info", "get_inspection_history"]);
    assert_eq!(speaker(&begun), "history-agent");
    assert!(text(&begun).contains("een overtreding uit 2022 is niet opgelost"), "{}", text(&begun));
    assert_eq!(tools(&found), ["transfer_to_regulation", "search_regulations", "check_repeat_violation"]);
    assert!(text(&found).contains("Verordening (EG) nr. 852/2004"), "{}", text(&found));
    assert!(
        text(&found).contains("Herhaalde overtreding: eerder vastgesteld op 2022-05-17"),
        "{}",
        text(&found)
    );
    socket.send(&said(DUTCH[2])).await;
    let asked = socket.until(is_request).await;
    assert_eq!(tools(&asked), ["transfer_to_reporting", "extract_inspection_data"], "nobody has agreed yet");
    let value = &asked.last().expect("a request")["value"];
    assert_eq!(
        (&value["toolName"], &value["riskLevel"]),
        (&json!("generate_final_report"), &json!("critical"))
    );
    assert_eq!(value["parameters"]["inspectionId"], "INS-92251854-3");
    server.kill();
    let server = Process::start("inspection", data.path(), &["--keys", "ann,bob"]);
    assert_eq!(
        fetched(&server.url, "/reports/RPT-00001/pdf", Some("ann")).await.0,
        404,
        "nothing is made yet"
    );
    let mut socket = Socket::open(&server.url, "/ws?token=ann&threadId=t1").await;
    let asked = socket.until(is_request).await;
    socket.send(&decided(asked.last().expect("a request"), true, "Akkoord")).await;
    let made = socket.until_type("RUN_FINISHED").await;
    assert_eq!(tools(&made), ["generate_final_report"]);
    assert!(text(&made).contains("[PDF](/reports/RPT-00001/pdf)"), "{}", text(&made));
    let (status, pdf) = fetched(&server.url, "/reports/RPT-00001/pdf", Some("ann")).await;
    assert_eq!((status, &pdf[..5]), (200, b"%PDF-".as_slice()));
    let (_, report) = fetched(&server.url, "/reports/RPT-00001/json", Some("ann")).await;
    let report: Value = serde_json::from_slice(&report).expect("JSON");
    assert_eq!((&report["severity"], &report["repeatViolation"]), (&json!("ernstig"), &json!(true)));
    assert_eq!((&report["inspector"], &report["completeness"]), (&json!("ann"), &json!(100)));
    let in_sections = ["hygiene", "foodSafety", "pestControl"]
        .map(|name| report["sections"][name].as_array().map(Vec::len));
    assert_eq!(
        in_sections,
        [Some(1), Some(1), Some(0)],
        "a finding stands in the section of each of its kinds"
    );
    assert_eq!(fetched(&server.url, "/reports/RPT-00001/json", Some("bob")).await.0, 404);
    assert_eq!(fetched(&server.url, "/reports/RPT-00001/json", None).await.0, 401);
}

#[tokio::test]
async fn in_english_the_same_is_said_in_english_and_a_report_that_is_rejected_is_not_made() {
    let data = TempDir::new().expect("a folder");
    let app = started(&data).await;
    let mut socket = Socket::open(app.url(), "/ws").await;
    let [begun, found] = inspected(&mut socket, ENGLISH).await;
    assert!(text(&begun).contains("a violation of 2022 is not resolved"), "{}", text(&begun));
    assert!(text(&found).contains("Repeated violation: found before on 2022-05-17"), "{}", text(&found));
    assert!(text(&found).contains("Regulation (EC) No 852/2004"), "{}", text(&found));
    socket.send(&said(ENGLISH[2])).await;
    let asked = socket.until(is_request).await;
    socket.send(&decided(asked.last().expect("a request"), false, "The photos are missing")).await;
    let refused = socket.until_type("RUN_FINISHED").await;
    assert!(text(&refused).contains("The report was not made."), "{}", text(&refused));
    assert!(text(&refused).contains("The photos are missing"), "{}", text(&refused));
    assert_eq!(fetched(app.url(), "/reports/RPT-00001/pdf", None).await.0, 404);
    app.shutdown().await;
}

#[tokio::test]
async fn what_a_report_misses_is_asked_one_by_one_and_then_approved() {
    let data = TempDir::new().expect("a folder");
    let app = started(&data).await;
    let mut socket = Socket::open(app.url(), "/ws").await;
    for (text, question) in
        [("Genereer rapport", "Bij welk bedrijf"), ("Slagerij De Koe", "Wat hebt u vastgesteld?")]
    {
        socket.send(&said(text)).await;
        socket.until(|frame| frame["delta"].as_str().is_some_and(|delta| delta.contains(question))).await;
    }
    socket.send(&said("Gehakt op kamertemperatuur")).await;
    let asked = socket.until(is_request).await;
    let request = asked.last().expect("a request");
    let findings = &request["value"]["parameters"]["findings"];
    assert_eq!((&findings[0]["severity"], &findings[0]["repeated"]), (&json!("ernstig"), &json!(true)));
    socket.send(&decided(request, true, "")).await;
    assert!(text(&socket.until_type("RUN_FINISHED").await).contains("/reports/RPT-00001/json"));
    app.shutdown().await;
}

#[tokio::test]
async fn words_that_are_not_allowed_are_refused_with_a_reason() {
    let data = TempDir::new().expect("a folder");
    let app = started(&data).await;
    let mut socket = Socket::open(app.url(), "/ws").await;
    socket.send(&said("drop table companies")).await;
    let frames = socket.until_type("RUN_FINISHED").await;
    let errors: Vec<_> = frames.iter().filter(|frame| frame["name"] == "agora:error").collect();
    assert_eq!(errors.len(), 1, "{frames:#?}");
    assert_eq!(errors[0]["value"]["errorCode"], "moderation_violation");
    app.shutdown().await;
}

#[tokio::test]
async fn models_hand_over_to_each_other_and_use_the_same_tools() {
    let data = TempDir::new().expect("a folder");
    let model = model("inspection/model.yaml").await;
    let setup =
        Setup { data: data.path().to_owned(), player: Player::Model { name: None, url: Some(model.url()) } };
    let app = inspection::server(setup).expect("it can be built").start().await.expect("it starts");
    let mut socket = Socket::open(app.url(), "/ws").await;
    socket.send(&said(DUTCH[0])).await;
    let begun = socket.until_type("RUN_FINISHED").await;
    assert_eq!(
        tools(&begun),
        ["transfer_to_history-agent", "get_company_info", "get_inspection_history"],
        "{begun:#?}"
    );
    assert_eq!(speaker(&begun), "history-agent");
    socket.send(&said(DUTCH[2])).await;
    let asked = socket.until(is_request).await;
    socket.send(&decided(asked.last().expect("a request"), true, "")).await;
    let made = socket.until_type("RUN_FINISHED").await;
    assert!(text(&made).contains("RPT-00001"), "{}", text(&made));
    assert_eq!(fetched(app.url(), "/reports/RPT-00001/pdf", None).await.0, 200);
    app.shutdown().await;
}
