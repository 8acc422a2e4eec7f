"""`submit`, `approve` and `reject` of `watchword rcs` and `watchword whatsapp` (C-36, C-55)."""

from __future__ import annotations

import click

from ..options.shared import Option
from ..options.target_options import managing
from ..output.records import echo_record
from ..service.records import Kind
from ..service.target import Target
from .groups import epilog
from .record_commands import account_option, camel_body

_REASON = click.option("--reason", help="Why; callbacks tell it to the account.")


def reviewing(
    kind: Kind, review: str, purpose: str, *examples: str, apart: Option, with_reason: bool = True
) -> click.Command:
    """Make the command of a review; `apart` is the option that tells templates of one name apart."""

    @click.command(review, help=purpose, epilog=epilog(*examples))
    @click.argument("name")
    @account_option("that it belongs to")
    @apart
    @managing
    def command(target: Target, name: str, as_json: bool, **given: str | None) -> None:
        body = camel_body(**given)
        reviewed = target.ask(
            lambda management: management.act("POST", kind, name, review, body=body)
        )
        echo_record(kind, reviewed, as_json)

    return _REASON(command) if with_reason else command
