"""The stream of the calls of a club: it tells that a table calls, and that it was ruled on."""

from __future__ import annotations

import asyncio
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from games.services.open_game import Writer
from league.core.frame.live import LiveStreams
from league.disputes.call.live import CallStreams
from league.disputes.call.services import call_make, call_rule
from league.models import Season, TableOpenGame, User
from tests.factories.sheets import SeasonScorer
from tests.league.sheets.watching.test_streams import in_thread, opened, part_of, silent, stream_of
from tests.league.streams import Listener, during

pytestmark = pytest.mark.django_db(transaction=True)
HARE = Writer(automatic="hare")


def test_a_list_that_is_open_shows_who_calls_and_lets_go_of_what_is_answered(
    row: TableOpenGame, phone: Writer, ruler: Writer, arbiter: User
) -> None:
    client = Client()
    client.force_login(arbiter)
    event = row.table.stage_round.stage.event
    page = reverse("desk-event-calls", args=[event.club.slug, event.slug])
    reader = Listener(stream_of(page, client))

    async def steps() -> None:
        await opened(reader)
        await in_thread(lambda: call_make(row=row, writer=phone, key=uuid4()))
        await reader.next_event()
        assert "Table 1" in await in_thread(part_of, page, client)
        await in_thread(
            lambda: call_rule(
                row=row, call=0, case="other", decision="play_on", ruler=ruler, key=uuid4()
            )
        )
        await reader.next_event()
        assert "No calls" in await in_thread(part_of, page, client)

    asyncio.run(during(reader, LiveStreams([CallStreams()]), steps()))


def test_what_is_written_and_no_call_wakes_nobody(season: Season, arbiter: User) -> None:
    client = Client()
    client.force_login(arbiter)
    scorer = SeasonScorer(season, "p1", "p2")
    reader = Listener(stream_of(reverse("desk-calls", args=[season.club.slug]), client))

    async def steps() -> None:
        await opened(reader)
        await in_thread(scorer.lose, 1)
        await silent(reader)
        await in_thread(lambda: call_make(row=scorer.row, writer=HARE, key=uuid4()))
        await reader.next_event()

    asyncio.run(during(reader, LiveStreams([CallStreams()]), steps()))
