"""Fields of settings: a form that nobody touched changes nothing, whatever stands in the config."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from watchword.application.channel_accounts.revising_configs import merged
from watchword.application.channel_accounts.secret_settings import divided
from watchword.application.channel_accounts.views import SettingView
from watchword.application.ports.channels import Setting, SettingKind
from watchword.domain.errors import FieldProblem
from watchword.domain.event import MASK
from watchword.entrypoints.console.forms import Form
from watchword.entrypoints.console.provider_forms import config_form

SETTINGS = (
    Setting(name="host", required=True, secret=False),
    Setting(name="port", kind=SettingKind.INTEGER, secret=False),
    Setting(name="tls", kind=SettingKind.BOOLEAN, secret=False),
    Setting(name="mode", kind=SettingKind.CHOICE, choices=("a", "b"), secret=False),
    Setting(name="password"),
    Setting(name="headers", kind=SettingKind.JSON),
    Setting(name="body", kind=SettingKind.JSON, secret=False),
    Setting(name="accepted.in", kind=SettingKind.LIST, secret=False),
    Setting(name="accepted.deep.path", secret=False),
    Setting(name="auth.token"),
)
VIEWS = tuple(
    SettingView(
        name=each.name,
        kind=each.kind,
        required=each.required,
        secret=each.secret,
        choices=each.choices,
        help=each.help,
    )
    for each in SETTINGS
)
_plain = st.text("abc [{\"' \n5", max_size=6) | st.integers() | st.booleans()
_values = st.recursive(
    _plain,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text("xyz", min_size=1), inner),
    max_leaves=4,
)
_configs = st.fixed_dictionaries(
    {},
    optional={
        **dict.fromkeys(("host", "port", "tls", "mode", "password", "headers", "body"), _values),
        "accepted": st.fixed_dictionaries(
            {}, optional={"in": _values, "deep": st.fixed_dictionaries({"path": _values})}
        ),
        "auth": st.fixed_dictionaries({"token": _values}),
        "undeclared": _values,
    },
)


def read(texts: Mapping[str, str], before: Mapping[str, Any]) -> tuple[Any, list[FieldProblem]]:
    """Return the change that texts ask for, and what is wrong with them."""
    problems: list[FieldProblem] = []
    return config_form.read(Form.of(**texts), VIEWS, before, problems), problems


@given(_configs)
def test_an_untouched_form_changes_nothing(config: dict[str, Any]) -> None:
    """Whatever a provider accepted stays as it is, secrets included."""
    parts = divided(config, SETTINGS)
    change, problems = read(config_form.filled(VIEWS, parts.shown), parts.shown)

    assert [] == problems
    assert config == merged(parts, change)


def test_texts_become_values_of_their_kinds() -> None:
    """What is no number goes on as it is, so that the provider says what it wants."""
    change, problems = read(
        {
            "config.host": "tea.example",
            "config.port": "587",
            "config.tls": "false",
            "config.headers": '{"a": [1]}',
            "config.body": "{{destination}}={{text}}",
            "config.accepted.in": '["0", 0]',
        },
        {},
    )

    assert [] == problems
    assert {
        "host": "tea.example",
        "port": 587,
        "tls": False,
        "headers": {"a": [1]},
        "body": "{{destination}}={{text}}",
        "accepted": {"in": ["0", 0]},
    } == change
    assert {"port": "many"} == read({"config.port": "many"}, {})[0]


@pytest.mark.parametrize(
    ("name", "text"), [("config.headers", "{broken"), ("config", "[1]"), ("config", "{")]
)
def test_what_cannot_be_read_is_a_problem_of_its_field(name: str, text: str) -> None:
    """Nothing is sent on in its place."""
    _, problems = read({name: text}, {})

    assert [name] == [each.path for each in problems]


def test_an_emptied_field_removes_its_setting() -> None:
    """With the last one, the object that it stood in goes too; a secret needs its box."""
    shown = {"host": "tea", "accepted": {"in": ["0"]}, "auth": {"token": MASK}}
    change, _ = read({"config.host": "tea"}, shown)
    boxed, _ = read({"config.host": "tea", "remove.config.auth.token": "true"}, shown)

    assert {"accepted": None} == change
    assert {"accepted": None, "auth": None} == boxed


def test_undeclared_members_are_changed_as_json() -> None:
    """A mask keeps a secret, and a member that is left out is removed."""
    shown = {"one": MASK, "two": MASK}
    change, problems = read({"config": f'{{"one": "{MASK}", "three": 3}}'}, shown)

    assert [] == problems
    assert {"one": MASK, "two": None, "three": 3} == change
