"""A test of a channel account, whose steps are shown as they happen (C-67, D-513)."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import aclosing

from aiohttp import web

from ....application.channel_tests.testing import ChannelTest
from ....application.channel_tests.views import ChannelTestRequest, ChannelTestView
from ....domain.accounts.token_role import TokenRole
from ....domain.errors import DomainError, ValidationFailedError
from ...http.request_ids import calling_about
from ...wire.channel_tests import shown
from ...wire.structuring import structure
from ..page import Page
from ..provider_forms.setting_texts import number_of
from ..streaming import fragment, streamed
from ..visit import Visit
from .channels import shared_facts

_FIELDS = ("text", "template", "language")


async def run_test(visit: Visit) -> web.StreamResponse:
    """Send a test message, and write each step when it has happened: a page needs no script for that."""
    account = await visit.service.channel_accounts.get(visit.by, visit.request.match_info["id"])
    given = {name: visit.form.optional(name) for name in _FIELDS}
    raw = {
        **{name: text for name, text in given.items() if text is not None},
        "to": visit.form.get("to"),
        "waitSeconds": number_of(visit.form.get("waitSeconds", "0") or "0"),
    }
    facts = {"record": visit.shown(account), **await shared_facts(visit, [account])}
    try:
        asked = structure(raw, ChannelTestRequest)
        by = calling_about(visit.request, visit.by, (asked.to,))
        test = await visit.service.channel_tests.begin(by, account.id, asked)
    except ValidationFailedError as refusal:
        form = visit.form.with_problems(refusal)
        return visit.show("channels/test_form.html", status=400, form=form, **facts)
    async with aclosing(test):
        return await streamed(visit, "channels/testing.html", _steps(test), **facts)


async def _steps(test: ChannelTest) -> AsyncIterator[str]:
    """Yield the row of each step; an error after the first one is the last row."""
    try:
        async for each in test:
            template = "result" if isinstance(each, ChannelTestView) else "step"
            yield fragment(f"channels/test_{template}.html", told=shown(each))
    except DomainError as refusal:
        yield fragment("channels/test_refused.html", refusal=refusal)


CHANNEL_TEST_PAGES = (Page("POST", "/channels/{id}/test", run_test, TokenRole.OPERATOR),)
