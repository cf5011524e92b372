"""The streams of programs: what happens at a table as its viewer may see it, and at all tables of
an account."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from django.db import connection
from django.test import Client

from games.models import DealerSecret, Kind
from league.core.frame import live
from league.core.frame.live import LiveStreams, end
from league.core.frame.stream_gate import INNER
from league.core.key.services.key import key_revoke
from league.core.log.services import Actor
from league.models import Club, OnlineTable
from league.play.program.live import AccountStreams, GameStreams
from tests.league.core.frame.api.programs import code_of, get
from tests.league.play.program.programs import Program, two_at_a_table
from tests.league.streams import Listener

pytestmark = pytest.mark.django_db(transaction=True)


class LineListener(Listener):
    """A program that reads a stream line by line."""

    def __init__(self, answer: Any) -> None:
        assert answer.status_code == 200, answer.content
        super().__init__(answer[INNER])
        self.lines: list[Any] = []
        self.ended = False

    async def next_line(self, seconds: float = 10) -> Any:
        """The next line that says something."""
        while not self.lines:
            message = await asyncio.wait_for(self.sent.get(), seconds)
            body = message.get("body", b"").decode()
            assert body.endswith("\n") or not body, "lines come whole"
            self.lines = [json.loads(line) for line in body.splitlines() if line]
            if message["type"].endswith("body") and not message["more_body"]:
                self.ended = True
                return None
        return self.lines.pop(0)


async def in_thread(work: Callable[..., Any], *arguments: Any, **named: Any) -> Any:
    """Do something, as another process would, with a connection of its own."""

    def closing() -> Any:
        try:
            return work(*arguments, **named)
        finally:
            connection.close()

    return await asyncio.to_thread(closing)


def run(steps: Callable[[Callable[[Any], Awaitable[LineListener]]], Awaitable[None]]) -> None:
    """Run `steps`, which open streams, while the process listens."""
    app = LiveStreams([GameStreams(), AccountStreams()])

    async def all_of_it() -> None:
        serving: list[tuple[LineListener, asyncio.Task[None]]] = []

        async def follow(answer: Any) -> LineListener:
            reader = LineListener(answer)
            serving.append(
                (reader, asyncio.create_task(app(reader.scope, reader.receive, reader.send)))
            )
            return reader

        listening = asyncio.create_task(app.listen())
        try:
            await steps(follow)
        finally:
            for reader, task in serving:
                reader.gone.set()
                await task
            await end(listening)
        for topic in app.topics.values():
            assert not topic.readers

    asyncio.run(all_of_it())


@pytest.fixture(autouse=True)
def _quick_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Look every moment for what nobody tells, and not every few seconds."""
    monkeypatch.setattr(live, "LOOK_SECONDS", 0.1)


def test_a_stream_of_a_table_begins_with_the_whole_state_and_goes_on_with_entries(
    club: Club,
) -> None:
    programs, table = two_at_a_table(club)
    turn = programs[0].look(table)["game"]["turn"]

    async def steps(follow: Any) -> None:
        own = await follow(await in_thread(programs[turn].get, f"{table}stream/"))
        other = await follow(await in_thread(programs[1 - turn].get, f"{table}stream/"))
        spectator = await follow(await in_thread(get, f"{table}stream/"))
        first = [await reader.next_line() for reader in (own, other, spectator)]
        assert [line["type"] for line in first] == ["state"] * 3
        assert [line["table"]["seat"] for line in first] == [turn, 1 - turn, None]
        assert [line["game"]["cup"] is None for line in first] == [False, False, True]
        assert first[0]["game"]["legal"]
        assert not first[1]["game"]["legal"]
        await in_thread(programs[turn].act, table, "bid", "2x3")
        for reader in (own, other, spectator):
            entry, now = await reader.next_line(), await reader.next_line()
            assert (entry["type"], entry["entry"]["act"], entry["entry"]["number"]) == (
                "entry",
                "bid",
                0,
            )
            assert (now["type"], now["game"]["turn"], now["game"]["length"]) == ("now", 1 - turn, 1)
        await in_thread(programs[1 - turn].act, table, "challenge")
        acts = [(await other.next_line())["entry"]["act"] for _ in range(2)]
        assert acts == ["challenge", "reveal"]

    run(steps)


