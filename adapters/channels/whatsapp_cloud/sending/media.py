"""Check that Meta can fetch the media of a message before it is told to (D-278)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from .....application.ports.channels import Fault
from .....domain.media import is_media_id
from .....domain.public_url import url_problem
from ...http_client.failures import NotSentError

_KINDS = ("image", "video", "document", "audio")
_NOT_PUBLIC = (
    "Meta cannot fetch a medium of the message, because its address is not public. Start the service with"
    " --public-url and an address that Meta can reach, or send a link."
)


def check_media(said: Any) -> None:
    """Raise `NotSentError` for an upload of ours without a public address."""
    for medium in _media(said):
        medium_id, link = medium.get("id"), medium.get("link")
        is_ours = isinstance(medium_id, str) and is_media_id(medium_id)
        if is_ours or (isinstance(link, str) and url_problem(link) is not None):
            raise NotSentError("media_not_public", _NOT_PUBLIC, Fault.CONTENT)


def _media(said: Any) -> Iterator[Mapping[str, Any]]:
    """Yield the media objects inside an object of Meta's shape."""
    if isinstance(said, Mapping):
        for name, inner in said.items():
            if name in _KINDS and isinstance(inner, Mapping):
                yield inner
            else:
                yield from _media(inner)
    elif isinstance(said, list | tuple):
        for each in said:
            yield from _media(each)
