"""Channel accounts and mails for the tests of the provider `smtp`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from watchword.application.ports.channels import Message
from watchword.domain.channel import Channel
from watchword.testing import a_message

MAIL = a_message(channel=Channel.EMAIL, sender=None, text="Your code is 4711.\n.\nBye")


def mail(number: int) -> Message:
    """Return the n-th mail."""
    return a_message(number, channel=Channel.EMAIL, sender=None)


def config_of(port: int, **more: Any) -> Mapping[str, Any]:
    """Return the config of a server on this machine; without TLS, unless `more` says otherwise."""
    return {
        "host": "127.0.0.1",
        "port": port,
        "from": "Orchid <codes@orchid.example>",
        "tls": "none",
        **more,
    }
