"""All violations of a WhatsApp template's rules, by their paths (C-26, D-90)."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from typing import assert_never

from ..errors import FieldProblem, FormProblem
from ..findings import Findings, sorted_by
from .carousel_rules import check_carousel
from .component_rules import check_code_component, check_component, check_types
from .content import AuthenticationContent, Body, Carousel, TemplateDefinition, WordedContent

MAX_NAME = 512
NAME = re.compile(rf"[a-z0-9_]{{1,{MAX_NAME}}}")
LANGUAGE = re.compile(r"[a-z]{2,3}(_[A-Z]{2})?")
# The order of Meta's documentation.
_MEMBERS = (
    "name",
    "language",
    "category",
    "components",
    "type",
    "format",
    "otp_type",
    "text",
    "add_security_recommendation",
    "code_expiration_minutes",
    "url",
    "phone_number",
    "autofill_text",
    "supported_apps",
    "package_name",
    "signature_hash",
    "example",
    "buttons",
    "cards",
)


def violations(
    definition: TemplateDefinition, *, unread: Collection[str] = ()
) -> tuple[FieldProblem, ...]:
    """
    Return every rule that a template breaks, in the order of Meta's documentation.

    Paths are those of Meta's shape (`components[1].buttons[0].url`). `unread` are paths at which a
    reader put a stand-in for an unreadable value.
    """
    findings = Findings(unread, FormProblem)
    if not NAME.fullmatch(definition.name):
        findings.note(
            "name", f"must have 1 to {MAX_NAME} lowercase letters (a to z), digits and underscores"
        )
    if not LANGUAGE.fullmatch(definition.language):
        findings.note("language", "must be a language code such as en, en_US or pt_BR")
    content = definition.content
    match content:
        case WordedContent(components=components):
            check_types(findings, components, ("BODY",))
            for index, component in enumerate(components):
                at = f"components[{index}]"
                if isinstance(component, Carousel):
                    check_carousel(findings, at, component)
                else:
                    check_component(findings, at, component)
                beside = not isinstance(component, Body | Carousel)
                if beside and any(isinstance(each, Carousel) for each in components):
                    findings.note(f"{at}.type", "must be BODY or CAROUSEL beside a carousel")
        case AuthenticationContent(components=parts):
            check_types(findings, parts, ("BODY", "BUTTONS"))
            for index, part in enumerate(parts):
                check_code_component(findings, f"components[{index}]", part)
        case _:
            assert_never(content)
    return in_order(findings.problems)


def in_order(problems: Iterable[FieldProblem]) -> tuple[FieldProblem, ...]:
    """Sort problems in the order of Meta's documentation."""
    return sorted_by(_MEMBERS, problems)
