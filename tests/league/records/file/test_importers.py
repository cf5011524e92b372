"""Importers at the same moment: each game goes in once, and the club's log has one entry of it,
without gaps."""

import io
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connections

from games.models import Game
from games.queries.game import game_head
from league.core.log.models import LogEntry
from league.core.player.actions import PlayerAction
from league.models import Player, Season, Standing
from league.records.file.services import Report, file_import, record_import
from league.standings.ranked_game.actions import GameAction
from league.standings.ranking.services.counting import ranking_count
from tests.factories.league import SeasonFactory
from tests.factories.records import bluff_record, line

pytestmark = pytest.mark.django_db(transaction=True)


def lines(seeds: Sequence[int]) -> list[bytes]:
    """Games of anna's, each with somebody new."""
    return [line(bluff_record(seed, seats=["anna", f"p{seed}"])) for seed in seeds]


def at_once(*importers: Callable[[], Report]) -> list[Report]:
    """What importers report that begin at the same moment."""

    def run(importer: Callable[[], Report]) -> Report:
        try:
            return importer()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(importers)) as pool:
        return list(pool.map(run, importers))


def importer(
    season: Season, content: Sequence[bytes], *, all_or_nothing: bool = False
) -> Callable[[], Report]:
    return lambda: file_import(
        stream=io.BytesIO(b"".join(content)), season=season, all_or_nothing=all_or_nothing
    )


def log_of(season: Season) -> list[LogEntry]:
    return list(LogEntry.objects.filter(club=season.club_id).order_by("position"))


def assert_sealed_once(season: Season, games: int) -> None:
    """Each of so many games has one entry, which tells its head; positions have no gap, and a
    player is new once."""
    entries = log_of(season)
    assert [entry.position for entry in entries] == list(range(1, len(entries) + 1))
    sealed = {
        entry.subject: entry.payload for entry in entries if entry.action == GameAction.SEALED
    }
    assert sum(entry.action == GameAction.SEALED for entry in entries) == len(sealed) == games
    for game in Game.objects.all():
        assert game_head(game).hex() in sealed.pop(game.public_id)
    assert not sealed
    created = [entry.subject for entry in entries if entry.action == PlayerAction.CREATED]
    assert sorted(created) == sorted(Player.objects.values_list("public_id", flat=True))


@pytest.mark.parametrize("all_or_nothing", [False, True])
def test_the_same_file_from_three_at_once_goes_in_once(all_or_nothing: bool) -> None:
    season = SeasonFactory.create()
    content = lines(range(20))
    reports = at_once(*[importer(season, content, all_or_nothing=all_or_nothing) for _ in range(3)])
    assert Game.objects.count() == 20
    assert sum(report.created for report in reports) == 20
    assert sum(report.unchanged for report in reports) == 40
    assert not any(report.bad for report in reports)
    assert Player.objects.count() == 21
    assert_sealed_once(season, 20)
    ranking_count(ranking_id=season.ranking_id)
    assert Standing.objects.get(player__handle="anna").games == 20


def test_four_importers_at_once_leave_no_gap_in_the_log() -> None:
    season = SeasonFactory.create()
    files = [lines(range(10 * part, 10 * part + 15)) for part in range(4)]
    reports = at_once(*[importer(season, content) for content in files])
    assert sum(report.created for report in reports) == 45
    assert sum(report.unchanged for report in reports) == 15
    assert_sealed_once(season, 45)


def test_importers_that_meet_from_both_ends_of_a_file_dont_block_each_other() -> None:
    season = SeasonFactory.create()
    content = lines(range(30))
    reports = at_once(
        importer(season, content, all_or_nothing=True),
        importer(season, content[::-1]),
        importer(season, content[::-1], all_or_nothing=True),
    )
    assert [(report.created + report.unchanged, report.bad) for report in reports] == [(30, 0)] * 3
    assert_sealed_once(season, 30)


def test_two_records_of_one_id_at_once_are_a_game_and_a_conflict() -> None:
    season = SeasonFactory.create()
    records = [line(bluff_record(seed, id="game-1")) for seed in (1, 2)]
    reports = at_once(*[importer(season, [record]) for record in records])
    assert sorted((report.created, report.bad) for report in reports) == [(0, 1), (1, 0)]
    assert [report.bad_games[0]["code"] for report in reports if report.bad] == ["conflict"]
    assert_sealed_once(season, 1)


def test_a_file_that_is_refused_leaves_nothing_behind() -> None:
    season = SeasonFactory.create()
    before = log_of(season)
    refused = importer(season, [*lines(range(3)), b"{}\n"], all_or_nothing=True)()
    assert (refused.refused, refused.read, refused.bad) == (True, 4, 1)
    assert log_of(season) == before
    assert not Game.objects.exists()
    assert not Player.objects.exists()
    assert record_import(season=season, line=lines([0])[0]).error is None
    assert_sealed_once(season, 1)
