"""The option `--key`: the public keys of a log, which an auditor got on a way of its own."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from .shared import Option

if TYPE_CHECKING:
    from ....verify_evidence import Verifier


def key_option(*, required: bool) -> Option:
    """Return the option; the command gets what was typed as `vkeys`, for `verifiers`."""
    return click.option(
        "--key",
        "vkeys",
        multiple=True,
        required=required,
        metavar="VKEY",
        help="A line of `watchword audit key`, or a file with such lines; can be given again.",
    )


def verifiers(vkeys: Sequence[str]) -> Sequence[Verifier]:
    """Read keys, each as a line or in a file; raises `click.BadParameter`."""
    from ....verify_evidence import EvidenceError, Verifier

    try:
        keys = [Verifier.parse(line) for each in vkeys for line in _lines(each)]
    except EvidenceError as error:
        raise click.BadParameter(str(error), param_hint="--key") from None
    if vkeys and not keys:
        # Without keys, those that the log itself names would do.
        raise click.BadParameter("There is no verifier key in it.", param_hint="--key")
    return keys


def _lines(given: str) -> Sequence[str]:
    # A verifier key has two of them, and what a shell puts in the place of `$(…)` may be several lines.
    if given.count("+") < 2:
        try:
            given = Path(given).read_text()
        except (OSError, UnicodeDecodeError):
            raise click.BadParameter(
                f"{given!r} is neither a verifier key nor a file that can be read.",
                param_hint="--key",
            ) from None
    return given.split()
