"""What all peers have in common: a port, a gate, and what they do when they are told."""

import asyncio
import socket
import sys

import uvicorn

WORDS = ["Once", " upon", " a", " time", " there", " was", " a", " stage."]

# How many words may still be said before somebody has to say `go`.
HELD_AFTER = 3


class Gate:
    """Closed until somebody opens it."""

    def __init__(self):
        self.event = asyncio.Event()
        self.left = 0

    async def words(self):
        """A story that stops in the middle until the gate is open."""
        for number, word in enumerate(WORDS):
            if number == HELD_AFTER:
                await self.event.wait()
            yield word


class HangUps:
    """Counts those who hang up before they have heard everything, whatever the framework makes of it."""

    def __init__(self, app, gate):
        self.app, self.gate = app, gate

    async def __call__(self, scope, receive, send):
        async def watched():
            message = await receive()
            if message["type"] == "http.disconnect":
                self.gate.left += 1
            return message

        await self.app(scope, watched, send)


def serve(app, gate):
    """Serves on a given port or any free one, says where, and opens the gate when it is asked to."""

    @app.post("/go")
    async def go():
        gate.event.set()
        return {}

    @app.post("/shut")
    async def shut():
        gate.event.clear()
        return {}

    @app.post("/left")
    async def left():
        return {"left": gate.left}

    app.add_middleware(HangUps, gate=gate)
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind(("127.0.0.1", int(sys.argv[1]) if len(sys.argv) > 1 else 0))
    print(f"listening on http://127.0.0.1:{listener.getsockname()[1]}", flush=True)
    config = uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=1)
    uvicorn.Server(config).run([listener])
