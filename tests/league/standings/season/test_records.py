"""The export of a ranking's games: made once, and again as soon as anything in it changes."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import psycopg
import pytest
from django.test import Client
from django.urls import reverse
from psycopg.rows import TupleRow

from engine.record.export import export
from engine.record.verify import verify_line
from games.models import Game
from games.models.game import Kind
from games.queries.game import exports, game_record
from league.core.log.services import Actor
from league.core.player.services.player import player_rename
from league.disputes.correction.services import game_correct
from league.models import Player, Season
from league.site.erasure.services.erasure import player_erase
from league.stages.result.services.void import game_restore, game_void_add
from league.standings.season.queries import listing
from league.standings.season.services.season import all_time_create
from tests.factories.counted import counted_season, season_of_games
from tests.factories.records import bluff_record, kniffel_record, line, outcome_of
from tests.league.core.frame.api.programs import play

pytestmark = pytest.mark.django_db


def records(season: Season) -> bytes:
    return b"".join(Client().get(records_path(season)))


def records_path(season: Season) -> str:
    return f"/api/v1/clubs/{season.club.slug}/seasons/{season.slug}/games.ndjson"


@pytest.fixture
def season() -> Season:
    return counted_season([bluff_record(1), bluff_record(2), bluff_record(3, rounds=1)])


@pytest.fixture
def exported(monkeypatch: pytest.MonkeyPatch) -> list[list[int]]:
    """The portions of games, by row id, whose lines were made and not only kept."""
    portions: list[list[int]] = []

    def noted_exports(game_ids: list[int]) -> Iterator[bytes]:
        portions.append(game_ids)
        return exports(game_ids)

    monkeypatch.setattr("league.standings.season.queries.listing.exports", noted_exports)
    return portions


@pytest.mark.parametrize(
    ("kind", "record"),
    [
        (Kind.BLUFF, bluff_record(1)),
        (Kind.BLUFF, bluff_record(1, rounds=1)),
        (Kind.BLUFF, bluff_record(1, level="result")),
        (Kind.BLUFF, outcome_of(bluff_record(1))),
        (Kind.LUEGEN_KNIFFEL, kniffel_record(1)),
    ],
)
def test_a_line_is_what_the_engine_exports(kind: Kind, record: dict[str, Any]) -> None:
    season = counted_season([record], kind=kind)
    assert records(season) == export(game_record(Game.objects.get())) + b"\n"


def test_the_same_games_are_made_into_lines_once(season: Season, exported: list[list[int]]) -> None:
    first = records(season)
    assert records(season) == first
    assert len(exported) == 1


@pytest.mark.parametrize("size", [1, 3, 4, 8])
def test_portions_join_to_the_same_lines(monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    season = counted_season(season_of_games(8))
    whole = records(season)
    assert whole.count(b"\n") == 8
    monkeypatch.setattr(listing, "EXPORTED_TOGETHER", size)
    assert records(season) == whole


def test_another_game_makes_no_portion_before_it_anew(
    monkeypatch: pytest.MonkeyPatch, exported: list[list[int]]
) -> None:
    monkeypatch.setattr(listing, "EXPORTED_TOGETHER", 2)
    season = counted_season([bluff_record(seed) for seed in range(5)])
    first = records(season)
    exported.clear()
    play(season, 90)
    assert records(season).startswith(first)
    assert [len(portion) for portion in exported] == [2]


def test_seasons_share_the_lines_with_the_ranking_of_all_time(
    season: Season, exported: list[list[int]]
) -> None:
    all_time_create(club=season.club, actor=Actor())
    of_season = records(season)
    path = f"/api/v1/clubs/{season.club.slug}/all-time/games.ndjson"
    assert b"".join(Client().get(path)) == of_season
    assert len(exported) == 1


def erase(season: Season) -> None:
    player_erase(player=Player.objects.get(handle="anna"), actor=Actor())


def rename(season: Season) -> None:
    player_rename(player=Player.objects.get(handle="anna"), name="Anna B.", actor=Actor())


def void(season: Season) -> None:
    game_void_add(game=first_game(), actor=Actor(reason="It was practice."))


def correct(season: Season) -> None:
    correction = line(bluff_record(9, id="game-1"))
    game_correct(game=first_game(), line=correction, reason="Two hands were swapped.")


def first_game() -> Game:
    return Game.objects.get(external_id="game-1")


FILES = ("season-handles", "season-seats", "season-heads")
"""The addresses of the other files about all games of a season."""


@pytest.mark.parametrize("change", [erase, rename, void, correct])
def test_after_a_change_nobody_is_told_that_nothing_changed(
    season: Season, change: Callable[[Season], None]
) -> None:
    client = Client()
    paths = [
        records_path(season),
        *[reverse(name, args=[season.club.slug, season.slug]) for name in FILES],
    ]
    etags = {path: client.get(path)["ETag"] for path in paths}
    for path, etag in etags.items():
        assert client.get(path, headers={"If-None-Match": etag}).status_code == 304, path
    change(season)
    for path, etag in etags.items():
        assert client.get(path, headers={"If-None-Match": etag}).status_code == 200, path


def test_an_erased_name_is_gone_at_once(season: Season) -> None:
    assert b'"anna"' in records(season)
    erase(season)
    lines = records(season).splitlines()
    assert b"anna" not in b"".join(lines)
    assert all(verify_line(exported_line).ok for exported_line in lines)


def test_a_void_shows_at_once_and_so_does_its_end(season: Season) -> None:
    before = records(season)
    void(season)
    assert b'"voided":{' in records(season)
    game_restore(game=first_game(), actor=Actor(reason="It was none."))
    assert records(season) == before


def test_a_correction_shows_at_once_in_place_of_the_game(season: Season) -> None:
    records(season)
    correct(season)
    newest = Game.objects.get(external_id="game-1", revision=2)
    shown = [json.loads(exported_line) for exported_line in records(season).splitlines()]
    assert [record["id"] for record in shown].count("game-1") == 1
    (corrected,) = [record for record in shown if record["id"] == "game-1"]
    assert corrected["digests"][0] == bytes(newest.digest).hex()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    "forgery",
    [
        "UPDATE games_round SET body = body || '\\x00' WHERE game_id = %s AND number = 0",
        "UPDATE games_round SET digest = sha256('') WHERE game_id = %s AND number = 1",
        "UPDATE games_seat SET handle = 'zoe' WHERE game_id = %s AND number = 0",
        "UPDATE games_game SET header = replace(header, 'exact', 'exakt') WHERE id = %s",
        "DELETE FROM games_round WHERE game_id = %s AND number = 0",
    ],
)
def test_a_game_that_is_changed_behind_the_seal_is_no_longer_given_out(
    season: Season, forger: psycopg.Connection[TupleRow], forgery: str
) -> None:
    assert b"not_as_sealed" not in records(season)
    forger.execute(forgery, [first_game().pk])
    (refused,) = [
        exported_line
        for exported_line in records(season).splitlines()
        if b"not_as_sealed" in exported_line
    ]
    assert json.loads(refused)["id"] == "game-1"
