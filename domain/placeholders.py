"""Placeholders in template texts, filled in one literal pass (C-17a)."""

from __future__ import annotations

import re
from collections.abc import Mapping

_POSITION = re.compile(r"\{\{([1-9][0-9]{0,2})\}\}")


def positions(text: str, pin_placeholder: str) -> frozenset[str]:
    """Give the positions (`1` for `{{1}}`) that a text asks for; the pin placeholder is none."""
    return frozenset(_POSITION.findall(text.replace(pin_placeholder, "\0")))


def fill(text: str, pin_placeholder: str, code: str, params: Mapping[str, str]) -> str:
    """
    Put the code and the parameters into a text.

    What is filled in is never scanned again, so a parameter that looks like a placeholder stays as
    it is. Every position of the text must be in `params`.
    """
    token = re.compile(f"{re.escape(pin_placeholder)}|{_POSITION.pattern}")
    return token.sub(lambda found: params[found[1]] if found[1] else code, text)
