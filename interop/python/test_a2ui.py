"""Somebody else's validator of A2UI and ours say the same about payloads, whole and damaged, of 0.9 and of 0.8."""

import collections
import os
import pathlib
import unittest

from a2ui.core import MessageProcessor
from a2ui.core.basic_catalog import v0_8, v0_9
from a2ui.core.exceptions import A2uiError
from a2ui.utils.validation import validate_payload

from a2ui_payloads import FORESTAGE, begun, damaged, forestage, whole

CATALOGS = {"0.9": [v0_9.BasicCatalog()], "0.8": [v0_8.BasicCatalog()]}
CASES = int(os.environ.get("FORESTAGE_A2UI_CASES", "400"))


def complaint(version, messages):
    """What the validator has against a payload; nothing if it is fine."""
    try:
        validate_payload(CATALOGS[version], messages)
    except A2uiError as error:
        return str(error)
    return None


def codes(checked):
    return {refusal["code"] for refusal in checked["refusals"]}


# Where the two differ, and why. An entry names the payloads that it is about: a version, what the validator says, and our codes.
KNOWN = {
    "the order of 0.8: the validator puts `beginRendering` first, the renderer of the same package does not and refuses": (
        lambda version, theirs, ours: version == "0.8" and theirs is None and ours == {"not_begun"}
    ),
    "a surface of 0.8 without any component has no root; the validator does not look": (
        lambda version, theirs, ours: version == "0.8" and theirs is None and ours <= {"no_root", "not_begun"}
    ),
    "an empty object where a value should be is no value in 0.8; the validator takes it": (
        lambda version, theirs, ours: version == "0.8" and theirs is None and "invalid_prop" in ours and ours <= {"invalid_prop", "not_begun"}
    ),
    "a style of 0.8 that there is not: its schema and web_core refuse it, the validator does not look": (
        lambda version, theirs, ours: version == "0.8" and theirs is None and "unknown_style" in ours and ours <= {"unknown_style", "not_begun"}
    ),
    "a component of 0.8 that is two things: the validator takes the first, the contract wants exactly one": (
        lambda version, theirs, ours: version == "0.8" and theirs is None and ours == {"missing_component_type"}
    ),
    "one more member of an event of 0.9: the validator refuses it, renderers pass over it": (
        lambda version, theirs, ours: version == "0.9" and theirs is not None and "ActionEventWrapper" in theirs and not ours
    ),
}


@unittest.skipUnless(pathlib.Path(FORESTAGE).exists() or "FORESTAGE_BIN" in os.environ, f"no command at {FORESTAGE}")
class PayloadTest(unittest.TestCase):
    def test_what_is_whole_is_fine_for_both_in_both_versions(self):
        for version in CATALOGS:
            payloads = whole(version)
            for payload, checked in zip(payloads, forestage("check", payloads=payloads)):
                self.assertEqual((complaint(version, payload), checked["faults"]), (None, []))

    def test_both_refuse_the_same_payloads(self):
        counts = collections.Counter()
        for version in CATALOGS:
            payloads = [begun(payload) for payload in whole(version)]
            cases = [damaged(seed, payloads) for seed in range(CASES)]
            answers = forestage("check", "--for", "python", payloads=[messages for messages, _ in cases])
            for seed, ((messages, changes), checked) in enumerate(zip(cases, answers)):
                theirs = complaint(version, messages)
                if (theirs is None) == (not checked["refusals"]):
                    counts["agreed"] += 1
                    continue
                known = next((name for name, applies in KNOWN.items() if applies(version, theirs, codes(checked))), None)
                with self.subTest(version=version, seed=seed, changes=changes):
                    self.assertIsNotNone(known, f"validator: {theirs}; forestage: {checked['refusals'][:3]}")
                counts[known] += 1
        print(f"\n{2 * CASES} payloads: {dict(counts)}")
        self.assertTrue(all(counts[name] for name in KNOWN), "known differences that no longer occur")

    def test_the_order_of_0_8_matters_to_the_renderer(self):
        messages = whole("0.8")[0]
        processor = MessageProcessor(CATALOGS["0.8"])
        with self.assertRaises(A2uiError):
            processor.process_messages(messages)


if __name__ == "__main__":
    unittest.main()
