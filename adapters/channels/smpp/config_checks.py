"""The rules of the provider `smpp` for a channel account's config (C-63)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from ....application.ports.channels import checked_config
from ....domain.errors import FieldProblem, ValidationFailedError
from ..server_settings import authority_problem, server_problems
from .settings import SETTINGS, dlt_of

# The octets of each text that its field of a PDU has room for, beside the NUL at its end (D-268).
_LENGTHS = {"systemId": 15, "password": 8, "systemType": 12}
_RANGES = {
    "window": (1, 1000),
    "sourceTon": (0, 255),
    "sourceNpi": (0, 255),
    "destTon": (0, 255),
    "destNpi": (0, 255),
    "enquireSeconds": (5, 600),
}
# SMPP leaves these tags to vendors; any other one already has a meaning, such as the text itself.
_VENDORS_TAGS = range(0x1400, 0x4000)
_TAGS = ("entityTag", "templateTag", "telemarketerTag")
_LONGEST_TELEMARKETER = 64
_ASCII = re.compile(r"[\x20-\x7e]*")


def checked_smpp_config(config: Mapping[str, Any]) -> Mapping[str, Any]:
    """Check a config, as `ChannelProvider.check_config` says."""
    checked = checked_config(SETTINGS, config)
    problems = [FieldProblem(f"config.{name}", why) for name, why in _problems(checked)]
    if problems:
        raise ValidationFailedError(problems)
    return checked


def _problems(config: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    yield from server_problems(config["host"], config["port"])
    for name, longest in _LENGTHS.items():
        if name in config:
            yield from _text_problems(name, config[name], longest)
    for name, (least, most) in _RANGES.items():
        if name in config and not least <= config[name] <= most:
            yield name, f"must be from {least} to {most}"
    if "caFile" in config:
        yield from _authority_problems(config)
    yield from _dlt_problems(config.get("dlt", {}))


def _text_problems(name: str, value: str, longest: int) -> Iterator[tuple[str, str]]:
    if len(value) > longest or not _ASCII.fullmatch(value):
        yield name, f"must be a text of 1 to {longest} ASCII characters"


def _authority_problems(config: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    if not config.get("tls", False):
        yield "caFile", "is for tls alone"
        return
    problem = authority_problem(config["caFile"])
    if problem is not None:
        yield "caFile", problem


def _dlt_problems(members: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for name in _TAGS:
        if name in members and members[name] not in _VENDORS_TAGS:
            least, most = _VENDORS_TAGS[0], _VENDORS_TAGS[-1]
            yield f"dlt.{name}", f"must be from {least} to {most} (0x{least:X} to 0x{most:X})"
    dlt = dlt_of(members)
    if len({dlt.entity_tag, dlt.template_tag, dlt.telemarketer_tag}) < len(_TAGS):
        yield "dlt", "must have three different tags"
    if dlt.telemarketer_id is not None:
        yield from _text_problems("dlt.telemarketerId", dlt.telemarketer_id, _LONGEST_TELEMARKETER)
