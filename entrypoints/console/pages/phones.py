"""The phones of a sandbox: read what arrived, press, answer, report, and move the clock (C-39)."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from contextlib import suppress
from datetime import timedelta

from aiohttp import web

from ....adapters.channels.sandbox_outbox import SandboxMessage
from ....adapters.channels.sandbox_posts import PostedStatus
from ....application.paging import Listed
from ....domain.accounts.channel_account import ChannelAccountNotFoundError
from ....domain.accounts.token_role import TokenRole
from ....domain.channel import Channel
from ....domain.destination import masked
from ....domain.errors import FieldProblem, NotFoundError, ValidationFailedError
from ....domain.message import WhatsappTemplateContent
from ....domain.template_filling import MessageTemplate, MessageTemplateNotFoundError
from ...http.requests import paging_of
from ...http.route import About
from ...sandbox.controls import Sandbox
from ...sandbox.requests import AdvanceRequest, SandboxReceipt, sandbox_inbound
from ...wire.searches import whole_number
from ...wire.structuring import structure
from ..figures.texts import distance_text
from ..forms import Form
from ..handsets import Handset, handset_id, handsets, received, wrote
from ..page import Page
from ..visit import Visit

# A phone shows its newest entries.
_SHOWN = 50
_BESIDE = 12
_STEPS = (
    (60, "1 minute"),
    (600, "10 minutes"),
    (3_600, "1 hour"),
    (86_400, "1 day"),
)


class PhoneNotFoundError(NotFoundError):
    """No message went to the phone or came from it since the outbox was emptied."""

    def __init__(self) -> None:
        super().__init__("Nothing is on this phone. It may have been before a restart.")


async def phones(
    visit: Visit, finding: Form | None = None, writing: Form | None = None
) -> web.StreamResponse:
    """List the phones, the one that was used last first."""
    found = await _handsets(visit)
    paging = paging_of(visit.request)
    before = (paging.page - 1) * paging.page_size
    listed = Listed(
        page=paging.page,
        page_size=paging.page_size,
        total=len(found),
        data=found[before : before + paging.page_size],
    )
    given = Form.of(channel=str(Channel.SMS), **{"from": "", "to": ""})
    wrong = any(form is not None and form.problems for form in (finding, writing))
    return visit.show(
        "phones/phones.html",
        status=400 if wrong else 200,
        listed=listed,
        finding=finding or Form({}),
        writing=writing or given,
        channels=[str(each) for each in Channel],
        **_common(visit),
    )


async def find(visit: Visit) -> web.StreamResponse:
    """Lead on to the phone with a number, which stands in no address."""
    wanted = handset_id(visit.form.get("destination"))
    if all(each.id != wanted for each in await _handsets(visit)):
        none = "has neither got nor written a message"
        refusal = ValidationFailedError([FieldProblem("destination", none)])
        return await phones(visit, finding=visit.form.with_problems(refusal))
    return visit.redirect(f"/phones/{wanted}")


async def write(visit: Visit) -> web.StreamResponse:
    """Write the first message from a phone."""
    form = visit.form
    body = {name: form.get(name) for name in ("channel", "from", "to", "text")}
    try:
        inbound = sandbox_inbound(body)
        await _sandbox(visit).phones.write(
            inbound.channel, inbound.sender, inbound.recipient, inbound.text, visit.by.request_id
        )
    except ValidationFailedError as refusal:
        return await phones(visit, writing=form.with_problems(refusal))
    except ChannelAccountNotFoundError:
        none = "has no channel account in the sandbox"
        refused = ValidationFailedError([FieldProblem("channel", none)])
        return await phones(visit, writing=form.with_problems(refused))
    return visit.redirect(f"/phones/{handset_id(inbound.sender)}", done="written")


async def advance(visit: Visit) -> web.StreamResponse:
    """Move the clock on, and do what falls due."""
    wanted = structure({"seconds": whole_number(visit.form.get("seconds"))}, AdvanceRequest)
    await _sandbox(visit).advance(timedelta(seconds=wanted.seconds))
    back = visit.form.get("phone")
    inside = f"/{back}" if back.isalnum() else ""
    return visit.redirect(f"/phones{inside}", done="clock-moved")


async def clear(visit: Visit) -> web.StreamResponse:
    """Empty all phones."""
    _sandbox(visit).provider.clear()
    return visit.redirect("/phones", done="emptied")


async def phone(visit: Visit, answering: Form | None = None) -> web.StreamResponse:
    """Show one phone, with its newest entry at the end."""
    provider = _sandbox(visit).provider
    there_are = await _handsets(visit)
    found = _found(visit, there_are)
    entries = found.entries[-_SHOWN:]
    sent = [each for each in entries if isinstance(each, SandboxMessage)]
    templates = await _templates(visit, sent)
    there = [
        received(each, provider, templates) if isinstance(each, SandboxMessage) else wrote(each)
        for each in entries
    ]
    return visit.show(
        "phones/phone.html",
        status=400 if answering is not None else 200,
        phone=found,
        entries=there,
        earlier=len(found.entries) - len(entries),
        answering=answering or Form({}),
        answered=_newest_by_channel(sent),
        statuses=tuple(PostedStatus),
        beside=there_are[:_BESIDE],
        **_common(visit),
    )


async def answer(visit: Visit) -> web.StreamResponse:
    """Answer a message: by a press on a button, or with a text."""
    found, form = _found(visit, await _handsets(visit)), visit.form
    sent = next((each for each in _sent(found) if each.provider_message_id == form.get("to")), None)
    if sent is None:
        raise PhoneNotFoundError
    body = {
        "channel": str(sent.channel),
        "from": sent.destination,
        "to": sent.sender or "sandbox",
        "text": form.get("text"),
    }
    try:
        inbound = sandbox_inbound(body)
    except ValidationFailedError as refusal:
        return await phone(visit, form.with_problems(refusal))
    await _sandbox(visit).phones.answer(sent.provider_message_id, inbound.text, visit.by.request_id)
    return visit.redirect(f"/phones/{found.id}", done="written")


async def report(visit: Visit) -> web.StreamResponse:
    """Send a receipt for a message, as its provider would."""
    found, form = _found(visit, await _handsets(visit)), visit.form
    posted = structure(
        {
            "providerMessageId": form.get("message"),
            "status": form.get("status"),
            "errorCode": form.optional("errorCode"),
        },
        SandboxReceipt,
    )
    await _sandbox(visit).phones.report(
        form.get("message"), posted.status.receipt_status, posted.error_code, visit.by.request_id
    )
    return visit.redirect(f"/phones/{found.id}", done="reported")


def _sandbox(visit: Visit) -> Sandbox:
    sandbox = visit.service.sandbox
    if sandbox is None:
        raise PhoneNotFoundError
    return sandbox


async def _handsets(visit: Visit) -> Sequence[Handset]:
    # A full outbox would hold up the event loop for 60 ms (C-94).
    return await asyncio.to_thread(handsets, _sandbox(visit).provider.snapshot())


def _found(visit: Visit, there_are: Sequence[Handset]) -> Handset:
    wanted = visit.request.match_info["id"]
    for each in there_are:
        if each.id == wanted:
            return each
    raise PhoneNotFoundError


def _sent(found: Handset) -> Iterable[SandboxMessage]:
    return (each for each in found.entries if isinstance(each, SandboxMessage))


def _newest_by_channel(sent: Sequence[SandboxMessage]) -> Sequence[tuple[str, str]]:
    """Return the newest message of each channel and sender, by the name under which it is answered."""
    newest = {
        f"{each.channel} to {each.sender or 'the sandbox'}": each.provider_message_id
        for each in sent
    }
    return [(provider_message_id, name) for name, provider_message_id in reversed(newest.items())]


async def _templates(
    visit: Visit, sent: Iterable[SandboxMessage]
) -> dict[str, MessageTemplate | None]:
    """Return the WhatsApp templates that messages name, by message; one that is gone is left out."""
    service = visit.service
    named: dict[str, MessageTemplate | None] = {}
    for each in sent:
        if isinstance(content := each.payload, WhatsappTemplateContent):
            with suppress(ChannelAccountNotFoundError, MessageTemplateNotFoundError):
                account = await service.channel_accounts.get(visit.by, each.channel_account_id)
                named[each.provider_message_id] = await service.templates_of_sends.of_content(
                    account.account, each.sender or "", content
                )
    return named


def _common(visit: Visit) -> dict[str, object]:
    """Return the facts of both pages: the clock, and how a number is shown to this token."""
    clock, hides = _sandbox(visit).clock, visit.by.masked
    return {
        "now": visit.service.clock.now(),
        "moves": clock is not None,
        "ahead": distance_text(clock.offset) if clock and clock.offset else "",
        "steps": _STEPS,
        "hides": hides,
        "shown": masked if hides else str,
        "acts": visit.may(TokenRole.OPERATOR, About.STORE),
    }


PHONE_PAGES = (
    Page("GET", "/phones", phones, TokenRole.AUDITOR, About.STORE),
    Page("POST", "/phones/find", find, TokenRole.AUDITOR, About.STORE),
    Page("POST", "/phones/write", write, TokenRole.OPERATOR, About.STORE),
    Page("POST", "/phones/clock", advance, TokenRole.OPERATOR, About.STORE),
    Page("POST", "/phones/clear", clear, TokenRole.OPERATOR, About.STORE),
    Page("GET", "/phones/{id}", phone, TokenRole.AUDITOR, About.STORE),
    Page("POST", "/phones/{id}/answer", answer, TokenRole.OPERATOR, About.STORE),
    Page("POST", "/phones/{id}/receipts", report, TokenRole.OPERATOR, About.STORE),
)
