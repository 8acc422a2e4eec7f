"""A notebook of all requests to a server, and of its answers."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from attrs import define, field, frozen


@frozen
class Exchange:
    """One request, and its answer; status 0 if none came. Times are in seconds of `perf_counter`."""

    request_id: str
    kind: str
    path: str
    body: dict[str, Any]
    key: str | None = None
    status: int = 0
    answer: bytes = b""
    headers: Mapping[str, str] = field(factory=dict)
    sent_at: float = 0.0
    seconds: float = 0.0

    @property
    def answered(self) -> bool:
        """Return whether the server acknowledged it."""
        return self.status > 0

    @property
    def content(self) -> Any:
        """The answer's JSON."""
        return json.loads(self.answer)

    @property
    def attempts_left(self) -> int | None:
        """The attempts that the answer left, None if it does not say."""
        if not self.answered:
            return None
        left = self.content.get("attemptsRemaining")
        if left is None:
            left = self.content.get("error", {}).get("details", {}).get("attemptsRemaining")
        return None if left is None else int(left)


@define
class Notebook:
    """Every request of a load, in the order in which they ended."""

    exchanges: list[Exchange] = field(factory=list)
    _ids: int = 0

    def new_request_id(self) -> str:
        """Set the id of the next request, by which its events are found."""
        self._ids += 1
        return f"load-{self._ids}"

    def answered(self, kind: str, *statuses: int) -> list[Exchange]:
        """Return the acknowledged requests of a kind, with one of these statuses if some are given."""
        return [
            each
            for each in self.exchanges
            if each.kind == kind and each.answered and (not statuses or each.status in statuses)
        ]

    def unanswered(self) -> list[Exchange]:
        """Return the requests without an answer."""
        return [each for each in self.exchanges if not each.answered]

    def keys_in_flight(self) -> list[Exchange]:
        """Return the creates under an Idempotency-Key that was never answered."""
        answered = {(each.path, each.key) for each in self.exchanges if each.answered}
        return [
            each
            for each in self.unanswered()
            if each.kind == "create" and each.key and (each.path, each.key) not in answered
        ]

    def unavailable(self) -> list[Exchange]:
        """Return the requests whose answer asked to come again."""
        return [each for each in self.exchanges if each.status == 503]

    def stories(self) -> dict[str, list[Exchange]]:
        """Return the answers about each PIN, in order: one worker alone works on it."""
        stories: dict[str, list[Exchange]] = {}
        for each in self.exchanges:
            if each.kind == "create" and each.status == 201:
                stories.setdefault(each.content["pinId"], []).append(each)
            elif each.kind in ("verify", "resend"):
                stories.setdefault(each.path.split("/")[3], []).append(each)
        return stories
