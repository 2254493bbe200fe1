"""Microsoft Agent Framework behind `agent-framework-ag-ui`, with a chat client that is a list of answers."""

from agent_framework import (
    Agent,
    BaseChatClient,
    ChatResponse,
    ChatResponseUpdate,
    Content,
    FunctionInvocationLayer,
    ResponseStream,
    tool,
)
from agent_framework_ag_ui import add_agent_framework_fastapi_endpoint
from fastapi import FastAPI

from house import Gate, serve

app = FastAPI()
gate = Gate()


class Answers(FunctionInvocationLayer, BaseChatClient):
    """Speaks by what the person said last, or tells what came of its tool."""

    def _inner_get_response(self, *, messages, stream, options, **kwargs):
        updates = self.answer(messages)
        streamed = ResponseStream(updates, finalizer=ChatResponse.from_updates)
        if stream:
            return streamed
        return streamed.get_final_response()

    async def answer(self, messages):
        last = messages[-1]
        results = [it for it in last.contents if it.type == "function_result"]
        if results:
            yield self.text(f"the tool says: {results[-1].result}")
            return
        wish = last.text
        if wish == "story":
            async for word in gate.words():
                yield self.text(word)
        elif wish == "tool":
            yield self.call("weather", '{"city":"Delft"}', "af-weather")
        elif wish == "ask":
            yield self.call("delete", '{"path":"/tmp/x"}', "af-delete")
        else:
            yield self.text("You said: ")
            yield self.text(wish)

    def text(self, text):
        return ChatResponseUpdate(role="assistant", contents=[Content.from_text(text)])

    def call(self, name, arguments, call_id):
        content = Content.from_function_call(call_id=call_id, name=name, arguments=arguments)
        return ChatResponseUpdate(role="assistant", contents=[content])


@tool
def weather(city: str) -> str:
    """Tells the weather."""
    return f"sunny in {city}"


@tool(approval_mode="always_require")
def delete(path: str) -> str:
    """Deletes a file, if somebody agrees."""
    return f"deleted {path}"


agent = Agent(client=Answers(), name="framework", instructions="Be brief.", tools=[weather, delete])
add_agent_framework_fastapi_endpoint(app, agent, "/", single_user=True, default_state={"count": 7}, state_schema={"count": {"type": "integer"}})

serve(app, gate)
