"""What other memories export, as messages of Loci."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import Any, Callable, Iterator, List, Mapping, Optional, Sequence

from ._filters import where
from ._memories import instant
from ._memory import Memory, Message

_MESSAGES_AT_ONCE = 100
_CHARACTERS_AT_ONCE = 200_000


@dataclass(frozen=True)
class Imported:
    """What became of an export."""

    added: int
    existing: int
    """Messages that an earlier import of the same export had added already."""
    skipped: int
    """Entries without a text, facts that do not hold any more, and what Loci learns again from the messages."""


def read_export(source: str, export: Any) -> tuple[List[Message], int]:
    """The messages of an export, as JSON says it, and how many entries were skipped.

    Raises ValueError for a source that is not known, and for an export in which it has nothing.
    """
    if source not in _READERS:
        raise ValueError(f"The sources are {', '.join(SOURCES)}; {source} is none of them.")
    read = [_READERS[source](entry, export) for entry in _entries(export)]
    if not read:
        raise ValueError(
            f"There are no entries in this export of {source}: it should be a list of objects, or an object with such a list as one of {', '.join(_LISTS)}."
        )
    messages = [one for one in read if one is not None and one.content.strip()]
    if not messages:
        raise ValueError(f"None of the {len(read)} entries has a message for this import of {source}. Is it an export of {source}?")
    return messages, len(read) - len(messages)


def import_into(memory: Memory, source: str, export: Any) -> Imported:
    """Adds what an export has. Repeated within 24 hours, it adds nothing twice."""
    messages, skipped = read_export(source, export)
    digest = hashlib.sha256(json.dumps(export, sort_keys=True, default=str).encode()).hexdigest()[:32]
    # told apart by counts: the answer to a repeated add is that of the first
    before = _imported(memory, source)
    for number, batch in enumerate(_batches(messages)):
        memory.add(batch, idempotency_key=f"import-{source}-{digest}-{number}")
    added = min(max(_imported(memory, source) - before, 0), len(messages))
    return Imported(added, len(messages) - added, skipped)


def _imported(memory: Memory, source: str) -> int:
    """How many messages of a source there are."""
    return memory.count(filter=where(metadata={"imported_from": source}), kinds=["episode"])


_LISTS = ("results", "memories", "messages", "episodes", "edges", "facts", "episodic_memory", "semantic_memory")


def _entries(export: Any) -> Iterator[Mapping[str, Any]]:
    """The objects of the lists of an export, in whatever envelope."""
    if isinstance(export, list):
        yield from (one for one in export if isinstance(one, dict))
        return
    if not isinstance(export, dict):
        return
    for name in _LISTS:
        entries = export.get(name)
        if isinstance(entries, list):
            yield from (one for one in entries if isinstance(one, dict))
    for name in ("content", "data"):
        if isinstance(export.get(name), (dict, list)):
            yield from _entries(export[name])


def _of_mem0(entry: Mapping[str, Any], _: Any) -> Optional[Message]:
    """A memory of mem0 is a sentence about a user, an agent or a run."""
    noted = {**_metadata(entry), "categories": entry.get("categories")}
    user, agent, run = entry.get("user_id"), entry.get("agent_id"), entry.get("run_id")
    return _message(
        entry.get("memory"),
        at=entry.get("created_at"),
        producer=user or agent,
        metadata={**noted, "user_id": user, "agent_id": agent, "session_id": run},
        source=("mem0", entry.get("id")),
    )


def _of_zep(entry: Mapping[str, Any], export: Any) -> Optional[Message]:
    """A message or an episode of Zep says something; an edge states a fact, which may have ended."""
    envelope: Mapping[str, Any] = export if isinstance(export, dict) else {}
    user = entry.get("user_id") or envelope.get("user_id")
    session = entry.get("thread_id") or entry.get("session_id") or envelope.get("thread_id")
    source = ("zep", entry.get("uuid") or entry.get("uuid_"))
    metadata = {**_metadata(entry), "user_id": user, "session_id": session}
    if "fact" in entry:
        if entry.get("invalid_at") or entry.get("expired_at"):
            return None
        at = entry.get("valid_at") or entry.get("created_at")
        return _message(entry["fact"], at=at, producer=user, metadata=metadata, source=source)
    role = entry.get("role_type") or entry.get("role") or "user"
    speaker = entry.get("name") or (user if role == "user" else role)
    return _message(
        entry.get("content"),
        at=entry.get("created_at"),
        producer=speaker,
        role=str(role),
        metadata=metadata,
        source=source,
    )


def _of_memmachine(entry: Mapping[str, Any], _: Any) -> Optional[Message]:
    """Episodes as list and search of MemMachine answer them; its features are learned again from these."""
    if "producer_id" not in entry:
        return None
    return _message(
        entry.get("content"),
        at=entry.get("created_at"),
        producer=entry["producer_id"],
        produced_for=entry.get("produced_for_id"),
        role=str(entry.get("producer_role") or ""),
        metadata=_metadata(entry),
        source=("memmachine", entry.get("uid")),
    )


_READERS: Mapping[str, Callable[[Mapping[str, Any], Any], Optional[Message]]] = {
    "mem0": _of_mem0,
    "zep": _of_zep,
    "memmachine": _of_memmachine,
}

SOURCES = tuple(_READERS)


def _metadata(entry: Mapping[str, Any]) -> Mapping[str, Any]:
    metadata = entry.get("metadata") or {}
    if not isinstance(metadata, dict):
        raise ValueError("The metadata of each entry should be an object.")
    return metadata


def _message(
    content: Any,
    *,
    at: Any,
    producer: Any,
    metadata: Mapping[str, Any],
    source: tuple[str, Any],
    produced_for: Any = None,
    role: str = "user",
) -> Optional[Message]:
    if not isinstance(content, str):
        return None
    name, id = source
    noted = {**metadata, "imported_from": name, "imported_id": id}
    return Message(
        content,
        role=role,
        producer=str(producer) if producer else None,
        produced_for=str(produced_for) if produced_for else None,
        at=instant(at) if isinstance(at, str) and at else None,
        metadata={key: _text(value) for key, value in noted.items() if value not in (None, "", [], {})},
    )


def _text(value: Any) -> str:
    """Metadata of Loci are texts."""
    if isinstance(value, str):
        return value
    if isinstance(value, list) and all(isinstance(one, str) for one in value):
        return ", ".join(value)
    return json.dumps(value, ensure_ascii=False)


def _batches(messages: Sequence[Message]) -> Iterator[List[Message]]:
    batch: List[Message] = []
    characters = 0
    for message in messages:
        length = len(message.content) + sum(map(len, message.metadata.values()))
        if batch and (len(batch) == _MESSAGES_AT_ONCE or characters + length > _CHARACTERS_AT_ONCE):
            yield batch
            batch, characters = [], 0
        batch.append(message)
        characters += length
    if batch:
        yield batch
