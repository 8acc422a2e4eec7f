"""The page that shows a person what is stored: one HTML file without scripts or links (C-74)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Any

from .tables import words

# No script runs and nothing is loaded, whatever a text contains.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
_STYLE = (
    "body{font:15px/1.5 system-ui,sans-serif;margin:2rem;color:#222}"
    "table{border-collapse:collapse;margin:0 0 2rem}"
    "th,td{border:1px solid #bbb;padding:.25rem .6rem;text-align:left;vertical-align:top;"
    "max-width:40rem;overflow-wrap:anywhere}"
    "th{background:#f1f1f1}"
    "td{white-space:pre-wrap}"
)
_INDENT = "  "
_TITLES = {"pins": "PINs", "testDestinations": "Test destinations"}
_ABOUT: Mapping[str, str] = {
    "pins": "Codes that were sent, without the codes themselves.",
    "messages": "Messages that were sent or received. Their texts are among the events.",
    "consents": "Entries on opt-in and opt-out lists.",
    "testDestinations": "A fixed code for tests, without the code itself.",
    "ratings": "Ratings of chats.",
    "deliveries": "Notifications of these events to systems of the sender.",
    "events": "The whole history. *** stands for codes and hashes, which nobody can read,"
    " and for what is of other people.",
}


def person_page(record: Mapping[str, Any]) -> Iterator[str]:
    """Yield the page of a person's record, part by part."""
    yield (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        f"<title>{escape(str(record['personId']))}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n"
        f"<h1>What is stored of {escape(str(record['personId']))}</h1>\n"
    )
    for name, about in _ABOUT.items():
        yield f"<h2>{_TITLES.get(name, name.capitalize())}</h2>\n<p>{escape(about)}</p>\n"
        yield from _table(record[name])
    yield "</body>\n</html>\n"


def _table(entries: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    if not entries:
        yield "<p>None.</p>\n"
        return
    columns = list(dict.fromkeys(name for entry in entries for name in entry))
    heads = "".join(f"<th>{escape(words(each))}</th>" for each in columns)
    yield f"<table>\n<tr>{heads}</tr>\n"
    for entry in entries:
        cells = "".join(f"<td>{escape(_text(entry.get(each)))}</td>" for each in columns)
        yield f"<tr>{cells}</tr>\n"
    yield "</table>\n"


def _text(value: Any, depth: int = 0) -> str:
    """Return a value as text: the members of a mapping on lines of their own, those inside it indented."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        said = ((name, _text(each, depth + 1)) for name, each in value.items())
        lines = (f"{_INDENT * depth}{words(name)}: {text}" for name, text in said if text)
        return ("\n" if depth else "") + "\n".join(lines)
    if isinstance(value, list | tuple):
        return ", ".join(_text(each, depth) for each in value)
    return str(value)
