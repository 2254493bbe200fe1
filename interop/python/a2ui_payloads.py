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
          {"call": "required", "args": {"value": 1}}, {"call": "nobody", "args": {}}, {"literal": "x"}]

ICONS = ["home", "warning", "play", "unicorn", "Home", ""]
STYLES = [{}, {"font": "Roboto"}, {"primaryColor": "#00BFFF"}, {"primaryColor": "#0BF"}, {"primaryColor": "red"}, {"primaryColor": 7},
          {"font": 7}, {"accent": "#00BFFF"}, {"font": "Roboto", "primaryColor": "#00bfff"}]


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


def begun(messages):
    """A payload in the order that the validator wants of 0.8, so that it looks further."""
    return sorted(messages, key=lambda message: "beginRendering" not in message)


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


def add_member(messages, chance):
    """One more member: of a message, of its body, of a component, of an entry, or of something inside."""
    chance.choice(list(holders(messages)))[chance.choice(["extra", "theme", "root"])] = chance.choice(VALUES)


def holders(value):
    if isinstance(value, dict):
        yield value
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else []:
        yield from holders(inner)


def another_icon(messages, chance):
    name, old = chance.choice(ICONS), isinstance(chance.choice(components(messages))["component"], dict)
    component = chance.choice(components(messages))
    if old:
        component["component"] = {"Icon": {"name": chance.choice([{"literalString": name}, {"literalString": name, "path": "/icon"}])}}
    else:
        component_id = component["id"]
        component.clear()
        component.update({"id": component_id, "component": "Icon", "name": name})


def another_style(messages, chance):
    begin = next(message for message in messages if "beginRendering" in message or "createSurface" in message)
    if "beginRendering" in begin:
        begin["beginRendering"]["styles"] = chance.choice(STYLES)
    else:
        begin["createSurface"]["theme"] = chance.choice(STYLES)


def begin_again(messages, chance):
    messages.append(copy.deepcopy(next(message for message in messages if "beginRendering" in message or "createSurface" in message)))


CHANGES = [add_member, another_icon, another_style, begin_again, drop_property, add_property, replace_value, drop_component, rename_component, drop_message, turn_round]
