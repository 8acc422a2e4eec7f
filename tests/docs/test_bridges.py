"""docs/how-to/kratos.md, supabase.md and zitadel.md agree with the bridges that they set up."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.examples.test_bridges import PRODUCTS, SUPABASE, Product
from tests.examples.test_bridges import kratos as call_of_kratos

ROOT = Path(__file__).parents[2]
HOW_TO = ROOT / "docs" / "how-to"


def block(page: str, language: str, number: int = 0) -> str:
    """Return a block of a page."""
    text = (HOW_TO / f"{page}.md").read_text()
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)[number]


@pytest.mark.parametrize("product", PRODUCTS, ids=lambda each: each.name)
def test_the_settings_are_those_of_the_bridge(product: Product) -> None:
    """Every variable that a bridge wants is set, and no other; the program is there."""
    lines = block(product.name, "sh", 1 if product.name == "zitadel" else 0)
    shared = (ROOT / "examples" / "bridge_texts.py").read_text()
    program = f"examples/{product.name}_bridge.py"
    wanted = set(re.findall(r'os\.environ\["(\w+)"\]', shared))
    own = set(re.findall(r'os\.environ\.get\("(\w+)"', (ROOT / program).read_text()))

    assert wanted | own == set(re.findall(r"^export (\w+)=", lines, re.MULTILINE))
    assert f"python {program}" == lines.splitlines()[-1]
    assert product is not SUPABASE or "=v1,whsec_" in lines


def test_kratos_posts_what_the_bridge_reads() -> None:
    """The members of the template are those of the call that the bridge's tests post."""
    template = block("kratos", "jsonnet")
    members = re.findall(r"^  (\w+): ctx\.(\w+),$", template, re.MULTILINE)

    assert list(call_of_kratos()) == [name for name, _ in members]
    assert all(name == source for name, source in members)
    assert template.startswith("function(ctx) {\n")


def test_kratos_shows_the_secret_as_the_bridge_wants_it() -> None:
    """As a bearer token, to the address at which the bridge listens."""
    said = dict(re.findall(r"^[ -]*([\w-]+): (.+)$", block("kratos", "yaml"), re.MULTILINE))
    before = (HOW_TO / "kratos.md").read_text().split("## Set Kratos up")[0]

    assert f"`{said['url']}`" in before
    assert ("sms", "POST", "application/json") == (said["id"], said["method"], said["Content-Type"])
    assert ("header", "Authorization") == (said["in"], said["name"])
    assert said["value"].startswith("Bearer ")
    assert "jsonnet" in said["body"]


def test_the_calls_of_zitadel_have_bodies_of_json() -> None:
    """One adds a provider, the other activates it."""
    first, second = map(json.loads, re.findall(r"-d '(\{.*?\})'", block("zitadel", "sh")))

    assert {"endpoint", "description"} == set(first)
    assert {} == second
