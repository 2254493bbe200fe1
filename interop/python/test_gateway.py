"""Agents of other people's frameworks, behind our gateway: what the stage promises holds for them."""

import json
import subprocess
import unittest
from urllib.error import HTTPError

from gateway import ARE_THERE, FORESTAGE, Gateway, Peer, frames, get, post, text, until
from test_validate import validate

STORY = "Once upon a time there was a stage."

# A run that goes on answers a call of the run that asked, which the validator has not seen.
EARLIER_CALLS = ["AGUI207"]

# Names of agents, and of the files that they are.
PEERS = {
    "plain": "plain",
    "pydantic": "pydantic_ai_peer",
    "graph": "langgraph_peer",
    "framework": "framework_peer",
}


def setUpModule():
    global peers, gateway
    if not ARE_THERE:
        raise unittest.SkipTest("the server or the peers are not there")
    peers = {name: Peer(file) for name, file in PEERS.items()}
    for peer in peers.values():
        unittest.addModuleCleanup(peer.kill)
    for peer in peers.values():
        peer.wait()
    urls = {name: peer.url for name, peer in peers.items()}
    gateway = Gateway({**urls, "graph-asking": f"{urls['graph']}/asking"})
    unittest.addModuleCleanup(gateway.close)


class Peers(unittest.TestCase):
    def run_to_end(self, *arguments, off=(), **more):
        with gateway.run(*arguments, **more) as stream:
            return self.clean(list(frames(stream)), off)

    def clean(self, events, off=()):
        """Neither our verifier nor somebody else's finds anything."""
        recorded = b"".join(frame.raw for frame in events)
        ours = subprocess.run([FORESTAGE, "stream", "verify", "--json", "-"], input=recorded, capture_output=True)
        verdict = json.loads(ours.stdout)
        self.assertEqual((verdict["ok"], verdict["warnings"]), (True, []), verdict)
        theirs = validate("-", recorded, off)
        found = [each for each in theirs["diagnostics"] if each["severity"] in ("error", "warning")]
        self.assertEqual(found, [])
        warnings = [it.event for it in events if it.event.get("name") == "forestage.remote_warning"]
        self.assertEqual(warnings, [])
        return events

    def until_held(self, stream):
        """Reads a story up to where it is held, and returns the events."""
        events = []
        for frame in frames(stream):
            events.append(frame)
            if text(events) == "Once upon a":
                return events
        self.fail("the story was not held")

    def ended(self, events, outcome=None):
        self.assertEqual(events[-1].type, "RUN_FINISHED", events[-1].event)
        self.assertEqual(events[-1].event.get("outcome", {}).get("type"), outcome, events[-1].event)


class SpeakingTest(Peers):
    def test_what_is_said_is_heard_turn_after_turn(self):
        for name in PEERS:
            with self.subTest(name):
                for turn in ["hello", "again"]:
                    events = self.run_to_end(name, f"{name}-text", turn, turn)
                    self.ended(events)
                    self.assertEqual(text(events), f"You said: {turn}")
                said = [it["content"] for it in gateway.messages(f"{name}-text") if it["role"] in ("user", "assistant")]
                self.assertEqual(said, ["hello", "You said: hello", "again", "You said: again"])

    def test_tools_of_the_agent_are_seen_with_their_results(self):
        for name in PEERS:
            with self.subTest(name):
                events = self.run_to_end(name, f"{name}-tool", "r", "tool")
                self.ended(events)
                results = [it.event["content"] for it in events if it.type == "TOOL_CALL_RESULT"]
                self.assertEqual(len(results), 1)
                self.assertIn("sunny", results[0])
                calls = [it["toolCalls"] for it in gateway.messages(f"{name}-tool") if it.get("toolCalls")]
                self.assertEqual([call["function"]["name"] for each in calls for call in each], ["weather"])

    def test_the_state_of_the_agent_is_the_state_of_the_thread(self):
        for name in PEERS:
            with self.subTest(name):
                self.run_to_end(name, f"{name}-state", "r", "state", state={"count": 0})
                expected = 0 if name == "framework" else 7
                self.assertEqual(gateway.state(f"{name}-state")["count"], expected)

    def test_agents_elsewhere_are_in_the_list(self):
        names = [agent["name"] for agent in get(f"{gateway.url}/v1/agents")["agents"]]
        self.assertEqual(names, sorted([*PEERS, "graph-asking"]))


