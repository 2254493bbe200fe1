"""An agent by hand: the encoder of `ag-ui-protocol` behind FastAPI, as the quickstart of AG-UI writes it."""

from ag_ui.core import (
    EventType,
    Interrupt,
    RunAgentInput,
    RunFinishedEvent,
    RunFinishedInterruptOutcome,
    RunStartedEvent,
    StateDeltaEvent,
    StateSnapshotEvent,
    TextMessageContentEvent,
    TextMessageEndEvent,
    TextMessageStartEvent,
    ToolCallArgsEvent,
    ToolCallEndEvent,
    ToolCallResultEvent,
    ToolCallStartEvent,
)
from ag_ui.encoder import EventEncoder
from fastapi import FastAPI, Request
from fastapi.responses import StreamingResponse

from house import Gate, serve

app = FastAPI()
gate = Gate()


@app.post("/")
async def agent(data: RunAgentInput, request: Request):
    encoder = EventEncoder(accept=request.headers.get("accept"))

    async def events():
        yield encoder.encode(RunStartedEvent(type=EventType.RUN_STARTED, thread_id=data.thread_id, run_id=data.run_id))
        outcome = None
        async for event in play(data):
            if isinstance(event, RunFinishedInterruptOutcome):
                outcome = event
            else:
                yield encoder.encode(event)
        yield encoder.encode(
            RunFinishedEvent(
                type=EventType.RUN_FINISHED, thread_id=data.thread_id, run_id=data.run_id, outcome=outcome
            )
        )

    return StreamingResponse(events(), media_type=encoder.get_content_type())


async def play(data):
    last = data.messages[-1]
    wish = last.content if last.role == "user" else ""
    if data.resume:
        answer = data.resume[0]
        payload = answer.payload or {}
        verdict = f"{answer.interrupt_id}: {answer.status}, {payload.get('approved')}"
        for event in say(f"a-{data.run_id}", [verdict]):
            yield event
    elif wish == "story":
        start, *_, end = say("story", [])
        yield start
        async for word in gate.words():
            yield TextMessageContentEvent(type=EventType.TEXT_MESSAGE_CONTENT, message_id="story", delta=word)
        yield end
    elif wish == "tool":
        for event in call("weather", '{"city":"Delft"}', "call-1"):
            yield event
        yield ToolCallResultEvent(
            type=EventType.TOOL_CALL_RESULT, message_id="result-1", tool_call_id="call-1", content="sunny"
        )
        for event in say("after", ["It is", " sunny."]):
            yield event
    elif wish == "state":
        yield StateSnapshotEvent(type=EventType.STATE_SNAPSHOT, snapshot={"count": (data.state or {}).get("count", 0)})
        yield StateDeltaEvent(type=EventType.STATE_DELTA, delta=[{"op": "replace", "path": "/count", "value": 7}])
    elif wish == "ask":
        for event in call("delete", '{"path":"/tmp/x"}', "call-2"):
            yield event
        schema = {"type": "object", "properties": {"approved": {"type": "boolean"}}, "required": ["approved"]}
        question = Interrupt(
            id="may-i", reason="tool_call", message="May I?", tool_call_id="call-2", response_schema=schema
        )
        yield RunFinishedInterruptOutcome(type="interrupt", interrupts=[question])
    else:
        for event in say("answer", ["You said: ", wish]):
            yield event


def say(message_id, deltas):
    """A message. Its id is the same each time, as it is with agents that are made in a hurry."""
    yield TextMessageStartEvent(type=EventType.TEXT_MESSAGE_START, message_id=message_id, role="assistant")
    for delta in deltas:
        yield TextMessageContentEvent(type=EventType.TEXT_MESSAGE_CONTENT, message_id=message_id, delta=delta)
    yield TextMessageEndEvent(type=EventType.TEXT_MESSAGE_END, message_id=message_id)


def call(name, arguments, call_id):
    yield ToolCallStartEvent(type=EventType.TOOL_CALL_START, tool_call_id=call_id, tool_call_name=name)
    yield ToolCallArgsEvent(type=EventType.TOOL_CALL_ARGS, tool_call_id=call_id, delta=arguments)
    yield ToolCallEndEvent(type=EventType.TOOL_CALL_END, tool_call_id=call_id)


serve(app, gate)
