"""What can be expected to fail, said in one sentence and a hint instead of a traceback."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from ...domain.errors import DomainError
    from .client import RemoteRefusal

# The service's own sentences name its routes; here stands what to type instead.
_ON_THE_COMMAND_LINE: Mapping[str, str] = {
    "account_not_found": "No account has this id or name."
    " List them with `watchword accounts list`, or make it with `watchword accounts create NAME`.",
    "api_key_not_found": "No API key has this id. List them with `watchword keys list`.",
    "callback_not_found": "No callback endpoint has this id."
    " List them with `watchword callbacks list`.",
    "dlt_template_not_found": "No DLT template has this id."
    " List them with `watchword dlt-templates list`.",
    "legacy_user_not_found": "No legacy user has this id."
    " List them with `watchword legacy-users list`.",
    "not_found": "The service has no management API."
    " Start it with WATCHWORD_ADMIN_TOKEN set, or check the --url.",
    "stream_not_found": "Nothing is recorded under this id."
    " A PIN's is its pinId; a key's or an account's stands in their lists.",
    "template_not_found": "No PIN template has this id."
    " List them with `watchword templates list --archived`.",
    "unauthorized": "The service does not take this token."
    " Set WATCHWORD_ADMIN_TOKEN to the one that it was started with.",
}
# Of sentences that name what was asked for, only where to look is another.
_ROUTES = (
    (re.compile("the list of rcs templates"), "`watchword rcs list`"),
    (re.compile("the list of whatsapp templates"), "`watchword whatsapp list`"),
    (re.compile(r"POST /admin/v1/rcs-templates/(\w+)/submit"), r"`watchword rcs submit \1`"),
)


@contextmanager
def expected_failures() -> Iterator[None]:
    """Turn failures that a user can mend into `click.ClickException`, and so into exit code 1."""
    try:
        yield
    except Exception as error:
        if (told := _told(error)) is None:
            raise
        raise click.ClickException(told) from None


def _told(error: Exception) -> str | None:
    """Give the sentence for a failure that was to be expected, and None for any other."""
    from ...adapters.event_store.mapper import UnreadableEvent
    from ...adapters.event_store.sqlite_recorder import NotDurable
    from ...adapters.keyring import KeyringError
    from ...application.ports.event_store import StoreUnavailable
    from ...domain.errors import DomainError
    from ..settings import SettingsError
    from .client import RemoteRefusal, Unreachable
    from .rebuilding import NotReadable

    match error:
        case DomainError() | RemoteRefusal():
            return _sentence(error)
        case NotDurable():
            return (
                f"The store's file system does not keep what is committed ({error})."
                " Put it on a local disk."
            )
        case (
            SettingsError()
            | KeyringError()
            | StoreUnavailable()
            | UnreadableEvent()
            | Unreachable()
            | NotReadable()
        ):
            return str(error)
        case UnicodeEncodeError():
            return "The arguments are not all UTF-8. Type them anew."
        case BrokenPipeError():
            # Who reads along has seen enough (`| head`): click ends it quietly.
            return None
        case OSError():
            path = error.filename or "A file"
            return f"{path} cannot be used: {error.strerror}. Check the path."
    return None


def _sentence(refusal: DomainError | RemoteRefusal) -> str:
    wrong: Any = refusal.details.get("fields")
    if refusal.code == "validation_failed" and wrong:
        return "; ".join("{field} {message}".format(**each) for each in wrong) + "."
    for route, command in _ROUTES:
        if route.search(refusal.message):
            return route.sub(command, refusal.message)
    return _ON_THE_COMMAND_LINE.get(refusal.code, refusal.message)
