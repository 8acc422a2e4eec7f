"""Failures of a start that an operator can mend, each as one sentence and a hint."""

from __future__ import annotations


def start_failure(error: Exception) -> str | None:
    """Return the sentence for a failure of a start, or None for an unexpected one."""
    from ...adapters.event_store.log.mapper import UnreadableEvent
    from ...adapters.event_store.sqlite.recorder import NotDurable
    from ...adapters.keyring import KeyringError
    from ...application.ports.event_store import StoreUnavailable
    from ...domain.errors import DomainError
    from ..settings import SettingsError

    match error:
        case DomainError():
            return error.message
        case NotDurable():
            return (
                f"The store's file system does not keep what is committed ({error})."
                " Put it on a local disk."
            )
        case SettingsError() | KeyringError() | StoreUnavailable() | UnreadableEvent():
            return str(error)
        case BrokenPipeError():
            # The reader of the output has seen enough (`| head`): click ends the command quietly.
            return None
        case OSError():
            path = error.filename or "A file"
            return f"{path} cannot be used: {error.strerror}. Check the path."
    return None


def printable(text: str) -> str:
    """Escape the characters that could steer a terminal: a stranger may have written parts of the text."""
    return "".join(c if c.isprintable() or c == "\n" else ascii(c)[1:-1] for c in text)
