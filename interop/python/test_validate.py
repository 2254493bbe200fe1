"""Somebody else's validator finds nothing wrong with what our server sends."""

import json
import os
import pathlib
import subprocess
import sys
import unittest

from stage import PLAY, Stage, frames

VALIDATOR = pathlib.Path(sys.executable).parent / "ag-ui-validate"

# A viewer who joins while a call's arguments are written has their beginning in the snapshot, and sees the rest.
# The validator takes what it sees for the whole.
REOPENED_ARGUMENTS = ["AGUI204"]


def validate(what, recorded=None, off=()):
    """What the validator has to say about an address, or about a recorded stream."""
    command = [VALIDATOR, what, "--json", "--timeout", "20"]
    for rule in off:
        command += ["--off", rule]
    environment = {**os.environ, "NO_PROXY": "127.0.0.1", "no_proxy": "127.0.0.1"}
    done = subprocess.run(command, input=recorded, capture_output=True, env=environment, check=False)
    if done.returncode == 2:
        raise RuntimeError(done.stderr.decode())
    return json.loads(done.stdout)


@unittest.skipUnless(pathlib.Path(PLAY).exists() or "FORESTAGE_PLAY" in os.environ, f"no server at {PLAY}")
class ValidatorTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.stage = cls.enterClassContext(Stage())

    def assert_clean(self, report, at_least):
        findings = [each for each in report["diagnostics"] if each["severity"] in ("error", "warning")]
        self.assertEqual(findings, [])
        self.assertEqual(report["internalErrors"], [])
        self.assertGreaterEqual(report["eventCount"], at_least)

    def test_every_run_is_clean(self):
        runs = {"echo": 4, "revue": 41, "ask": 6, "client-tool": 5, "failing": 5}
        for agent, events in runs.items():
            with self.subTest(agent):
                self.assert_clean(validate(self.stage.runs_of(agent)), events)

    def test_whoever_joins_at_any_place_gets_a_clean_stream(self):
        with self.stage.run("revue", "model") as stream:
            count = len(list(frames(stream)))
        for seen in range(1, count):
            with self.subTest(seen=seen):
                self.assert_clean(validate("-", self.joined(f"t{seen}", seen, count), REOPENED_ARGUMENTS), 4)

    def joined(self, thread, seen, count):
        """What a viewer gets who joins a run after so many of its events."""
        with self.stage.run("rehearsal", thread) as stream:
            self.stage.go(thread, seen - 1)
            running = frames(stream)
            for _ in range(seen):
                next(running)
            with self.stage.join(thread) as viewer:
                self.stage.go(thread, count)
                return b"".join(frames(viewer))


if __name__ == "__main__":
    unittest.main()