class ComingBackTest(Peers):
    def test_whoever_left_comes_back_to_the_very_event(self):
        for name in PEERS:
            with self.subTest(name):
                peer, thread = peers[name], f"{name}-back"
                peer.shut()
                with gateway.run(name, thread, "r", "story") as stream:
                    seen = self.until_held(stream)
                with gateway.join(thread, seen[-1].cursor) as stream:
                    peer.go()
                    rest = list(frames(stream))
                self.assertEqual(text(seen + rest), STORY)
                self.clean(seen + rest)
                self.ended(rest)

    def test_whoever_cancels_a_run_hangs_up_on_the_agent(self):
        for name in PEERS:
            with self.subTest(name):
                peer, thread = peers[name], f"{name}-cancel"
                peer.shut()
                before = peer.left()
                with gateway.run(name, thread, "r", "story") as stream:
                    seen = self.until_held(stream)
                    post(f"{gateway.url}/v1/threads/{thread}/runs/r/cancel").close()
                    seen += frames(stream)
                self.ended(seen, "cancelled")
                self.clean(seen)
                self.assertEqual(text(seen), "Once upon a")
                until(lambda peer=peer, before=before: peer.left() > before)


class AskingTest(Peers):
    def answer(self, name, thread, payload):
        """Asks, looks for the question in the inbox, and answers it."""
        asked = self.run_to_end(name, thread, "asks", "ask")
        self.ended(asked, "interrupt")
        (question,) = asked[-1].event["outcome"]["interrupts"]
        waiting = get(f"{gateway.url}/v1/interrupts")["interrupts"]
        self.assertIn(question["id"], [it["id"] for it in waiting])
        entry = {"interruptId": question["id"], "status": "resolved", "payload": payload}
        return self.run_to_end(name, thread, "answered", resume=[entry], off=EARLIER_CALLS)

    def test_a_question_of_the_agent_waits_here_and_is_answered_there(self):
        for name, expected in {
            "plain": "may-i: resolved, True",
            "pydantic": "delete says: deleted /tmp/x",
            "graph": "you said {'approved': True}",
            "graph-asking": "you said {'approved': True}",
            "framework": "the tool says: deleted /tmp/x",
        }.items():
            with self.subTest(name):
                events = self.answer(name, f"{name}-ask", {"approved": True})
                self.ended(events)
                said = [it.get("content") for it in gateway.messages(f"{name}-ask") if it["role"] == "assistant"]
                self.assertEqual(said[-1], expected)

    def test_an_answer_that_does_not_fit_is_refused_here(self):
        for name in ["plain", "pydantic"]:
            with self.subTest(name):
                with self.assertRaises(HTTPError) as refused:
                    self.answer(name, f"{name}-wrong", {"approved": "maybe"})
                self.assertEqual(json.load(refused.exception)["error"]["code"], "invalid_answer")


    def test_a_question_that_is_withdrawn_does_not_stand_in_the_way_of_what_is_said_next(self):
        for name in [*PEERS, "graph-asking"]:
            with self.subTest(name):
                thread = f"{name}-withdrawn"
                asked = self.run_to_end(name, thread, "asks", "ask")
                self.ended(asked, "interrupt")
                post(f"{gateway.url}/v1/threads/{thread}/runs/asks/cancel").close()
                with gateway.join(thread, asked[-1].cursor) as stream:
                    self.ended(list(frames(stream)), "cancelled")
                events = self.run_to_end(name, thread, "hello", "hello", off=EARLIER_CALLS)
                # As it is by default LangGraph has no word for it, and asks again.
                if name == "graph":
                    self.ended(events, "interrupt")
                    continue
                self.ended(events)
                self.assertTrue(text(events).endswith("You said: hello"), text(events))


