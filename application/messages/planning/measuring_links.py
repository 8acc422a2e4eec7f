"""Measure contents with short links, and check the links of a send (C-29, D-54)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import chain

from ....domain.errors import FieldProblem, ValidationFailedError
from ....domain.message import Content
from ....domain.short_link import CODE_LENGTH
from ...concurrency.bulk_lane import BulkWork
from .send_requests import LinkRequest, SendRequest
from .shortening import Shortening

# Each link is an event and a row; more of them would block the event loop.
MAX_LINKS = 2_000


async def shortened_contents(request: SendRequest, work: BulkWork) -> Callable[[Content], Content]:
    """
    Return a function that puts addresses of a short link's length into a send's content.

    Raises `ValidationFailedError` for an address that is in no text, and for too many links.
    """
    if not request.links:
        return _as_it_is
    measuring = _Measuring(request)
    await measuring.measure(work)
    return measuring.shortened


def _as_it_is(content: Content) -> Content:
    return content


class _Measuring:
    def __init__(self, request: SendRequest) -> None:
        self._request = request
        self._steps = tuple(request.fallback.steps.values()) if request.fallback else ()
        self._links = {each.long_url: each for each in request.links}
        self._shortening = Shortening(self._links)
        # By identity: messages of one object have one content, which is searched once.
        self._seen: dict[int, tuple[Content, frozenset[str]]] = {}

    def shortened(self, content: Content) -> Content:
        return self._seen[id(content)][0]

    async def measure(self, work: BulkWork) -> None:
        for each in (*self._request.messages, *self._steps):
            if id(each.content) not in self._seen:
                self._seen[id(each.content)] = self._measured(each.content)
                await work.pause()
        self._check()

    def _measured(self, content: Content) -> tuple[Content, frozenset[str]]:
        named: set[str] = set()

        def sample(url: str) -> str:
            named.add(url)
            return short_address(self._links[url], "x" * CODE_LENGTH)

        return self._shortening.applied(content, sample), frozenset(named)

    def _check(self) -> None:
        used = frozenset(chain.from_iterable(named for _, named in self._seen.values()))
        problems = [
            FieldProblem(f"{link.path}.long_url", "stands in no text of the send")
            for url, link in self._links.items()
            if url not in used
        ]
        own = frozenset(url for url, link in self._links.items() if link.per_message)
        in_steps = frozenset(
            chain.from_iterable(self._seen[id(step.content)][1] for step in self._steps)
        )
        recipients = Counter(id(each.content) for each in self._request.messages)
        of_messages = sum(
            count * len((self._seen[content][1] | in_steps) & own)
            for content, count in recipients.items()
        )
        if len(used - own) + of_messages > MAX_LINKS:
            problems.append(
                FieldProblem(
                    self._request.links_path,
                    f"must make at most {MAX_LINKS:,} links, with track_user one for each recipient;"
                    " send the rest in other calls",
                )
            )
        if problems:
            raise ValidationFailedError(problems)


def short_address(link: LinkRequest, code: str) -> str:
    """Return the short address of a link."""
    return f"{link.base}/s/{code}"
