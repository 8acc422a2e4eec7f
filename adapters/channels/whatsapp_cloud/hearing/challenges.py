"""The request by which Meta checks an address before it posts to it (C-70)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from .....application.ports.channels import Heard, Post
from .....domain.errors import FieldProblem, ValidationFailedError
from ...comparing import is_same

_TEXT = "text/plain"
_MOST_MEMBERS = 100
# Meta sends a number. The letters of a page are not among these.
_CHALLENGE = re.compile("[A-Za-z0-9._~+/=-]{1,256}")
_WRONG = (
    b"The verify token is wrong. Enter the verifyToken of the channel account's config at Meta."
)


def challenged(config: Mapping[str, Any], post: Post) -> Heard:
    """
    Answer a challenge with itself if its token is the account's, else with 403.

    Raises `ValidationFailedError` for a challenge that no answer may repeat.
    """
    query = _members(post)
    is_right = _same(query.get("hub.verify_token", ""), config.get("verifyToken"))
    if not is_right or query.get("hub.mode") != "subscribe":
        return Heard(status=403, content_type=_TEXT, body=_WRONG)
    challenge = query.get("hub.challenge", "")
    if not _CHALLENGE.fullmatch(challenge):
        raise ValidationFailedError([FieldProblem("hub.challenge", "is no challenge of Meta's")])
    return Heard(content_type=_TEXT, body=challenge.encode())


def _members(post: Post) -> Mapping[str, str]:
    query = urlsplit(post.url).query
    try:
        return dict(parse_qsl(query, keep_blank_values=True, max_num_fields=_MOST_MEMBERS))
    except ValueError:
        return {}


def _same(given: str, expected: Any) -> bool:
    """Compare tokens; an account without one is right for nobody."""
    return isinstance(expected, str) and bool(expected) and is_same(given, expected)
