"""Put together what Zensical builds: pages with their links, files that they link to, and settings."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from pathlib import Path

from tools.site.links import relinked
from tools.site.navigation import as_toml, indexes, navigation
from tools.site.pages import ALIASES, DOCS, ELSEWHERE, ROOT, Page

BUILD = ROOT / "build"
_LANGUAGES = {
    ".py": "python",
    ".sh": "sh",
    ".toml": "toml",
    ".json": "json",
    ".yml": "yaml",
    ".yaml": "yaml",
}


class Staging:
    """The site's pages while they are put together, with the files of the repository that they need."""

    def __init__(self, pages: Iterable[Page], root: Path = ROOT) -> None:
        self._root = root
        self._written = {each.place: each for each in pages}
        self._files: dict[str, Page] = {}

    def pages(self) -> list[Page]:
        """
        Return all pages as the site has them, those of linked files and the indexes of kinds included.

        Raise `FileNotFoundError` for a link to what does not exist, or to a folder without README.md.
        """
        moved = [
            Page(each.place, each.source, relinked(each.text, each.source, each.place, self._place))
            for each in self._written.values()
        ]
        moved += self._files.values()
        return moved + [Page(place, DOCS / place, text) for place, text in indexes(moved).items()]

    def _place(self, target: Path) -> str:
        """Return the place of what a link leads to; a file that is no page becomes one."""
        name = str(target.relative_to(self._root))
        if name in ELSEWHERE or name in ALIASES:
            return {**ELSEWHERE, **ALIASES}[name]
        if target.is_dir():
            target, name = target / "README.md", f"{name}/README.md"
        if not target.is_file():
            raise FileNotFoundError(f"a page links to {name}, which does not exist")
        if name.startswith("docs/"):
            return name.removeprefix("docs/")
        return self._file(name, target).place

    def _file(self, name: str, target: Path) -> Page:
        """Return the page that shows a file of the repository."""
        place = f"files/{name.replace('/', '-')}.md"
        text = (
            f"# {name}\n\n````{_LANGUAGES.get(target.suffix, 'text')}\n{target.read_text()}````\n"
        )
        return self._files.setdefault(place, Page(place, target, text))


def stage(pages: Iterable[Page], build: Path = BUILD, root: Path = ROOT) -> Path:
    """Write the pages, the pictures and the settings below a folder; return the file of settings."""
    docs = build / "docs"
    shutil.rmtree(docs, ignore_errors=True)
    shutil.copytree(root / "docs", docs, ignore=shutil.ignore_patterns("*.md"))
    staged = Staging(pages, root).pages()
    for page in staged:
        target = docs / page.place
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(page.text)
    settings = (root / "zensical.toml").read_text()
    head, project, rest = settings.partition("[project]\n")
    config = build / "zensical.toml"
    config.write_text(f"{head}{project}nav = {as_toml(navigation(staged))}\n{rest}")
    return config
