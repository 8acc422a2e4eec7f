"""Reads events from their stored form of three lines, and opens what is sealed in them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import msgspec

from ....application.evidence.leaves import is_blanked
from ....application.ports.sealer import SealKey
from ....domain.event import ERASED, Event
from ...vault import KeyLostError, Vault
from .converting import event_converter
from .lines import Lines, OpenLine, lines_of, sealed_texts
from .members import Plain, members_of, put
from .upcasters import Upcaster

Types = Mapping[tuple[str, int], type[Event]]


class Opened(NamedTuple):
    """
    An event that was read: its lines, and the texts that were sealed, by owner.

    A text is None if this process cannot open it. Of a line that retention `blanked`, nobody knows whose
    texts it had.
    """

    event: Event
    line: OpenLine
    lines: Lines
    texts: Mapping[str, bytes | None]
    blanked: bool = False


class EventReader:
    """Reads events; raises any exception for one that is damaged or of another release."""

    def __init__(
        self, vault: Vault, types: Types, upcasters: Mapping[tuple[str, int], Upcaster]
    ) -> None:
        self._vault = vault
        self._structure = event_converter(frozenset(types.values())).structure
        self._types = types
        self._upcasters = upcasters
        self._decode = msgspec.json.Decoder().decode
        self._decode_open = msgspec.json.Decoder(OpenLine).decode

    def opened(
        self,
        stream: str,
        name: str,
        schema: int,
        state: bytes,
        keys: Mapping[str, SealKey],
        hidden_as: str | None = None,
    ) -> Opened:
        """
        Return an event of a stream; members that cannot be opened or were blanked read as placeholders.

        With `hidden_as`, this text is in all of them, whatever the reason.
        """
        lines = lines_of(state)
        line = self._decode_open(lines.open)
        data, owner = line.data, line.owner_in(stream)
        if lines.secret:
            put(data, self._decode(lines.secret))
        texts: dict[str, bytes | None] = {}
        hidden: dict[str, str] = {}
        blanked = is_blanked(lines.sealed)
        if lines.sealed and not blanked:
            texts, hidden = self._texts(lines.sealed, line.id, owner, keys)
            for text in texts.values():
                if text is not None:
                    put(data, self._decode(text))
        kind, data = self._upcast(name, schema, data)
        members = members_of(kind) if hidden or blanked else None
        if members is not None:
            if blanked:
                everything = ERASED if hidden_as is None else hidden_as
                members.hide(data, owner, lambda _: everything)
            else:
                if hidden_as is not None:
                    hidden = dict.fromkeys(hidden, hidden_as)
                members.hide(data, owner, hidden.get)
        data["at"] = line.at
        return Opened(self._structure(data, kind), line, lines, texts, blanked)

    def _texts(
        self, sealed: bytes, event_id: str, owner: str, keys: Mapping[str, SealKey]
    ) -> tuple[dict[str, bytes | None], dict[str, str]]:
        """Return the opened texts of a sealed line by owner, and the placeholders of the others."""
        texts: dict[str, bytes | None] = {}
        hidden: dict[str, str] = {}
        for each, text in sealed_texts(sealed, owner).items():
            key = keys.get(each)
            instead = self._vault.hidden(key)
            if key is None or instead is not None:
                texts[each], hidden[each] = None, instead or ""
            else:
                try:
                    texts[each] = self._vault.open(key, event_id, text)
                except KeyLostError:
                    texts[each], hidden[each] = None, ERASED
        return texts, hidden

    def _upcast(self, name: str, schema: int, data: Plain) -> tuple[type[Event], Plain]:
        while (upcast := self._upcasters.get((name, schema))) is not None:
            data, schema = upcast(data), schema + 1
        kind = self._types.get((name, schema))
        if kind is None:
            raise LookupError(f"{name}/{schema} is not registered")
        return kind, data
