"""docs/reference/python: the public names of the packages, which the site fills in from their docstrings."""

from __future__ import annotations

import inspect
import pkgutil
import typing
from collections.abc import Iterable
from importlib import import_module

import watchword
from tools.reference.markdown import code, page, prose, table
from watchword import domain
from watchword.entrypoints.embedding.service import Service

_SOURCE = "the public names of `watchword`"
_HEAD = """\
These names are public: they stay, or CHANGELOG.md says what became of them. Everything else may change with
any release. [Embedding](../../how-to/embedding.md) shows how they are used. The pages below list the names;
the site fills in signatures and docstrings.
"""
_DOMAIN = """\
The rules alone: events, states, commands and decisions, without I/O, clock or randomness. A decider takes a
state and a command and returns events, or raises a `DomainError`.
"""


def python_api() -> dict[str, str]:
    """Return the pages by their place in docs/."""
    names = [each for each in watchword.__all__ if each != "domain"]
    kinds: dict[str, list[str]] = {"service": [], "errors": [], "ports": [], "records": []}
    for name in names:
        kinds[_kind(name)].append(name)
    pages = {
        "service": page(
            "The service",
            _SOURCE,
            "A program opens a service, and calls its parts.",
            *_of_service(kinds["service"]),
        ),
        "records": page("Records", _SOURCE, "What calls return.", *_directives(kinds["records"])),
        "ports": page(
            "Ports",
            _SOURCE,
            "What programs implement, to send by a channel of their own or to bring a clock or a hash of"
            " their own, and the values that go in and out.",
            *_directives(kinds["ports"]),
        ),
        "errors": page(
            "Errors",
            _SOURCE,
            "Refusals have the [documented codes](../errors.md).",
            *_directives(kinds["errors"]),
        ),
        "client": _of_module("watchword.client"),
        "testing": _of_module("watchword.testing"),
        **_of_domain(),
    }
    pages["README"] = _index(kinds, pages)
    return {f"reference/python/{name}.md": text for name, text in pages.items()}


def _kind(name: str) -> str:
    """Return the page of a public name."""
    found = getattr(watchword, name)
    if isinstance(found, type) and issubclass(found, Exception):
        return "errors"
    if watchword._HOMES[name].startswith(".application.ports"):
        return "ports"
    if watchword._HOMES[name].startswith((".adapters", ".entrypoints")):
        return "service"
    return "records"


def _directives(names: Iterable[str], package: str = "watchword") -> list[str]:
    return [f"::: {package}.{name}" for name in names]


def _of_service(names: list[str]) -> list[str]:
    """Return what is opened, and the parts of a service by their attributes."""
    first = ["open", "Service"]
    parts = _directives([*first, *(each for each in names if each not in first)])
    hints = typing.get_type_hints(Service, localns={"web": None})
    for name, kind in sorted(hints.items()):
        if (
            not name.startswith("_")
            and inspect.isclass(kind)
            and kind.__module__.startswith("watchword.")
        ):
            parts += [f"## service.{name}", f"::: {kind.__module__}.{kind.__qualname__}"]
    return parts


def _of_module(name: str) -> str:
    """Return the page of a module that says what is public."""
    module = import_module(name)
    about = inspect.cleandoc(module.__doc__ or "")
    return page(name, f"`{name}`", prose(about), *_directives(sorted(module.__all__), name))


def _of_domain() -> dict[str, str]:
    """Return a page for each package of the domain, and one for its modules."""
    pages, modules, packages = {}, [], []
    for found in pkgutil.iter_modules(domain.__path__):
        name = f"watchword.domain.{found.name}"
        if not found.ispkg:
            modules.append(f"::: {name}")
            continue
        package = import_module(name)
        names = [name]
        if not hasattr(package, "__all__"):
            names = [f"{name}.{each.name}" for each in pkgutil.iter_modules(package.__path__)]
        about = prose(inspect.cleandoc(package.__doc__ or "")) or "Its modules."
        file = f"domain-{found.name.replace('_', '-')}"
        pages[file] = page(name, f"`{name}`", about, *(f"::: {each}" for each in names))
        packages.append(f"- [{name}]({file}.md)")
    index = page("watchword.domain", _SOURCE, _DOMAIN, "\n".join(packages), *modules)
    return {"domain": index, **pages}


def _index(kinds: dict[str, list[str]], pages: Iterable[str]) -> str:
    parts = []
    for title, kind in (("Records", "records"), ("Ports", "ports"), ("Errors", "errors")):
        rows = ((code(name), _sentence(getattr(watchword, name))) for name in kinds[kind])
        parts += [f"## {title}", f"[All of them]({kind}.md).", table(("name", "meaning"), rows)]
    others = "\n".join(f"- [{name}]({name}.md)" for name in sorted({*pages} - {*kinds}))
    return page(
        "Python",
        _SOURCE,
        _HEAD,
        "- [`watchword.open` and the service](service.md)",
        others,
        *parts,
    )


def _sentence(found: object) -> str:
    """Return the first sentence of a docstring; nothing for a type that is only a name of others."""
    if not (inspect.isclass(found) or inspect.isfunction(found)):
        return ""
    return prose(" ".join((inspect.getdoc(found) or "").split("\n\n")[0].split()))
