"""An audit goes batch by batch while work goes on: it finds what one look at all would find,
and nothing else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any, Final

import pytest
from django.db import connection

from games.models import Game
from league.core.jobs import TimeSlice
from league.core.log import verification
from league.core.log.services import Actor
from league.models import Audit, Player, RankedGame, Rating, Season, Standing, Style
from league.site.audit import services as service
from league.site.audit.queries import club, ranking, rating, standing, style
from league.site.audit.services import ATTEMPTS, audit_ask, audits_continue, verify_club
from league.stages.result.services.void import game_void_add
from league.standings.player.services import player_merge
from league.standings.ranking.services.counting import ranking_count
from league.standings.ranking.services.rebuild import ranking_rebuild, ranking_rebuild_ask
from league.standings.style.services import styles_read
from tests.factories.counted import add_games, counted_season
from tests.factories.records import bluff_record
from tests.league.site.audit.differences import club_differences

SIZES: Final = [
    (club, "GAMES"),
    (ranking, "GAMES"),
    (ranking, "ROWS"),
    (rating, "GAMES"),
    (standing, "PLAYERS"),
    (style, "ANALYSED"),
    (style, "ADDED"),
    (verification, "ENTRIES"),
]

MOST_SLICES: Final = 300
MOST_CHANGES: Final = 10


class Killed(BaseException):
    """The end of a worker, which no code catches."""


@pytest.fixture
def season(transactional_db: None) -> Season:
    return counted_season(9)


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Passages of two rows."""
    for module, size in SIZES:
        monkeypatch.setattr(module, size, 2)


def listed(season: Season) -> list[str]:
    """All differences, in one order."""
    return sorted(map(str, club_differences(season.club_id)))


def spoil() -> None:
    """Change cells of several rows."""
    Standing.objects.filter(player__handle="anna").update(points=1)
    Rating.objects.filter(player__handle="ben").update(mu=1)
    Style.objects.filter(player__handle="cleo").update(bids=1)
    RankedGame.objects.filter(game=Game.objects.latest("pk")).update(event="other")


def test_small_batches_find_what_large_ones_find(
    season: Season, request: pytest.FixtureRequest
) -> None:
    spoil()
    large = listed(season)
    request.getfixturevalue("small")
    assert listed(season) == large
    assert len(large) == 4


def later_game(season: Season, number: int) -> None:
    add_games(
        season, [bluff_record(300 + number, seats=("anna", "ben", "cleo"), id=f"later-{number}")]
    )


def late_game(season: Season, number: int) -> None:
    record = bluff_record(200 + number, seats=("anna", "ben", "cleo"), id=f"late-{number}")
    add_games(season, [record | {"played_at": "2020-01-01T19:00:00+01:00"}])


def void(season: Season, number: int) -> None:
    game = Game.objects.filter(season_game__season=season, voids=None).earliest("pk")
    game_void_add(game=game, actor=Actor(reason="Why."))
    ranking_count(ranking_id=season.ranking_id)


def rebuild(season: Season, number: int) -> None:
    ranking_rebuild_ask(ranking=season.ranking, actor=Actor())
    ranking_rebuild(ranking_id=season.ranking_id)


def merge(season: Season, number: int) -> None:
    """Two who sat in earlier games become one: last those who came in first, of whom most is
    carried on by then."""
    pair = MOST_CHANGES - 1 - number
    kept, merged = (Player.objects.get(handle=f"{name}{pair}") for name in ("kept", "merged"))
    player_merge(kept_player=kept, merged=merged, actor=Actor())
    ranking_rebuild(ranking_id=season.ranking_id)


