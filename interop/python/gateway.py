"""Real agents of other people's frameworks, each in a process of its own, and `forestage serve` in front of them.

The server is FORESTAGE_BIN or the debug build. The peers' interpreters are FORESTAGE_PEERS (Pydantic AI, LangGraph and the
encoder of `ag-ui-protocol`) and FORESTAGE_PEERS_FRAMEWORK (Agent Framework, which wants another `ag-ui-protocol`).
"""

import json
import os
import pathlib
import subprocess
import tempfile
import time
import urllib.request

HERE = pathlib.Path(__file__).parent
TARGET = HERE.parents[1] / "target"
FORESTAGE = os.environ.get("FORESTAGE_BIN", str(TARGET / "debug/forestage"))
PEERS = os.environ.get("FORESTAGE_PEERS", str(TARGET / "interop-peers/bin/python"))
FRAMEWORK = os.environ.get("FORESTAGE_PEERS_FRAMEWORK", str(TARGET / "interop-peers-framework/bin/python"))

# No proxy stands between us and this machine.
OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}))

INTERPRETERS = {
    "plain": PEERS,
    "pydantic_ai_peer": PEERS,
    "langgraph_peer": PEERS,
    "framework_peer": FRAMEWORK,
}

ARE_THERE = all(pathlib.Path(it).exists() for it in [FORESTAGE, PEERS, FRAMEWORK])


def post(url, body=None, timeout=20):
    headers = {"content-type": "application/json"}
    request = urllib.request.Request(url, json.dumps(body or {}).encode(), headers)
    return OPENER.open(request, timeout=timeout)


def get(url, headers=None):
    with OPENER.open(urllib.request.Request(url, headers=headers or {}), timeout=20) as answer:
        return json.load(answer)


def until(what, seconds=20):
    """Asks again until the answer is yes."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if answer := what():
            return answer
        time.sleep(0.05)
    raise TimeoutError("nothing happened")


class Peer:
    """An agent that listens until it is stopped; when it comes back it is where it was."""

    def __init__(self, name):
        self.name, self.url = name, None
        self.process = self.begin()

    def begin(self):
        port = [self.url.rsplit(":", 1)[1]] if self.url else []
        command = [INTERPRETERS[self.name], str(HERE / "peers" / f"{self.name}.py"), *port]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        return process

    def wait(self):
        """Waits until it listens."""
        line = self.process.stdout.readline()
        assert line.startswith("listening on "), f"{self.name}: {line!r}"
        self.url = line.strip().removeprefix("listening on ")
        until(self.listens)
        return self

    def listens(self):
        try:
            post(f"{self.url}/shut").close()
            return True
        except OSError:
            return False

    def go(self):
        post(f"{self.url}/go").close()

    def shut(self):
        post(f"{self.url}/shut").close()

    def left(self):
        with post(f"{self.url}/left") as answer:
            return json.load(answer)["left"]

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()

    def back(self):
        self.process = self.begin()
        return self.wait()


class Gateway:
    """`forestage serve` with a store that outlives it."""

    def __init__(self, remotes, more="", files=None):
        self.folder = tempfile.TemporaryDirectory()
        folder = pathlib.Path(self.folder.name)
        tables = "".join(
            f'[[remotes]]\nname = "{name}"\nkind = "ag-ui"\nurl = "{url}/"\n{more}\n' for name, url in remotes.items()
        )
        (folder / "agents").mkdir()
        for name, content in (files or {}).items():
            (folder / name).write_text(content)
        (folder / "forestage.toml").write_text(
            f'log = "warn"\n[http]\nlisten = "127.0.0.1:0"\n[limits]\nlease_seconds = 1\n{tables}'
        )
        self.process = self.begin()

    def begin(self):
        process = subprocess.Popen(
            [FORESTAGE, "serve", "--json"], cwd=self.folder.name, stdout=subprocess.PIPE, text=True
        )
        self.url = json.loads(process.stdout.readline())["url"]
        return process

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()

    def back(self):
        self.process = self.begin()
        return self

    def close(self):
        self.kill()
        self.folder.cleanup()

    def run(self, agent, thread, run, said=None, **more):
        """Starts a run; the answer is the stream of its events."""
        messages = [{"id": f"{run}-said", "role": "user", "content": said}] if said else []
        body = {"threadId": thread, "runId": run, "messages": messages, "protocolVersion": "1.0"} | more
        return post(f"{self.url}/v1/agents/{agent}/runs", body)

    def join(self, thread, after):
        request = urllib.request.Request(f"{self.url}/v1/threads/{thread}/events?protocol=1.0", headers={"last-event-id": after})
        return OPENER.open(request, timeout=20)

    def messages(self, thread):
        return get(f"{self.url}/v1/threads/{thread}/messages")["messages"]

    def state(self, thread):
        return get(f"{self.url}/v1/threads/{thread}/state")["state"]

    def runs(self, thread):
        return get(f"{self.url}/v1/threads/{thread}/runs")["runs"]


class Frame:
    """One event, its cursor, and the bytes that carried it."""

    def __init__(self, raw):
        self.raw = raw
        lines = raw.decode().splitlines()
        self.cursor = next((line[4:] for line in lines if line.startswith("id: ")), None)
        self.event = json.loads(next(line[6:] for line in lines if line.startswith("data: ")))
        self.type = self.event["type"]


def frames(stream):
    """The events of a stream, to the end of the run."""
    raw = b""
    for line in stream:
        raw += line
        if line != b"\n":
            continue
        if b"data: " in raw:
            frame = Frame(raw)
            yield frame
            if frame.type in ("RUN_FINISHED", "RUN_ERROR"):
                return
        raw = b""


def text(events):
    return "".join(frame.event["delta"] for frame in events if frame.type == "TEXT_MESSAGE_CONTENT")
