"""The statistics (C-80)."""

from __future__ import annotations

from asyncio import to_thread

from aiohttp import web
from attrs import evolve

from ....application.caller import Caller
from ....application.statistics.asking import Question
from ...wire.figures import statistics_record
from ...wire.searches import names_of, statistics_question
from ...wired import Wired
from ..operator_handlers import account_searched, record_answer
from ..requests import search_of
from ..route import READ, About, Route


async def statistics(service: Wired, request: web.Request, by: Caller) -> web.Response:
    """Tell what became of the sends of codes."""
    question = search_of(request, Question, statistics_question)
    account_id = await account_searched(service, by, question.account_id)
    answer = await service.statistics.ask(evolve(question, account_id=account_id))
    # Of thousands of rows (C-94).
    return record_answer(by, await to_thread(statistics_record, answer))


STATISTICS_ROUTES = (
    Route(
        "GET",
        "/admin/v1/stats",
        statistics,
        READ,
        About.ACCOUNT,
        names_of(Question),
        search=Question,
    ),
)
