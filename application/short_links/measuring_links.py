"""A send as it weighs once its links are short, and whether its links can be made (C-29, D-54)."""

from __future__ import annotations

from attrs import evolve

from ...domain.errors import FieldProblem, ValidationFailedError
from ...domain.message import Content
from ...domain.short_link import CODE_LENGTH
from ..messages.send_requests import LinkRequest, SendRequest
from .shortening import Shortening

# Each is an event and a row; more would stop the event loop.
MAX_LINKS = 2_000


def as_shortened(request: SendRequest) -> SendRequest:
    """
    Give a send with addresses of the length that its short links will have.

    Raises `ValidationFailedError` for an address that stands in no text, and for too many links.
    """
    if not request.links:
        return request
    return _Measuring(request).measured()


class _Measuring:
    def __init__(self, request: SendRequest) -> None:
        self._request = request
        self._links = {each.long_url: each for each in request.links}
        self._shortening = Shortening(self._links)
        # By identity: messages of one object have one content.
        self._seen: dict[int, tuple[Content, frozenset[str]]] = {}

    def measured(self) -> SendRequest:
        fallback = self._request.fallback
        steps = {} if fallback is None else dict(fallback.steps)
        messages = tuple(
            evolve(each, content=self._measured(each.content)) for each in self._request.messages
        )
        if fallback is not None:
            measured = {
                channel: evolve(step, content=self._measured(step.content))
                for channel, step in steps.items()
            }
            fallback = evolve(fallback, steps=measured)
        self._check(frozenset().union(*(self._named(step.content) for step in steps.values())))
        return evolve(self._request, messages=messages, fallback=fallback)

    def _check(self, in_steps: frozenset[str]) -> None:
        named = [self._named(each.content) | in_steps for each in self._request.messages]
        used = frozenset().union(*named)
        problems = [
            FieldProblem(f"{link.path}.longUrl", "stands in no text of the send")
            for url, link in self._links.items()
            if url not in used
        ]
        own = {url for url, link in self._links.items() if link.per_message}
        if len(used - own) + sum(len(urls & own) for urls in named) > MAX_LINKS:
            problems.append(
                FieldProblem(
                    "urlShortener.urlDetails",
                    f"must make at most {MAX_LINKS:,} links, with track_user one for each recipient;"
                    " send the rest in other calls",
                )
            )
        if problems:
            raise ValidationFailedError(problems)

    def _measured(self, content: Content) -> Content:
        if id(content) not in self._seen:
            named: set[str] = set()

            def sample(url: str) -> str:
                named.add(url)
                return short_address(self._links[url], "x" * CODE_LENGTH)

            measured = self._shortening.applied(content, sample)
            self._seen[id(content)] = measured, frozenset(named)
        return self._seen[id(content)][0]

    def _named(self, content: Content) -> frozenset[str]:
        return self._seen[id(content)][1]


def short_address(link: LinkRequest, code: str) -> str:
    """Give the address that stands for a link."""
    return f"{link.base}/s/{code}"
