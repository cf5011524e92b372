"""The live stream: versions, nothing else; what a reader missed comes from the database."""

from __future__ import annotations

import asyncio
from typing import Any
from unittest.mock import patch

import psycopg
import pytest
from django.db import connection

from league.core.frame import live
from league.core.frame.live import LiveStreams, StreamReader, end
from league.models import Ranking, Season
from league.records.file.services import record_import
from league.standings.ranking.live import Rankings, live_url
from league.standings.ranking.services.counting import ranking_count
from tests.factories.league import SeasonFactory
from tests.factories.records import bluff_record, line
from tests.league.streams import Listener, during

pytestmark = pytest.mark.django_db(transaction=True)


def count_one_more(season: Season, seed: int) -> int:
    """A game comes in and is counted; the ranking's version after it."""
    record_import(season=season, line=line(bluff_record(seed)))
    ranking_count(ranking_id=season.ranking_id)
    version: int = Ranking.objects.get(pk=season.ranking_id).version
    connection.close()
    return version


def test_a_counted_game_reaches_the_open_page() -> None:
    season = SeasonFactory.create()
    rankings, reader = Rankings(), Listener(live_url(season.ranking_id, 0))

    async def steps() -> None:
        assert (await reader.sent.get())["status"] == 200
        await reader.sent.get()
        version = await asyncio.to_thread(count_one_more, season, 1)
        event = await reader.next_event()
        assert event.endswith(f'id: {version}\ndata: {{"spread": 3}}\n\n')

    asyncio.run(during(reader, LiveStreams([rankings]), steps()))
    assert not rankings.readers, "who has left is forgotten"


def test_a_line_that_is_silent_is_kept_awake(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "AWAKE_SECONDS", 0.1)
    streams = LiveStreams([Rankings()])
    reader = Listener(live_url(SeasonFactory.create().ranking_id, 0))

    async def steps() -> None:
        keeping = asyncio.create_task(streams.keep_awake())
        received = [await asyncio.wait_for(reader.sent.get(), 10) for _ in range(4)]
        assert [message.get("body") for message in received] == [
            None,
            b": open\n\n",
            *[b": still here\n\n"] * 2,
        ]
        await end(keeping)

    asyncio.run(during(reader, streams, steps()))


def test_a_line_with_news_needs_nothing_to_keep_it_awake() -> None:
    rankings = Rankings()
    silent, busy = StreamReader(1, ""), StreamReader(1, "")
    rankings.readers[1] = {silent, busy}
    silent.silent = True

    async def once(seconds: float) -> None:
        if silent.awake.is_set():
            raise asyncio.CancelledError

    with patch("league.core.frame.live.asyncio.sleep", once), pytest.raises(asyncio.CancelledError):
        asyncio.run(LiveStreams([rankings]).keep_awake())
    assert not busy.awake.is_set()
    assert busy.silent


def test_whatever_is_sent_ends_the_silence() -> None:
    reader, heard = StreamReader(1, "", silent=True), list[tuple[bytes, bool]]()

    async def send(message: Any) -> None:
        if "body" in message:
            heard.append((message["body"], reader.silent))
            raise asyncio.CancelledError

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(live.stream(Rankings(), reader, send))
    assert heard == [(b": open\n\n", False)]


def test_news_wake_those_alone_who_follow_what_has_changed() -> None:
    rankings = Rankings()
    reader, other = StreamReader(1, "4"), StreamReader(2, "4")
    rankings.join(reader)
    rankings.join(other)
    rankings.publish(1, "5")
    assert [reader.awake.is_set(), other.awake.is_set()] == [True, False]
    assert rankings.news(reader).startswith(b"id: 5\n")
    assert rankings.news(reader) == b"", "it was told"
    reader.awake.clear()
    rankings.publish(1, "5")
    assert not reader.awake.is_set(), "nothing has changed"


def test_who_comes_back_hears_at_once_what_was_missed() -> None:
    season = SeasonFactory.create()
    version = count_one_more(season, 1)
    reader = Listener(live_url(season.ranking_id, 0), last_event_id="0")

    async def steps() -> None:
        assert f"id: {version}" in await reader.next_event()

    asyncio.run(during(reader, LiveStreams([Rankings()]), steps()))


