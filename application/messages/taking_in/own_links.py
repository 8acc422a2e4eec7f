"""Put the link codes of one message into a content that is stored once (C-29, C-94)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ....domain.message import Content
from ....domain.short_link import CODE_LENGTH
from ..planning.shortening import rewritten

# Any code at the end of an address. Marks are as random as codes, so no text contains one by chance.
_CODE = re.compile(rf"(?<=/)[A-Za-z0-9]{{{CODE_LENGTH}}}")


def with_own_links(content: Content, marks: Sequence[str], codes: Sequence[str]) -> Content:
    """Return a content in which the codes of one message replace the marks."""
    if not marks:
        return content
    own = dict(zip(marks, codes, strict=True))

    def code_for(found: re.Match[str]) -> str:
        return own.get(found[0], found[0])

    return rewritten(content, lambda text: _CODE.sub(code_for, text))
