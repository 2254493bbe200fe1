"""FastAPI with the official Python package, as its examples serve an agent.

python serve.py <file with one event per line>
"""

import asyncio
import socket
import sys
import threading
from collections.abc import AsyncIterator

import uvicorn
from ag_ui.core import Event, RunAgentInput
from ag_ui.encoder import EventEncoder
from fastapi import FastAPI
from fastapi.responses import StreamingResponse
from pydantic import TypeAdapter

PACE = 0.01

with open(sys.argv[1], encoding="utf-8") as lines:
    adapter: TypeAdapter[Event] = TypeAdapter(Event)
    events = [adapter.validate_json(line) for line in lines.read().split("\n")]

app = FastAPI()


@app.post("/v1/agents/{agent}/runs")
async def run(agent: str, run_input: RunAgentInput) -> StreamingResponse:
    encoder = EventEncoder()

    async def stream() -> AsyncIterator[str]:
        begin = asyncio.get_running_loop().time()
        for number, event in enumerate(events):
            if agent == "paced":
                # Late ones are made up for.
                await asyncio.sleep(max(0, begin + number * PACE - asyncio.get_running_loop().time()))
            yield encoder.encode(event)
            if agent == "waiting":
                await asyncio.Event().wait()

    return StreamingResponse(stream(), media_type=encoder.get_content_type())


def end_with_the_bench(server: uvicorn.Server) -> None:
    sys.stdin.read()
    server.force_exit = server.should_exit = True


listener = socket.create_server(("127.0.0.1", 0), backlog=4096)
server = uvicorn.Server(uvicorn.Config(app, log_level="error", access_log=False, lifespan="off"))
threading.Thread(target=end_with_the_bench, args=(server,), daemon=True).start()
print(f"listening on 127.0.0.1:{listener.getsockname()[1]}", flush=True)
server.run(sockets=[listener])
