"""The memory of a project, of one user in it, or of one session."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from datetime import datetime, timezone
from enum import Enum
from typing import Any, Iterator, List, Mapping, Optional, Sequence, Union

from ._errors import LociError
from ._filters import Filter, all_of, any_of, where
from ._memories import (
    Context,
    Episode,
    Feature,
    Profile,
    Recalled,
    Remembered,
    SearchResult,
    to_episode,
    to_feature,
)
from ._operations import Operations
from ._threads import in_thread, iterated
from ._transport import Answer

KINDS = ("episode", "feature")
"""Kinds of memory; the API calls them `episodic` and `semantic`."""

_TYPES = {"episode": "episodic", "feature": "semantic"}
_SHARED_SETS = ("mem_project_set_", "mem_set_type_")
"""Messages of all users feed the sets of a project or an organization."""

_MAX_IDS = 1000
_LOOK_AFTER_SECONDS = 0.05
_LOOK_WITHIN_SECONDS = 2.0


@dataclass(frozen=True)
class Message:
    """What was said."""

    content: str
    role: str = "user"
    producer: Optional[str] = None
    """Who said it. Default: the user of the memory for the role `user`, its agent for others."""
    produced_for: Optional[str] = None
    """Default: the other one of user and agent."""
    at: Optional[datetime] = None
    """Default: now."""
    metadata: Mapping[str, str] = field(default_factory=dict)
    """Beside what the scope of the memory notes, which goes before it."""


Said = Union[str, Message]


@dataclass(frozen=True)
class Scope:
    """Whose memory it is. A field that is left out does not narrow what is read."""

    org: str
    project: str
    user: Optional[str] = None
    """Nothing of other users is read, and messages are noted as theirs."""
    agent: Optional[str] = None
    """Who answers: the producer of messages of the assistant. It narrows nothing."""
    session: Optional[str] = None
    """Only messages of this conversation are read. What was learned of the user outlasts it."""

    @property
    def tenant(self) -> dict[str, str]:
        return {"org_id": self.org, "project_id": self.project}

    @property
    def messages(self) -> Optional[Filter]:
        """The messages of the scope; None: all."""
        parts = []
        if self.user is not None:
            anonymous = all_of(where(user_id=None), where(producer_id=self.user))
            said = any_of(where(user_id=self.user), anonymous)
            # what a key wrote that is bound to a producer is of this producer alone, whatever it names
            unbound = all_of(where(bound_producer=None), said)
            parts.append(any_of(where(bound_producer=self.user), unbound))
        if self.session is not None:
            parts.append(where(session_id=self.session))
        return all_of(*parts) if parts else None

    @property
    def sets(self) -> Optional[dict[str, str]]:
        """Metadata that choose the sets of the scope; None: all sets that the project reads."""
        if self.user is not None:
            return {"producer_id": self.user, "user_id": self.user}
        return None if self.session is None else {"session_id": self.session}

    @property
    def noted(self) -> dict[str, str]:
        """Metadata of messages that are added."""
        given = {"user_id": self.user, "agent_id": self.agent, "session_id": self.session}
        return {name: value for name, value in given.items() if value is not None}


class Memory:
    """What is remembered within a scope. All methods raise LociError."""

    def __init__(self, api: Operations, scope: Scope) -> None:
        self._api = api
        self.scope = scope

    def add(
        self,
        said: Union[Said, Sequence[Said]],
        *,
        kinds: Optional[Sequence[str]] = None,
        idempotency_key: Optional[str] = None,
    ) -> List[str]:
        """Stores what was said: all of it or nothing, for good, found by the next search.

        Without the kind `feature`, nothing is learned from it. Returns the ids of the episodes, in the same sequence.
        """
        all_said = _said(said)
        body = {
            **self.scope.tenant,
            "messages": [self._message(one) for one in all_said],
            "types": _types(kinds),
        }
        answer = self._api.add_memories(_given(body), idempotency_key=idempotency_key)
        return [one["uid"] for one in answer.data["results"]]

    def context(
        self, query: str, *, max_tokens: Optional[int] = None, as_of: Optional[datetime] = None
    ) -> Context:
        """What to put in front of a model for a query: profile, facts, relevant episodes and recent turns as one text."""
        body = {**self._narrowed(query), "max_tokens": max_tokens, "as_of": _iso(as_of)}
        answer = self._api.get_context(_given(body))
        data = answer.data
        return Context(
            data["text"], data["tokens"], tuple(data["blocks"]), tuple(data["citations"]), answer.degraded
        )

    def recall(
        self,
        query: str,
        *,
        top_k: Optional[int] = None,
        threshold: Optional[float] = None,
        filter: Optional[Filter] = None,
        kinds: Optional[Sequence[str]] = None,
        as_of: Optional[datetime] = None,
    ) -> Recalled:
        """Finds messages, however new, and facts, as one list by one score."""
        body = {
            **self._narrowed(query),
            "top_k": top_k,
            "score_threshold": threshold,
            "filter": _text(filter),
            "types": _types(kinds),
            "as_of": _iso(as_of),
        }
        answer = self._api.recall_memories(_given(body))
        return Recalled(tuple(map(_recalled, answer.data["memories"])), answer.degraded)

    def search(
        self,
        query: str,
        *,
        top_k: Optional[int] = None,
        threshold: Optional[float] = None,
        filter: Optional[Filter] = None,
        kinds: Sequence[str] = KINDS,
        as_of: Optional[datetime] = None,
    ) -> SearchResult:
        """Finds each kind of memory apart. `recall` gives them as one list."""
        asked = {
            **self.scope.tenant,
            "query": query,
            "top_k": top_k,
            "score_threshold": threshold,
            "as_of": _iso(as_of),
        }
        said = known = None
        kinds = _checked(kinds)
        if "episode" in kinds:
            said = self._search(asked, "episodic", _both(self.scope.messages, filter), None)
        if "feature" in kinds:
            narrowed = self._features(filter)
            known = narrowed and self._search(asked, "semantic", *narrowed)
        found = said.data["content"].get("episodic_memory", {}) if said else {}
        features = known.data["content"].get("semantic_memory", ()) if known else ()
        return SearchResult(
            episodes=tuple(map(to_episode, found.get("long_term_memory", {}).get("episodes", ()))),
            recent=tuple(map(to_episode, found.get("short_term_memory", {}).get("episodes", ()))),
            features=tuple(map(to_feature, features)),
            degraded=tuple(dict.fromkeys(slug for one in (said, known) if one for slug in one.degraded)),
        )

    def list(
        self, *, filter: Optional[Filter] = None, kinds: Sequence[str] = KINDS, page_size: int = 500
    ) -> Iterator[Remembered]:
        """Goes through everything that is remembered, page by page: first the episodes, oldest first."""
        for kind in _checked(kinds):
            narrowed = self._listed(kind, filter)
            if narrowed is None:
                continue
            cursor: Optional[str] = ""
            while cursor is not None:
                answer = self._page(kind, narrowed, page_size=page_size, cursor=cursor)
                content = answer.data["content"]
                yield from map(to_episode, content.get("episodic_memory", ()))
                yield from map(to_feature, content.get("semantic_memory", ()))
                cursor = answer.headers.get("x-next-cursor")

    def count(self, *, filter: Optional[Filter] = None, kinds: Sequence[str] = KINDS) -> int:
        """How many memories a filter chooses, or there are: what `list` would go through."""
        total = 0
        for kind in _checked(kinds):
            narrowed = self._listed(kind, filter)
            if narrowed is not None:
                answer = self._page(kind, narrowed, page_size=0)
                counted = answer.headers.get("x-total-count")
                if counted is None:
                    raise RuntimeError("More memories match than Loci counts within a request.")
                total += int(counted)
        return total

    def forget(
        self, what: Union[Remembered, Sequence[Remembered], Filter], *, wait: bool = True
    ) -> int:
        """Deletes memories, or the messages that a filter chooses, with all that was learned from these alone.

        `wait`: until what a filter chooses is in no answer any more; it is certain in either case. Returns how many
        were deleted; of a filter without `wait`, how many match. Raises LociError `memory_not_found` when one that was named is not there; the others are
        deleted.
        """
        if isinstance(what, Filter):
            return self._forget_matching(what, wait)
        memories = _remembered(what)
        failures: List[LociError] = []
        for kind, delete, name in (
            ("episode", self._api.delete_episodic_memory, "episodic_ids"),
            ("feature", self._api.delete_semantic_memory, "semantic_ids"),
        ):
            ids = [one.id for one in memories if one.kind == kind]
            for start in range(0, len(ids), _MAX_IDS):
                try:
                    delete(_given({**self.scope.tenant, name: ids[start : start + _MAX_IDS]}))
                except LociError as failure:
                    if failure.code != "memory_not_found":
                        raise
                    failures.append(failure)
        if failures:
            raise _all_missing(failures)
        return len(memories)

    def profile(self, *, max_tokens: Optional[int] = None, as_of: Optional[datetime] = None) -> Profile:
        """All that is known of the user, as one text within a budget. Raises TypeError without a user."""
        if self.scope.user is None:
            raise TypeError("A profile is that of a user: name one with memory(..., user=...).")
        body = {
            **self.scope.tenant,
            "user": self.scope.user,
            "max_tokens": max_tokens,
            "as_of": _iso(as_of),
        }
        data = self._api.get_profile(_given(body)).data
        return Profile(data["text"], data["tokens"], tuple(data["categories"]), tuple(data["citations"]))

    def history(self, feature: Union[Feature, str]) -> List[Mapping[str, Any]]:
        """How a feature came to say what it says, newest change first, as the API answers it."""
        changes: List[Mapping[str, Any]] = []
        cursor: Optional[str] = None
        while True:
            body = {**self.scope.tenant, "feature_id": _id_of(feature), "cursor": cursor}
            answer = self._api.get_feature_history(_given(body))
            changes += answer.data["changes"]
            cursor = answer.headers.get("x-next-cursor")
            if cursor is None:
                return changes

    def correct(
        self,
        feature: Union[Feature, str],
        *,
        value: Optional[str] = None,
        name: Optional[str] = None,
        tag: Optional[str] = None,
        category: Optional[str] = None,
        metadata: Optional[Mapping[str, str]] = None,
    ) -> None:
        """Makes a feature say something else; what is None stays. No model changes it from then on."""
        body = {
            **self.scope.tenant,
            "feature_id": _id_of(feature),
            "value": value,
            "feature": name,
            "tag": tag,
            "category_name": category,
            "metadata": metadata,
        }
        self._api.update_feature(_given(body))

    def _narrowed(self, query: str) -> dict[str, Any]:
        return {
            **self.scope.tenant,
            "query": query,
            "user": self.scope.user,
            "session": self.scope.session,
        }

    def _message(self, said: Said) -> dict[str, Any]:
        message = Message(said) if isinstance(said, str) else said
        user, agent = self.scope.user, self.scope.agent
        speaker, listener = (user, agent) if message.role == "user" else (agent or message.role, user)
        given = {
            "content": message.content,
            "role": message.role,
            "producer": message.producer if message.producer is not None else speaker,
            "produced_for": message.produced_for if message.produced_for is not None else listener,
            "timestamp": _iso(message.at),
            "metadata": {**message.metadata, **self.scope.noted},
        }
        return {name: value for name, value in given.items() if value is not None}

    def _search(
        self,
        asked: Mapping[str, Any],
        kind: str,
        filter: Optional[Filter],
        sets: Optional[Mapping[str, str]],
    ) -> Answer[Any]:
        text = _text(filter)
        body = {**asked, "types": [kind], "filter": text, "set_metadata": sets}
        return self._api.search_memories(_given(body))

    def _features(
        self, filter: Optional[Filter]
    ) -> Optional[tuple[Optional[Filter], Optional[Mapping[str, str]]]]:
        """Filter and sets of the features of the scope; None: it has none."""
        sets = self.scope.sets
        if sets is None:
            return filter, None
        body = {**self.scope.tenant, "set_metadata": sets}
        found = self._api.list_semantic_set_ids(_given(body)).data["sets"]
        ids = [one["id"] for one in found if not one["id"].startswith(_SHARED_SETS)]
        own = [where(set_id=ids)] if ids else []
        if self.scope.user is not None:
            own.append(where(subject=self.scope.user, user_id=self.scope.user))
        return (_both(any_of(*own), filter), sets) if own else None

    def _listed(
        self, kind: str, filter: Optional[Filter]
    ) -> Optional[tuple[Optional[Filter], Optional[Mapping[str, str]]]]:
        return (_both(self.scope.messages, filter), None) if kind == "episode" else self._features(filter)

    def _page(
        self, kind: str, narrowed: tuple[Optional[Filter], Optional[Mapping[str, str]]], **position: Any
    ) -> Answer[Any]:
        filter, sets = narrowed
        text = _text(filter)
        body = {**self.scope.tenant, "type": _TYPES[kind], "filter": text, "set_metadata": sets, **position}
        return self._api.list_memories(_given(body))

    def _forget_matching(self, filter: Filter, wait: bool) -> int:
        chosen = _both(self.scope.messages, filter)
        body = {**self.scope.tenant, "filter": chosen.text if chosen is not None else filter.text}
        job = started = self._api.forget_memories(_given(body)).data
        pause = _LOOK_AFTER_SECONDS
        while wait and job["state"] == "deleting":
            time.sleep(pause)
            pause = min(_LOOK_WITHIN_SECONDS, pause * 2)
            job = self._api.get_forget_job(job["id"], **self.scope.tenant).data
        return int(job["deleted"] if wait else started["matching"])


class AsyncMemory:
    """The same as Memory for asyncio. Each call runs in a thread, so that the loop goes on; one that is cancelled goes
    on to its end."""

    def __init__(self, memory: Memory) -> None:
        self.waiting = memory
        self.scope = memory.scope

    add = in_thread(Memory.add)
    context = in_thread(Memory.context)
    recall = in_thread(Memory.recall)
    search = in_thread(Memory.search)
    list = iterated(Memory.list)
    count = in_thread(Memory.count)
    forget = in_thread(Memory.forget)
    profile = in_thread(Memory.profile)
    history = in_thread(Memory.history)
    correct = in_thread(Memory.correct)


class Unset(Enum):
    """What stands for a name that is not given: None would be a login that is missing."""

    UNSET = "unset"


UNSET = Unset.UNSET


def checked_scope(org: str, project: str, **given: Optional[str]) -> Scope:
    """Raises TypeError for a field that is there and empty: a missing login must not read the memory of everybody."""
    for name, value in {"org": org, "project": project, **given}.items():
        if not isinstance(value, str) or value == "":
            raise TypeError(f"The {name} of a memory is a text that is not empty; leave it out to read without it.")
    return Scope(org, project, **given)


def _recalled(one: Mapping[str, Any]) -> Remembered:
    return to_feature(one["feature"]) if one["kind"] == "feature" else to_episode(one["episode"], one["score"])


def _types(kinds: Optional[Sequence[str]]) -> Optional[List[str]]:
    return None if kinds is None else [_TYPES[kind] for kind in _checked(kinds)]


def _checked(kinds: Sequence[str]) -> Sequence[str]:
    """Raises TypeError for a kind that there is not."""
    for kind in [kinds] if isinstance(kinds, str) else kinds:
        if kind not in KINDS or isinstance(kinds, str):
            raise TypeError(f'The kinds are a list of "episode" and "feature"; {kinds!r} is none.')
    return kinds


def _said(said: Any) -> List[Said]:
    """Raises TypeError for what is no message: a dict would be taken for a list of its keys."""
    is_list = not isinstance(said, (str, Mapping)) and hasattr(said, "__iter__")
    messages: List[Any] = list(said) if is_list else [said]
    for one in messages:
        if not isinstance(one, (str, Message)):
            raise TypeError(f'A message is a text or a Message("Noted.", role="assistant"); {one!r} is neither.')
    return messages


def _remembered(what: Any) -> List[Remembered]:
    """Raises TypeError for what is no memory."""
    memories: List[Any] = [what] if isinstance(what, (Episode, Feature)) else list(what)
    for one in memories:
        if not isinstance(one, (Episode, Feature)):
            raise TypeError(f"What is forgotten was given by list, search or recall, or is a filter; {one!r} is neither.")
    return memories


def _all_missing(failures: Sequence[LociError]) -> LociError:
    """One failure for those of several requests."""
    if len(failures) == 1:
        return failures[0]
    return LociError(
        404,
        "memory_not_found",
        "Some of these memories do not exist in the project; the others were deleted.",
        not_found=[id for failure in failures for id in failure.not_found],
        request_id=failures[0].request_id,
    )


def _text(filter: Any) -> Optional[str]:
    """Raises TypeError for a text: values in it could carry conditions."""
    if filter is None:
        return None
    if isinstance(filter, Filter):
        return filter.text
    raise TypeError(f"A filter is made by where(user_id=name); {filter!r} is none.")


def _both(one: Optional[Filter], other: Optional[Filter]) -> Optional[Filter]:
    _text(other)
    given = [each for each in (one, other) if each is not None]
    return all_of(*given) if given else None


def _id_of(feature: Union[Feature, str]) -> str:
    return feature if isinstance(feature, str) else feature.id


def _iso(at: Optional[datetime]) -> Optional[str]:
    if at is None:
        return None
    return (at if at.tzinfo else at.replace(tzinfo=timezone.utc)).isoformat()


def _given(body: Mapping[str, Any]) -> Any:
    """Without what was left out."""
    return {name: value for name, value in body.items() if value is not None}