def test_a_stream_ends_with_its_game(club: Club) -> None:
    programs, table = two_at_a_table(club)

    async def steps(follow: Any) -> None:
        reader = await follow(await in_thread(programs[0].get, f"{table}stream/"))
        await reader.next_line()
        await in_thread(programs[1].act, table, "leave")
        assert [(await reader.next_line())["entry"]["act"] for _ in range(2)] == ["leave", "reveal"]
        last = await reader.next_line()
        assert (last["type"], last["table"]["status"], last["game"]["over"]) == (
            "state",
            "over",
            True,
        )
        while not reader.ended:
            await reader.next_line()

    run(steps)


def test_a_stream_tells_of_the_lobby_and_of_the_beginning(club: Club) -> None:
    host, guest = Program(club), Program(club)
    table = host.opened()

    async def steps(follow: Any) -> None:
        reader = await follow(await in_thread(get, f"{table}stream/"))
        assert (await reader.next_line())["game"] is None
        await in_thread(guest.post, f"{table}sit/")
        assert len((await reader.next_line())["table"]["seats"]) == 2
        await in_thread(host.post, f"{table}begin/")
        assert (await reader.next_line())["table"]["status"] == "playing"

    run(steps)


def test_a_stream_of_an_account_tells_of_all_its_tables(club: Club) -> None:
    programs, table = two_at_a_table(club)
    turn = programs[0].look(table)["game"]["turn"]
    table_id = table.split("/")[-2]

    async def steps(follow: Any) -> None:
        own = await follow(await in_thread(programs[turn].get, "/play/stream/"))
        other = await follow(await in_thread(programs[1 - turn].get, "/play/stream/"))
        assert await own.next_line() == {"type": "game_begun", "table": table_id, "length": 0}
        assert await own.next_line() == {"type": "your_turn", "table": table_id, "length": 0}
        assert (await other.next_line())["type"] == "game_begun"
        await in_thread(programs[turn].act, table, "bid", "2x3")
        assert await other.next_line() == {"type": "your_turn", "table": table_id, "length": 1}
        await in_thread(programs[turn].act, table, "leave")
        assert (await own.next_line())["type"] == "game_over"
        assert (await other.next_line())["type"] == "game_over"
        again = await in_thread(programs[0].post, f"{table}rematch/")
        assert (await own.next_line()) == {
            "type": "seated",
            "table": again.json()["id"],
            "length": 0,
        }

    run(steps)


def test_k16_all_who_are_asked_are_told_so_once_and_nobody_what_was_answered(club: Club) -> None:
    programs = [Program(club) for _ in range(3)]
    table = programs[0].opened(game=Kind.LUEGEN_KNIFFEL)
    for guest in programs[1:]:
        guest.post(f"{table}sit/")
    programs[0].post(f"{table}begin/")
    roller = programs[0].look(table)["game"]["roller"]
    first, second = [program for number, program in enumerate(programs) if number != roller]

    async def steps(follow: Any) -> None:
        asked = await follow(await in_thread(second.get, "/play/stream/"))
        game = await follow(await in_thread(second.get, f"{table}stream/"))
        assert (await asked.next_line())["type"] == "game_begun"
        assert (await game.next_line())["game"]["roller"] == roller

        async def acted(program: Program, **body: Any) -> tuple[Any, Any]:
            answer = await in_thread(program.post, f"{table}acts/", body)
            assert answer.status_code == 200, answer.content
            return await game.next_line(), await game.next_line()

        entry, now = await acted(programs[roller], act="roll", length=0)
        assert (entry["entry"]["value"], now["game"]["dice"]) == ({"seat": roller}, None)
        await acted(programs[roller], act="announce", say="chance=20", length=1)
        line = await asked.next_line()
        assert (line["type"], line["length"]) == ("your_turn", 2)
        entry, now = await acted(first, act="doubt", turn=0)
        assert entry["entry"]["value"] == {"seat": programs.index(first), "turn": 0}
        assert now["game"]["to_act"] == [programs.index(second)]
        await in_thread(second.post, f"{table}acts/", {"act": "leave"})
        acts = [(await game.next_line())["entry"]["act"] for _ in range(2)]
        assert acts == ["leave", "reveal"]
        await in_thread(programs[roller].post, f"{table}acts/", {"act": "leave"})
        assert (await asked.next_line())["type"] == "game_over", "nobody was asked a second time"

    run(steps)


