"""Rules for each component of a WhatsApp template (C-26, D-90)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import assert_never

from ..findings import Findings
from .button_rules import check_buttons, check_otp_button
from .content import (
    Body,
    Buttons,
    CardComponent,
    CodeBody,
    CodeButtons,
    CodeComponent,
    CodeFooter,
    Footer,
    LocationHeader,
    MediaHeader,
    TextHeader,
    WordedComponent,
)
from .text_rules import check_example, check_static, check_variables

MAX_HEADER = 60
MAX_BODY = 1_024
MAX_FOOTER = 60
MAX_MINUTES = 90

PlainComponent = TextHeader | MediaHeader | LocationHeader | Body | Footer | Buttons


def check_types(
    findings: Findings,
    components: Sequence[WordedComponent | CodeComponent | CardComponent],
    required: Sequence[str],
    path: str = "components",
) -> None:
    """Note duplicate and missing components."""
    readable = [findings.read(f"{path}[{index}].type") for index in range(len(components))]
    seen: Counter[str] = Counter()
    for index, component in enumerate(components):
        if readable[index]:
            seen[component.type] += 1
            if seen[component.type] > 1:
                findings.note(f"{path}[{index}].type", f"must be the only {component.type}")
    for kind in required:
        # An unreadable component may be the missing one.
        if not seen[kind] and all(readable):
            findings.note(path, f"must have one of type {kind}")


def check_component(findings: Findings, path: str, component: PlainComponent) -> None:
    """Note the problems of one component, independent of the others."""
    match component:
        case TextHeader():
            wanted = check_variables(
                findings, f"{path}.text", component.text, MAX_HEADER, most_variables=1
            )
            if findings.read(f"{path}.text"):
                check_example(findings, f"{path}.example.header_text", component.example, wanted)
        case MediaHeader():
            check_example(findings, f"{path}.example.header_handle", component.example, 1)
        case LocationHeader():
            pass
        case Body():
            wanted = check_variables(findings, f"{path}.text", component.text, MAX_BODY)
            if findings.read(f"{path}.text"):
                check_example(findings, f"{path}.example.body_text[0]", component.example, wanted)
        case Footer():
            check_static(findings, f"{path}.text", component.text, MAX_FOOTER)
        case Buttons():
            check_buttons(findings, f"{path}.buttons", component.buttons)
        case _:
            assert_never(component)


def check_code_component(findings: Findings, path: str, part: CodeComponent) -> None:
    """Note the problems of a component in a template that carries a code."""
    match part:
        case CodeBody():
            if part.text is not None:
                wanted = check_variables(findings, f"{path}.text", part.text, MAX_BODY)
                if wanted != 1:
                    findings.note(
                        f"{path}.text", "must have the code, {{1}}, and no other variable"
                    )
            if findings.read(f"{path}.text"):
                check_example(findings, f"{path}.example.body_text[0]", part.example, 1)
        case CodeFooter(code_expiration_minutes=minutes):
            if minutes is not None and not 1 <= minutes <= MAX_MINUTES:
                findings.note(
                    f"{path}.code_expiration_minutes", f"must be 1 to {MAX_MINUTES} minutes"
                )
        case CodeButtons():
            check_otp_button(findings, f"{path}.buttons", part.buttons)
        case _:
            assert_never(part)
