"""`watchword audit extends`: checks that a log's newer head extends an older one (C-81)."""

from __future__ import annotations

import asyncio
from base64 import b64encode
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ....serving.failures import printable
from ...building.groups import epilog
from ...options.shared import json_option
from ...options.target_options import with_target
from ...options.verifier_keys import key_option, verifiers
from ...output.json_text import echo_json
from ...service.failures import expected_failures
from ...service.target import Target

if TYPE_CHECKING:
    from .....verify_evidence import Checkpoint

_HEAD = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command(
    short_help="Check that a newer head of the log extends an older one.",
    epilog=epilog(
        "watchword audit extends head-january head-february --key log.keys",
        "watchword audit extends head-january head-february --key log.keys --url http://127.0.0.1:8080",
    ),
)
@click.argument("old", type=_HEAD)
@click.argument("new", type=_HEAD)
@key_option(required=False)
@with_target
@json_option
@click.pass_context
def extends(
    context: click.Context,
    target: Target,
    old: Path,
    new: Path,
    vkeys: tuple[str, ...],
    as_json: bool,
) -> None:
    """
    Check that the log of the head NEW begins with the log of the head OLD, unchanged.

    OLD and NEW are files with heads, which an auditor kept outside. The store or the service is asked for
    the proof, and is not believed: the hashes must lead to the roots of both heads. The exit status is 0
    if they do, and 1 if something was changed, removed or inserted before the end of OLD.
    """
    from .....application.evidence.extending import check_extension, read_head
    from .....verify_evidence import EvidenceError

    keys = verifiers(vkeys)
    heads: list[Checkpoint] = []
    finding = None
    with expected_failures():
        try:
            for each in (old, new):
                heads.append(read_head(each.read_text(), keys))
            asyncio.run(check_extension(heads[0], heads[1], target.consistency))
        except (EvidenceError, UnicodeDecodeError) as error:
            finding = _told(error, [old, new][len(heads) :])
    if not keys:
        click.echo("No signature was checked: name the log's keys with --key.", err=True)
    if as_json:
        echo_json(
            {
                "extends": finding is None,
                "heads": [_record(each) for each in heads],
                "findings": [] if finding is None else [{"kind": "head", "detail": finding}],
            }
        )
    elif finding is None:
        was, now = heads
        told = f"The log of {now.size} events extends that of {was.size}, of {was.origin}."
        click.echo(printable(told))
    else:
        click.echo(printable(finding))
    context.exit(0 if finding is None else 1)


def _told(error: Exception, unread: list[Path]) -> str:
    text = "This is no text." if isinstance(error, UnicodeDecodeError) else str(error)
    return f"{unread[0]}: {text}" if unread else text


def _record(head: Checkpoint) -> dict[str, Any]:
    return {
        "origin": head.origin,
        "size": head.size,
        "root": b64encode(head.root).decode(),
    }
