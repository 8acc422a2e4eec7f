"""Read how the answers to sends are understood; every wrong member is noted by its path (C-63)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from attrs import field, frozen

from .....application.ports.channels import Fault
from .....domain.errors import FieldProblem
from ..paths import Path, read_path, text_of
from ..presets import AnswerPaths
from .outcomes import AnswerRules
from .placeholders import Filling, Placeholders

_SUCCESS = range(200, 300)
_REFERENCE = "reference"
# Texts have codes, and configs have secrets (D-243).
_STORED = "must be made of {{reference}} alone, because ids are stored and shown"


@frozen
class AnswerReader:
    """Reads `accepted` and `rejected` of a config; notes what is wrong in `problems`."""

    config: Mapping[str, Any] = field(repr=False)
    placeholders: Placeholders
    problems: list[FieldProblem]

    def rules(self, prefix: str, more: AnswerPaths) -> AnswerRules | None:
        """Return the rules, whose error codes begin with `prefix`; None if there are none."""
        if "accepted" not in self.config:
            self._note("config.accepted", "is required")
            return None
        accepted, rejected = self.config["accepted"], self.config.get("rejected", {})
        own_id = accepted.get("id")
        if (own_id is None) == ("idPath" not in accepted):
            self._note("config.accepted", "must have either idPath or id")
        if ("whenPath" in accepted) != ("in" in accepted):
            self._note("config.accepted", "must have whenPath and in together")
        return AnswerRules(
            prefix=prefix,
            statuses=self._statuses(accepted.get("status")),
            id_path=self._path(accepted, "accepted", "idPath"),
            own_id=None if own_id is None else self._own_id(own_id),
            when_path=self._path(accepted, "accepted", "whenPath"),
            among=frozenset(self._among(accepted.get("in", ()))),
            code_path=self._path(rejected, "rejected", "codePath"),
            message_path=self._path(rejected, "rejected", "messagePath"),
            faults=dict(self._faults(rejected.get("faults", {}))),
            segments_path=_read(more.segments),
            price_path=_read(more.price),
            currency_path=_read(more.currency),
            refusal_code_path=_read(more.refusal_code),
            refusal_message_path=_read(more.refusal_message),
        )

    def _statuses(self, statuses: Any) -> frozenset[int]:
        if statuses is None:
            return frozenset(_SUCCESS)
        if not statuses:
            self._note("config.accepted.status", "must have at least one status")
        for index, each in enumerate(statuses):
            if isinstance(each, bool) or not isinstance(each, int) or each not in _SUCCESS:
                self._note(f"config.accepted.status[{index}]", "must be from 200 to 299")
        return frozenset(each for each in statuses if isinstance(each, int))

    def _own_id(self, text: str) -> Filling:
        read = self.placeholders.read(text, "config.accepted.id", self.problems)
        if any(name != _REFERENCE for name in read.names):
            self._note("config.accepted.id", _STORED)
        return read

    def _path(self, members: Mapping[str, Any], place: str, name: str) -> Path | None:
        if name not in members:
            return None
        try:
            return read_path(members[name])
        except ValueError as error:
            self._note(f"config.{place}.{name}", str(error))
            return None

    def _among(self, values: Any) -> Iterator[str]:
        if "in" in self.config["accepted"] and not values:
            self._note("config.accepted.in", "must have at least one value")
        for index, each in enumerate(values):
            text = text_of(each)
            if text is None:
                self._note(f"config.accepted.in[{index}]", "must be a text, a number or a boolean")
            else:
                yield text

    def _faults(self, faults: Any) -> Iterator[tuple[str, Fault]]:
        if not isinstance(faults, Mapping):
            self._note("config.rejected.faults", "must be an object")
            return
        for code, name in faults.items():
            if isinstance(name, str) and name in tuple(Fault):
                yield code, Fault(name)
            else:
                known = ", ".join(Fault)
                self._note(f"config.rejected.faults.{code}", f"must be one of {known}")

    def _note(self, place: str, problem: str) -> None:
        self.problems.append(FieldProblem(place, problem))


def _read(text: str | None) -> Path | None:
    return None if text is None else read_path(text)
