"""Check the values of a send against its WhatsApp template (C-26, C-60)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from ..errors import FieldProblem, FormProblem
from ..whatsapp_template import (
    AuthenticationContent,
    Button,
    ButtonParameter,
    Card,
    HeaderFormat,
    OtpButton,
    Parameters,
    QuickReplyButton,
    buttons_of,
    cards_of,
    parameters,
)
from ..whatsapp_template import TemplateContent as WhatsappContent
from .whatsapp_components import IN_WORDS, GivenComponent, Parameter, read_components

# For each kind of button parameter: the accepted component subtypes, and the parameter's kind. Meta
# treats the button for a code as a URL button.
_OF_BUTTON: Mapping[ButtonParameter, tuple[Collection[str], str]] = {
    ButtonParameter.URL: (("url",), "text"),
    ButtonParameter.COPY_CODE: (("copy_code",), "coupon_code"),
    ButtonParameter.OTP: (("url",), "text"),
}


def whatsapp_problems(
    content: WhatsappContent, components: Sequence[Mapping[str, Any]], path: str
) -> list[FieldProblem]:
    """Return a problem for each value that is missing, too many, or unknown to this template."""
    given, _ = read_components(components, path)
    return _Checking(content, given, path).problems()


class _Checking:
    """The parameters of a template, beside the values of a send."""

    def __init__(
        self, content: WhatsappContent | Card, given: Sequence[GivenComponent], path: str
    ) -> None:
        self._content = content
        self._takes = parameters(content)
        self._path = path
        self._found: list[FieldProblem] = []
        self._given: dict[tuple[str, int], GivenComponent] = {}
        for each in given:
            if (each.type, each.index) in self._given:
                self._note(each.path, "must differ from those before it")
            self._given[each.type, each.index] = each

    def problems(self) -> list[FieldProblem]:
        header = self._takes.header
        if header is HeaderFormat.TEXT:
            self._check("header", 0, 1, IN_WORDS)
        else:
            self._check("header", 0, 0 if header is None else 1, (str(header).lower(),))
        # A code is a text, and the button takes it as well.
        is_code = isinstance(self._content, AuthenticationContent)
        self._check("body", 0, self._takes.body, ("text",) if is_code else IN_WORDS)
        buttons = buttons_of(self._content)
        for index, each in enumerate(buttons):
            self._check_button(index, each)
        for (kind, index), component in self._given.items():
            if kind == "button" and index >= len(buttons):
                self._note(f"{component.path}.index", "must be that of a button of the template")
        self._check_cards()
        return self._found

    def _check_cards(self) -> None:
        carousel = self._given.get(("carousel", 0))
        cards = cards_of(self._content)
        if carousel is None:
            if any(each != Parameters() for each in self._takes.cards):
                self._note(self._path, f"must have a carousel with {len(cards)} cards")
            return
        given = {each.index: each for each in carousel.cards}
        if given.keys() != set(range(len(cards))) or len(given) != len(carousel.cards):
            said = (
                f"must have one card for each of the template's {len(cards)}, by their card_index"
            )
            self._note(f"{carousel.path}.cards", said)
            return
        for index, each in given.items():
            card = _Checking(cards[index], each.components, f"{each.path}.components")
            self._found += card.problems()

    def _check_button(self, index: int, pressed: Button | OtpButton) -> None:
        given = self._given.get(("button", index))
        taken = self._takes.buttons.get(index)
        if taken is ButtonParameter.OTP:
            if given is not None:
                self._check_code(given)
        elif taken is not None:
            sub_types, kind = _OF_BUTTON[taken]
            self._check("button", index, 1, (kind,), sub_types)
        elif given is not None and isinstance(pressed, QuickReplyButton):
            self._check("button", index, 1, ("payload",), ("quick_reply",))
        elif given is not None:
            self._check("button", index, 0, ())

    def _check_code(self, given: GivenComponent) -> None:
        sub_types, kind = _OF_BUTTON[ButtonParameter.OTP]
        self._check("button", given.index, 1, (kind,), sub_types)
        body = self._given.get(("body", 0))
        if body is None or len(given.parameters) != 1 or len(body.parameters) != 1:
            return
        if given.parameters[0].shown != body.parameters[0].shown:
            self._note(f"{given.parameters[0].path}.text", "must be the code that the body has")

    def _check(
        self,
        kind: str,
        index: int,
        number: int,
        kinds: Collection[str],
        sub_types: Collection[str] = (),
    ) -> None:
        """Note a component without exactly `number` parameters of these kinds."""
        given = self._given.get((kind, index))
        what = f"{kind} {index}" if kind == "button" else kind
        if given is None:
            if number:
                self._note(self._path, f"must have a {what} with {_values(number, kinds)}")
            return
        if sub_types and given.sub_type not in sub_types:
            self._note(f"{given.path}.sub_type", f"must be {' or '.join(sub_types)}")
        if len(given.parameters) != number:
            self._note(
                f"{given.path}.parameters",
                f"must have {_values(number, kinds)}, as the template's {what} takes;"
                f" it has {len(given.parameters)}",
            )
            return
        for each in given.parameters:
            self._check_kind(each, kinds)

    def _check_kind(self, given: Parameter, kinds: Collection[str]) -> None:
        if given.kind not in kinds:
            self._note(f"{given.path}.type", f"must be {' or '.join(kinds)} in this template")

    def _note(self, path: str, message: str) -> None:
        self._found.append(FormProblem(path, message))


def _values(number: int, kinds: Collection[str]) -> str:
    if not number:
        return "no parameters"
    return f"{number} parameter{'s' if number > 1 else ''} of type {' or '.join(kinds)}"
