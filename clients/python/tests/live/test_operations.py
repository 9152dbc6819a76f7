"""Projects, keys, models, ingestion, webhooks and events of a running Loci, at LOCI_URL."""

import asyncio
import os
import unittest
import uuid

from loci import AsyncLoci, Loci, LociError

URL = os.environ["LOCI_URL"]
loci = Loci(URL)


def fresh() -> dict[str, str]:
    project = {"org": "acme-python", "project": uuid.uuid4().hex}
    loci.projects.create(**project)
    return project


class Operations(unittest.TestCase):
    def test_an_export_is_read_into_another_project(self) -> None:
        one, other = fresh(), fresh()
        memory = loci.memory(**one, user="o'hara")
        memory.add(["Schöne Grüße.", "木"])
        lines = [*loci.projects.export(**one)]
        self.assertEqual(lines[-1]["kind"], "end")
        taken = loci.projects.import_lines(lines, **other)
        # a worker may register a set of the new messages before the line of that set is read
        self.assertEqual(taken["lines"], len(lines))
        read = [line.content for line in loci.memory(**other).list(kinds=["episode"])]
        self.assertEqual(read, ["Schöne Grüße.", "木"])
        self.assertEqual(loci.projects.import_lines(lines, **other)["added"], 0)
        self.assertIn(other["project"], [named["project_id"] for named in loci.projects.list()])
        loci.projects.delete(**other)
        with self.assertRaises(LociError) as raised:
            loci.projects.get(**other)
        self.assertEqual(raised.exception.status, 404)

    def test_a_key_is_made_rotated_and_revoked(self) -> None:
        project = fresh()
        key = loci.keys.create("a / key", ["read"], **project)
        self.assertTrue(key["secret"])
        self.assertEqual([one["id"] for one in loci.keys.list(**project)], [key["id"]])
        self.assertNotEqual(loci.keys.rotate(key["id"])["secret"], key["secret"])
        loci.keys.revoke(key["id"])
        with self.assertRaises(LociError):
            loci.keys.revoke("../projects/list")

    def test_a_webhook_is_made_changed_and_removed(self) -> None:
        project = fresh()
        made = loci.webhooks.create("https://hooks.acme.example/loci", **project, types=["features.changed"])
        self.assertTrue(made["secret"])
        self.assertEqual([one["url"] for one in loci.webhooks.list(**project)], [made["url"]])
        changed = loci.webhooks.update(made["id"], enabled=False, types=[])
        self.assertEqual((changed["enabled"], changed["url"]), (False, made["url"]))
        self.assertNotEqual(loci.webhooks.rotate(made["id"])["secret"], made["secret"])
        self.assertEqual([*loci.webhooks.deliveries(made["id"])], [])
        loci.webhooks.remove(made["id"])
        with self.assertRaises(LociError) as raised:
            loci.webhooks.get(made["id"])
        self.assertEqual(raised.exception.status, 404)

    def test_models_and_ingestion(self) -> None:
        project = {"org": f"acme-{uuid.uuid4().hex}", "project": "travel"}
        loci.projects.create(**project)
        embedders = loci.resources.list()["embedders"]
        self.assertTrue(loci.resources.get("embedders", embedders[0]["name"])["name"])
        self.assertEqual([*loci.ingestion.backlog(**project)], [])
        self.assertEqual([*loci.ingestion.dead_letters(**project)], [])
        self.assertEqual(loci.ingestion.usage(**project), [])
        self.assertEqual(loci.ingestion.replay_all(**project)["replayed"], 0)

    def test_events_are_read_from_the_oldest_that_is_kept(self) -> None:
        project = fresh()
        loci.projects.delete(**project)
        deleted = loci.events(org=project["org"], types=["project.deleted"], after="0")
        event = next(one for one in deleted if one.get("data", {}).get("project_id") == project["project"])
        self.assertTrue(event["position"])
        rest = [*loci.events(org=project["org"], after=event["position"], follow=False)]
        self.assertNotIn(event.get("id"), [one.get("id") for one in rest])

    def test_every_operation_by_its_name(self) -> None:
        project = fresh()
        tenant = {"org_id": project["org"], "project_id": project["project"]}
        added = loci.api.add_memories({**tenant, "messages": [{"content": "Hello."}]}, idempotency_key="k")
        self.assertEqual(added.data, loci.api.add_memories(
            {**tenant, "messages": [{"content": "Hello."}]}, idempotency_key="k").data)
        self.assertEqual(loci.api.get_episode_count(tenant).data, {"count": 1})
        page = loci.api.list_memories({**tenant, "type": "episodic", "cursor": "", "page_size": 1})
        self.assertEqual(page.headers["x-total-count"], "1")
        self.assertTrue(loci.api.metrics().data.startswith("# HELP"))
        self.assertIsNone(loci.request("DELETE", f"/api/v2/keys/{loci.keys.create('k', ['read'])['id']}"))

    def test_asyncio(self) -> None:
        async def main() -> None:
            one, other = fresh(), AsyncLoci(URL)
            await other.memory(**one, user="mira").add("Hello.")
            kinds = [line["kind"] async for line in other.projects.export(**one)]
            self.assertIn("end", kinds)
            made = await other.webhooks.create("https://hooks.acme.example/loci", **one)
            self.assertEqual([hook["id"] async for hook in other.webhooks.list(**one)], [made["id"]])
            self.assertEqual((await other.api.get_webhook(made["id"])).data["url"], made["url"])
            self.assertEqual([event async for event in other.events(**one, follow=False)], [])

        asyncio.run(main())


if __name__ == "__main__":
    unittest.main()
