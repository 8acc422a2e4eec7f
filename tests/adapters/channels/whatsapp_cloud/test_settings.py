"""The settings of a channel account of WhatsApp (C-63)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.adapters.channels.whatsapp_cloud.graph_server import CONFIG
from watchword.adapters.channels.whatsapp_cloud import WhatsappCloudProvider
from watchword.adapters.channels.whatsapp_cloud.settings import settings_of
from watchword.domain.errors import ValidationFailedError


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("phoneNumberId", "+15550100"),
        ("phoneNumberId", "106/messages"),
        ("phoneNumberId", "\uff11\uff12"),
        ("businessAccountId", "acme"),
        ("appId", "1" * 33),
        ("accessToken", "EAA B"),
        ("accessToken", "EAAé"),
        ("baseUrl", "https://graph.example.com/v25.0"),
        ("baseUrl", "https://ann:secret@graph.example.com"),
        ("baseUrl", "https://graph.example.com?x=1"),
        ("baseUrl", "ftp://graph.example.com"),
        ("baseUrl", "http://graph.example.com"),
        ("baseUrl", "http://203.0.113.7"),
    ],
)
def test_a_wrong_value_is_refused_with_its_path(name: str, value: str) -> None:
    """An id is digits alone, for it stands in a path; a token stands in a header."""
    with pytest.raises(ValidationFailedError) as refusal:
        WhatsappCloudProvider().check_config({**CONFIG, name: value})

    assert [f"config.{name}"] == [each.field for each in refusal.value.problems]
    assert value not in refusal.value.problems[0].message


@pytest.mark.parametrize("near", ["http://127.0.0.1:8080", "http://localhost", "http://10.0.0.7"])
def test_a_token_goes_in_clear_to_near_hosts_alone(near: str) -> None:
    """This machine and private networks may have a proxy without TLS (D-295)."""
    assert near == WhatsappCloudProvider().check_config({**CONFIG, "baseUrl": near})["baseUrl"]


@pytest.mark.parametrize("left_out", ["businessAccountId", "appId"])
def test_ids_that_no_send_needs_are_optional(left_out: str) -> None:
    """Each is for something of its own: templates, and the address of callbacks."""
    config: dict[str, Any] = {name: each for name, each in CONFIG.items() if name != left_out}

    assert config == WhatsappCloudProvider().check_config(config)


def test_messages_go_to_meta_by_default() -> None:
    """`baseUrl` is for proxies and tests."""
    settings = settings_of(CONFIG)

    assert "https://graph.facebook.com" == settings.base_url
    assert CONFIG["accessToken"] not in repr(settings)
