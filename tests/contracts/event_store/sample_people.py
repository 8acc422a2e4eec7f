"""People for the tests of event stores."""

from __future__ import annotations

from attrs import evolve

from tests.vaults import KEYRING
from watchword.adapters.keyring import KEY_BYTES
from watchword.adapters.vault import KeyWrapping
from watchword.application.ports.event_store import PersonRecord

WRAPPING = KeyWrapping(KEYRING)


def person(name: str, number: str = "", version: int = 1) -> PersonRecord:
    """Return a person of this name; two with one number have the same HMAC."""
    key = evolve(WRAPPING.wrap(f"per_{name}", b"k" * KEY_BYTES), version=version)
    return PersonRecord(key.name, "account-garden", f"hmac of {number or name}", key)


ANNA, BERT = person("anna"), person("bert")
