"""`watchword audit prove`: writes files which prove that events are in the log (C-81, C-105)."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ...building.groups import epilog
from ...options.shared import json_option
from ...options.target_options import with_target
from ...output.json_text import echo_json
from ...output.whole_file import whole_file
from ...service.failures import expected_failures
from ...service.target import Target

if TYPE_CHECKING:
    from .....application.evidence.proving import EventProof


@click.command(
    short_help="Write files which prove that the events of an id are in the log.",
    epilog=epilog(
        "watchword audit prove pin_7hq2w... --output evidence",
        "watchword audit prove pin_7hq2w... --output evidence --with eventKey",
        "watchword audit prove pin_7hq2w... --output evidence --url http://127.0.0.1:8080",
    ),
)
@click.argument("stream", metavar="ID")
@click.option(
    "--output",
    "folder",
    required=True,
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Folder for the files; it is made if there is none.",
)
@click.option(
    "--with",
    "disclosed",
    multiple=True,
    type=click.Choice(("sealed", "secret", "eventKey")),
    help="What the files say beside the open line of an event: its sealed texts, its hashes, or the sealed"
    " texts and the key that opens them, which needs the code key. Can be given again.",
)
@with_target
@json_option
def prove(
    target: Target, stream: str, folder: Path, disclosed: tuple[str, ...], as_json: bool
) -> None:
    """
    Write a file for each event of an id, which proves that the event is in the log.

    The files are in the form of C2SP's tlog-proof, named <id>-<version>.tlog-proof, and are checked with
    `watchword audit verify DIR`, or with verify_evidence.py alone, without the store. They say nothing
    personal unless --with adds it. What no head covers is sealed first, by the running service, or by this
    command on an idle store.
    """
    if disclosed and target.url is not None:
        raise click.UsageError("--with goes with the store: a service hands over open lines alone.")
    with expected_failures():
        proofs = asyncio.run(target.proofs(stream, disclosed))
        _write(folder, proofs)
    if as_json:
        from ....wire.evidence import proof_record

        echo_json({"data": [proof_record(each) for each in proofs]})
    else:
        number = "1 proof" if len(proofs) == 1 else f"{len(proofs)} proofs"
        click.echo(f"{number} in {folder}. Check: watchword audit verify {folder} --key VKEY")


def _write(folder: Path, proofs: Sequence[EventProof]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for each in proofs:
        with whole_file(folder / each.name) as file:
            file.write(each.proof.encode())
