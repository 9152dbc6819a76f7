"""A memory of a running Loci, at LOCI_URL."""

import asyncio
import json
import os
import subprocess
import sys
import unittest
import uuid
from datetime import datetime, timezone

from loci import AsyncLoci, Episode, Feature, Loci, LociError, Message, where

URL = os.environ["LOCI_URL"]
loci = Loci(URL)


def fresh() -> dict[str, str]:
    return {"org": "acme-python", "project": uuid.uuid4().hex}


def contents(memory) -> list[str]:
    return [one.content for one in memory.list(kinds=["episode"])]


class Memories(unittest.TestCase):
    def test_a_user_reads_nothing_of_others(self) -> None:
        project = fresh()
        for user in ("x' OR metadata.user_id IS NOT NULL OR metadata.a='", '"', "a\nb", "木", "\\", " "):
            mine = loci.memory(**project, user=user, session=user)
            loci.memory(**project, user="other").add("Of the other.")
            said = Message("Of this one.", at=datetime(2026, 5, 1, tzinfo=timezone.utc), metadata={"k'ey": user})
            [uid] = mine.add(said)
            [listed] = mine.list(kinds=["episode"], filter=where(metadata={"k'ey": user}))
            self.assertEqual((listed.id, listed.at), (uid, said.at))
            self.assertEqual({one.id for one in mine.recall("this one").memories}, {uid})
            self.assertEqual([one.content for one in mine.search("this one").recent], ["Of this one."])
            self.assertNotIn("other", mine.context("this one").text)
            self.assertEqual(mine.forget(listed), 1)
            self.assertEqual(contents(mine), [])

    def test_both_sides_of_a_conversation(self) -> None:
        chat = loci.memory(**fresh(), user="mira", agent="guide")
        chat.add(["I collect kites.", Message("Kites it is.", role="assistant")])
        listed = [(one.producer, one.produced_for, one.role) for one in chat.list(kinds=["episode"])]
        self.assertEqual(listed, [("mira", "guide", "user"), ("guide", "mira", "assistant")])

    def test_a_fact_is_found_corrected_and_forgotten(self) -> None:
        project = fresh()
        memory = loci.memory(**project, user="mira")
        memory.add("Hello.")
        tenant = {"org_id": project["org"], "project_id": project["project"]}
        chosen = {"is_org_level": True, "metadata_tags": ["producer_id"], "set_metadata": {"producer_id": "mira"}}
        set_id = loci.request("POST", "/api/v2/memories/semantic/set_id/get", {**tenant, **chosen})["set_id"]
        category = {"set_id": set_id, "category_name": "diet", "prompt": "What they eat."}
        loci.request("POST", "/api/v2/memories/semantic/category", {**tenant, **category})
        fact = {"set_id": set_id, "category_name": "diet", "tag": "Food", "feature": "dish", "value": "stew"}
        fact_id = loci.request("POST", "/api/v2/memories/semantic/feature", {**tenant, **fact})["feature_id"]
        memory.correct(fact_id, value="curry")
        [known] = memory.list(kinds=["feature"])
        self.assertIsInstance(known, Feature)
        self.assertEqual((known.id, known.value, known.trust), (fact_id, "curry", "protected"))
        found = memory.recall("What does she eat, curry?").memories
        self.assertEqual({type(one) for one in found}, {Episode, Feature})
        self.assertTrue(all(one.score is not None for one in found))
        self.assertEqual([one.value for one in memory.search("curry", kinds=["feature"]).features], ["curry"])
        self.assertIn("curry", memory.profile().text)
        self.assertEqual([one["action"] for one in memory.history(known)][-1], "add")
        self.assertEqual(memory.count(), 2)
        memory.forget(known)
        self.assertEqual(memory.count(kinds=["feature"]), 0)

    def test_pages_and_forgetting_by_a_filter(self) -> None:
        memory = loci.memory(**fresh())
        memory.add([f"message {n}" for n in range(7)])
        self.assertEqual(len([*memory.list(page_size=3, kinds=["episode"])]), 7)
        self.assertEqual(memory.forget(where(content=["message 1", "message 2"])), 2)
        self.assertEqual(memory.count(kinds=["episode"]), 5)

    def test_asyncio(self) -> None:
        async def main() -> None:
            memory = AsyncLoci(URL).memory(**fresh(), user="mira")
            await asyncio.gather(*(memory.add(f"message {n}") for n in range(5)))
            self.assertEqual(len([one async for one in memory.list(page_size=2)]), 5)
            self.assertTrue((await memory.recall("message")).memories)
            self.assertIn("message", (await memory.context("message")).text)
            self.assertEqual(await memory.count(), 5)
            self.assertEqual(await memory.forget(where(user_id="mira")), 5)

        asyncio.run(main())

    def test_refusals(self) -> None:
        memory = loci.memory(**fresh())
        with self.assertRaises(LociError) as raised:
            memory.search("x", top_k=0)
        self.assertEqual((raised.exception.status, raised.exception.problems[0].loc), (422, ("body", "top_k")))
        self.assertTrue(raised.exception.request_id)
        with self.assertRaises(LociError) as raised:
            memory.correct("none", value="x")
        self.assertEqual(raised.exception.status, 404)
        with self.assertRaises(TypeError):
            memory.profile()

    def test_an_export_is_imported_once(self) -> None:
        project = fresh()
        export = [{"id": "m-1", "memory": "Prefers window seats", "user_id": "alice"}, {"id": "m-2"}]
        named = ["--org", project["org"], "--project", project["project"], "--url", URL]
        for given, expected in (("--preview", "Would add 1"), (None, "Added 1 messages,"), (None, "Added 0 messages; 1 were there already")):
            command = [sys.executable, "-m", "loci", "import", "mem0", "-", *named, *([given] if given else [])]
            done = subprocess.run(command, input=json.dumps(export), capture_output=True, text=True, check=True)
            self.assertIn(expected, done.stdout)
        memory = loci.memory(**project, user="alice")
        self.assertEqual(contents(memory), ["Prefers window seats"])
        self.assertEqual(memory.recall("Which seat?").memories[0].metadata["imported_from"], "mem0")
        failed = subprocess.run([*command[:4], "zep", *command[5:]], input="{}", capture_output=True, text=True)
        self.assertEqual((failed.returncode, failed.stdout), (1, ""))
        self.assertIn("no entries", failed.stderr)

    def test_one_key_has_one_effect(self) -> None:
        memory = loci.memory(**fresh())
        added = [memory.add("once", idempotency_key="a-key") for _ in range(2)]
        self.assertEqual(added[0], added[1])
        self.assertEqual(memory.count(kinds=["episode"]), 1)


if __name__ == "__main__":
    unittest.main()
