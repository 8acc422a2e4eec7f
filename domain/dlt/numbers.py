"""DLT: India requires two registered ids with every SMS to its numbers (SPEC 2.6, C-30)."""

from __future__ import annotations

import re

from ..destination import canonical, number_problem

_INDIAN = re.compile("91[0-9]*")
_WITH_COUNTRY = 12


def needs_dlt_ids(recipient: str) -> bool:
    """
    Return whether an SMS to this recipient, the prefix included, needs a template id and an entity id.

    Numbers with `+91`, and 91 followed by ten digits, need them. Ten digits alone may be a number of
    any country. What is no number is rejected, and needs none.
    """
    if number_problem(recipient):
        return False
    number = canonical(recipient)
    return _INDIAN.fullmatch(number) is not None and (
        len(number) == _WITH_COUNTRY or "+" in recipient
    )
