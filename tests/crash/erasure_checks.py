"""What must hold of erasures, whatever was killed in the middle of them."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

import attrs

from tests.crash.erasures import NUMBER
from tests.crash.notebook import Notebook
from tests.crash.record import Record
from tests.crash.sealed_texts import SealedTexts
from watchword.adapters.erasures_file import read_erasures
from watchword.application.data_requests.erasure_stages import FORGET
from watchword.domain.event import ERASED
from watchword.domain.person import PersonErased
from watchword.domain.pin import PinErased, PinIssued, PinStatus


def erased_people(record: Record) -> set[str]:
    """Return the people whose erasure is in the log."""
    return {each.stream for each in record.log if isinstance(each.event, PersonErased)}


def unfinished(record: Record) -> set[str]:
    """Return the people whose erasure is not finished."""
    return {person for person, stage in record.erasing if stage != FORGET}


def check_whole(notebook: Notebook, record: Record, texts: SealedTexts) -> None:
    """
    Each erasure is whole or absent, and whole if it was acknowledged.

    Each sealed text has its key, or is of an erased person and reads `(erased)`.
    """
    erased = erased_people(record)
    check_texts(record, texts, erased)
    by_position = {each.position: each for each in record.log}
    for exchange in notebook.answered("erase", 200):
        certificate = exchange.content
        if certificate["erased"]:
            erasure = by_position[certificate["position"]]

            assert isinstance(erasure.event, PersonErased)
            assert certificate["personId"] == erasure.stream
    ended = {each.stream for each in record.log if isinstance(each.event, PinErased)}

    assert ended <= pins_of(record, erased)


def check_texts(record: Record, texts: SealedTexts, erased: set[str]) -> None:
    """Each person of the log has a key or was erased, never both, and nothing is in clear."""
    people = {each.person for each in record.log if each.person is not None}

    assert texts.without_keys <= erased
    assert people - erased == texts.people
    assert [] == [each for each in texts.states if NUMBER[1:].encode() in each]
    for recorded in record.log:
        shown = str(attrs.asdict(recorded.event))
        if recorded.person in erased:
            assert NUMBER[1:] not in shown
        else:
            assert ERASED not in shown


def check_finished(record: Record, texts: SealedTexts, listed: Path) -> None:
    """Nothing of an erased person is left to be done, opened or verified."""
    erased = erased_people(record)
    gone = pins_of(record, erased)

    assert set() == unfinished(record)
    assert set() == texts.in_rows & erased
    assert set() == live_among(record, gone)
    assert erased == (set(read_erasures(listed)) if listed.exists() else set())


def check_live(record: Record, newest: str) -> None:
    """The newest code is the only live one: it ended even those whose sends a kill cut off."""
    assert {newest} == live_among(record, pins_of(record, {each.person for each in record.log}))


def live_among(record: Record, pins: set[str]) -> set[str]:
    """Return those of some PINs that can still be verified."""
    return {each for each in pins if record.row(each).status == PinStatus.PENDING}


def pins_of(record: Record, people: Collection[str | None]) -> set[str]:
    """Return the PINs that were created for some people."""
    return {
        each.stream
        for each in record.log
        if isinstance(each.event, PinIssued) and each.person in people
    }
