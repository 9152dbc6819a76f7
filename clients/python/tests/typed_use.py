"""Read by a type checker, and never run: what a program gets of the client has the types that it counts on."""

from typing import TYPE_CHECKING, Any, AsyncIterator, Iterator, List, Optional, Tuple

from loci import AsyncLoci, Episode, Event, Loci, Remembered, types

if TYPE_CHECKING:
    from typing_extensions import assert_type


def waits() -> None:
    loci = Loci("http://127.0.0.1:8080")
    memory = loci.memory(org="acme", project="travel", user="alice")
    assert_type(memory.add("Hello."), List[str])
    assert_type(memory.context("Hello?").text, str)
    assert_type(memory.search("Hello?").episodes, Tuple[Episode, ...])
    assert_type(memory.list(), Iterator[Remembered])
    assert_type(loci.api.add_memories({"messages": [{"content": "Hello."}]}).data, types.AddMemoriesResponse)
    assert_type(loci.webhooks.create("https://hooks.acme.example").get("secret"), Optional[str])
    assert_type(loci.webhooks.deliveries("id"), Iterator[types.WebhookDelivery])
    assert_type(loci.projects.export(org="acme", project="travel"), Iterator[dict[str, Any]])
    assert_type(loci.events(), Iterator[Event])


async def awaits() -> None:
    loci = AsyncLoci("http://127.0.0.1:8080")
    memory = loci.memory(org="acme", project="travel", user="alice")
    assert_type(await memory.add("Hello."), List[str])
    assert_type((await memory.context("Hello?", max_tokens=100)).text, str)
    assert_type(memory.list(), AsyncIterator[Remembered])
    assert_type(await loci.webhooks.get("id"), types.Webhook)
    assert_type((await loci.api.get_quotas(org_id="acme")).data, types.Quotas)
    async for key in loci.keys.list(org="acme", project="travel"):
        assert_type(key, types.ApiKey)
    await memory.add(7)  # pyright: ignore[reportArgumentType]
    await memory.context("Hello?", max_token=100)  # pyright: ignore[reportCallIssue]
