"""Pydantic AI behind its AG-UI adapter, with a model that is a function."""

from ag_ui.core import EventType, StateSnapshotEvent
from fastapi import FastAPI, Request
from pydantic import BaseModel
from pydantic_ai import Agent, DeferredToolRequests, RunContext, ToolReturn
from pydantic_ai.messages import ModelRequest, ToolReturnPart, UserPromptPart
from pydantic_ai.models.function import DeltaToolCall, FunctionModel
from pydantic_ai.ui import StateDeps
from pydantic_ai.ui.ag_ui import AGUIAdapter

from house import Gate, serve

app = FastAPI()
gate = Gate()


class Shared(BaseModel):
    """The state that the agent shares."""

    count: int = 0


async def model(messages, _info):
    """Speaks by what the person said last, or tells what came of its tool."""
    parts = [part for message in messages if isinstance(message, ModelRequest) for part in message.parts]
    last = parts[-1]
    if isinstance(last, ToolReturnPart):
        yield f"{last.tool_name} says: {last.model_response_str()}"
        return
    wish = last.content if isinstance(last, UserPromptPart) else ""
    if wish == "story":
        async for word in gate.words():
            yield word
    elif wish == "tool":
        yield {0: DeltaToolCall(name="weather", json_args='{"city":"Delft"}', tool_call_id="pyd-weather")}
    elif wish == "state":
        yield {0: DeltaToolCall(name="count_up", json_args="{}", tool_call_id="pyd-count")}
    elif wish == "ask":
        yield {0: DeltaToolCall(name="delete", json_args='{"path":"/tmp/x"}', tool_call_id="pyd-delete")}
    elif wish == "house":
        yield {0: DeltaToolCall(name="lookup", json_args='{"term":"stage"}', tool_call_id="pyd-lookup")}
    else:
        yield "You said: "
        yield str(wish)


agent = Agent(
    FunctionModel(stream_function=model), deps_type=StateDeps[Shared], output_type=[str, DeferredToolRequests]
)


@agent.tool_plain
def weather(city: str) -> str:
    """Tells the weather."""
    return f"sunny in {city}"


@agent.tool
def count_up(ctx: RunContext[StateDeps[Shared]]) -> ToolReturn:
    """Counts."""
    ctx.deps.state.count += 7
    event = StateSnapshotEvent(type=EventType.STATE_SNAPSHOT, snapshot=ctx.deps.state.model_dump())
    return ToolReturn(return_value="counted", metadata=[event])


@agent.tool_plain(requires_approval=True)
def delete(path: str) -> str:
    """Deletes a file, if somebody agrees."""
    return f"deleted {path}"


@app.post("/")
async def run(request: Request):
    return await AGUIAdapter.dispatch_request(request, agent=agent, deps=StateDeps(Shared()))


serve(app, gate)
