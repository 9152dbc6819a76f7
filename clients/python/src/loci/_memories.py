"""What is remembered, as Loci answers it."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, Mapping, Optional, Union


@dataclass(frozen=True)
class Episode:
    """A message as it is remembered."""

    id: str
    content: str
    producer: str
    """Who said it."""
    role: str
    produced_for: str
    """Whom it was said to."""
    at: datetime
    metadata: Mapping[str, str] = field(default_factory=dict)
    score: Optional[float] = None
    """0 to 1, higher is better, comparable between queries; only of a hit."""
    kind: Literal["episode"] = "episode"


@dataclass(frozen=True)
class Feature:
    """A small fact that was learned or written."""

    id: str
    set: str
    category: str
    tag: str
    name: str
    value: str
    trust: str
    """`protected`: a client wrote it. `trusted`, `untrusted`: by the producers of the messages that it rests on."""
    subject: Optional[str] = None
    """The user, or another person, whom it is about; empty: no one in particular; None: nothing says."""
    citations: tuple[str, ...] = ()
    """Ids of the episodes that it rests on, where the API tells them."""
    metadata: Mapping[str, str] = field(default_factory=dict)
    valid_from: Optional[datetime] = None
    valid_until: Optional[datetime] = None
    score: Optional[float] = None
    """0 to 1, higher is better, comparable between queries; only of a hit."""
    kind: Literal["feature"] = "feature"


Remembered = Union[Episode, Feature]


@dataclass(frozen=True)
class SearchResult:
    episodes: tuple[Episode, ...]
    """Of long-term memory, best first."""
    recent: tuple[Episode, ...]
    """Of short-term memory, oldest first: they are not ranked."""
    features: tuple[Feature, ...]
    """Best first, those of all sets together."""
    degraded: tuple[str, ...]
    """What could not take part in the answer; empty when all is well."""


@dataclass(frozen=True)
class Recalled:
    memories: tuple[Remembered, ...]
    """Messages and facts, best first, each with a score."""
    degraded: tuple[str, ...]
    """What could not take part in the answer; empty when all is well."""


@dataclass(frozen=True)
class Context:
    text: str
    """What to put in front of a model; empty when nothing is remembered. Stored text in it is quoted."""
    tokens: int
    blocks: tuple[Mapping[str, Any], ...]
    citations: tuple[Mapping[str, Any], ...]
    """One for each line of the text."""
    degraded: tuple[str, ...]


@dataclass(frozen=True)
class Profile:
    text: str
    tokens: int
    categories: tuple[Mapping[str, Any], ...]
    citations: tuple[Mapping[str, Any], ...]


def instant(text: str) -> datetime:
    """ISO 8601 with any number of decimals, as Loci writes it."""
    head, dot, rest = text.replace("Z", "+00:00").partition(".")
    if not dot:
        return datetime.fromisoformat(head)
    digits = rest[: len(rest) - len(rest.lstrip("0123456789"))]
    return datetime.fromisoformat(f"{head}.{digits[:6].ljust(6, '0')}{rest[len(digits):]}")


def to_episode(one: Mapping[str, Any], score: Optional[float] = None) -> Episode:
    return Episode(
        id=one["uid"],
        content=one["content"],
        producer=one["producer_id"],
        role=one["producer_role"],
        produced_for=one["produced_for_id"],
        at=instant(one["created_at"]),
        metadata=one.get("metadata", {}),
        score=one.get("score") if score is None else score,
    )


def to_feature(one: Mapping[str, Any]) -> Feature:
    noted = one["metadata"]
    starts, ends = one.get("valid_from"), one.get("valid_until")
    return Feature(
        id=noted["id"],
        set=one["set_id"],
        category=one["category"],
        tag=one["tag"],
        name=one["feature_name"],
        value=one["value"],
        trust=one["trust"],
        subject=one.get("subject"),
        citations=tuple(noted.get("citations", ())),
        metadata=noted.get("other", {}),
        valid_from=instant(starts) if starts else None,
        valid_until=instant(ends) if ends else None,
        score=one.get("score"),
    )
