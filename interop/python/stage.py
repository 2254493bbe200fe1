"""A real server in a process of its own: `play`, with agents that do on demand what real ones do now and then.

Its path is FORESTAGE_PLAY, or the debug build of this repository.
"""

import json
import os
import pathlib
import subprocess
import urllib.request

DEBUG_BUILD = pathlib.Path(__file__).parents[2] / "target/debug/play"
PLAY = os.environ.get("FORESTAGE_PLAY", str(DEBUG_BUILD))

# No proxy stands between us and this machine.
OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}))


class Stage:
    """A server that listens until the end of the `with` block."""

    def __enter__(self):
        self.process = subprocess.Popen([PLAY], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.url = self.process.stdout.readline().strip().removeprefix("listening on ")
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()

    def go(self, thread, count):
        """Lets the agent on a thread go on so many times."""
        self.process.stdin.write(f"go {thread} {count}\n")
        self.process.stdin.flush()

    def runs_of(self, agent):
        return f"{self.url}/v1/agents/{agent}/runs"

    def run(self, agent, thread):
        """Starts a run; the answer is the stream of its events."""
        message = {"id": "u", "role": "user", "content": "Begin!"}
        body = json.dumps({"threadId": thread, "runId": "r", "messages": [message], "tools": [], "context": [],
                           "protocolVersion": "1.0"})
        headers = {"content-type": "application/json"}
        return OPENER.open(urllib.request.Request(self.runs_of(agent), body.encode(), headers))

    def join(self, thread):
        """Joins a thread without a cursor."""
        return OPENER.open(f"{self.url}/v1/threads/{thread}/events?protocol=1.0")


def frames(stream):
    """The frames of an event stream, to the end of the run."""
    frame = b""
    for line in stream:
        frame += line
        if line != b"\n":
            continue
        yield frame
        if b'"type":"RUN_FINISHED"' in frame or b'"type":"RUN_ERROR"' in frame:
            return
        frame = b""
