"""Rules for the texts of a WhatsApp template, their variables and examples."""

from __future__ import annotations

from collections.abc import Sequence

from ..findings import Findings, check_text
from .variables import are_well_written, positions

MAX_EXAMPLE = 2_048


def check_static(findings: Findings, path: str, text: str, most: int) -> None:
    """Note the problems of a text without variables."""
    check_text(findings, path, text, most)
    if positions(text) or not are_well_written(text):
        findings.note(path, "must not have variables")


def check_variables(
    findings: Findings, path: str, text: str, most: int, *, most_variables: int | None = None
) -> int:
    """Note the problems of a text and its variables; return how many different variables it has."""
    check_text(findings, path, text, most)
    found = positions(text)
    different = set(found)
    if not are_well_written(text):
        findings.note(path, "must write its variables {{1}}, {{2}} and so on")
    elif most_variables is not None and len(found) > most_variables:
        findings.note(path, f"must have at most {most_variables} variable; it has {len(found)}")
    elif different != set(range(1, len(different) + 1)):
        lacking = next(each for each in range(1, len(different) + 1) if each not in different)
        findings.note(
            path, f"must number its variables from 1 without gaps; it has no {{{{{lacking}}}}}"
        )
    return len(different)


def check_example(
    findings: Findings, path: str, example: Sequence[str] | None, wanted: int
) -> None:
    """Note an example that does not have one value for each of these variables."""
    if example is None:
        return
    if len(example) != wanted:
        findings.note(
            path, f"must have a value for each variable: {wanted}; there are {len(example)}"
        )
        return
    for index, value in enumerate(example):
        check_text(findings, f"{path}[{index}]", value, MAX_EXAMPLE)
