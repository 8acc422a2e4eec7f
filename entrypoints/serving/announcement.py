"""The text that a service prints once it listens: its addresses, and how to try a sandbox."""

from __future__ import annotations

from collections.abc import Sequence

from ..settings import SANDBOX_ADMIN_TOKEN, Settings
from .endpoint import ADMIN, LEGACY, MAIN, Endpoint, Ports
from .first_steps import NothingToSendWith, next_steps


def announcement(
    ports: Ports, missing: NothingToSendWith | None, endpoint: Endpoint, settings: Settings
) -> str:
    """
    Return the addresses at which the service listens.

    For a sandbox, examples follow; for a service that can send nothing yet, the next steps.
    """
    if settings.sandbox:
        return _welcome(ports, endpoint, settings)
    apart = "".join(f"{name} at {at}, " for name, at in _apart(ports, endpoint))
    all_else = "all else at " if apart else ""
    steps = "" if missing is None else f"\n{next_steps(missing, ports, endpoint)}"
    return f"Watchword serves {apart}{all_else}{endpoint.base(ports[MAIN])}{steps}"


def _console_at(ports: Ports, endpoint: Endpoint) -> str:
    known = endpoint.console_url_known or endpoint.at(ports[endpoint.console_at])
    return f"{known.rstrip('/')}/console"


def _apart(ports: Ports, endpoint: Endpoint) -> Sequence[tuple[str, str]]:
    """Return the names and addresses of the parts that have a port of their own, and of the console."""
    named = ((LEGACY, "the legacy platform"), (ADMIN, "the operators' API"))
    found = [(name, endpoint.at(ports[flag])) for flag, name in named if flag in ports]
    return (
        [*found, ("the console", _console_at(ports, endpoint))] if endpoint.has_console else found
    )


def _welcome(ports: Ports, endpoint: Endpoint, settings: Settings) -> str:
    from ..demo.seeding import API_KEY, TEMPLATE_ID

    base = endpoint.base(ports[MAIN])
    operators = endpoint.at(ports[ADMIN]) if ADMIN in ports else base
    elsewhere = [
        f"\n{name[0].upper()}{name[1:]} is at {at}" for name, at in _apart(ports, endpoint)
    ]
    key, bearer = API_KEY, f"'Authorization: Bearer {API_KEY}'"
    if settings.sandbox_key is not None:
        key = "as in WATCHWORD_SANDBOX_KEY"
        # A shell expands variables only between double quotes.
        bearer = '"Authorization: Bearer $WATCHWORD_SANDBOX_KEY"'
    known = endpoint.admin_token == SANDBOX_ADMIN_TOKEN
    token = SANDBOX_ADMIN_TOKEN if known else "as in WATCHWORD_ADMIN_TOKEN"
    guarded = (
        ' -H "Authorization: Bearer $WATCHWORD_ADMIN_TOKEN"' if endpoint.sandbox_public else ""
    )
    return f"""\
Watchword sandbox at {base}{"".join(elsewhere)}
  API key      {key}
  template id  {TEMPLATE_ID}
  admin token  {token}
  routes       {base}/docs

What the provider does goes by the end of a number, or of the digits before an address's @:
  0001  rejects the message
  0002  accepts it, and reports FAILED
  0003  accepts it, and says nothing more, as with any other end
  0004  gives no answer in time
  0005  accepts it, and reports DELIVERED

Issue a PIN:
  curl -s {base}/v1/pins -H {bearer} \\
    -H 'Content-Type: application/json' \\
    -d '{{"destination": "+919812345610", "templateId": "{TEMPLATE_ID}"}}'
Read the phone it went to:
  curl -s {operators}/admin/v1/sandbox/outbox{guarded}
"""
