"""The settings of a signature: which members its kind has, and the token that is made for it (C-63)."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping
from typing import Any

from .....domain.errors import FieldProblem
from .....domain.limits import NO_CONTROLS, has_controls
from ....standard_webhooks import StandardWebhooksSigner
from .signatures import ENCODINGS, HASHES, SignatureKind

_MOST_SECRET = 4_096
_LEAST_TOKEN = 16
_TOKEN_BYTES = 24
_MEMBERS: Mapping[SignatureKind, tuple[str, ...]] = {
    SignatureKind.TWILIO: ("secret",),
    SignatureKind.HMAC: ("secret", "header", "algorithm", "encoding"),
    SignatureKind.JWT_HS256: ("secret", "header"),
    SignatureKind.STANDARD_WEBHOOKS: ("secret",),
    SignatureKind.QUERY_TOKEN: ("secret",),
}


def new_token() -> str:
    """Return a token that nobody can guess; every character of it may stand in a query."""
    return secrets.token_urlsafe(_TOKEN_BYTES)


def completed(signature: Mapping[str, Any] | None) -> Mapping[str, Any]:
    """Return the signature to store: a query token by default, and its token made here (C-63)."""
    complete = {"kind": str(SignatureKind.QUERY_TOKEN)} if signature is None else dict(signature)
    if complete["kind"] == SignatureKind.QUERY_TOKEN and complete.get("secret") is None:
        complete["secret"] = new_token()
    return complete


def signature_problems(signature: object, path: str) -> Iterator[FieldProblem]:
    """Generate the problems of a signature's settings, each with its path."""
    if not isinstance(signature, Mapping):
        yield FieldProblem(path, "must be an object")
        return
    named = signature.get("kind")
    if named not in tuple(SignatureKind):
        yield FieldProblem(f"{path}.kind", f"must be one of {', '.join(SignatureKind)}")
        return
    kind = SignatureKind(named)
    members = _MEMBERS[kind]
    for name in signature:
        if name not in ("kind", *members):
            has = ", ".join(members)
            yield FieldProblem(f"{path}.{name}", f"is no setting of {kind}; it has: {has}")
    yield from _secret_problems(kind, signature.get("secret"), f"{path}.secret")
    if "header" in members:
        required = kind is SignatureKind.HMAC
        yield from _header_problems(signature.get("header"), f"{path}.header", required=required)
    for name, choices in (("algorithm", HASHES), ("encoding", ENCODINGS)):
        if name in members and signature.get(name, choices[0]) not in choices:
            yield FieldProblem(f"{path}.{name}", f"must be one of {', '.join(choices)}")


def _secret_problems(kind: SignatureKind, secret: object, path: str) -> Iterator[FieldProblem]:
    if secret is None:
        if kind is not SignatureKind.QUERY_TOKEN:
            yield FieldProblem(path, "is required")
        return
    if not isinstance(secret, str) or not 1 <= len(secret) <= _MOST_SECRET:
        yield FieldProblem(path, f"must be a text of 1 to {_MOST_SECRET} characters")
    elif has_controls(secret):
        yield FieldProblem(path, NO_CONTROLS)
    elif kind is SignatureKind.QUERY_TOKEN and len(secret) < _LEAST_TOKEN:
        yield FieldProblem(path, f"must have at least {_LEAST_TOKEN} characters; leave it out")
    elif kind is SignatureKind.STANDARD_WEBHOOKS:
        try:
            StandardWebhooksSigner().secret_bytes(secret)
        except ValueError as error:
            yield FieldProblem(path, str(error))


def _header_problems(header: object, path: str, *, required: bool) -> Iterator[FieldProblem]:
    if header is None and not required:
        return
    if header is None:
        yield FieldProblem(path, "is required")
    elif not (
        isinstance(header, str)
        and 1 <= len(header) <= 100
        and header.isascii()
        and header.replace("-", "").replace("_", "").isalnum()
    ):
        yield FieldProblem(path, "must be the name of a header")
