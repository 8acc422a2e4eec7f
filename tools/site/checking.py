"""Check a built site: links, anchors, pages that nothing leads to, and loads from elsewhere."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

from attrs import Factory, define

# The elements of pages. Another one is a `<name>` in a text, which a browser hides.
_ELEMENTS = """
a abbr article aside b blockquote body br button circle code dd del details div dl dt em figcaption figure
footer form g h1 h2 h3 h4 h5 h6 head header hr html i img input ins kbd label li link main mark meta nav
noscript ol p path pre rect s script section small span strong style sub summary sup svg symbol table tbody
td tfoot th thead time title tr u ul use video
"""
# Elements that a browser loads by itself, and the attribute that says from where.
_LOADED = {
    **dict.fromkeys(
        ("audio", "embed", "iframe", "img", "input", "script", "source", "track", "video"), "src"
    ),
    "link": "href",
    "object": "data",
    "image": "href",
    "use": "href",
}
_LOADED_BY_STYLE = re.compile(r"""(?:url\(|@import\s+)['"]?((?:https?:)?//[^'")\s]+)""")
# Links of these kinds do not load anything.
_NO_LOAD = {"canonical", "next", "prev"}
# The theme's script loads these for pages that have such elements.
_LOADS_FOR = {"mermaid": "mermaid", "pyodide": "pyodide", "glightbox": "glightbox"}


@define
class Parsed(HTMLParser):
    """The anchors and links of one page of HTML, and the addresses that a browser loads for it."""

    anchors: set[str] = Factory(set)
    links: list[str] = Factory(list)
    navigation: list[str] = Factory(list)
    loads: list[str] = Factory(list)
    strange: set[str] = Factory(set)
    _depth_of_nav: int = 0

    def __attrs_post_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take what an element says about anchors, links and loads."""
        values = {name: value or "" for name, value in attrs}
        self._depth_of_nav += tag == "nav"
        self.strange |= {tag} - {*_ELEMENTS.split()}
        self.anchors |= {values[name] for name in ("id", "name") if values.get(name)}
        if tag == "a" and "href" in values:
            self.links.append(values["href"])
            if self._depth_of_nav:
                self.navigation.append(values["href"])
        if (
            tag in _LOADED
            and (address := values.get(_LOADED[tag]))
            and values.get("rel") not in _NO_LOAD
        ):
            self.loads.append(address)
        self.loads += [
            each.split()[0] for each in values.get("srcset", "").split(",") if each.strip()
        ]
        self.loads += _LOADED_BY_STYLE.findall(values.get("style", ""))
        self.loads += [
            f"https://elsewhere.example/{script}"
            for name, script in _LOADS_FOR.items()
            if name in values.get("class", "").split()
        ]

    def handle_endtag(self, tag: str) -> None:
        """Leave a navigation."""
        self._depth_of_nav -= tag == "nav"


def problems(site: Path) -> list[str]:
    """Return what is wrong with a built site, sorted; nothing if all is well."""
    parsed = {path: _parsed(path) for path in sorted(site.rglob("*.html"))}
    return sorted(
        {
            *_broken(site, parsed),
            *_astray(site, parsed),
            *_hidden(site, parsed),
            *_loaded_from_elsewhere(site, parsed),
        }
    )


def _parsed(path: Path) -> Parsed:
    page = Parsed()
    page.feed(path.read_text())
    return page


def _is_elsewhere(address: str) -> bool:
    parts = urlsplit(address)
    return bool(parts.scheme or parts.netloc)


def _target(site: Path, page: Path, address: str) -> tuple[Path, str]:
    """Return the file and the anchor that a link of a page leads to."""
    parts = urlsplit(address)
    path = unquote(parts.path)
    file = site / path.lstrip("/") if path.startswith("/") else page.parent / path
    file = page if not path else file.resolve()
    return (file / "index.html" if file.is_dir() else file), unquote(parts.fragment)


def _broken(site: Path, parsed: dict[Path, Parsed]) -> Iterator[str]:
    """Yield links and loads that lead to no file of the site, or to no anchor of a page."""
    for page, found in parsed.items():
        for address in (*found.links, *found.loads):
            if _is_elsewhere(address):
                continue
            file, anchor = _target(site, page, address)
            name = page.relative_to(site)
            if not file.is_file():
                yield f"{name}: {address} leads to nothing"
            elif anchor and file in parsed and anchor not in parsed[file].anchors:
                yield f"{name}: {address} names no anchor"


def _astray(site: Path, parsed: dict[Path, Parsed]) -> Iterator[str]:
    """Yield pages to which no navigation leads from the first page."""
    reached: set[Path] = set()
    waiting = [site / "index.html"]
    while waiting:
        page = waiting.pop()
        if page in parsed and page not in reached:
            reached.add(page)
            waiting += [
                _target(site, page, each)[0]
                for each in parsed[page].navigation
                if not _is_elsewhere(each)
            ]
    # The page that a server shows for what it does not have.
    for page in parsed.keys() - reached - {site / "404.html"}:
        yield f"{page.relative_to(site)}: no navigation leads there"


def _hidden(site: Path, parsed: dict[Path, Parsed]) -> Iterator[str]:
    """Yield texts that a browser takes for elements."""
    for page, found in parsed.items():
        for name in found.strange:
            yield f"{page.relative_to(site)}: <{name}> is no element; write it as code"


def _loaded_from_elsewhere(site: Path, parsed: dict[Path, Parsed]) -> Iterator[str]:
    """Yield what a browser would load from another host to show a page."""
    for page, found in parsed.items():
        for address in found.loads:
            if _is_elsewhere(address) and urlsplit(address).scheme != "data":
                yield f"{page.relative_to(site)}: loads {address}"
    for sheet in sorted(site.rglob("*.css")):
        for address in _LOADED_BY_STYLE.findall(sheet.read_text()):
            yield f"{sheet.relative_to(site)}: loads {address}"
