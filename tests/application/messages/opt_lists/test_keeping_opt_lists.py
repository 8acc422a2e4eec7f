"""The opt lists: their counts, their members, and concurrent changes (C-27, C-28)."""

from __future__ import annotations

from functools import partial

from tests.application.house import House, build_house, node_on
from watchword.adapters.vault import Vault
from watchword.application.messages.opt_lists.consents import Consents
from watchword.application.messages.opt_lists.keeping_opt_lists import ListChange
from watchword.domain.consent import OptList

ANNA, BEN, CARA = "+447700900001", "+447700900002", "+447700900003"


async def put(house: House, opt_list: OptList, *numbers: str) -> ListChange:
    """Put numbers on a list."""
    return await house.service.opt_lists.put(house.by, opt_list, numbers)


async def listed(house: House, opt_list: OptList, page_no: int = 0, limit: int = 25) -> list[str]:
    """Return the numbers on a page of a list."""
    rows = await house.service.opt_lists.listed(house.by.account_id, opt_list, page_no, limit)
    return [row.recipient for row in rows]


async def test_spellings_of_one_number_count_once() -> None:
    """In a call and between calls; the first spelling is shown."""
    house = await build_house()
    first = await put(house, OptList.OUT, ANNA, "00447700900001", " 44 7700 900 001 ", BEN)
    second = await put(house, OptList.OUT, "447700900001", CARA)

    assert ListChange(changed=2, unchanged=0) == first
    assert ListChange(changed=1, unchanged=1) == second
    assert {ANNA, BEN, CARA} == set(await listed(house, OptList.OUT))


async def test_the_last_list_wins() -> None:
    """A number that moves leaves its former list."""
    house = await build_house()
    await put(house, OptList.OUT, ANNA, BEN)
    assert ListChange(changed=1, unchanged=0) == await put(house, OptList.IN, ANNA)

    assert [[ANNA], [BEN]] == [await listed(house, each) for each in OptList]


async def test_taking_off_the_other_list_changes_nothing() -> None:
    """Removing an unknown number changes nothing either."""
    house = await build_house()
    await put(house, OptList.OUT, ANNA)
    before = await house.store.read_log(0, 1000)
    gone = await house.service.opt_lists.take_off(house.by, OptList.IN, (ANNA, BEN))

    assert ListChange(changed=0, unchanged=2) == gone
    assert before == await house.store.read_log(0, 1000)
    assert [ANNA] == await listed(house, OptList.OUT)


async def test_who_came_last_stands_first() -> None:
    """Each page continues where the one before ended."""
    house = await build_house()
    for number in (ANNA, BEN, CARA):
        await put(house, OptList.IN, number)
        house.clock.move(1)
    await put(house, OptList.IN, ANNA)

    assert [[CARA, BEN], [ANNA], []] == [await listed(house, OptList.IN, n, 2) for n in range(3)]


async def test_a_lost_race_is_decided_again() -> None:
    """Two nodes' changes of one number both count, one after the other."""
    house = await build_house()
    house.store.meanwhile = partial(put, node_on(house), OptList.OUT, ANNA)
    done = await put(house, OptList.OUT, ANNA, BEN)

    assert ListChange(changed=1, unchanged=1) == done


async def test_a_stream_id_tells_no_number() -> None:
    """It shows in masked histories, where the number must not be found by trying all (D-74)."""
    house = await build_house()
    await put(house, OptList.OUT, ANNA)
    (stream,) = [
        each.stream
        for each in await house.store.read_log(0, 1000)
        if each.type == "RecipientOptedOut"
    ]
    other = Consents(house.service.journal, Vault.random())
    standings = await other.of(house.by.account_id, (ANNA,))

    assert stream.startswith("opt_")
    assert "7700900001" not in stream
    assert stream != standings[ANNA].stream
