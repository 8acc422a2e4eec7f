"""Check the settings of receipts and inbound messages, and make the token that calls must have (C-63)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from .....domain.errors import FieldProblem
from .....domain.event import MASK
from .....domain.receipt import ReceiptStatus
from ..paths import read_path
from ..presets import CALLBACK_TOKEN
from .signature_settings import completed, signature_problems
from .signatures import SignatureKind

_MEDIA_TYPE = re.compile(r"[a-z]+/[a-z0-9.+-]+(?:; ?charset=[A-Za-z0-9-]+)?")
_LONGEST_ANSWER, _MOST_STATUSES = 4_096, 200
_ANSWER = ("contentType", "body")
Settings = Mapping[str, Any]


def hearing_problems(config: Settings) -> Iterator[FieldProblem]:
    """Generate the problems of `receipt` and `inbound`, whose members have their declared kinds."""
    receipt, inbound = config.get("receipt"), config.get("inbound")
    if isinstance(receipt, Mapping):
        yield from _section_problems(receipt, "config.receipt")
        if receipt.get("idPath") is None and receipt.get("referencePath") is None:
            yield FieldProblem("config.receipt.idPath", "is required, or referencePath is")
        yield from _status_problems(receipt.get("statuses"), "config.receipt.statuses")
    if isinstance(inbound, Mapping):
        yield from _section_problems(inbound, "config.inbound")
        if isinstance(receipt, Mapping) and inbound.get("signature") is not None:
            yield FieldProblem(
                "config.inbound.signature", "is config.receipt.signature, which covers all posts"
            )


def token_problems(config: Settings) -> Iterator[FieldProblem]:
    """Generate the problems of the token that a preset's parameters have."""
    token = config.get(CALLBACK_TOKEN.name)
    if token is not None:
        signature = {"kind": SignatureKind.QUERY_TOKEN, "secret": token}
        for problem in signature_problems(signature, "config"):
            yield FieldProblem(f"config.{CALLBACK_TOKEN.name}", problem.message)


def without_lost_token(config: Settings) -> Settings:
    """
    Return the config without a token for which a mask stands, so that a new one is made (D-260).

    The mask of a token that this node can open never gets here. The service made the token, so the
    operator's own file does not have it.
    """
    if config.get(CALLBACK_TOKEN.name) == MASK:
        return _without(config, CALLBACK_TOKEN.name)
    for name in ("receipt", "inbound"):
        section = config.get(name)
        signature = section.get("signature") if isinstance(section, Mapping) else None
        if (
            isinstance(section, Mapping)
            and isinstance(signature, Mapping)
            and signature.get("kind") == SignatureKind.QUERY_TOKEN
            and signature.get("secret") == MASK
        ):
            return {**config, name: {**section, "signature": _without(signature, "secret")}}
    return config


def _without(members: Settings, name: str) -> Settings:
    return {each: value for each, value in members.items() if each != name}


def with_token(config: Settings) -> Settings:
    """Return the config to store: without another signature, calls must have a token (D-206)."""
    for name in ("receipt", "inbound"):
        if config.get(name) is not None:
            section = config[name]
            signed = completed(section.get("signature"))
            return {**config, name: {**section, "signature": signed}}
    return config


def _section_problems(section: Settings, path: str) -> Iterator[FieldProblem]:
    for name, value in section.items():
        if name.endswith("Path") and isinstance(value, str):
            try:
                read_path(value)
            except ValueError as error:
                yield FieldProblem(f"{path}.{name}", str(error))
    if section.get("signature") is not None:
        yield from signature_problems(section["signature"], f"{path}.signature")
    if section.get("answer") is not None:
        yield from _answer_problems(section["answer"], f"{path}.answer")


def _status_problems(statuses: Any, path: str) -> Iterator[FieldProblem]:
    if not isinstance(statuses, Mapping) or not 1 <= len(statuses) <= _MOST_STATUSES:
        yield FieldProblem(path, f"must be an object of 1 to {_MOST_STATUSES} statuses")
        return
    for theirs, ours in statuses.items():
        if ours not in tuple(ReceiptStatus):
            yield FieldProblem(f"{path}.{theirs}", f"must be one of {', '.join(ReceiptStatus)}")


def _answer_problems(answer: Any, path: str) -> Iterator[FieldProblem]:
    if not isinstance(answer, Mapping):
        yield FieldProblem(path, "must be an object with contentType and body")
        return
    for name in answer:
        if name not in _ANSWER:
            yield FieldProblem(f"{path}.{name}", f"is unknown; it has: {', '.join(_ANSWER)}")
    content_type = answer.get("contentType")
    if not isinstance(content_type, str) or not _MEDIA_TYPE.fullmatch(content_type):
        yield FieldProblem(f"{path}.contentType", "must be a media type, such as text/xml")
    body = answer.get("body", "")
    if not isinstance(body, str) or len(body) > _LONGEST_ANSWER:
        yield FieldProblem(
            f"{path}.body", f"must be a text of at most {_LONGEST_ANSWER} characters"
        )
