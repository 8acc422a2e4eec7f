"""Hear a post: check its signature, and read its receipts and inbound messages by paths (C-63)."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from attrs import frozen

from .....application.ports.channels import Heard, InboundMessage, Post, ProviderReport, Report
from .....domain.accounts.api_key import UnauthorizedError
from .....domain.errors import FieldProblem, ValidationFailedError
from .....domain.limits import UNSTORABLE
from .....domain.receipt import Receipt, ReceiptStatus
from ...ids import id_in
from ...reported_times import reported_time
from ..paths import MISSING, member, read_path, text_of
from .posted_documents import posted_document, refuse_long_form
from .signatures import SignatureKind, verify

_LONGEST_CODE = 100
_AT_ONCE = 200
# Vendors post at most a thousand at once. Recording ten thousand takes seconds, and no vendor waits longer.
MOST_PARTS = 10_000
Settings = Mapping[str, Any]


def signature_of(config: Settings) -> Settings | None:
    """Return the signature that covers all posts; None for an account that hears nothing (D-206)."""
    section = config.get("receipt") or config.get("inbound")
    return None if section is None else section.get("signature")


async def heard(config: Settings, post: Post, now: datetime) -> Heard:
    """
    Return the reports in a post, and the provider's answer.

    Raises `UnauthorizedError` for a wrong signature, before anything is read, and
    `ValidationFailedError` for a post of which no part can be read, and for a long form.
    """
    signature = signature_of(config)
    if signature is None:
        raise UnauthorizedError
    refuse_long_form(post)
    verify(signature, post, now)
    document = posted_document(post, query=SignatureKind(signature["kind"]).covers_the_query)
    reading = _Reading(config.get("receipt"), config.get("inbound"), now)
    lists = reading.lists(document)
    if not lists:
        raise ValidationFailedError([FieldProblem("body", "has neither receipts nor messages")])
    if sum(len(each.items) for each in lists) > MOST_PARTS:
        raise ValidationFailedError([FieldProblem("body", f"has more than {MOST_PARTS} parts")])
    read = []
    parts = ((each, item) for each in lists for item in each.items)
    for number, (among, item) in enumerate(parts):
        read.append(reading.report(among, item))
        if number % _AT_ONCE == _AT_ONCE - 1:
            # Other requests go on between the parts of a large post.
            await asyncio.sleep(0)
    unreadable = sum(each is None for each in read)
    if read and unreadable == len(read):
        raise ValidationFailedError([FieldProblem("body", "has no receipt or message to read")])
    reports = tuple(each for each in read if isinstance(each, ProviderReport | InboundMessage))
    return _answered(config, reports, unreadable)


def _answered(config: Settings, reports: Sequence[Report], unreadable: int) -> Heard:
    """Return what was heard, with the answer for an inbound message if there is one."""
    is_inbound = any(isinstance(each, InboundMessage) for each in reports)
    section = config.get("inbound" if is_inbound or "receipt" not in config else "receipt") or {}
    answer = section.get("answer")
    if answer is None:
        return Heard(reports=reports, unreadable=unreadable)
    return Heard(
        reports=reports,
        unreadable=unreadable,
        content_type=answer["contentType"],
        body=answer.get("body", "").encode(),
    )


class _Ignored:
    """A receipt with a status that the config does not name."""


@frozen
class _List:
    """The items of one list of a post; a section reads the items of its own list alone."""

    items: Sequence[Any]
    is_receipt: bool
    is_inbound: bool


@frozen
class _Reading:
    """Reads the parts of one post; they are the items of the lists that its paths lead to."""

    receipt: Settings | None
    inbound: Settings | None
    now: datetime

    def lists(self, document: Any) -> Sequence[_List]:
        """Return the lists of items in a document; one that is no list is one item."""
        sections = [each for each in (self.receipt, self.inbound) if each is not None]
        found: list[_List] = []
        for path in dict.fromkeys(each.get("itemsPath") for each in sections):
            items = document if path is None else member(document, read_path(path))
            if items is MISSING or items is None:
                continue
            listed = items if isinstance(items, list) else [items]
            is_receipt = self._reads(self.receipt, path)
            found.append(_List(listed, is_receipt, self._reads(self.inbound, path)))
        return found

    @staticmethod
    def _reads(section: Settings | None, path: str | None) -> bool:
        return section is not None and section.get("itemsPath") == path

    def report(self, among: _List, item: Any) -> Report | _Ignored | None:
        """Return the report in an item of a list; None if it cannot be read."""
        read = self._receipt(item) if among.is_receipt else None
        if isinstance(read, ProviderReport):
            return read
        message = self._message(item) if among.is_inbound else None
        return read if message is None else message

    def _receipt(self, item: Any) -> ProviderReport | _Ignored | None:
        settings = self.receipt or {}
        theirs = _text(item, settings.get("statusPath"))
        found_id = _name(item, settings.get("idPath"))
        reference = _name(item, settings.get("referencePath"))
        if not theirs or (found_id is None and reference is None):
            return None
        # A preset's status may say more than the group that it belongs to.
        exception = _text(item, settings.get("exceptionPath"))
        ours = settings.get("exceptions", {}).get(exception) or settings["statuses"].get(theirs)
        if ours is None:
            return _Ignored()
        status = ReceiptStatus(ours)
        code = _code(item, settings.get("codePath")) if status is ReceiptStatus.FAILED else None
        at = reported_time(_text(item, settings.get("atPath")), self.now)
        receipt = Receipt(status=status, error_code=code, reported_at=at)
        return ProviderReport(provider_message_id=found_id, reference=reference, receipt=receipt)

    def _message(self, item: Any) -> InboundMessage | None:
        settings = self.inbound or {}
        sender = _name(item, settings["senderPath"])
        recipient = _name(item, settings["recipientPath"])
        text = _text(item, settings["textPath"])
        if sender is None or recipient is None or text is None:
            return None
        return InboundMessage(
            provider_message_id=_name(item, settings.get("idPath")),
            sender=sender,
            recipient=recipient,
            text=UNSTORABLE.sub("\ufffd", text),
        )


def _text(item: Any, path: str | None) -> str | None:
    """Return the text at a path, which may be empty; None if there is none."""
    if path is None:
        return None
    found = member(item, read_path(path))
    return found if isinstance(found, str) else text_of(found)


def _code(item: Any, path: str | None) -> str | None:
    """Return the error code at a path; None for words, which may quote the text (D-243)."""
    found = _name(item, path)
    is_code = found is not None and len(found) <= _LONGEST_CODE and len(found.split()) == 1
    return found if is_code else None


def _name(item: Any, path: str | None) -> str | None:
    """Return the id, code, number or name at a path; None if it has no such form."""
    return id_in(_text(item, path))
