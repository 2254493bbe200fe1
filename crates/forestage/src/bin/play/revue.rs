//! A run with everything in it: each kind of event that an agent can say, some of them within each other.

use forestage::{
    protocol::event::Event,
    runtime::{AgentError, RunContext},
};

use crate::gate::Gate;

/// The events, with `$` for the run.
const REVUE: &str = r#"
{"type":"STEP_STARTED","stepName":"think"}
{"type":"REASONING_START","messageId":"$-g"}
{"type":"REASONING_MESSAGE_START","messageId":"$-g","role":"reasoning"}
{"type":"REASONING_MESSAGE_CONTENT","messageId":"$-g","delta":"What would "}
{"type":"REASONING_MESSAGE_CONTENT","messageId":"$-g","delta":"they like?"}
{"type":"REASONING_MESSAGE_END","messageId":"$-g"}
{"type":"REASONING_ENCRYPTED_VALUE","subtype":"message","entityId":"$-g","encryptedValue":"c2VjcmV0"}
{"type":"REASONING_END","messageId":"$-g"}
{"type":"STEP_FINISHED","stepName":"think"}
{"type":"TEXT_MESSAGE_START","messageId":"$-m1","role":"assistant"}
{"type":"TEXT_MESSAGE_CONTENT","messageId":"$-m1","delta":"I look "}
{"type":"TOOL_CALL_START","toolCallId":"$-c1","toolCallName":"weather","parentMessageId":"$-m1"}
{"type":"TOOL_CALL_ARGS","toolCallId":"$-c1","delta":"{\"city\":"}
{"type":"TEXT_MESSAGE_CONTENT","messageId":"$-m1","delta":"out of the "}
{"type":"TOOL_CALL_START","toolCallId":"$-c2","toolCallName":"clock"}
{"type":"TOOL_CALL_ARGS","toolCallId":"$-c1","delta":"\"Zürich\"}"}
{"type":"TEXT_MESSAGE_CONTENT","messageId":"$-m1","delta":"window. 🌦"}
{"type":"TEXT_MESSAGE_END","messageId":"$-m1"}
{"type":"TOOL_CALL_END","toolCallId":"$-c1"}
{"type":"TOOL_CALL_ARGS","toolCallId":"$-c2","delta":"{}"}
{"type":"TOOL_CALL_END","toolCallId":"$-c2"}
{"type":"TOOL_CALL_RESULT","messageId":"$-r2","toolCallId":"$-c2","content":"noon","role":"tool"}
{"type":"TOOL_CALL_RESULT","messageId":"$-r1","toolCallId":"$-c1","content":"rain","role":"tool"}
{"type":"STATE_SNAPSHOT","snapshot":{"seen":[],"mood":"calm"}}
{"type":"STATE_DELTA","delta":[{"op":"add","path":"/seen/-","value":"rain"}]}
{"type":"ACTIVITY_SNAPSHOT","messageId":"$-a","activityType":"PLAN","content":{"steps":["look"]}}
{"type":"ACTIVITY_DELTA","messageId":"$-a","activityType":"PLAN","patch":[{"op":"add","path":"/steps/-","value":"tell"}]}
{"type":"SUBAGENT_STARTED","subagentRunId":"$-s","name":"poet"}
{"type":"TEXT_MESSAGE_START","messageId":"$-m2","role":"assistant","subagentRunId":"$-s"}
{"type":"TEXT_MESSAGE_CONTENT","messageId":"$-m2","delta":"Drops on ","subagentRunId":"$-s"}
{"type":"TEXT_MESSAGE_CONTENT","messageId":"$-m2","delta":"the lake.","subagentRunId":"$-s"}
{"type":"TEXT_MESSAGE_END","messageId":"$-m2","subagentRunId":"$-s"}
{"type":"SUBAGENT_FINISHED","subagentRunId":"$-s"}
{"type":"CUSTOM","name":"revue.applause","value":{"hands":2}}
{"type":"RAW","event":{"thunder":true},"source":"sky"}
{"type":"STATE_DELTA","delta":[{"op":"replace","path":"/mood","value":"wet"}]}
{"type":"TEXT_MESSAGE_START","messageId":"$-m3","role":"assistant"}
{"type":"TEXT_MESSAGE_CONTENT","messageId":"$-m3","delta":"Take a coat."}
{"type":"TEXT_MESSAGE_END","messageId":"$-m3"}
"#;

/// Says it all; with a gate, one event whenever it opens.
pub(crate) async fn perform(ctx: &RunContext, gate: Option<&Gate>) -> Result<(), AgentError> {
    for line in REVUE.trim().lines() {
        wait(ctx, gate).await;
        ctx.emit(Event::from_json(&line.replace('$', ctx.run_id()))?).await?;
    }
    wait(ctx, gate).await;
    Ok(())
}

async fn wait(ctx: &RunContext, gate: Option<&Gate>) {
    if let Some(gate) = gate {
        gate.pass(ctx.thread_id()).await;
    }
}
