"""`submit`, `approve` and `reject` of `watchword rcs` and `watchword whatsapp` (C-36, C-55)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from ....domain.errors import camel
from ..options.target_options import managing
from ..output.records import echo_record
from ..service.records import Kind
from ..service.target import Target

_REASON = click.option("--reason", help="Why; callbacks tell it to the account.")


def reviewing(
    kind: Kind,
    deed: str,
    purpose: str,
    *examples: str,
    apart: Callable[[Any], Any],
    with_reason: bool = True,
) -> click.Command:
    """Make the command that does `deed`; `apart` is the option that tells templates of a name apart."""

    @click.command(deed, help=purpose, epilog="\n".join(("\b\nExamples:", *examples)))
    @click.argument("name")
    @click.option("--account", required=True, help="Id or name of the account that it belongs to.")
    @apart
    @managing
    def command(target: Target, name: str, as_json: bool, **said: str | None) -> None:
        body = {camel(each): value for each, value in said.items()}
        reviewed = target.ask(
            lambda management: management.act("POST", kind, name, deed, body=body)
        )
        echo_record(kind, reviewed, as_json)

    return _REASON(command) if with_reason else command
