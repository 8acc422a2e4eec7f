"""Watches what pages do that nobody asked them to do: reports of the policy, errors, foreign requests."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from attrs import define, field

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, ConsoleMessage, Dialog, Request, WebError

# What a stored payload calls if a page runs it, and what marks an element that a payload made.
RUN = "__ran"
MARK = "data-planted"

_LISTENER = """
addEventListener("securitypolicyviolation", (event) => {
  __reported(`${event.effectiveDirective} ${event.blockedURI} in ${event.documentURI}`);
});
"""
# A page that answers with a refusal makes the browser say so; the test itself looks at the status.
_REFUSED = re.compile(r"Failed to load resource: the server responded with a status of (\d+)")


# Playwright keeps its wrapper of a method as an attribute of the object.
@define(slots=False)
class Watch:
    """What the pages of one browser context did."""

    address: str
    reports: list[str] = field(factory=list, init=False)
    executions: list[str] = field(factory=list, init=False)
    errors: list[str] = field(factory=list, init=False)
    foreign: list[str] = field(factory=list, init=False)
    _expected: set[int] = field(factory=set, init=False)

    def over(self, context: BrowserContext) -> None:
        """Begin to watch a context, before it opens its first page."""
        context.expose_function("__reported", self._reported)
        context.expose_function(RUN, self._ran)
        context.add_init_script(_LISTENER)
        context.on("console", self._said)
        context.on("weberror", self._threw)
        context.on("dialog", self._asked)
        context.on("request", self._requested)

    @contextmanager
    def refusals(self, *statuses: int) -> Iterator[None]:
        """Expect pages that answer with one of these statuses, for a block."""
        before = set(self._expected)
        self._expected |= set(statuses)
        try:
            yield
        finally:
            self._expected = before

    def saw_nothing(self) -> None:
        """Fail if a page did anything that no page of ours should do."""
        did = [*self.executions, *self.reports, *self.errors, *self.foreign]
        assert [] == did, "\n".join(did)

    def _reported(self, what: str) -> None:
        self.reports.append(what)

    def _ran(self, what: object) -> None:
        self.executions.append(str(what))

    def _said(self, message: ConsoleMessage) -> None:
        if message.type not in {"error", "warning"}:
            return
        refused = _REFUSED.match(message.text)
        if refused is None or int(refused[1]) not in self._expected:
            self.errors.append(f"{message.text} at {message.location.get('url')}")

    def _threw(self, error: WebError) -> None:
        self.errors.append(str(error.error))

    def _asked(self, dialog: Dialog) -> None:
        self.executions.append(f"{dialog.type}: {dialog.message}")
        dialog.dismiss()

    def _requested(self, request: Request) -> None:
        if not request.url.startswith((self.address, "data:", "blob:", "about:")):
            self.foreign.append(request.url)
