"""The site has every page of the repository, in a navigation, with links that lead where they led."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from tools.site.links import relinked
from tools.site.navigation import KINDS, Entry, as_toml, indexes, navigation
from tools.site.pages import Page, pages
from tools.site.staging import Staging, stage

ROOT = Path(__file__).parents[3]
Write = Callable[[str, str], Page]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write files of a small repository."""

    def written(name: str, text: str) -> Page:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return Page(name.removeprefix("docs/"), path, text)

    return written


def places(entries: list[Entry]) -> list[str]:
    """Return the places of pages in a navigation, in order."""
    found: list[str] = []
    for entry in entries:
        for value in entry.values():
            found += [value] if isinstance(value, str) else places(value)
    return found


def staged(root: Path, *written: Page) -> dict[str, str]:
    """Return the texts of the staged pages by place."""
    return {each.place: each.text for each in Staging(written, root).pages()}


def test_every_page_of_the_repository_is_in_the_navigation() -> None:
    """Once each, with the pages of linked files and the indexes; and all links lead to something."""
    all_pages = Staging(pages()).pages()
    listed = places(navigation(all_pages))

    assert {each.place for each in all_pages} == {*listed}
    assert len(listed) == len({*listed})
    assert "index.md" == listed[0]


def test_every_page_has_a_heading_and_a_first_sentence() -> None:
    """Indexes list pages by both."""
    assert [] == [each.place for each in pages() if len(each.title) < 3 or len(each.summary) < 12]


def test_new_pages_follow_those_that_have_an_order(write: Write) -> None:
    """Nobody has to edit a list for a page to be found."""
    order = ("zoo", "nginx", "install", "acorn")
    some = [write(f"docs/how-to/{each}.md", f"# {each}\n\nIt is.\n") for each in order]
    door = write("docs/index.md", "# Door\n\nHello.\n")
    all_pages = [door, *some, *(Page(p, door.source, t) for p, t in indexes(some).items())]

    assert [
        "index.md",
        *(f"how-to/{each}.md" for each in ("index", "install", "nginx", "acorn", "zoo")),
    ] == places(navigation(all_pages))


def test_pages_of_one_purpose_stand_together(write: Write) -> None:
    """Under a heading, in the navigation and in the index; a page of no group is under the last."""
    some = [write(f"docs/how-to/{each}.md", f"# {each}\n\nIt is.\n") for each in ("zoo", "nginx")]
    (index,) = indexes(some).values()
    door = Page("how-to/index.md", some[0].source, index)

    assert {
        "How-to guides": [
            {"Run it": [{"nginx": "how-to/nginx.md"}]},
            {"More": [{"zoo": "how-to/zoo.md"}]},
        ]
    } == {
        kind: entries[1:]
        for each in navigation([*some, door])[1:]
        for kind, entries in each.items()
    }
    assert ["## Run it", "## More"] == [
        each for each in index.splitlines() if each.startswith("##")
    ]


def test_an_index_says_what_its_pages_are_about(write: Write) -> None:
    """The title and the first sentence of each page, with a folder as one page, its own index."""
    some = [
        write(
            "docs/how-to/nginx.md", "# Put `nginx` before it\n\nFor [people](x.md)\nwho do. Not."
        ),
        write("docs/how-to/sea/README.md", "# The sea\n\nDeep: blue."),
        write("docs/how-to/sea/fish.md", "# Fish\n\nSwim."),
    ]
    (index,) = indexes(some).values()

    assert [
        "- [Put nginx before it](nginx.md): For people who do.",
        "- [The sea](sea/README.md): Deep: blue.",
    ] == [each for each in index.splitlines() if each.startswith("- ")]


@pytest.mark.parametrize("stray", ["docs/notes/a.md", "docs/how-to/deep/a.md"])
def test_a_page_that_no_index_reaches_is_refused(stray: str, write: Write) -> None:
    """One of no kind, and one in a folder without an index."""
    some = [write("docs/how-to/a.md", "# A\n\nIt is.\n"), write(stray, "# B\n\nIt is.\n")]

    with pytest.raises(ValueError, match=r"no kind of page|no README\.md"):
        navigation([*some, *(Page(p, some[0].source, text) for p, text in indexes(some).items())])


def test_every_kind_that_the_repository_has_is_a_kind_of_the_site() -> None:
    """A new folder of pages is not left out."""
    folders = {each.name for each in (ROOT / "docs").iterdir() if each.is_dir()}

    assert folders <= {each.folder for each in KINDS}


def test_the_navigation_is_toml() -> None:
    """Titles may have quotes."""
    entries: list[Entry] = [{'A "b"': "a.md"}, {"C": [{"D": "d.md"}]}]

    assert {"nav": entries} == tomllib.loads(f"nav = {as_toml(entries)}")


def test_links_out_of_the_documentation_lead_to_pages_of_the_site(
    write: Write, tmp_path: Path
) -> None:
    """The architecture has a page; a file of code gets one, with its text."""
    write("ARCHITECTURE.md", "# Architecture\n")
    write("examples/a.py", "print(1)\n")
    page = write(
        "docs/how-to/deep/a.md",
        "# A\n\n[x](../../../ARCHITECTURE.md#map) [y](../../../examples/a.py)",
    )
    index = write("docs/how-to/deep/README.md", "# Deep\n\nIt is.\n")
    site = staged(tmp_path, page, index)

    assert (
        "[x](../../decisions/architecture.md#map) [y](../../files/examples-a.py.md)"
        in (site["how-to/deep/a.md"])
    )
    assert "# examples/a.py\n\n````python\nprint(1)\n````\n" == site["files/examples-a.py.md"]


def test_a_link_to_a_folder_leads_to_its_index(write: Write, tmp_path: Path) -> None:
    """As it does where the repository is browsed."""
    write("docs/decisions/README.md", "# Decisions\n\nThey are.\n")
    page = write("docs/how-to/a.md", "# A\n\nSee [them](../decisions).\n")

    assert "[them](../decisions/README.md)" in staged(tmp_path, page)["how-to/a.md"]


@pytest.mark.parametrize("target", ["gone.md", "../../examples", "../../gone.py"])
def test_a_link_to_nothing_is_refused(target: str, write: Write, tmp_path: Path) -> None:
    """Also one to a folder that has no index."""
    write("examples/a.py", "print(1)\n")
    page = write("docs/how-to/a.md", f"# A\n\n[x]({target})\n")

    with pytest.raises(FileNotFoundError):
        staged(tmp_path, page)


def test_links_in_code_stay() -> None:
    """What stands in a block is shown as it is; so are links to other hosts and within the page."""
    text = "```md\n[x](a.py)\n```\n[x](https://a.example/a.py) [y](#z) [z](b.png)\n````\n```\n[x](a)\n````\n"

    assert text.replace("b.png", "c/b.png") == relinked(
        text, ROOT / "docs" / "a.md", "a.md", lambda target: f"c/{target.name}"
    )


def test_the_settings_that_zensical_reads_have_the_navigation(tmp_path: Path) -> None:
    """And name no font of other hosts; pictures stand beside the pages."""
    project = tomllib.loads(stage(pages(), tmp_path).read_text())["project"]

    assert {"Home": "index.md"} == project["nav"][0]
    assert project["theme"]["font"] is False
    assert (tmp_path / "docs" / "how-to" / "console" / "overview.png").is_file()
    assert {*places(project["nav"])} == {
        str(each.relative_to(tmp_path / "docs")) for each in (tmp_path / "docs").rglob("*.md")
    }
