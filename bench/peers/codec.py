"""The official Python package decodes and encodes our stream.

python codec.py <file with one event per line>
"""

import json
import statistics
import sys
import time
from collections.abc import Callable

from ag_ui.core import Event
from ag_ui.encoder import EventEncoder
from pydantic import TypeAdapter

with open(sys.argv[1], encoding="utf-8") as lines:
    texts = lines.read().split("\n")

adapter: TypeAdapter[Event] = TypeAdapter(Event)
events = [adapter.validate_json(text) for text in texts]
encoder = EventEncoder()


def measure(work: Callable[[], object]) -> float:
    """Nanoseconds per event, the median of some rounds after a warm-up."""
    rounds = []
    for _ in range(6):
        begin = time.perf_counter()
        work()
        rounds.append((time.perf_counter() - begin) * 1e9 / len(texts))
    return statistics.median(rounds[1:])


def figure(section: str, name: str, work: Callable[[], object]) -> dict[str, object]:
    return {"section": section, "name": name, "nanosPerEvent": measure(work)}


def decode() -> None:
    for text in texts:
        adapter.validate_json(text)


def encode() -> None:
    for event in events:
        encoder.encode(event)


print(
    json.dumps(
        [
            figure("decode", "python: ag-ui-protocol 1.0.0", decode),
            figure("sse-write", "python: ag-ui-protocol 1.0.0", encode),
        ]
    )
)
