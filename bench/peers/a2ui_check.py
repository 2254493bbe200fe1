"""The official Python validator checks the same payload.

python a2ui_check.py <file with one payload per line>
"""

import json
import statistics
import sys
import time

from a2ui.core.basic_catalog import v0_9
from a2ui.utils.validation import validate_payload

with open(sys.argv[1], encoding="utf-8") as lines:
    text = lines.readline()

catalogs = [v0_9.BasicCatalog()]
components = len(json.loads(text)[1]["updateComponents"]["components"])
rounds = []
for _ in range(4):
    begin = time.perf_counter()
    validate_payload(catalogs, json.loads(text))
    rounds.append((time.perf_counter() - begin) * 1e9 / components)

name = "python: a2ui-agent-sdk 0.9.0"
print(json.dumps([{"section": "check", "name": name, "nanosPerEvent": statistics.median(rounds[1:])}]))
