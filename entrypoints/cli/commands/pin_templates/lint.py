"""`watchword templates lint`: says what SMS of a PIN template cost, and what phones cannot read (C-87)."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from .....application.pins.linting_pin_templates import Lint, lint_draft
from .....application.pins.linting_pin_templates import lint as linted
from .....domain.channel import Channel
from .....domain.errors import FieldProblem, ValidationFailedError
from .....domain.pin_template import TemplateChannel
from .....domain.pin_template.policy import PinPolicy
from ....wire.codec import unstructure
from ....wire.strict_json import parse_json
from ....wire.structuring import structure
from ....wire.typed_requests import PinTemplatePatch, with_policy
from ...building.groups import epilog
from ...options.target_options import managing
from ...output.json_text import echo_json
from ...output.tables import brief, echo_table
from ...service.failures import expected_failures
from ...service.records import Kind
from ...service.target import Target

_STANDARD_INPUT = "-"
_FOUND, _WRONG_INPUT = 1, 2
_UNNAMED = "unnamed"


class _WrongInputError(click.ClickException):
    """The input is no template, so nothing was judged."""

    exit_code = _WRONG_INPUT


def lint_command(kind: Kind) -> click.Command:
    """Make the command `lint`, which judges a template in a file, or one of the kind's records."""

    @click.command(
        short_help="Judge the texts of a PIN template.",
        epilog=epilog(
            "watchword templates lint login.json",
            "watchword templates lint tpl_demo --url http://127.0.0.1:8080",
            "watchword templates show tpl_demo --json | watchword templates lint -",
        ),
    )
    @click.argument("template", metavar="FILE|ID")
    @managing
    def lint(target: Target, template: str, as_json: bool) -> None:
        """
        Say what the SMS of a PIN template cost, and what phones and browsers cannot read in them.

        FILE has a template as JSON, in the form of POST /admin/v1/pin-templates or of `templates show
        --json`; - stands for the standard input, and an ID for a stored template. Exits with 0 if nothing is
        to be mended, with 1 if something is, and with 2 if there is no such template.
        """
        with _wrong_input():
            if template == _STANDARD_INPUT or _is_file(template):
                judged = _draft(template)
            else:
                judged = _stored(target, kind, template)
        if as_json:
            echo_json(unstructure(judged))
        else:
            _echo(judged)
        if judged.findings:
            click.get_current_context().exit(_FOUND)

    return lint


@contextmanager
def _wrong_input() -> Iterator[None]:
    try:
        with expected_failures():
            yield
    except click.UsageError:
        raise
    except click.ClickException as failure:
        raise _WrongInputError(failure.message) from None


def _is_file(name: str) -> bool:
    """Return whether an argument names a file; an id has neither a slash nor a dot."""
    return Path(name).exists() or not name.replace("_", "").isalnum()


def _draft(source: str) -> Lint:
    """Judge the template in a file; raises `ValidationFailedError` with all that is wrong in it."""
    content = sys.stdin.buffer.read() if source == _STANDARD_INPUT else Path(source).read_bytes()
    try:
        read = parse_json(content)
    except ValidationFailedError as refusal:
        name = "The standard input" if source == _STANDARD_INPUT else brief(source)
        said = "; ".join(each.message for each in refusal.problems)
        raise click.ClickException(f"{name} is no template in JSON: it {said}.") from None
    body, policy = with_policy(read, PinTemplatePatch)
    if body.channels is None:
        raise ValidationFailedError([FieldProblem("channels", "is required")])
    return lint_draft(body.name or _UNNAMED, policy, body.channels)


def _stored(target: Target, kind: Kind, template_id: str) -> Lint:
    """Judge a template as it is stored: newer rules about new templates do not matter."""
    record = target.ask(lambda management: management.act("GET", kind, template_id), to_read=True)
    channels = [structure(each, TemplateChannel) for each in record["channels"]]
    return linted(structure(dict(record), PinPolicy), channels)


def _echo(judged: Lint) -> None:
    echo_table(
        ("entry", "channel", "language", "alphabet", "segments", "characters"),
        [
            (
                each.field,
                each.channel_type,
                each.language_code,
                each.encoding,
                each.segments,
                each.characters,
            )
            for each in judged.entries
        ],
    )
    about = {each.field: _about(each.channel_type, each.language_code) for each in judged.entries}
    for finding in judged.findings:
        place = about.get(finding.field.partition(".")[0], "")
        click.echo(f"\n{finding.field}{place}: {brief(finding.message)}")
    number = len(judged.findings)
    click.echo(f"\n{number or 'No'} finding{'' if number == 1 else 's'}.")


def _about(channel: Channel, language: str | None) -> str:
    return f" ({channel}, {brief(language)})" if language else f" ({channel})"
