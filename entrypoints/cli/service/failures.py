"""Expected failures of commands: one sentence and a hint instead of a traceback."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from ...serving.failures import printable, start_failure

if TYPE_CHECKING:
    from ....domain.errors import DomainError
    from .client import RemoteRefusal

# Messages for a terminal, where the service's own say too little: they tell what to type.
_ON_THE_COMMAND_LINE: Mapping[str, str] = {
    "account_not_found": "No account has this id or name."
    " List them with `watchword accounts list`, or make it with `watchword accounts create NAME`.",
    "channel_account_not_found": "No channel account has this id or name."
    " Look it up in `watchword channel-accounts list`.",
    "not_found": "The service has no management API."
    " Start it with WATCHWORD_ADMIN_TOKEN set, or check the --url.",
    "stream_not_found": "Nothing is recorded under this id."
    " A PIN's is its pinId; a key's or an account's stands in their lists.",
    "template_not_submitted": "The template is a draft. Submit it first with `watchword rcs submit`.",
    "unauthorized": "The service does not take this token."
    " Set WATCHWORD_ADMIN_TOKEN to the one that it was started with, or to one of `watchword tokens create`.",
}
# In all other messages, only the name of a list becomes the command that prints it.
_LISTS: Mapping[str, str] = {
    "API keys": "keys list",
    "DLT templates": "dlt-templates list",
    "PIN templates": "templates list --archived",
    "callback endpoints": "callbacks list",
    "channel accounts": "channel-accounts list",
    "fallback configurations": "fallback-configurations list",
    "legacy users": "legacy-users list",
    "test destinations": "test-destinations list",
    "tokens": "tokens list",
    "rcs templates": "rcs list",
    "whatsapp templates": "whatsapp list",
}
_NO_CHANNEL = "create a channel account first"
_MAKE_ONE = f"{_NO_CHANNEL} (`watchword channel-accounts create`)"
_SETTINGS = " `watchword channel-accounts providers` lists the settings of each provider."
_LIST = re.compile(f"the list of ({'|'.join(_LISTS)})")


@contextmanager
def expected_failures() -> Iterator[None]:
    """Turn failures that a user can mend into `click.ClickException`, and so into exit code 1."""
    try:
        yield
    except Exception as error:
        if (sentence := _sentence(error)) is None:
            raise
        raise click.ClickException(printable(sentence)) from None


@contextmanager
def ended_by_hand(follows: bool) -> Iterator[None]:
    """Have an interrupt end a command that has no other end, as a success."""
    try:
        yield
    except KeyboardInterrupt:
        if not follows:
            raise


def _sentence(error: Exception) -> str | None:
    """Return the sentence for an expected failure, or None for any other."""
    from ....application.audit.disclosing import EventKeyUnavailableError
    from ....application.ports.sealed_log import LogDamaged
    from ....domain.errors import DomainError
    from ...wire.rebuilding import NotReadable
    from .client import RemoteRefusal, Unreachable

    match error:
        case DomainError() | RemoteRefusal():
            return _refusal(error)
        case Unreachable() | NotReadable() | LogDamaged() | EventKeyUnavailableError():
            return str(error)
        case UnicodeEncodeError():
            return "The arguments are not all UTF-8. Type them anew."
    return start_failure(error)


def _refusal(refusal: DomainError | RemoteRefusal) -> str:
    wrong: Any = refusal.details.get("fields")
    if refusal.code == "validation_failed" and wrong:
        told = "; ".join(f"{_typed(each['field'])} {each['message']}" for each in wrong)
        hint = _SETTINGS if any(each["field"].startswith("config.") for each in wrong) else ""
        return f"{told.replace(_NO_CHANNEL, _MAKE_ONE)}.{hint}"
    message = _ON_THE_COMMAND_LINE.get(refusal.code, refusal.message)
    return _LIST.sub(lambda found: f"`watchword {_LISTS[found[1]]}`", message)


def _typed(field: str) -> str:
    """Return the option of the command under way that gives a field, if it has another name."""
    from ....domain.errors import camel

    context = click.get_current_context(silent=True)
    own = field.removeprefix("limits.")
    for each in [] if context is None else context.command.params:
        if (
            isinstance(each, click.Option)
            and not each.multiple
            and own in (each.name, camel(each.name or ""))
        ):
            option = max(each.opts, key=len)
            return field if option == f"--{field}" else option
    return field