def test_who_has_the_newest_version_hears_nothing() -> None:
    season = SeasonFactory.create()
    version = count_one_more(season, 1)
    reader = Listener(live_url(season.ranking_id, version))

    async def steps() -> None:
        with pytest.raises(TimeoutError):
            await reader.next_event(seconds=0.5)

    asyncio.run(during(reader, LiveStreams([Rankings()]), steps()))


def test_a_lost_listener_comes_back_and_tells_what_it_missed() -> None:
    season = SeasonFactory.create()
    reader = Listener(live_url(season.ranking_id, 0))

    async def steps() -> None:
        await reader.sent.get()
        await reader.sent.get()
        await asyncio.to_thread(lose_listeners)
        version = await asyncio.to_thread(count_one_more, season, 1)
        assert f"id: {version}" in await reader.next_event()

    asyncio.run(during(reader, LiveStreams([Rankings()]), steps()))


def lose_listeners() -> None:
    """End the connection that listens."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND query LIKE 'LISTEN %'"
        )
    connection.close()


@pytest.mark.parametrize(
    "path", ["/live/rankings/1", "/live/rankings/", "/live/other", "/live/rankings/MQ:1wZ:forged"]
)
def test_a_forged_address_gets_no_stream(path: str) -> None:
    reader = Listener(path)
    asyncio.run(LiveStreams([Rankings()])(reader.scope, reader.receive, reader.send))
    assert reader.sent.get_nowait()["status"] == 204


@pytest.mark.parametrize("since", ["", "x", "-1", "9" * 30])
def test_a_strange_version_is_taken_for_none(since: str) -> None:
    season = SeasonFactory.create()
    version = count_one_more(season, 1)
    reader = Listener(
        live_url(season.ranking_id, 0).replace("since=0", f"since={since}"),
        last_event_id=since or None,
    )

    async def steps() -> None:
        assert f"id: {version}" in await reader.next_event()

    asyncio.run(during(reader, LiveStreams([Rankings()]), steps()))


def test_a_task_that_lost_its_cancellation_is_ended_all_the_same() -> None:
    async def deaf_once() -> None:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            await asyncio.sleep(60)

    async def steps() -> None:
        task = asyncio.create_task(deaf_once())
        await asyncio.sleep(0)
        await asyncio.wait_for(end(task), timeout=10)
        assert task.cancelled()

    asyncio.run(steps())


def test_without_a_database_the_stream_waits_and_hears_what_it_missed() -> None:
    season = SeasonFactory.create()
    version = count_one_more(season, 1)
    reader, away = Listener(live_url(season.ranking_id, 0)), [OSError(), psycopg.OperationalError()]
    connect = live.connect

    async def sometimes() -> Any:
        if away:
            raise away.pop()
        return await connect()

    async def steps() -> None:
        assert f"id: {version}" in await reader.next_event()

    with patch("league.core.frame.live.connect", sometimes):
        asyncio.run(during(reader, LiveStreams([Rankings()]), steps()))
    assert not away


def test_hundreds_of_streams_take_one_connection_to_the_database() -> None:
    season = SeasonFactory.create()
    rankings, readers = Rankings(), [Listener(live_url(season.ranking_id, 0)) for _ in range(400)]

    streams = LiveStreams([rankings])

    async def steps() -> None:
        serving = [
            asyncio.create_task(streams(reader.scope, reader.receive, reader.send))
            for reader in readers[1:]
        ]
        for reader in readers:
            assert (await reader.sent.get())["status"] == 200
        while not rankings.versions:
            await asyncio.sleep(0.05)
        assert await asyncio.to_thread(others_connected) == before + 1
        version = await asyncio.to_thread(count_one_more, season, 1)
        for reader in readers:
            assert f"id: {version}" in await reader.next_event(60)
            reader.gone.set()
        await asyncio.gather(*serving)

    before = others_connected()
    asyncio.run(during(readers[0], streams, steps()))
    assert not rankings.readers


def others_connected() -> int:
    """How many connections to our database there are beside that of the caller's."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid "
            "<> pg_backend_pid()"
        )
        number: int = cursor.fetchone()[0]
    connection.close()
    return number
