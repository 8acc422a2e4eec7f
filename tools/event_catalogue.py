"""Write docs/reference/events.md, the catalogue of stored events, from the event classes (`make events`)."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args, get_type_hints

import attrs

from watchword.adapters.event_store.log.event_types import EVENT_TYPES
from watchword.domain.event import Event, personal_fields, secret_fields

PAGE = Path(__file__).parents[1] / "docs" / "reference" / "events.md"
_SPELLINGS = {"dlt": "DLT", "pin": "PIN", "rcs": "RCS", "whatsapp": "WhatsApp"}
_HEAD = """\
# Events

`make events` generates this page from the docstrings and fields of the event classes.

The log stores each event as `<Name>/<version>` with an envelope: id, stream, version, time, actor,
request id, account, person. It has three lines: the envelope with the open fields; the *personal* ones,
sealed under the key of the event's person, else of its account, else of its stream; the *secret* ones.
Histories show `***` for *secret* fields, and mask *personal* ones on request. Without the code key
*personal* fields read `***`, after an erasure `(erased)`. *Secret parts* and *personal parts* of a
field are treated like such fields, the rest of it is open.
"""


def catalogue() -> str:
    """Return the page: a table of events for each aggregate, in the order of the registry."""
    tables: dict[str, list[str]] = {}
    for (name, version), kind in EVENT_TYPES.items():
        row = f"| `{name}/{version}` | {_sentence(kind)} | {_fields(kind)} |"
        tables.setdefault(_aggregate(kind), []).append(row)
    return _HEAD + "".join(
        "\n".join(
            (f"\n## {aggregate}\n", "| event | meaning | fields |", "|---|---|---|", *rows, "")
        )
        for aggregate, rows in tables.items()
    )


def _aggregate(kind: type[Event]) -> str:
    """Return the name of the module or folder in the domain that defines an event."""
    _, _, path = kind.__module__.partition(".domain.")
    words = path.split(".")[0].split("_")
    name = " ".join(_SPELLINGS.get(word, word) for word in words)
    return name[0].upper() + name[1:]


def _sentence(kind: type[Event]) -> str:
    """Return the first line of an event's docstring."""
    return (inspect.getdoc(kind) or "").split("\n")[0].rstrip(".")


def _fields(kind: type[Event]) -> str:
    """Name the fields of an event, except its time, which is in the envelope."""
    marks = {name: _of_parts(annotation) for name, annotation in get_type_hints(kind).items()}
    marks |= dict.fromkeys(personal_fields(kind), " *personal*")
    marks |= dict.fromkeys(secret_fields(kind), " *secret*")
    names = (each.name for each in attrs.fields(kind) if each.name != "at")
    return ", ".join(f"`{name}`{marks.get(name, '')}" for name in names)


def _of_parts(annotation: Any) -> str:
    """Say which parts of a field's values histories mask, if they mask any."""
    marks = sorted(set(_marks_in(annotation)), reverse=True)
    return f" *{' and '.join(marks)} parts*" if marks else ""


def _marks_in(annotation: Any) -> Iterator[str]:
    """Yield the marks of fields in a type, and in the types that it consists of."""
    for part in get_args(annotation):
        yield from _marks_in(part)
    if attrs.has(annotation):
        yield from ("personal" for _ in personal_fields(annotation))
        yield from ("secret" for _ in secret_fields(annotation))
        for inner in get_type_hints(annotation).values():
            yield from _marks_in(inner)


if __name__ == "__main__":
    PAGE.write_text(catalogue())
