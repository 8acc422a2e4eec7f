"""The parts of a run, one after the other."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

from attrs import evolve

from . import machine
from .attack import measure_attack
from .channels.providers import measure_providers
from .channels.smpp import measure_smpp
from .console.measuring import console_figures, console_steps, measure_console
from .cycle_parts import ON_POSTGRES, ON_SQLITE, on_postgres, on_sqlite
from .databases import server
from .fairness import measure_fairness
from .long_stores.growth import growth_steps, measure_growth
from .long_stores.retention import measure_retention, retention_figures, retention_steps
from .messages import measure_messages
from .people.figures import people_figures
from .people.measuring import measure_people, people_steps
from .plain_appends import measure_appends
from .plan import Part, Plan
from .report import (
    Result,
    attack_figures,
    fairness_figures,
    message_figures,
    provider_figures,
    smpp_figures,
    store_figures,
)
from .rounds import steps
from .store import measure_store
from .targets import Database


async def measured(plan: Plan, directory: Path, advance: Callable[[str], None]) -> Result:
    """Measure the requested parts; `advance` gets the name of each step, `total_steps` times in all."""
    result = Result(machine=machine.description(), plan=plan)
    with ExitStack() as stack:
        new: Callable[[], Database] | None = None
        if {Part.POSTGRES, Part.APPENDS, Part.GROWTH, Part.PEOPLE, Part.RETENTION} & set(
            plan.parts
        ):
            new = await asyncio.to_thread(stack.enter_context, server())
        for part in plan.parts:
            home = directory / part
            home.mkdir()
            result = await _with(part, result, home, new, advance)
    return result


def total_steps(plan: Plan) -> int:
    """Return the number of steps that a run reports."""
    each = {
        Part.SQLITE: steps(plan, len(ON_SQLITE)),
        Part.POSTGRES: steps(plan, len(ON_POSTGRES)),
        Part.APPENDS: 2 * plan.rounds,
        Part.INSIDE: 2 * plan.rounds + 2,
        Part.FAIRNESS: plan.rounds,
        Part.ATTACK: plan.rounds,
        Part.PROVIDERS: plan.rounds,
        Part.SMPP: plan.rounds + 2,
        Part.PEOPLE: 2 * people_steps(plan),
        Part.CONSOLE: console_steps(plan),
        Part.RETENTION: 2 * retention_steps(plan),
        Part.GROWTH: 2 * (growth_steps(plan) + steps(plan, len(plan.stored))),
    }
    return sum(each[part] for part in plan.parts)


async def _with(
    part: Part,
    result: Result,
    home: Path,
    new: Callable[[], Database] | None,
    advance: Callable[[str], None],
) -> Result:
    plan = result.plan
    match part:
        case Part.SQLITE:
            return evolve(result, sqlite=await on_sqlite(plan, home, advance))
        case Part.POSTGRES:
            assert new is not None
            return evolve(result, postgres=await on_postgres(plan, home, new, advance))
        case Part.APPENDS:
            on_file = await measure_appends(plan, home, None, advance)
            shared = await measure_appends(plan, home, new, advance)
            return evolve(result, appends=[*on_file, *shared])
        case Part.INSIDE:
            stored = store_figures(await measure_store(plan, home, advance))
            messages = message_figures(await measure_messages(plan, home, advance))
            return evolve(result, store_us=stored, messages_us=messages)
        case Part.FAIRNESS:
            fairness = fairness_figures(await measure_fairness(plan, home, advance))
            return evolve(result, fairness=fairness)
        case Part.ATTACK:
            attack = attack_figures(await measure_attack(plan, home, advance))
            return evolve(result, attack=attack)
        case Part.PROVIDERS:
            providers = provider_figures(await measure_providers(plan, home, advance))
            return evolve(result, providers=providers)
        case Part.SMPP:
            return evolve(result, smpp=smpp_figures(await measure_smpp(plan, home, advance)))
        case Part.GROWTH:
            growth = [
                await measure_growth(plan, home, None, advance),
                await measure_growth(plan, home, new, advance),
            ]
            return evolve(result, growth=growth)
        case Part.CONSOLE:
            console = console_figures(await measure_console(plan, home, advance))
            return evolve(result, console=console)
        case Part.RETENTION:
            figures = [
                retention_figures(await measure_retention(plan, home, None, advance)),
                retention_figures(await measure_retention(plan, home, new, advance)),
            ]
            return evolve(result, retention={**figures[0], **figures[1]})
        case Part.PEOPLE:
            people = [
                await measure_people(plan, home, None, advance),
                await measure_people(plan, home, new, advance),
            ]
            return evolve(result, people=people_figures(people))
