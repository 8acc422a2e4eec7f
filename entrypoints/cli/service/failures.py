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

# Where the service's own sentences say too little for a terminal; here stands what to type instead.
_ON_THE_COMMAND_LINE: Mapping[str, str] = {
    "account_not_found": "No account has this id or name."
    " List them with `watchword accounts list`, or make it with `watchword accounts create NAME`.",
    "not_found": "The service has no management API."
    " Start it with WATCHWORD_ADMIN_TOKEN set, or check the --url.",
    "stream_not_found": "Nothing is recorded under this id."
    " A PIN's is its pinId; a key's or an account's stands in their lists.",
    "template_not_submitted": "The template is a draft. Submit it first with `watchword rcs submit`.",
    "unauthorized": "The service does not take this token."
    " Set WATCHWORD_ADMIN_TOKEN to the one that it was started with.",
}
# Of other sentences only the list in which to look something up is another.
_LISTS: Mapping[str, str] = {
    "API keys": "keys list",
    "DLT templates": "dlt-templates list",
    "PIN templates": "templates list --archived",
    "callback endpoints": "callbacks list",
    "channel accounts": "channel-accounts list",
    "fallback configurations": "fallback-configurations list",
    "legacy users": "legacy-users list",
    "rcs templates": "rcs list",
    "whatsapp templates": "whatsapp list",
}
_LIST = re.compile(f"the list of ({'|'.join(_LISTS)})")


@contextmanager
def expected_failures() -> Iterator[None]:
    """Turn failures that a user can mend into `click.ClickException`, and so into exit code 1."""
    try:
        yield
    except Exception as error:
        if (told := _told(error)) is None:
            raise
        raise click.ClickException(_harmless(told)) from None


def _harmless(told: str) -> str:
    """Return a text in which nothing can steer a terminal: parts of it may be a stranger's."""
    return "".join(c if c.isprintable() or c == "\n" else ascii(c)[1:-1] for c in told)


def _told(error: Exception) -> str | None:
    """Give the sentence for a failure that was to be expected, and None for any other."""
    from ...adapters.event_store.log.mapper import UnreadableEvent
    from ...adapters.event_store.sqlite.recorder import NotDurable
    from ...adapters.keyring import KeyringError
    from ...application.ports.event_store import StoreUnavailable
    from ...domain.errors import DomainError
    from ..rebuilding import NotReadable
    from ..settings import SettingsError
    from .client import RemoteRefusal, Unreachable

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
    told = _ON_THE_COMMAND_LINE.get(refusal.code, refusal.message)
    return _LIST.sub(lambda found: f"`watchword {_LISTS[found[1]]}`", told)
