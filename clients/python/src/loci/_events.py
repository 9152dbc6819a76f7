"""What happens, as it happens: server-sent events."""

from __future__ import annotations

import json
import random
from typing import Any, Iterator, Mapping, Optional, Sequence, TypedDict, cast

from ._errors import LociError
from ._transport import Transport

_SILENCE_SECONDS = 45.0
"""Loci sends something every 15 seconds."""
_FIRST_WAIT_SECONDS = 0.5
_LONGEST_WAIT_SECONDS = 10.0
_MAX_STALLED = 10
"""Attempts without an answer, until the failure is raised."""


class _Always(TypedDict):
    type: str
    """`stream.reset`: events behind the position that was asked for are not kept any more."""
    position: str
    """Where the event is in the stream."""


class Event(_Always, total=False):
    """What happened."""

    id: str
    """The same however often it arrives."""
    timestamp: str
    org_id: str
    project_id: str
    data: Mapping[str, Any]


def events(
    transport: Transport,
    *,
    org: Optional[str],
    project: Optional[str],
    types: Optional[Sequence[str]],
    after: Optional[str],
    follow: bool,
) -> Iterator[Event]:
    """Goes through events; connects again behind the last one that came."""
    query = {"org_id": org, "project_id": project, "types": ",".join(types) if types else None, "follow": follow}
    stalled = 0
    while True:
        try:
            lines = transport.lines(
                "/api/v2/events", {**query, "last_event_id": after}, silence_seconds=_SILENCE_SECONDS
            )
            for position, data in _messages(lines):
                stalled = 0
                after = position or after
                event: Any = json.loads(data)
                if "type" in event:
                    yield cast(Event, {**event, "position": after})
            if not follow:
                return
        except LociError as error:
            final = 0 < error.status < 500 and error.status != 429
            if final or stalled >= _MAX_STALLED:
                raise
        wait = min(_LONGEST_WAIT_SECONDS, _FIRST_WAIT_SECONDS * 2**stalled)
        transport.pause(wait * (0.5 + random.random() / 2))
        stalled += 1


def _messages(lines: Iterator[str]) -> Iterator[tuple[Optional[str], str]]:
    """Position and data of each message; a part of one, where the stream broke off, comes again."""
    position: Optional[str] = None
    data: list[str] = []
    for line in lines:
        name, _, value = line.partition(":")
        if line == "":
            if data:
                yield position, "\n".join(data)
            position, data = None, []
        elif name == "id":
            position = value.removeprefix(" ")
        elif name == "data":
            data.append(value.removeprefix(" "))