@pytest.mark.parametrize("change", [later_game, late_game, void, rebuild, merge])
def test_what_changes_between_batches_is_no_difference(
    season: Season, small: None, change: Callable[[Season, int], None]
) -> None:
    handles = [f"{name}{number}" for number in range(MOST_CHANGES) for name in ("kept", "merged")]
    records = [
        bluff_record(number, seats=("anna", "ben", who), id=who)
        for number, who in enumerate(handles, 100)
    ]
    add_games(season, [record | {"played_at": "2020-06-01T19:00:00+01:00"} for record in records])
    ranking_rebuild(ranking_id=season.ranking_id)
    styles_read(ranking_id=season.ranking_id)
    within: Counter[tuple[int, str]] = Counter()
    changes = 0
    for differences, place in verify_club(season.club_id, {}, styles=True):
        assert differences == []
        assert not connection.in_atomic_block
        if place:
            check = (
                place["section"].kind,
                place["bookmark"].get("check", str(place["section"].subject)),
            )
            within[check] += 1
            if within[check] == 12:  # behind the games of all whom a merge concerns
                change(season, changes)
                styles_read(ranking_id=season.ranking_id)
                changes += 1
    assert {check for _, check in within} >= {
        "games",
        "strays",
        "standings",
        "ratings",
        "game_styles",
        "styles",
    }
    assert 8 <= changes <= MOST_CHANGES


def test_a_spoiled_cell_is_found_though_games_come_meanwhile(season: Season, small: None) -> None:
    Style.objects.filter(player__handle="dario").update(bids=99999)
    Rating.objects.filter(player__handle="dario").update(mu=1)
    Standing.objects.filter(player__handle="dario").update(points=99999)
    seen: list[str] = []
    for number, (differences, _) in enumerate(verify_club(season.club_id, {}, styles=True)):
        seen += map(str, differences)
        if number in (3, 17, 30):
            later_game(season, 300 + number)
            styles_read(ranking_id=season.ranking_id)
    assert [
        sum(text.startswith(table) for text in seen) for table in ("standing", "rating", "style")
    ] == [1, 1, 1]
    assert len(seen) == 3


def kill_after(monkeypatch: pytest.MonkeyPatch, count: int) -> None:
    """Have the worker die in its time slice, behind so many batches."""

    def work(*args: Any, **fields: Any) -> Any:
        for number, batch in enumerate(verify_club(*args, **fields)):
            if number == count:
                raise Killed
            yield batch

    monkeypatch.setattr(service, "verify_club", work)


def audited(season: Season) -> Audit:
    """Carry out the audit of the club, one time slice after another."""
    for _ in range(MOST_SLICES):
        if not audits_continue(club_id=season.club_id, time_slice=TimeSlice(0)):
            return Audit.objects.get(club=season.club_id)
    raise AssertionError("the audit comes to no end")


def test_an_audit_whose_worker_dies_goes_on_where_it_was_and_says_so(
    season: Season, small: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    spoil()
    audit_ask(club_id=season.club_id)
    for _ in range(3):
        assert audits_continue(club_id=season.club_id, time_slice=TimeSlice(0))
    before = Audit.objects.get(club=season.club_id).progress
    with monkeypatch.context() as deadly:
        kill_after(deadly, 0)
        with pytest.raises(Killed):
            audits_continue(club_id=season.club_id, time_slice=TimeSlice(0))
    assert Audit.objects.get(club=season.club_id).progress == before
    audit = audited(season)
    assert (audit.found, len(audit.differences), audit.resumed, audit.error) == (4, 4, 1, "")
    assert audit.ended_at


def test_an_audit_that_kills_every_worker_ends_as_failed(
    season: Season, monkeypatch: pytest.MonkeyPatch
) -> None:
    audit_ask(club_id=season.club_id)
    with monkeypatch.context() as deadly:
        kill_after(deadly, 0)
        for _ in range(ATTEMPTS):
            with pytest.raises(Killed):
                audits_continue(club_id=season.club_id, time_slice=TimeSlice(0))
    audit = audited(season)
    assert audit.ended_at
    assert audit.found is None
    assert audit.error.startswith(f"Its worker died {ATTEMPTS} times")


def test_an_audit_that_runs_is_not_begun_twice(season: Season) -> None:
    audit_ask(club_id=season.club_id)
    audit_ask(club_id=season.club_id)
    assert Audit.objects.count() == 1