ALLOWED = """
house: { rules: [{ tools: [delete], when: { path: { equals: /tmp/x } }, action: ACTION }] }
rules: []
"""


class RulesTest(Peers):
    def test_the_house_answers_what_the_agent_asks_about_its_own_tools(self):
        for action, expected in {"allow": "delete says: deleted /tmp/x", "deny": "delete says: "}.items():
            with self.subTest(action):
                house = ALLOWED.replace("ACTION", action)
                mine = Gateway({"pydantic": peers["pydantic"].url}, 'script = "house.yaml"', {"house.yaml": house})
                self.addCleanup(mine.close)
                with mine.run("pydantic", "ruled", "r", "ask") as stream:
                    events = self.clean(list(frames(stream)))
                self.ended(events)
                self.assertTrue(text(events).startswith(expected), text(events))
                self.assertEqual("deleted" in text(events), action == "allow")


HOUSE = """
tools:
  - name: lookup
    parameters: { type: object, properties: { term: { type: string } }, required: [term] }
    result: "found {{args.term}}"
house: { rules: [{ tools: [lookup], action: ask }] }
rules: []
"""


class HouseTest(Peers):
    def test_a_tool_of_ours_that_the_agent_proposes_is_called_here_when_somebody_agrees(self):
        mine = Gateway({"pydantic": peers["pydantic"].url}, 'script = "house.yaml"', {"house.yaml": HOUSE})
        self.addCleanup(mine.close)
        with mine.run("pydantic", "house", "r", "house") as stream:
            asked = self.clean(list(frames(stream)))
        (question,) = asked[-1].event["outcome"]["interrupts"]
        mine.kill()
        mine.back()
        entry = {"interruptId": question["id"], "status": "resolved", "payload": {"approved": True}}
        with mine.run("pydantic", "house", "answered", resume=[entry]) as stream:
            events = self.clean(list(frames(stream)), EARLIER_CALLS)
        self.assertEqual([it.event["content"] for it in events if it.type == "TOOL_CALL_RESULT"], ["found stage"])
        self.assertEqual(text(events), "lookup says: found stage")


class DyingTest(Peers):
    def test_the_gateway_dies_in_the_middle(self):
        for name in PEERS:
            with self.subTest(name):
                peer, thread = peers[name], f"{name}-lost"
                peer.shut()
                mine = Gateway({name: peer.url})
                self.addCleanup(mine.close)
                with mine.run(name, thread, "r", "story") as stream:
                    seen = self.until_held(stream)
                    mine.kill()
                mine.back()
                with mine.join(thread, seen[-1].cursor) as stream:
                    rest = list(frames(stream))
                self.assertEqual(rest[-1].event["code"], "run_lost")
                self.clean(seen + rest)
                peer.go()
                again = {"id": "r-said", "role": "user", "content": "story"}
                with mine.run(name, thread, "retry", messages=[again]) as stream:
                    events = self.clean(list(frames(stream)))
                self.assertEqual(text(events), STORY)
                said = [it["content"] for it in mine.messages(thread) if it["role"] == "assistant"]
                self.assertEqual(said, [STORY])

    def test_the_agent_dies_in_the_middle(self):
        for name in PEERS:
            with self.subTest(name):
                peer, thread = Peer(PEERS[name]).wait(), f"{name}-dies"
                self.addCleanup(peer.kill)
                mine = Gateway({name: peer.url}, "attempts = 1")
                self.addCleanup(mine.close)
                with mine.run(name, thread, "r", "story") as stream:
                    seen = self.until_held(stream)
                    peer.kill()
                    seen += frames(stream)
                self.assertEqual(seen[-1].event["code"], "agent_broke_off")
                self.clean(seen)
                with mine.run(name, thread, "nobody", "hello") as stream:
                    (*_, last) = frames(stream)
                self.assertEqual(last.event["code"], "agent_unreachable")
                peer.back()
                with mine.run(name, thread, "back", "hello") as stream:
                    self.assertEqual(text(list(frames(stream))), "You said: hello")


if __name__ == "__main__":
    unittest.main()
