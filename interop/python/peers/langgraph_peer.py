"""LangGraph behind `ag-ui-langgraph`, with a model that is a list of answers."""

from typing import Annotated

from ag_ui_langgraph import LangGraphAgent, add_langgraph_fastapi_endpoint
from fastapi import FastAPI
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, AnyMessage, ToolMessage
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langchain_core.tools import tool
from langgraph.checkpoint.memory import MemorySaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.message import add_messages
from langgraph.prebuilt import ToolNode
from langgraph.types import interrupt
from typing_extensions import TypedDict

from house import Gate, serve

app = FastAPI()
gate = Gate()


class Model(BaseChatModel):
    """Speaks by what the person said last, or tells what came of its tool."""

    @property
    def _llm_type(self):
        return "answers"

    def _generate(self, messages, stop=None, run_manager=None, **_):
        raise NotImplementedError("it streams")

    async def _agenerate(self, messages, stop=None, run_manager=None, **_):
        whole = None
        async for piece in self._astream(messages):
            whole = piece if whole is None else whole + piece
        return ChatResult(generations=[ChatGeneration(message=AIMessage(**whole.message.model_dump()))])

    async def _astream(self, messages, stop=None, run_manager=None, **_):
        async for chunk in self.answer(messages):
            piece = ChatGenerationChunk(message=chunk)
            if run_manager:
                await run_manager.on_llm_new_token(chunk.content, chunk=piece)
            yield piece

    async def answer(self, messages):
        last = messages[-1]
        if isinstance(last, ToolMessage):
            yield AIMessageChunk(content=f"{last.name} says: {last.content}")
            return
        wish = last.content
        if wish == "story":
            async for word in gate.words():
                yield AIMessageChunk(content=word)
        elif wish == "tool":
            call = {"name": "weather", "args": '{"city":"Delft"}', "id": "lg-weather", "index": 0}
            yield AIMessageChunk(content="", tool_call_chunks=[call])
        else:
            yield AIMessageChunk(content="You said: ")
            yield AIMessageChunk(content=wish)


@tool
def weather(city: str) -> str:
    """Tells the weather."""
    return f"sunny in {city}"


class State(TypedDict):
    messages: Annotated[list[AnyMessage], add_messages]
    count: int


model = Model()


async def speak(state: State):
    wish = state["messages"][-1].content
    if wish == "state":
        return {"count": 7, "messages": [AIMessage(content="counted")]}
    if wish == "ask":
        answer = interrupt({"message": "May I?", "reason": "confirmation"})
        return {"messages": [AIMessage(content=f"you said {answer}")]}
    return {"messages": [await model.ainvoke(state["messages"])]}


def after(state: State):
    last = state["messages"][-1]
    return "tools" if getattr(last, "tool_calls", None) else END


graph = StateGraph(State)
graph.add_node("speak", speak)
graph.add_node("tools", ToolNode([weather]))
graph.add_edge(START, "speak")
graph.add_conditional_edges("speak", after)
graph.add_edge("tools", "speak")
compiled = graph.compile(checkpointer=MemorySaver())
add_langgraph_fastapi_endpoint(app, LangGraphAgent(name="graph", graph=compiled), "/")
# As it is by default LangGraph asks by an event of its own; this one asks as AG-UI 1.0 does.
asking = LangGraphAgent(name="asking", graph=compiled, emit_interrupt_outcome=True)
add_langgraph_fastapi_endpoint(app, asking, "/asking/")

serve(app, gate)
