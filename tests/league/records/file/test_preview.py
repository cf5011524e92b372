"""A preview writes nothing, holds nobody up, and says exactly what the import then does."""

import io
import json
import random
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.apps import apps
from django.db import connection, connections

from games.models import Game
from league.core.log.models import LogHead
from league.core.log.services import Actor
from league.core.player.services.player import player_rename
from league.models import Player, Season
from league.records.file.services import Outcome, Report, file_import, file_preview
from tests.factories.league import PlayerFactory, SeasonFactory
from tests.factories.records import bluff_record, kniffel_record, line


@pytest.fixture
def season(db: None) -> Season:
    """A season with three games, in a club that knows some more players, one of them under another
    handle now."""
    season: Season = SeasonFactory.create(rules={"dice": 5})
    stream = io.BytesIO(b"".join(line(bluff_record(seed)) for seed in range(3)))
    assert file_import(stream=stream, season=season).created == 3
    PlayerFactory.create(club=season.club, handle="Zoë")
    player_rename(player=Player.objects.get(handle="ben"), handle="benjamin", actor=Actor())
    return season


def tables() -> dict[str, int]:
    """How many rows each table has, and where each log ends."""
    counts = {model._meta.db_table: model._default_manager.count() for model in apps.get_models()}
    return counts | {f"log {head.pk}": head.position for head in LogHead.objects.all()}


def broken(seed: int) -> bytes:
    """A record whose second round opens with a challenge."""
    record = bluff_record(seed)
    record["rounds"][1] = {"moves": ["!"], "count": 0}
    return line(record)


def pool() -> list[bytes]:
    """Lines of every kind that there is, for the season above."""
    names = [
        ("anna", "ben", "cleo"),
        ("ANNA", "emil"),
        ("zoë", "Fritz", "fritz2"),
        ("FRITZ", "emil", "Benjamin"),
        ("Ärmel", "İlker"),
        ("ärmel", "ilker"),
        ("i̇lker", "weiß", "WEIẞ"),
    ]
    new = [bluff_record(seed, seats=names[seed % len(names)]) for seed in range(10, 24)]
    unfinished = bluff_record(30, rounds=2)
    return [
        *(line(record) for record in new),
        *(line(bluff_record(seed)) for seed in range(3)),
        json.dumps(bluff_record(1), indent=None, separators=(",", ":"), sort_keys=True).encode()
        + b"\n",
        line(bluff_record(5, id="game-1")),
        line(bluff_record(6, id="game-10")),
        line(bluff_record(6, id="game-10", seats=["somebody", "else"])),
        line(unfinished),
        line(bluff_record(30)),
        line(bluff_record(31, seats=["anna", "ANNA", "ben"])),
        line(bluff_record(32, seats=["ben", "benjamin", "cleo"])),
        line(bluff_record(33, seats=["heinz", "HEINZ"])),
        line(bluff_record(34, season="spring")),
        line(kniffel_record(35)),
        line(bluff_record(36, rules={"dice": 4, "scoring": "cntdice"}, rounds=0)),
        broken(37),
        b"nonsense\n",
        b"\n",
        b'{"v":1}\n',
        b"\xff\n",
    ]


@pytest.mark.parametrize("seed", range(12))
def test_a_preview_says_exactly_what_the_import_does(season: Season, seed: int) -> None:
    dice = random.Random(seed)
    content = b"".join(dice.choices(pool(), k=40))
    options = {"create_players": seed % 3 > 0, "all_or_nothing": seed % 4 == 0}
    before = tables()
    foreseen, preview = ends(file_preview, season, content, **options)
    assert tables() == before
    done, report = ends(file_import, season, content, **options)
    assert preview.as_json() == report.as_json()
    assert foreseen == done
    assert preview.bad
    assert (tables() == before) is (report.refused or not report.created)


def ends(work: Any, season: Season, content: bytes, **options: bool) -> tuple[list[Any], Report]:
    """What becomes of each line, and of them all."""
    seen: list[Any] = []
    report = work(
        stream=io.BytesIO(content),
        season=season,
        ended=lambda end: seen.append(
            (end.line, end.record_id, end.outcome, end.error, end.new_players)
        ),
        **options,
    )
    return seen, report


def test_a_file_of_good_games_is_foreseen_whole(season: Season) -> None:
    content = (
        line(bluff_record(1))
        + line(bluff_record(7, seats=["fritz", "anna"]))
        + line(bluff_record(8))
    )
    preview = file_preview(stream=io.BytesIO(content), season=season, all_or_nothing=True)
    assert (preview.created, preview.unchanged, preview.bad, preview.new_players) == (
        2,
        1,
        0,
        ["fritz"],
    )
    assert not preview.refused


def test_the_same_new_player_in_two_games_is_new_once(season: Season) -> None:
    content = b"".join(line(bluff_record(seed, seats=["fritz", "anna"])) for seed in (7, 8))
    content += line(bluff_record(9, seats=["FRITZ", "gerda"]))
    preview = file_preview(stream=io.BytesIO(content), season=season)
    assert preview.new_players == ["fritz", "gerda"]


@pytest.mark.django_db(transaction=True)
def test_nobody_has_to_wait_for_a_preview(season: Season, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("league.records.file.services.BATCH", 1)
    content = b"".join(line(bluff_record(seed, seats=["fritz", "anna"])) for seed in range(5, 9))
    inside: list[Report] = []

    def import_meanwhile() -> Report:
        try:
            with connection.cursor() as cursor:
                cursor.execute("SET lock_timeout = '5s'")
            return file_import(stream=io.BytesIO(content), season=season, all_or_nothing=True)
        finally:
            connections.close_all()

    def progress() -> None:
        if not inside:
            with ThreadPoolExecutor(1) as others:
                inside.append(others.submit(import_meanwhile).result())

    preview = file_preview(stream=io.BytesIO(content), season=season, progress=progress)
    assert inside[0].created == 4
    assert (preview.created, preview.unchanged) == (1, 3), "what came in meanwhile is seen"
    assert Game.objects.count() == 7


def test_a_preview_knows_the_games_that_are_there(season: Season) -> None:
    seen: list[Any] = []
    content = line(bluff_record(1)) + line(bluff_record(5, id="game-2"))
    file_preview(stream=io.BytesIO(content), season=season, ended=seen.append)
    assert [(end.outcome, end.game and end.game.external_id) for end in seen] == [
        (Outcome.UNCHANGED, "game-1"),
        (Outcome.BAD, "game-2"),
    ]


def test_new_handles_that_look_like_others_are_named(season: Season) -> None:
    games = line(bluff_record(12, seats=("аnna", "ben", "dora"))) + line(
        bluff_record(13, seats=("dоra", "ωx", "xenia"))
    )
    report = file_preview(stream=io.BytesIO(games), season=season)
    assert report.bad_games == []
    assert report.lookalikes == [("аnna", "anna"), ("dоra", "dora"), ("ωx", "")]
    assert report.new_players == ["аnna", "dora", "dоra", "ωx", "xenia"]
