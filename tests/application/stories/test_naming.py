"""The names that operators gave to things, by their ids."""

from __future__ import annotations

from msgspec.structs import replace

from tests.application.house import build_house
from watchword.application.caller import Caller

LOOKING = Caller("", "tok_auditor", "req_look")


async def test_names_by_ids() -> None:
    """Accounts, templates and channel accounts have one; what has none, or is unknown, is left out."""
    house = await build_house()
    naming = house.service.naming
    found = await naming.of(
        LOOKING, [house.by.account_id, house.template_id, "key_web", "admin", "pin_1", "tpl_none"]
    )

    assert {house.by.account_id: "orchid", house.template_id: "tea"} == found


async def test_a_bound_reader_sees_the_names_of_its_account_alone() -> None:
    """A token of the whole store has no name for it (C-84)."""
    house = await build_house()
    naming = house.service.naming
    ids = [house.by.account_id, house.template_id]

    assert {} == await naming.of(replace(LOOKING, bound_to="acc_other"), ids)
    assert {"orchid", "tea"} == {
        *(await naming.of(replace(LOOKING, bound_to=house.by.account_id), ids)).values()
    }
