"""The record of an erased person: the event of the erasure alone."""

from __future__ import annotations

from ...domain.person import ErasedPerson, person_decider
from .record import Record

PERSON = Record(decider=person_decider, prefix="per", state=ErasedPerson)
