"""Forms in posts, as a provider signs them and as its reports are read."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import parse_qsl

from .....application.ports.channels import Post

_FORM = "application/x-www-form-urlencoded"
_MOST_MEMBERS = 1_000


def is_form(post: Post) -> bool:
    """Return whether the body of a post is a form."""
    content_type = post.headers.get("content-type", "").partition(";")[0]
    return content_type.strip().lower() == _FORM


def form_members(text: str) -> Sequence[tuple[str, str]]:
    """Return the names and values of a form or a query; raises `ValueError` for any other text."""
    return parse_qsl(text, keep_blank_values=True, errors="strict", max_num_fields=_MOST_MEMBERS)
