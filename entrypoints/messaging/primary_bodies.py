"""The arrays `sms`, `wa` and `rcs` in the body of a send (SPEC 2.6, C-19, C-26)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import Any

from ...application.messages.planning.send_requests import MAX_MESSAGES, MessageRequest
from ...domain.channel import Channel
from ...domain.destination import prefixed
from ...domain.errors import MOST_PROBLEMS
from ...domain.message import (
    WhatsappSessionContent,
    WhatsappTemplateContent,
    session_problems,
)
from ...domain.template_filling import read_components
from ..wire.known_members import know
from .message_bodies import RcsEntry, SmsEntry, WaEntry, WaTemplate, WaType
from .message_rules import (
    REFERENCE,
    SMS_REFERENCE,
    check_dlt_ids,
    check_recipients,
    custom_references,
    members,
)
from .problems import Problems

Reader = Callable[[Problems, str, Any, str | None], list[MessageRequest]]


def message_requests(
    problems: Problems, raw: Mapping[str, Any], prefix: str | None, *, auto_match: bool
) -> tuple[MessageRequest, ...]:
    """
    Read the one array of a send; return a message per recipient, in the given order.

    With `auto_match`, an SMS needs no DLT ids.
    """
    given = [name for name in _READERS if raw.get(name) is not None]
    if len(given) != 1:
        problems.note("body", "must have exactly one of sms, wa and rcs")
    return tuple(
        message
        for name in given
        for message in _entries(problems, name, raw[name], prefix, auto_match=auto_match)
    )


def all_recipients(raw: Mapping[str, Any], prefix: str | None) -> frozenset[str]:
    """Return the readable recipients of a send, with prefixes."""
    given = [raw[name] for name in _READERS if isinstance(raw.get(name), list)]
    found = (each for entries in given for entry in entries for each in _recipients(entry))
    return frozenset(
        prefixed(recipient, prefix)
        for recipient in islice(found, MAX_MESSAGES)
        if isinstance(recipient, str)
    )


def _recipients(entry: Any) -> list[Any]:
    recipient = members(entry).get("recipient")
    return recipient if isinstance(recipient, list) else [recipient]


def _entries(
    problems: Problems, name: str, entries: Any, prefix: str | None, *, auto_match: bool
) -> Iterator[MessageRequest]:
    if not isinstance(entries, list):
        problems.note(name, "must be a list")
    elif not entries:
        problems.note(name, "must have at least one entry")
    elif sum(len(_recipients(entry)) for entry in entries) > MAX_MESSAGES:
        problems.note(
            name,
            f"must have at most {MAX_MESSAGES} recipients in all; send the rest in other calls",
        )
    else:
        wrong = 0
        for index, entry in enumerate(entries):
            known = len(problems.found)
            yield from _READERS[name](problems, f"{name}[{index}]", entry, prefix)
            if name == "sms" and not auto_match:
                to = (each for each in _recipients(entry) if isinstance(each, str))
                numbers = [prefixed(each, prefix) for each in to]
                check_dlt_ids(problems, f"{name}[{index}]", members(entry), numbers)
            wrong += len(problems.found) > known
            if wrong == MOST_PROBLEMS:
                return


def _sms(problems: Problems, path: str, raw: Any, prefix: str | None) -> list[MessageRequest]:
    given = members(raw)
    recipient = given.get("recipient")
    sms = problems.read(path, raw, SmsEntry)
    check_recipients(problems, {f"{path}.recipient": recipient}, prefix)
    cust_refs = custom_references(problems, path, given, SMS_REFERENCE)
    if sms is None:
        return []
    return [
        MessageRequest(
            channel=Channel.SMS,
            sender=sms.sender,
            recipient=sms.recipient,
            content=sms.content,
            cust_refs=cust_refs,
            ttl_seconds=sms.ttl,
            path=path,
            content_path=path,
        )
    ]


def _rcs(problems: Problems, path: str, raw: Any, prefix: str | None) -> list[MessageRequest]:
    given = members(raw)
    rcs = problems.read(path, raw, RcsEntry)
    check_recipients(problems, {f"{path}.recipient": given.get("recipient")}, prefix)
    cust_refs = custom_references(problems, path, given, REFERENCE)
    if rcs is None:
        return []
    return [
        MessageRequest(
            channel=Channel.RCS,
            sender=rcs.sender,
            recipient=rcs.recipient,
            content=rcs.content,
            cust_refs=cust_refs,
            ttl_seconds=rcs.ttl,
            path=path,
            content_path=f"{path}.contentMessage.templateMessage.customParams",
        )
    ]


def _wa(problems: Problems, path: str, raw: Any, prefix: str | None) -> list[MessageRequest]:
    given = members(raw)
    wa = problems.read(path, raw, WaEntry)
    if isinstance(given.get("recipient"), list):
        paths = {f"{path}.recipient[{n}]": each for n, each in enumerate(given["recipient"])}
        check_recipients(problems, paths, prefix)
    # Objects of other types than the entry's are ignored.
    know(raw, WaType)
    content = _wa_content(problems, path, given)
    cust_refs = custom_references(problems, path, given, REFERENCE)
    if wa is None or content is None:
        return []
    return [
        MessageRequest(
            channel=Channel.WHATSAPP,
            sender=wa.sender,
            recipient=recipient,
            content=content,
            cust_refs=cust_refs,
            ttl_seconds=wa.ttl,
            path=path,
            content_path=f"{path}.{_VALUES.get(wa.type, wa.type)}",
        )
        for recipient in wa.recipient
    ]


def _wa_content(
    problems: Problems, path: str, given: Mapping[str, Any]
) -> WhatsappTemplateContent | WhatsappSessionContent | None:
    """Read the object under the name of its type; an unknown type is reported elsewhere."""
    kind = given.get("type")
    if kind not in tuple(WaType):
        return None
    path, raw = f"{path}.{kind}", given.get(kind)
    if kind == WaType.TEMPLATE:
        template = problems.read(path, raw, WaTemplate)
        if template is not None:
            problems.found += read_components(template.content.components, f"{path}.components")[1]
        return None if template is None else template.content
    if not isinstance(raw, dict):
        problems.note(path, "is required" if raw is None else "must be an object")
        return None
    found = session_problems(kind, raw, path)
    problems.found += found
    return None if found else WhatsappSessionContent(type=kind, body=raw)


# The path of a message's values, if that is not the whole object of its type.
_VALUES: Mapping[str, str] = {WaType.TEMPLATE: "template.components"}
_READERS: Mapping[str, Reader] = {"sms": _sms, "wa": _wa, "rcs": _rcs}
