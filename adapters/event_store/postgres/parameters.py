"""The settings of every PostgreSQL session: time-outs on both sides (D-61)."""

from __future__ import annotations

from typing import Any

import psycopg
from psycopg.conninfo import conninfo_to_dict

from ....application.ports.event_store import StoreUnavailable

# Each is shorter than the limit for an answer, so that a hanging statement fails and frees its thread.
LOCK_MILLISECONDS = 3_000
STATEMENT_MILLISECONDS = 4_000
# A node that stops in the middle of a batch blocks all others for so long.
IDLE_MILLISECONDS = 5_000
_DEFAULTS = {
    "application_name": "watchword",
    "connect_timeout": "3",
    # Detects a server that vanished without closing the connection.
    "keepalives_idle": "4",
    "keepalives_interval": "2",
    "keepalives_count": "2",
    "tcp_user_timeout": "4000",
}
# The same on the server's side, which would otherwise hold a vanished node's lock for hours. And reads
# under the lock must see the current data, whatever isolation the database has by default.
_SESSION = (
    "-c tcp_keepalives_idle=4",
    "-c tcp_keepalives_interval=2",
    "-c tcp_keepalives_count=2",
    r"-c default_transaction_isolation=read\ committed",
)


def parameters(url: str, *, read_only: bool) -> dict[str, Any]:
    """Return libpq's parameters for a URL; raises `StoreUnavailable` for a malformed one."""
    try:
        given: dict[str, Any] = conninfo_to_dict(url)
    except psycopg.ProgrammingError:
        # The error's text quotes the address with its password.
        raise StoreUnavailable(
            "The address of the store cannot be read."
            " Write it as postgresql://user@host:port/database, special characters as %XX."
        ) from None
    options = [
        given.pop("options", ""),
        f"-c lock_timeout={LOCK_MILLISECONDS}",
        f"-c statement_timeout={STATEMENT_MILLISECONDS}",
        f"-c idle_in_transaction_session_timeout={IDLE_MILLISECONDS}",
        *_SESSION,
    ]
    # An audit may read a standby; decisions need the primary's current data (R23).
    mode = {} if read_only else {"target_session_attrs": "read-write"}
    if read_only:
        options.append("-c default_transaction_read_only=on")
    return {
        **_DEFAULTS,
        **mode,
        **given,
        "client_encoding": "UTF8",
        "options": " ".join(filter(None, options)),
    }
