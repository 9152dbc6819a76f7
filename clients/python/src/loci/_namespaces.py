"""Projects, keys, models, ingestion and webhooks of a deployment."""

from __future__ import annotations

import json
from typing import Any, Callable, Dict, Iterable, Iterator, List, Literal, Mapping, Optional, Sequence, TypedDict, TypeVar

from . import types
from ._errors import LociError
from ._operations import Operations
from ._threads import in_thread, iterated
from ._transport import Answer, Transport
from .types import IssuedWebhook, Webhook, WebhookDelivery, WebhookTest

Entry = TypeVar("Entry")
Issued = TypeVar("Issued", types.IssuedApiKey, IssuedWebhook)
Kind = Literal["embedders", "language_models", "rerankers"]
Scope = Literal["read", "write", "admin"]

_PAGE_SIZE = 1000
_IMPORTED_AT_ONCE = 1_000_000
"""Characters that one request of an import takes about."""
_MAX_STALLED = 5
"""Attempts without a new line, until an export fails."""


class _Named(TypedDict):
    org_id: str
    project_id: str


class Projects:
    """Projects, and their data as a whole."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self._api = Operations(transport)

    def create(
        self,
        *,
        org: str,
        project: str,
        description: Optional[str] = None,
        config: Optional[types.ProjectConfigSpec] = None,
    ) -> types.ProjectResponse:
        body = {**_named(org, project), "description": description, "config": config}
        return self._api.create_project(_given(body)).data

    def get(self, *, org: str, project: str) -> types.ProjectResponse:
        return self._api.get_project(_given(_named(org, project))).data

    def list(self) -> List[types.ProjectName]:
        """Those that the key may see."""
        return self._api.list_projects().data

    def delete(self, *, org: str, project: str) -> None:
        """Ends a project; its data are erased behind the answer."""
        self._api.delete_project(_given(_named(org, project)))

    def export(self, *, org: str, project: str) -> Iterator[Dict[str, Any]]:
        """Everything that a project holds, line by line; the last is of kind `end`. A connection that breaks off is
        taken up again behind the last line."""
        after: Optional[str] = None
        has_begun = False
        stalled = 0
        while True:
            failure = LociError(0, "connection_failed", "The export breaks off again and again at the same line.")
            try:
                for text in self._transport.lines(
                    "/api/v2/projects/export", {**_named(org, project), "after": after}
                ):
                    line: Dict[str, Any] = json.loads(text)
                    # each attempt begins with the line of the project
                    is_header = line["kind"] == "project"
                    if not (is_header and has_begun):
                        yield line
                    if line["kind"] == "end":
                        return
                    has_begun = has_begun or is_header
                    cursor = line.get("cursor")
                    if cursor is not None and cursor != after:
                        after, stalled = cursor, 0
            except ValueError:
                pass  # half a line, where the connection broke off
            except LociError as error:
                failure = error
            self._transport.pause_after(failure, stalled, most=_MAX_STALLED)
            stalled += 1

    def import_lines(
        self, lines: Iterable[Mapping[str, Any]], *, org: str, project: str
    ) -> types.ImportResult:
        """Reads an export in, or the rest of one. Lines that are there already are no error."""
        total: types.ImportResult = {"lines": 0, "added": 0, "existing": 0, "skipped": 0}
        for part in _parts(lines):
            taken = self._api.import_project(part, **_named(org, project)).data
            total = {
                "lines": total["lines"] + taken["lines"],
                "added": total["added"] + taken["added"],
                "existing": total["existing"] + taken["existing"],
                "skipped": total["skipped"] + taken["skipped"],
            }
        return total


class Keys:
    """API keys."""

    def __init__(self, transport: Transport) -> None:
        self._api = Operations(transport)

    def create(
        self,
        name: str,
        scopes: Sequence[Scope],
        *,
        org: Optional[str] = None,
        project: Optional[str] = None,
        producer: Optional[str] = None,
        expires_at: Optional[str] = None,
    ) -> types.IssuedApiKey:
        """The key with its `secret`, which no later answer has. `producer`: the only one that it speaks for. Raises
        LociError `secret_lost` when the answer was lost."""
        body = {
            "name": name,
            "scopes": [*scopes],
            "org_id": org,
            "project_id": project,
            "producer": producer,
            "expires_at": expires_at,
        }
        return _shown_once(self._api.create_key(_given(body)).data)

    def list(self, *, org: str, project: str) -> Iterator[types.ApiKey]:
        """Goes through the keys of a project, those of its organization excluded."""
        named = _named(org, project)
        return _pages(lambda number: self._api.list_keys(**named, page_size=_PAGE_SIZE, page_num=number))

    def rotate(self, id: str, *, grace_seconds: int = 0) -> types.IssuedApiKey:
        """Gives a key a new secret; the old one works for `grace_seconds` more."""
        return _shown_once(self._api.rotate_key(id, {"grace_seconds": grace_seconds}).data)

    def revoke(self, id: str) -> None:
        """Ends a key everywhere, within a second."""
        self._api.revoke_key(id)


class Resources:
    """Language models, embedders and rerankers."""

    def __init__(self, transport: Transport) -> None:
        self._api = Operations(transport)

    def list(self) -> types.Resources:
        """All of them, without their secrets."""
        return self._api.get_resources().data

    def get(self, kind: Kind, name: str) -> types.ResourceDetails:
        return self._api.get_resource(kind, name).data

    def add(self, kind: Kind, resource: types.AddResourceSpec) -> types.ResourceOutcome:
        """Registers a model and tries it. One that does not work is registered, too, and can be tried again."""
        return self._api.add_resource(kind, resource).data

    def retry(self, kind: Kind, name: str) -> types.ResourceOutcome:
        """Tries a model again that failed."""
        return self._api.retry_resource(kind, name).data

    def remove(self, kind: Kind, name: str, *, force: bool = False) -> None:
        """`force`: also when something uses it."""
        self._api.remove_resource(kind, name, force=force)


class Ingestion:
    """What waits to become features, and what could not."""

    def __init__(self, transport: Transport) -> None:
        self._api = Operations(transport)

    def backlog(self, *, org: str, project: str) -> Iterator[types.IngestionBacklogEntry]:
        """What waits for each set, since when and why."""
        named = _named(org, project)
        return _pages(
            lambda number: self._api.list_ingestion_backlog(**named, page_size=_PAGE_SIZE, page_num=number)
        )

    def jobs(self, *, org: str, project: str) -> Iterator[types.IngestionJob]:
        named = _named(org, project)
        return _pages(
            lambda number: self._api.list_ingestion_jobs(**named, page_size=_PAGE_SIZE, page_num=number)
        )

    def dead_letters(self, *, org: str, project: str) -> Iterator[types.IngestionDeadLetter]:
        named = _named(org, project)
        return _pages(
            lambda number: self._api.list_ingestion_dead_letters(
                **named, page_size=_PAGE_SIZE, page_num=number
            )
        )

    def replay_all(self, *, org: str, project: str) -> types.ReplayedDeadLetters:
        """Tries all dead letters of a project again."""
        return self._api.replay_ingestion_dead_letters(_given(_named(org, project))).data

    def replay(self, id: str, *, org: str, project: str) -> None:
        self._api.replay_ingestion_dead_letter(id, _given(_named(org, project)))

    def drop(self, id: str, *, org: str, project: str) -> None:
        """Gives a dead letter up."""
        self._api.drop_ingestion_dead_letter(id, **_named(org, project))

    def usage(self, *, org: str, project: str, days: int = 30) -> List[types.IngestionUsage]:
        """Calls and tokens of language models, by day and model."""
        return self._api.get_ingestion_usage(**_named(org, project), days=days).data


class Webhooks:
    """Receivers of events. What they get is signed; check it with the package `standardwebhooks`."""

    def __init__(self, transport: Transport) -> None:
        self._api = Operations(transport)

    def create(
        self,
        url: str,
        *,
        description: Optional[str] = None,
        org: Optional[str] = None,
        project: Optional[str] = None,
        types: Optional[Sequence[str]] = None,
    ) -> IssuedWebhook:
        """The webhook with its `secret`, which no later answer has. `types`: of events; without them, all."""
        body = {
            "url": url,
            "description": description,
            "org_id": org,
            "project_id": project,
            "types": None if types is None else [*types],
        }
        return _shown_once(self._api.create_webhook(_given(body)).data)

    def list(self, *, org: Optional[str] = None, project: Optional[str] = None) -> Iterator[Webhook]:
        """Goes through the webhooks of a project, those of its organization excluded; of all that the key may see by
        default."""
        return _pages(
            lambda number: self._api.list_webhooks(
                org_id=org, project_id=project, page_size=_PAGE_SIZE, page_num=number
            )
        )

    def get(self, id: str) -> Webhook:
        return self._api.get_webhook(id).data

    def update(
        self,
        id: str,
        *,
        url: Optional[str] = None,
        description: Optional[str] = None,
        types: Optional[Sequence[str]] = None,
        enabled: Optional[bool] = None,
        skip_pending: Optional[bool] = None,
    ) -> Webhook:
        """What is None stays. `types` empty: all. `skip_pending`: gives up what is not delivered yet."""
        change = {
            "url": url,
            "description": description,
            "types": None if types is None else [*types],
            "enabled": enabled,
            "skip_pending": skip_pending,
        }
        return self._api.update_webhook(id, _given(change)).data

    def remove(self, id: str) -> None:
        self._api.remove_webhook(id)

    def rotate(self, id: str, *, grace_seconds: int = 86_400) -> IssuedWebhook:
        """Gives a webhook a new secret; deliveries are signed with the old one, too, for `grace_seconds` more."""
        return _shown_once(self._api.rotate_webhook(id, {"grace_seconds": grace_seconds}).data)

    def test(self, id: str) -> WebhookTest:
        """Sends an event of the type `webhook.test`, and says what the receiver made of it."""
        return self._api.test_webhook(id).data

    def deliveries(self, id: str) -> Iterator[WebhookDelivery]:
        """Goes through what was sent, newest first."""
        return _pages(
            lambda number: self._api.list_webhook_deliveries(id, page_size=_PAGE_SIZE, page_num=number)
        )


class AsyncProjects:
    """The same as Projects for asyncio."""

    def __init__(self, waiting: Projects) -> None:
        self.waiting = waiting

    create = in_thread(Projects.create)
    get = in_thread(Projects.get)
    list = in_thread(Projects.list)
    delete = in_thread(Projects.delete)
    export = iterated(Projects.export)
    import_lines = in_thread(Projects.import_lines)


class AsyncKeys:
    """The same as Keys for asyncio."""

    def __init__(self, waiting: Keys) -> None:
        self.waiting = waiting

    create = in_thread(Keys.create)
    list = iterated(Keys.list)
    rotate = in_thread(Keys.rotate)
    revoke = in_thread(Keys.revoke)


class AsyncResources:
    """The same as Resources for asyncio."""

    def __init__(self, waiting: Resources) -> None:
        self.waiting = waiting

    list = in_thread(Resources.list)
    get = in_thread(Resources.get)
    add = in_thread(Resources.add)
    retry = in_thread(Resources.retry)
    remove = in_thread(Resources.remove)


class AsyncIngestion:
    """The same as Ingestion for asyncio."""

    def __init__(self, waiting: Ingestion) -> None:
        self.waiting = waiting

    backlog = iterated(Ingestion.backlog)
    jobs = iterated(Ingestion.jobs)
    dead_letters = iterated(Ingestion.dead_letters)
    replay_all = in_thread(Ingestion.replay_all)
    replay = in_thread(Ingestion.replay)
    drop = in_thread(Ingestion.drop)
    usage = in_thread(Ingestion.usage)


class AsyncWebhooks:
    """The same as Webhooks for asyncio."""

    def __init__(self, waiting: Webhooks) -> None:
        self.waiting = waiting

    create = in_thread(Webhooks.create)
    list = iterated(Webhooks.list)
    get = in_thread(Webhooks.get)
    update = in_thread(Webhooks.update)
    remove = in_thread(Webhooks.remove)
    rotate = in_thread(Webhooks.rotate)
    test = in_thread(Webhooks.test)
    deliveries = iterated(Webhooks.deliveries)


def _named(org: str, project: str) -> _Named:
    return {"org_id": org, "project_id": project}


def _shown_once(issued: Issued) -> Issued:
    """A secret is in one answer alone: when that is lost on its way, the answer to the repeated request has none."""
    if issued["secret"] is None:
        raise LociError(
            200,
            "secret_lost",
            f"The answer with the secret of {issued['id']} was lost. Rotate it: the answer has a new secret.",
        )
    return issued


def _given(body: Mapping[str, Any]) -> Any:
    """Without what was left out."""
    return {name: value for name, value in body.items() if value is not None}


def _pages(read: Callable[[int], Answer[List[Entry]]]) -> Iterator[Entry]:
    number = 0
    while True:
        page = read(number).data
        yield from page
        if len(page) < _PAGE_SIZE:
            return
        number += 1


def _parts(lines: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    waiting = ""
    for line in lines:
        waiting += json.dumps(line) + "\n"
        if len(waiting) >= _IMPORTED_AT_ONCE:
            yield waiting
            waiting = ""
    if waiting:
        yield waiting
