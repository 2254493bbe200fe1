"""Payloads of A2UI for both sides: the repository's own, whole and damaged, in 0.9 and in 0.8. A payload is a function of one integer."""

import copy
import json
import os
import pathlib
import random
import subprocess

ROOT = pathlib.Path(__file__).parents[2]
FORESTAGE = os.environ.get("FORESTAGE_BIN", str(ROOT / "target/debug/forestage"))

VALUES = [None, True, 0, -1, 2.5, "text", "", [], ["a"], {}, {"path": "/a"}, {"path": "name"}, {"literalString": "x"},
          {"call": "required", "args": {"value": 1}}, {"call": "nobody", "args": {}}]


def forestage(*command, payloads):
    """Answers of a command, one per payload."""
    lines = "".join(json.dumps(payload) + "\n" for payload in payloads)
    done = subprocess.run([FORESTAGE, "a2ui", *command, "--batch"], input=lines, capture_output=True, text=True, check=True)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(answers) == len(payloads)
    return answers


def whole(version):
    """The payloads of `spec/a2ui`, in a version."""
    files = sorted((ROOT / "spec/a2ui").glob("*.json"))
    payloads = [json.loads(file.read_text()) for file in files]
    if version == "0.9":
        return payloads
    return [answer["messages"] for answer in forestage("lower", "--to", "0.8", payloads=payloads)]


def damaged(seed, payloads):
    """A payload with up to two small changes, and their names."""
    chance = random.Random(seed)
    messages = copy.deepcopy(chance.choice(payloads))
    names = []
    for _ in range(chance.randint(0, 2)):
        change = chance.choice(CHANGES)
        try:
            change(messages, chance)
            names.append(change.__name__)
        except (IndexError, KeyError, StopIteration):
            pass  # Some changes find nothing to change.
    return messages, names


def components(messages):
    found = []
    for message in messages:
        for body in message.values():
            if isinstance(body, dict):
                found += body.get("components", [])
    return found


def properties(component):
    """The properties of a component, wherever its version puts them."""
    kind = component["component"]
    return next(iter(kind.values())) if isinstance(kind, dict) else component


def names_of(component):
    return [name for name in properties(component) if name not in ("id", "component")]


def drop_property(messages, chance):
    component = chance.choice(components(messages))
    del properties(component)[chance.choice(names_of(component))]


def add_property(messages, chance):
    properties(chance.choice(components(messages)))[chance.choice(["colour", "text", "weights"])] = chance.choice(VALUES)


def replace_value(messages, chance):
    component = chance.choice(components(messages))
    properties(component)[chance.choice(names_of(component))] = chance.choice(VALUES)


def drop_component(messages, chance):
    holder = next(body for message in messages for body in message.values() if isinstance(body, dict) and "components" in body)
    holder["components"].pop(chance.randrange(len(holder["components"])))


def rename_component(messages, chance):
    chance.choice(components(messages))["id"] = chance.choice(["root", "other", "title", ""])


def drop_message(messages, chance):
    messages.pop(chance.randrange(len(messages)))


def turn_round(messages, chance):
    at = chance.randrange(len(messages) - 1)
    messages[at], messages[at + 1] = messages[at + 1], messages[at]


CHANGES = [drop_property, add_property, replace_value, drop_component, rename_component, drop_message, turn_round]
