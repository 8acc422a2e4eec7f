"""A PIN's code under a template of Meta's: its parameters, and its button (C-17a, C-99)."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import count
from typing import Any

from .....application.ports.channels import Fault, ProviderTemplate
from ...http_client.failures import NotSentError
from ..languages import language


def pin_template(template: ProviderTemplate) -> Mapping[str, Any]:
    """
    Return the template object of a PIN; raises `NotSentError` for one that Meta could not take.

    The code stands at the lowest body position that is no parameter. A test of a channel account may have
    no code; then the template takes no parameters.
    """
    said: dict[str, Any] = {"name": template.name, "language": language(template.language)}
    components = []
    values = _values(template)
    if values:
        components.append({"type": "body", "parameters": [_text(each) for each in values]})
    if template.copy_code_button_index is not None:
        components.append(
            {
                "type": "button",
                # Meta turns the copy-code button of an authentication template into one of type url.
                "sub_type": "url",
                "index": str(template.copy_code_button_index),
                "parameters": [_text(template.code)],
            }
        )
    if components:
        said["components"] = components
    return said


def _values(template: ProviderTemplate) -> list[str]:
    """Return the values of the body by position, the code among them."""
    by_position = {int(key): value for key, value in template.params.items()}
    if template.code:
        free = next(each for each in count(1) if each not in by_position)
        by_position[free] = template.code
    for position in range(1, len(by_position) + 1):
        if position not in by_position:
            words = (
                f"The template's parameters skip position {position}: Meta wants one for each up to the"
                " highest. Add it to templateParams or paramDefaults."
            )
            raise NotSentError("parameter_missing", words, Fault.CONTENT)
    return [by_position[position] for position in sorted(by_position)]


def _text(value: str) -> Mapping[str, str]:
    return {"type": "text", "text": value}
