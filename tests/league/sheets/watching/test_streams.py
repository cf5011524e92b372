"""The streams of tables and events: they tell that something was written, and the page's part shows
what."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from typing import Any
from unittest.mock import patch

import pytest
from django.db import OperationalError, connection
from django.test import Client
from django.urls import reverse

from league.core.frame import live
from league.core.frame.live import LiveStreams
from league.models import Event, Season, Table
from league.sheets.watching.live import EventStreams, TableStreams
from league.standings.ranking.live import Rankings
from league.standings.ranking.services.counting import ranking_count
from league.standings.season.models import Visibility
from tests.factories import events
from tests.factories.sheets import Scorer
from tests.league.streams import Listener, during

pytestmark = pytest.mark.django_db(transaction=True)
PART = {"hx-request": "true", "hx-target": "live"}


def stream_of(page: str, client: Client | None = None) -> str:
    """The address of the stream that a page follows."""
    answer = (client or Client()).get(page)
    assert answer.status_code == 200
    found = re.search('data-live-url="([^"]*)"', answer.content.decode())
    assert found
    return found[1]


def part_of(page: str, client: Client | None = None, language: str = "en") -> str:
    """The part that an open page asks for when its stream has spoken."""
    answer = (client or Client()).get(page, headers=PART | {"accept-language": language})
    assert answer.status_code == 200
    text = answer.content.decode()
    assert "<h1" not in text, "it is the part alone"
    return text


def table_page(table: Table) -> str:
    return reverse("table-live", args=[table.public_id])


def event_page(table: Table) -> str:
    event = table.stage_round.stage.event
    return reverse("event-live", args=[event.club.slug, event.slug])


def streams() -> LiveStreams:
    return LiveStreams([Rankings(), TableStreams(), EventStreams()])


def run(reader: Listener, steps: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(during(reader, streams(), steps()))


async def in_thread(work: Callable[..., Any], *arguments: Any) -> Any:
    """Do something, as another process would, with a connection of its own."""

    def closing() -> Any:
        try:
            return work(*arguments)
        finally:
            connection.close()

    return await asyncio.to_thread(closing)


async def opened(reader: Listener) -> None:
    """Wait until the stream has begun."""
    assert (await asyncio.wait_for(reader.sent.get(), 20))["status"] == 200
    assert (await asyncio.wait_for(reader.sent.get(), 20))["body"] == b": open\n\n"


async def silent(reader: Listener) -> None:
    """The stream tells nothing for a while."""
    with pytest.raises(TimeoutError):
        await reader.next_event(seconds=0.5)


@pytest.fixture
def quick_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Look every moment for what nobody tells, and not every few seconds."""
    monkeypatch.setattr(live, "LOOK_SECONDS", 0.1)


@pytest.mark.parametrize(("page", "version"), [(table_page, "1"), (event_page, "1-[0-9]+-0")])
def test_a_stream_tells_of_an_entry_and_the_part_shows_it(
    table: Table, scorer: Scorer, page: Any, version: str
) -> None:
    reader = Listener(stream_of(page(table)))

    async def steps() -> None:
        await opened(reader)
        await in_thread(scorer.bid, "2x4")
        event = await reader.next_event()
        assert re.fullmatch(f'id: {version}\ndata: {{"spread": 3}}\n\n', event), "it has no content"
        part = await in_thread(part_of, page(table))
        assert "Round 1" in part
        assert "5 dice" in part or page is event_page

    run(reader, steps)


def test_who_hears_the_page_is_told_what_was_said_last(table: Table, scorer: Scorer) -> None:
    scorer.bid("2x4")
    assert 'data-live-say="p1: 2 fours"' in part_of(table_page(table))
    assert 'data-live-say="p1: 2 Vierer"' in part_of(table_page(table), language="de")


def test_a_stream_tells_nothing_of_other_tables(table: Table, scorer: Scorer) -> None:
    other = Table.objects.exclude(pk=table.pk).get()
    reader = Listener(stream_of(table_page(other)))

    async def steps() -> None:
        await opened(reader)
        await in_thread(scorer.bid, "2x4")
        await silent(reader)

    run(reader, steps)


def test_who_comes_back_is_told_the_newest_and_who_has_it_nothing(
    table: Table, scorer: Scorer
) -> None:
    url = stream_of(table_page(table))
    for bid in ("2x4", "3x4", "4x4"):
        scorer.bid(bid)
    late, current = Listener(url, last_event_id="1"), Listener(url, last_event_id="3")

    async def missed() -> None:
        assert (await late.next_event()).startswith("id: 3\n")
        await silent(late)

    run(late, missed)

    async def silence() -> None:
        await opened(current)
        await silent(current)

    run(current, silence)


def test_who_joins_is_told_what_they_have_missed_though_nobody_writes(
    table: Table, scorer: Scorer
) -> None:
    scorer.bid("2x4")
    reader, app = Listener(stream_of(table_page(table)), last_event_id="0"), streams()

    async def steps() -> None:
        serving = asyncio.create_task(app(reader.scope, reader.receive, reader.send))
        assert (await reader.next_event()).startswith("id: 1\n")
        reader.gone.set()
        await serving

    asyncio.run(steps())


