"""What is wrong with a built site is found: links, anchors, pages astray, loads from elsewhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.site.checking import problems

NAVIGATION = '<nav><a href="index.html">Home</a> <a href="deep/a.html">A</a></nav>'


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """Write a site of two pages, a style and the page of a server for what is not there."""
    (tmp_path / "deep").mkdir()
    (tmp_path / "style.css").write_text("p { background: url(data:image/png;base64,AA) }")
    head = (
        '<link rel="stylesheet" href="{}style.css"><link rel="canonical" href="https://w.example">'
    )
    (tmp_path / "index.html").write_text(f'{head.format("")}{NAVIGATION}<p id="top">Hello.</p>')
    (tmp_path / "404.html").write_text("Nothing.")
    write(tmp_path, '<a href="../index.html#top">up</a> <a href="#b">b</a> <p id="b">b</p>')
    return tmp_path


def write(site: Path, body: str, page: str = "deep/a.html") -> None:
    """Write a page of the site."""
    (site / page).write_text(body)


def test_a_site_in_order_has_no_problems(site: Path) -> None:
    """Links between pages, within one and to other hosts are none."""
    write(site, '<a href="../index.html#top">up</a> <a href="https://o.example/x#y">o</a>')

    assert [] == problems(site)


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        ('<a href="b.html">b</a>', "b.html leads to nothing"),
        ('<a href="/deep/b.html">b</a>', "/deep/b.html leads to nothing"),
        ('<img src="b.png">', "b.png leads to nothing"),
        ('<a href="../index.html#bottom">b</a>', "../index.html#bottom names no anchor"),
        ('<a href="#nowhere">b</a>', "#nowhere names no anchor"),
        ('<script src="https://cdn.example/a.js"></script>', "loads https://cdn.example/a.js"),
        ('<script src="//cdn.example/a.js"></script>', "loads //cdn.example/a.js"),
        ('<link rel="stylesheet" href="https://f.example/a">', "loads https://f.example/a"),
        ('<link rel="preconnect" href="https://f.example">', "loads https://f.example"),
        ('<img src="https://badge.example/a.svg">', "loads https://badge.example/a.svg"),
        ('<img srcset="https://i.example/a 1x">', "loads https://i.example/a"),
        ('<p style="background: url(https://i.example/b)">', "loads https://i.example/b"),
        ("watchword pins show <pin>", "<pin> is no element; write it as code"),
        ('<pre class="mermaid">', "loads https://elsewhere.example/mermaid"),
    ],
)
def test_each_problem_of_a_page_is_named(body: str, problem: str, site: Path) -> None:
    """With the page that has it."""
    write(site, body)

    assert [f"deep/a.html: {problem}"] == problems(site)


def test_a_style_that_loads_from_elsewhere_is_named(site: Path) -> None:
    """Fonts are loaded by styles."""
    write(site, "@import 'https://f.example/font.css'; a { b: url(//g.example/c) }", "style.css")

    assert [
        "style.css: loads //g.example/c",
        "style.css: loads https://f.example/font.css",
    ] == problems(site)


def test_a_page_that_only_texts_link_to_is_astray(site: Path) -> None:
    """A reader finds it in no navigation."""
    write(site, '<a href="b.html">b</a>')
    write(site, "B", "deep/b.html")

    assert ["deep/b.html: no navigation leads there"] == problems(site)
