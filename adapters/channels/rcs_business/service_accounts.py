"""The service account that logs in to Google: its members, its key, and what it signs (C-63, C-99)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import jwt
from attrs import field, frozen
from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import load_pem_private_key

from ..http_client.base_urls import address_problem

SCOPE = "https://www.googleapis.com/auth/rcsbusinessmessaging"
# The longest time for which Google takes an assertion.
ASSERTION_SECONDS = 3_600
_LEAST_BITS, _MOST_BITS = 2_048, 4_096
_LONGEST, _LONGEST_KEY = 1_024, 8_192
_NO_KEY = "must be the PEM text of an RSA key of 2048 to 4096 bits, as Google's key file has it"
_MEMBERS = ("client_email", "private_key", "token_uri")
_KEY_ID = "private_key_id"


@frozen(kw_only=True)
class ServiceAccount:
    """The members of Google's key file that a log-in needs."""

    client_email: str = field(repr=False)
    private_key: str = field(repr=False)
    token_uri: str = field(repr=False)
    private_key_id: str | None = field(default=None, repr=False)

    def assertion(self, now: float) -> str:
        """Return a signed text that asks for the right to send messages, good for an hour."""
        issued = int(now)
        claims = {
            "iss": self.client_email,
            "scope": SCOPE,
            "aud": self.token_uri,
            "iat": issued,
            "exp": issued + ASSERTION_SECONDS,
        }
        headers = None if self.private_key_id is None else {"kid": self.private_key_id}
        return jwt.encode(claims, _loaded(self.private_key), "RS256", headers)


def service_account_in(given: Mapping[str, Any]) -> ServiceAccount:
    """Return the service account in a checked config."""
    return ServiceAccount(**kept_members(given))


def kept_members(given: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the members that a log-in needs; the rest of Google's key file is not stored (D-290)."""
    return {name: given[name] for name in (*_MEMBERS, _KEY_ID) if given.get(name) is not None}


def service_account_problems(given: object) -> Iterator[tuple[str, str]]:
    """Yield each wrong or missing member of a service account, with the reason; "" is the whole."""
    if not isinstance(given, Mapping):
        yield "", "must be the JSON object in the service account's key file"
        return
    for name in _MEMBERS:
        value = given.get(name)
        if value is None:
            yield name, "is required"
        elif not isinstance(value, str) or not value:
            yield name, "must be a text"
        elif (problem := _problem(name, value)) is not None:
            yield name, problem
    key_id = given.get(_KEY_ID)
    if key_id is not None and not (isinstance(key_id, str) and _is_line(key_id)):
        yield _KEY_ID, "must be a text of one line"


def _problem(name: str, value: str) -> str | None:
    if name == "private_key":
        return _key_problem(value)
    if not _is_line(value):
        return f"must be one line of at most {_LONGEST} printable ASCII characters"
    return address_problem(value) if name == "token_uri" else None


def _is_line(value: str) -> bool:
    return 1 <= len(value) <= _LONGEST and value.isascii() and value.isprintable()


def _key_problem(pem: str) -> str | None:
    if len(pem) > _LONGEST_KEY:
        return _NO_KEY
    try:
        key = _loaded(pem)
        if not _LEAST_BITS <= key.key_size <= _MOST_BITS:
            return _NO_KEY
        # In place of a check of its primes, which would hold the event loop for 40 to 260 ms.
        signature = key.sign(b"watchword", PKCS1v15(), SHA256())
        key.public_key().verify(signature, b"watchword", PKCS1v15(), SHA256())
    except (ValueError, TypeError, UnsupportedAlgorithm, InvalidSignature):
        return _NO_KEY
    return None


def _loaded(pem: str) -> RSAPrivateKey:
    """Load a key without a check of its primes; raises `ValueError` or `TypeError` for another text."""
    key = load_pem_private_key(
        pem.encode("ascii", "replace"), None, unsafe_skip_rsa_key_validation=True
    )
    if not isinstance(key, RSAPrivateKey):
        raise TypeError("It is no RSA key.")
    return key