def test_one_look_is_enough_for_all_who_follow_a_table(table: Table, scorer: Scorer) -> None:
    url = stream_of(table_page(table))
    readers = [Listener(url) for _ in range(40)]
    app, looks, version_of = streams(), list[str](), TableStreams.version_of

    def counting(key: str) -> str:
        looks.append(key)
        return version_of(key)

    async def steps() -> None:
        serving = [
            asyncio.create_task(app(reader.scope, reader.receive, reader.send))
            for reader in readers[1:]
        ]
        for reader in readers:
            await opened(reader)
        looks.clear()
        await in_thread(scorer.bid, "2x4")
        for reader in readers:
            assert '"spread": 120' in await reader.next_event(30)
        assert len(looks) < 5, (
            "one for the entry, and perhaps one for those who had joined just before"
        )
        for reader in readers:
            reader.gone.set()
        await asyncio.gather(*serving)

    with patch.object(TableStreams, "version_of", staticmethod(counting)):
        asyncio.run(during(readers[0], app, steps()))
    topic = app.topics["tables"]
    assert not topic.readers
    assert not topic.versions, "what nobody follows is forgotten"


def test_the_end_of_a_game_is_told_before_it_counts_and_once_it_is_counted(
    table: Table, scorer: Scorer, quick_looks: None
) -> None:
    reader, page = Listener(stream_of(table_page(table))), table_page(table)

    async def steps() -> None:
        await opened(reader)
        for step, words in (
            (scorer.finish, "It counts once it’s confirmed"),
            (scorer.seal, "will update in a moment"),
            (
                lambda: ranking_count(ranking_id=table.stage_round.stage.event.season.ranking_id),
                "27.",
            ),
        ):
            await in_thread(step)
            while words not in await in_thread(part_of, page):
                await reader.next_event()

    run(reader, steps)


def test_a_round_that_is_drawn_is_told(table: Table, scorer: Scorer, quick_looks: None) -> None:
    reader = Listener(stream_of(event_page(table)))

    def next_round() -> None:
        for row in table.stage_round.tables.all():
            events.finish(row.public_id, list(row.seats.values_list("entry__public_id", flat=True)))
        events.drawn(table.stage_round.stage)

    async def steps() -> None:
        await opened(reader)
        await in_thread(next_round)
        await reader.next_event()
        part = await in_thread(part_of, event_page(table))
        assert part.count("table-tile") == 2
        assert table.public_id not in part

    run(reader, steps)


@pytest.mark.parametrize("error", [OperationalError(), OSError()])
def test_a_database_that_is_away_for_a_moment_is_asked_again(
    table: Table, scorer: Scorer, quick_looks: None, error: Exception
) -> None:
    reader, version_of, away = (
        Listener(stream_of(table_page(table))),
        TableStreams.version_of,
        [error],
    )

    def sometimes(key: str) -> str:
        if away:
            raise away.pop()
        return version_of(key)

    async def steps() -> None:
        await opened(reader)
        await in_thread(scorer.bid, "2x4")
        assert "id: 1\n" in await reader.next_event(30)

    with patch.object(TableStreams, "version_of", staticmethod(sometimes)):
        run(reader, steps)
    assert not away


def hide(table: Table, how: str) -> None:
    event = table.stage_round.stage.event
    if how == "draft":
        Event.objects.filter(pk=event.pk).update(status=Event.Status.DRAFT)
    else:
        visibility = Visibility.LINK if how == "link" else Visibility.MEMBERS
        Season.objects.filter(pk=event.season_id).update(visibility=visibility, link_token="x" * 24)


@pytest.mark.parametrize("how", ["draft", "link", "members"])
@pytest.mark.parametrize("page", [table_page, event_page])
def test_the_part_of_a_hidden_event_is_for_members_alone(
    table: Table, scorer: Scorer, page: Any, how: str, desk: Client
) -> None:
    scorer.bid("2x4")
    assert "Round 1" in part_of(page(table))
    hide(table, how)
    assert Client().get(page(table), headers=PART).status_code == 404
    assert "Round 1" in part_of(page(table), desk)


def test_who_followed_a_link_has_the_part_until_there_is_another_one(
    table: Table, scorer: Scorer
) -> None:
    hide(table, "link")
    client = Client()
    client.get(f"{table_page(table)}?key={'x' * 24}")
    part_of(table_page(table), client)
    Season.objects.update(link_token="y" * 24)
    assert client.get(table_page(table), headers=PART).status_code == 404


@pytest.mark.parametrize("path", ["tables", "events"])
def test_a_forged_address_gets_no_stream(table: Table, path: str) -> None:
    for url in (
        f"/live/{path}/{table.public_id}",
        Rankings.url(table.public_id, "").replace("rankings", path),
    ):
        reader = Listener(url)
        asyncio.run(streams()(reader.scope, reader.receive, reader.send))
        assert reader.sent.get_nowait()["status"] == 204


def test_a_stream_of_what_is_not_there_tells_nothing() -> None:
    reader = Listener(TableStreams.url("nothing", "0"))

    async def steps() -> None:
        await opened(reader)
        await silent(reader)

    run(reader, steps)
