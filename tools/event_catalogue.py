"""Write docs/events.md, the catalogue of stored events, from the event classes (`make events`)."""

from __future__ import annotations

import inspect
from pathlib import Path

import attrs

from watchword.adapters.event_store.log.event_types import EVENT_TYPES
from watchword.domain.event import Event, personal_fields, secret_fields

PAGE = Path(__file__).parents[1] / "docs" / "events.md"
_SPELLINGS = {"dlt": "DLT", "pin": "PIN", "rcs": "RCS", "whatsapp": "WhatsApp"}
_HEAD = """\
# Events

`make events` generates this page from the docstrings and fields of the event classes.

The log stores each event as `<Name>/<version>` with an envelope: id, stream, version, time, actor,
request id. Histories show `***` for *secret* fields, and mask *personal* ones on request.
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
    marks = dict.fromkeys(personal_fields(kind), " *personal*")
    marks |= dict.fromkeys(secret_fields(kind), " *secret*")
    names = (each.name for each in attrs.fields(kind) if each.name != "at")
    return ", ".join(f"`{name}`{marks.get(name, '')}" for name in names)


if __name__ == "__main__":
    PAGE.write_text(catalogue())
