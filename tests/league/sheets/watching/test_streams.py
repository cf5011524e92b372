"""The streams of tables and events: what has changed comes with the event itself, to who may see it and nobody else."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Awaitable, Callable, Collection
from threading import Thread
from typing import Any
from unittest.mock import patch

import pytest
from django.db import OperationalError, connection
from django.test import Client
from django.urls import reverse

from league.core.frame.live import LiveStreams
from league.core.frame.live_part import render
from league.models import Event, Season, Table
from league.sheets.watching.live import AFTER, PIECES, EventStreams, TableStreams
from league.standings.ranking.live import Rankings
from league.standings.ranking.services.counting import ranking_count
from league.standings.season.models import Visibility
from tests.factories import events
from tests.factories.sheets import Scorer
from tests.league.streams import Listener, during

pytestmark = pytest.mark.django_db(transaction=True)


def stream_of(page: str, client: Client | None = None, **headers: str) -> str:
    """The address of the stream that a page follows."""
    answer = (client or Client()).get(page, headers=headers)
    assert answer.status_code == 200
    found = re.search('data-live-url="([^"]*)"', answer.content.decode())
    assert found
    return found[1]


def table_page(table: Table) -> str:
    return reverse("table-live", args=[table.public_id])


def event_page(table: Table) -> str:
    event = table.stage_round.stage.event
    return reverse("event-live", args=[event.club.slug, event.slug])


def streams() -> LiveStreams:
    return LiveStreams([Rankings(), TableStreams(), EventStreams()])


def run(reader: Listener, steps: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(during(reader, streams(), steps()))


async def in_thread(work: Callable[..., Any], *arguments: Any) -> None:
    """Do something, as another process would, with a connection of its own."""

    def closing() -> None:
        try:
            work(*arguments)
        finally:
            connection.close()

    await asyncio.to_thread(closing)


async def opened(reader: Listener) -> None:
    """Wait until the stream has begun."""
    assert (await asyncio.wait_for(reader.sent.get(), 20))["status"] == 200
    assert (await asyncio.wait_for(reader.sent.get(), 20))["body"] == b": open\n\n"


def parts_of(event: str) -> tuple[str, dict[str, str]]:
    """The id of an event, and the elements that it brings."""
    number, name, data = event.strip().split("\n")[-3:]
    assert name == "event: part"
    return number.removeprefix("id: "), json.loads(data.removeprefix("data: "))


def test_an_entry_comes_with_the_event_itself(table: Table, scorer: Scorer) -> None:
    reader = Listener(stream_of(table_page(table)))

    async def steps() -> None:
        await opened(reader)
        await in_thread(scorer.bid, "2x4")
        version, parts = parts_of(await reader.next_event())
        assert version == "1"
        assert "p1: 2 fours" in parts["live-now"]
        await in_thread(scorer.bid, "3x4")
        version, parts = parts_of(await reader.next_event())
        assert (version, list(parts)) == ("2", ["live-now"]), "the rounds are as they were"

    run(reader, steps)


def test_an_event_is_told_of_the_table_alone_that_has_changed(table: Table, scorer: Scorer) -> None:
    reader = Listener(stream_of(event_page(table)))

    async def steps() -> None:
        await opened(reader)
        await in_thread(scorer.bid, "2x4")
        _, parts = parts_of(await reader.next_event())
        assert list(parts) == [f"live-{table.public_id}"]

    run(reader, steps)


def test_who_comes_back_is_told_the_newest_and_who_has_it_nothing(table: Table, scorer: Scorer) -> None:
    url = stream_of(table_page(table))
    for bid in ("2x4", "3x4", "4x4"):
        scorer.bid(bid)
    late, current = Listener(url, last_event_id="1"), Listener(url, last_event_id="3")

    async def steps() -> None:
        version, parts = parts_of(await late.next_event())
        assert version == "3"
        assert "p2: 4 fours" in parts["live"]

    run(late, steps)

    async def silence() -> None:
        await opened(current)
        with pytest.raises(TimeoutError):
            await current.next_event(seconds=0.5)

    run(current, silence)


def test_it_is_rendered_once_for_all_of_a_language(table: Table, scorer: Scorer) -> None:
    page = table_page(table)
    english, german = stream_of(page), stream_of(page, None, **{"accept-language": "de"})
    readers = [Listener(english if number % 2 else german) for number in range(40)]
    app, rendered = streams(), list[str]()

    def counting(*arguments: Any) -> Any:
        rendered.extend(arguments[1])
        return render(*arguments)

    async def steps() -> None:
        serving = [asyncio.create_task(app(reader.scope, reader.receive, reader.send)) for reader in readers[1:]]
        for reader in readers:
            await opened(reader)
        rendered.clear()
        await in_thread(scorer.bid, "2x4")
        for number, reader in enumerate(readers):
            _, parts = parts_of(await reader.next_event(30))
            assert ("2 fours" if number % 2 else "2 Vierer") in parts["live-now"]
            reader.gone.set()
        await asyncio.gather(*serving)

    with patch("league.core.frame.live_part.render", counting):
        asyncio.run(during(readers[0], app, steps()))
    assert sorted(rendered) == sorted(2 * [piece for piece in PIECES if piece != AFTER]), "nothing is over yet"
    assert not any(topic.watches for topic in app.topics.values() if isinstance(topic, (TableStreams, EventStreams)))


def test_an_entry_between_the_look_at_an_event_and_its_facts_comes_with_the_next_look(
    table: Table, scorer: Scorer
) -> None:
    reader, facts, asked = Listener(stream_of(event_page(table))), EventStreams.facts, list[str]()

    def write() -> None:
        scorer.add("close", moves=["2x4", "!"], count=1)
        connection.close()

    def late(event: Event, names: Collection[str]) -> Any:
        asked.append(event.public_id)
        if len(asked) == 1:
            writer = Thread(target=write)
            writer.start()
            writer.join()
        return facts(event, names)

    async def steps() -> None:
        _, parts = parts_of(await reader.next_event())
        assert "Round 2" in parts[f"live-{table.public_id}"]

    with patch.object(EventStreams, "facts", side_effect=late):
        run(reader, steps)


def test_the_end_of_a_game_comes_before_it_counts(table: Table, scorer: Scorer) -> None:
    reader = Listener(stream_of(table_page(table)))

    async def steps() -> None:
        await opened(reader)
        await in_thread(scorer.finish)
        while "live-after" not in (parts := parts_of(await reader.next_event())[1]):
            pass
        assert "It counts once it is confirmed" in parts["live-after"]

    run(reader, steps)


def test_what_a_game_changed_comes_once_it_is_counted(table: Table, scorer: Scorer) -> None:
    scorer.finish()
    reader = Listener(stream_of(table_page(table)))

    async def steps() -> None:
        await opened(reader)
        await in_thread(scorer.seal)
        _, parts = parts_of(await reader.next_event())
        assert "follows in a moment" in parts["live-after"]
        await in_thread(lambda: ranking_count(ranking_id=table.stage_round.stage.event.season.ranking_id))
        _, parts = parts_of(await reader.next_event())
        assert list(parts) == ["live-after"]
        assert "27." in parts["live-after"]

    run(reader, steps)


def test_a_round_that_is_drawn_comes_as_a_whole(table: Table, scorer: Scorer) -> None:
    reader = Listener(stream_of(event_page(table)))

    def next_round() -> None:
        for row in table.stage_round.tables.all():
            events.finish(row.public_id, list(row.seats.values_list("entry__public_id", flat=True)))
        events.drawn(table.stage_round.stage)
        ranking_count(ranking_id=table.stage_round.stage.event.season.ranking_id)

    async def steps() -> None:
        await opened(reader)
        await in_thread(next_round)
        while "live" not in (parts := parts_of(await reader.next_event(30))[1]):
            pass
        assert parts["live"].count("table-tile") == 2
        assert table.public_id not in parts["live"]

    run(reader, steps)


def test_a_database_that_is_away_for_a_moment_is_asked_again(table: Table, scorer: Scorer) -> None:
    reader, look, away = Listener(stream_of(table_page(table))), TableStreams.look, [OperationalError(), OSError()]

    def sometimes(key: str) -> Any:
        if away:
            raise away.pop()
        return look(key)

    async def steps() -> None:
        await opened(reader)
        await in_thread(scorer.bid, "2x4")
        assert "p1: 2 fours" in await reader.next_event(30)

    with patch.object(TableStreams, "look", staticmethod(sometimes)):
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
def test_a_hidden_event_has_no_stream(table: Table, scorer: Scorer, page: Any, how: str) -> None:
    reader = Listener(stream_of(page(table)))
    hide(table, how)
    scorer.bid("2x4")
    asyncio.run(during(reader, streams(), refused(reader)))


async def refused(reader: Listener) -> None:
    assert (await asyncio.wait_for(reader.sent.get(), 20))["status"] == 204
    assert not (await asyncio.wait_for(reader.sent.get(), 20))["body"]


@pytest.mark.parametrize("page", [table_page, event_page])
def test_a_stream_ends_when_its_event_is_hidden(table: Table, scorer: Scorer, page: Any) -> None:
    reader = Listener(stream_of(page(table)))

    async def steps() -> None:
        await opened(reader)
        await in_thread(hide, table, "draft")
        await in_thread(scorer.bid, "2x4")
        message = await asyncio.wait_for(reader.sent.get(), 20)
        assert (message["body"], message["more_body"]) == (b"", False)

    run(reader, steps)


@pytest.mark.parametrize("page", [table_page, event_page])
def test_members_have_the_stream_of_a_hidden_event(table: Table, scorer: Scorer, page: Any, desk: Client) -> None:
    hide(table, "draft")
    reader = Listener(stream_of(page(table), desk))

    async def steps() -> None:
        await opened(reader)
        await in_thread(scorer.bid, "2x4")
        assert "2 fours" in await reader.next_event() or page is event_page

    run(reader, steps)


def test_who_followed_a_link_has_the_stream_until_there_is_another_one(table: Table, scorer: Scorer) -> None:
    hide(table, "link")
    client = Client()
    url = stream_of(f"{table_page(table)}?key={'x' * 24}", client)
    reader = Listener(url)
    run(reader, lambda: opened(reader))
    Season.objects.update(link_token="y" * 24)
    again = Listener(url)
    run(again, lambda: refused(again))


@pytest.mark.parametrize("path", ["tables", "events"])
def test_a_forged_address_gets_no_stream(table: Table, path: str) -> None:
    signed = [table.public_id, "en", ""]
    for url in (f"/live/{path}/{table.public_id}", Rankings.url(signed, "").replace("rankings", path)):
        reader = Listener(url)
        asyncio.run(streams()(reader.scope, reader.receive, reader.send))
        assert reader.sent.get_nowait()["status"] == 204


def test_a_stream_of_what_is_not_there_is_refused() -> None:
    reader = Listener(TableStreams.url(["nothing", "en", ""], "0"))
    run(reader, lambda: refused(reader))
