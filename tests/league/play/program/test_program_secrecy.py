"""Before the cups go up, what the API and its streams tell others doesn't depend on the dice under
a cup."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from django.test import Client

from engine.bluff.hand import sort_hand
from league.models import Club, OnlineTable
from league.play.program.live import TableNews, news_of
from tests.league.core.frame.api.programs import bearer
from tests.league.play.online_table.test_game import game_of
from tests.league.play.online_table.test_secrecy import cheat
from tests.league.play.program.programs import Program
from tests.league.play.secrecy import GAMES

pytestmark = pytest.mark.django_db


def answers(program: Program | None, table: str) -> list[bytes]:
    """All that a viewer is sent of a table by addresses: bodies, and the headers that a cup could
    change."""
    headers = bearer(program.secret) if program else {}
    found = []
    for path in (table, f"{table}entries/"):
        answer = Client().get(f"/api/v1{path}", headers=headers)
        assert answer.status_code == 200
        found += [answer.content, answer.headers.get("ETag", "").encode()]
    return found


def refusals(program: Program, table: str, length: int) -> list[bytes]:
    """What a seat whose turn it isn't is answered to acts: too late, out of turn, and with dice it
    doesn't own."""
    bodies = (
        {"act": "challenge", "length": length + 1},
        {"act": "challenge", "length": length},
        {"act": "bid", "bid": "9x9/1", "length": length},
        {"act": "bid", "bid": "5x5/5", "length": length},
    )
    return [program.post(f"{table}acts/", body).content for body in bodies]


def streamed(table: OnlineTable, accounts: list[int | None]) -> list[bytes]:
    """What a stream tells these accounts."""
    news: TableNews = news_of(table.public_id, set(accounts), 0)
    own = [part for account in accounts for part in (news.tables[account], news.games[account])]
    return [news.version.encode(), *own, *news.entries]


@pytest.mark.parametrize("seed", GAMES)
def test_what_others_are_told_is_the_same_whatever_lies_under_a_cup(club: Club, seed: int) -> None:
    chance = Random(seed)
    programs = [Program(club) for _ in range(3)]
    path = programs[0].opened(reroll=True)
    for program in programs[1:]:
        program.post(f"{path}sit/", {"seed": str(seed)})
    programs[0].post(f"{path}begin/")
    row = OnlineTable.objects.get()
    for _ in range(14):
        sheet = game_of(row).sheet
        if sheet.over:
            break
        closed = [
            number
            for number, dice in enumerate(sheet.game.owned)
            if dice and not sheet.round.shown[number]
        ]
        if closed:
            _compare(row, path, programs, chance.choice(closed))
        _act(programs[sheet.round.turn], path, chance)
    assert game_of(row).row.length > 5


def _compare(row: OnlineTable, path: str, programs: list[Program], seat: int) -> None:
    game = game_of(row)
    others = [program for number, program in enumerate(programs) if number != seat]
    waiting = [program for program in others if program is not programs[game.sheet.round.turn]]
    accounts: list[int | None] = [None, *[program.user.pk for program in others]]

    def all_sent() -> list[Any]:
        return [
            *[answers(viewer, path) for viewer in (None, *others)],
            *[refusals(program, path, game.row.length) for program in waiting],
            streamed(row, accounts),
        ]

    honest, own = all_sent(), answers(programs[seat], path)
    with cheat(seat):
        assert all_sent() == honest
        assert answers(programs[seat], path) != own, "the own cup has other dice"


def _act(program: Program, path: str, chance: Random) -> None:
    game = program.look(path)["game"]
    if game["may_challenge"] and (chance.random() < 0.3 or not game["legal"]):
        answer = program.act(path, "challenge")
    else:
        bid = game["legal"][min(chance.randrange(6), len(game["legal"]) - 1)]
        if game["may_lay_out"] and chance.random() < 0.4:
            bid += "/" + sort_hand(chance.choice(game["cup"]))
        answer = program.act(path, "bid", bid)
    assert answer.status_code == 200, answer.content