def test_a_key_that_is_revoked_ends_its_streams_and_no_others(club: Club) -> None:
    programs, table = two_at_a_table(club)

    async def steps(follow: Any) -> None:
        ended = [
            await follow(await in_thread(programs[0].get, f"{table}stream/")),
            await follow(await in_thread(programs[0].get, "/play/stream/")),
        ]
        other = await follow(await in_thread(programs[1].get, f"{table}stream/"))
        for reader in (*ended, other):
            await reader.next_line()
        await in_thread(key_revoke, key=programs[0].key, actor=Actor())
        for reader in ended:
            while not reader.ended:
                await reader.next_line()
        assert not other.ended

    run(steps)


def test_an_account_that_stands_up_is_told_no_cup(club: Club) -> None:
    """The seat is looked up with each line, so nobody keeps the sight of a seat that they gave
    up."""
    host, guest = Program(club), Program(club)
    table = host.opened()
    guest.post(f"{table}sit/")

    async def steps(follow: Any) -> None:
        reader = await follow(await in_thread(guest.get, f"{table}stream/"))
        assert (await reader.next_line())["table"]["seat"] == 1
        await in_thread(guest.post, f"{table}stand/")
        assert (await reader.next_line())["table"]["seat"] is None
        await in_thread(host.post, f"{table}automatic/", {"strength": "easy"})
        await in_thread(host.post, f"{table}begin/")
        while (game := (await reader.next_line()).get("game")) is None:
            pass
        assert game["cup"] is None

    run(steps)


def test_streams_tell_nobody_the_secret_nor_another_s_cup(club: Club) -> None:
    programs, table = two_at_a_table(club)
    secret = bytes(
        DealerSecret.objects.get(commitment=OnlineTable.objects.get().commitment).secret
    ).hex()
    cups = [program.look(table)["game"]["cup"] for program in programs]

    async def steps(follow: Any) -> None:
        readers = [
            await follow(await in_thread(programs[0].get, f"{table}stream/")),
            await follow(await in_thread(get, f"{table}stream/")),
        ]
        turn = (await in_thread(programs[0].look, table))["game"]["turn"]
        lines = [await reader.next_line() for reader in readers]
        await in_thread(programs[turn].act, table, "bid", "2x3")
        for reader in readers:
            lines += [await reader.next_line(), await reader.next_line()]
        text = json.dumps(lines)
        assert secret not in text
        assert cups[1] not in text or cups[0] == cups[1]

    run(steps)


def test_nobody_opens_a_stream_by_a_forged_inner_address_or_without_a_key(club: Club) -> None:
    _, table = two_at_a_table(club)
    for path in (
        "/live/program-games/x",
        "/live/program-accounts/x",
        f"/live/program-games/{table.split('/')[-2]}",
    ):
        reader = Listener(path)
        asyncio.run(
            LiveStreams([GameStreams(), AccountStreams()])(
                reader.scope, reader.receive, reader.send
            )
        )
        assert reader.sent.get_nowait()["status"] == 204
    assert code_of(Client().get("/api/v1/play/stream/")) == (401, "not_authenticated")
    assert code_of(get("/online-tables/zzzzzzzzzz/stream/"))[0] == 404
