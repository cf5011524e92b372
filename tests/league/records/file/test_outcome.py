"""Games of which only the end is known count as any other, and are marked wherever they count."""

from __future__ import annotations

import itertools
import random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.illegal import Refused
from games.models import Game
from league.core.log.services import Actor
from league.disputes.correction.services import correction_preview, game_correct
from league.models import Appearance, GameStyle, RankedGame, RatingChange, Season, Style
from league.records.file.services import file_preview, record_import
from league.standings.ranked_game.queries.gameline import game_page, latest_games
from league.standings.ranking.models import Scoring
from league.standings.season.services.season import all_time_create
from league.standings.standing.queries.standing import row_of, shares_of, table_rows
from league.standings.style.services import styles_read
from tests.factories.counted import (
    add_games,
    bring,
    count,
    counted_season,
    rebuild_all,
    season_of_games,
)
from tests.factories.derived import derived
from tests.factories.league import SeasonFactory
from tests.factories.records import bluff_record, kniffel_record, line, outcome_of
from tests.league.site.audit.differences import club_differences

pytestmark = pytest.mark.django_db
KNIFFEL: dict[str, Any] = {"kind": "luegen-kniffel", "scoring": Scoring.TOTALS}
SLUGS = (f"season-{number}" for number in itertools.count())


def brought(season: Season) -> list[tuple[Any, ...]]:
    """What each seat of each game brought, and what each game did to the ratings."""
    seats = Appearance.objects.filter(ranking=season.ranking).order_by("game__external_id", "seat")
    changes = RatingChange.objects.filter(ranking=season.ranking).order_by("game__external_id")
    return [
        *seats.values_list("game__external_id", "player__handle", "rank", "points"),
        *changes.values_list("game__external_id", "seats"),
    ]


def test_an_outcome_brings_what_its_rounds_would_have_brought() -> None:
    games = [bluff_record(seed) for seed in range(4)]
    played, ended = counted_season(games), counted_season(map(outcome_of, games))
    assert brought(ended) == brought(played)
    kniffel = [kniffel_record(seed) for seed in range(2)]
    assert brought(counted_season(map(outcome_of, kniffel), **KNIFFEL)) == brought(
        counted_season(kniffel, **KNIFFEL)
    )


@pytest.mark.parametrize(
    ("record", "fields"),
    [(bluff_record(1), {"scoring": Scoring.CNTDICE}), (kniffel_record(1), KNIFFEL)],
)
def test_ranks_alone_count_by_placement_and_by_nothing_else(
    record: dict[str, Any], fields: dict[str, Any]
) -> None:
    untold = outcome_of(record, points=False)
    season: Season = SeasonFactory.create(**fields)
    imported = record_import(season=season, line=line(untold))
    assert imported.error is not None
    assert (imported.error.code, imported.error.path) == ("bad_record", "outcome.points")
    assert fields["scoring"] in imported.error.message
    placed = counted_season([untold], **fields | {"scoring": Scoring.PLACEMENT})
    seats = Appearance.objects.filter(ranking=placed.ranking).order_by("seat")
    assert list(seats.values_list("points", flat=True)) == [
        3 - rank for rank in untold["outcome"]["rank"]
    ]


def test_a_preview_refuses_what_the_import_would(tmp_path: Any) -> None:
    season: Season = SeasonFactory.create(scoring=Scoring.CNTDICE)
    file = tmp_path / "games.jsonl"
    file.write_bytes(
        line(outcome_of(bluff_record(1), points=False)) + line(outcome_of(bluff_record(2)))
    )
    with file.open("rb") as stream:
        report = file_preview(stream=stream, season=season)
    assert (report.created, report.bad, report.bad_games[0]["code"]) == (1, 1, "bad_record")


def test_what_cannot_be_is_refused_by_its_code() -> None:
    season: Season = SeasonFactory.create()
    wrong = outcome_of(bluff_record(1)) | {"outcome": {"rank": [1, 1, 3]}}
    imported = record_import(season=season, line=line(wrong))
    assert imported.error is not None
    assert imported.error.code == "outcome_mismatch"


@given(mask=st.integers(0, 2**9 - 1), seed=st.integers(0, 99))
@settings(
    max_examples=6, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_counted_one_by_one_a_mixed_season_is_what_a_rebuild_makes_of_it(
    db: None, mask: int, seed: int
) -> None:
    records = season_of_games(9)
    mixed = [
        outcome_of(record) if mask >> place & 1 else record for place, record in enumerate(records)
    ]
    first, second = (SeasonFactory.create(slug=next(SLUGS)) for _ in range(2))
    for record in mixed:
        add_games(first, [record])
    random.Random(seed).shuffle(mixed)
    bring(second, *mixed)
    count(second)
    counted = derived(first.ranking)
    assert derived(second.ranking) == counted
    rebuild_all(first)
    assert derived(first.ranking) == counted
    assert (
        RankedGame.objects.filter(ranking=first.ranking, only_end=True).count() == mask.bit_count()
    )
    assert list(club_differences(first.club_id)) == []


@pytest.mark.parametrize("turned", [False, True])
def test_rounds_in_place_of_an_outcome_count_as_if_they_had_been_entered_first(
    turned: bool,
) -> None:
    forms = [
        bluff_record(1),
        outcome_of(bluff_record(7, id="game-1", played_at=bluff_record(1)["played_at"])),
    ]
    before, after = forms[::-1] if turned else forms
    season = counted_season([before, bluff_record(2)])
    preview = correction_preview(game=Game.objects.get(external_id="game-1"), line=line(after))
    assert len(preview.changes.rounds) == len(bluff_record(1)["rounds"])
    game_correct(
        game=Game.objects.get(external_id="game-1"), line=line(after), reason="Found the sheet."
    )
    count(season)
    assert derived(season.ranking) == derived(counted_season([after, bluff_record(2)]).ranking)
    assert list(club_differences(season.club_id)) == []


def test_a_correction_into_ranks_alone_is_refused_where_they_do_not_count() -> None:
    counted_season([bluff_record(1)], scoring=Scoring.CNTDICE)
    game = Game.objects.get()
    for correct in (correction_preview, lambda **asked: game_correct(reason="Lost.", **asked)):
        with pytest.raises(Refused) as refused:
            correct(game=game, line=line(outcome_of(bluff_record(1), points=False)))
        assert refused.value.illegal.path == "outcome.points"


def test_nobody_plays_in_any_way_in_a_game_without_rounds() -> None:
    season = counted_season([outcome_of(bluff_record(1))])
    assert not Style.objects.filter(ranking=season.ranking).exists()
    assert not GameStyle.objects.exists()
    mixed = counted_season([bluff_record(1), outcome_of(bluff_record(2))])
    styles = (
        Style.objects.filter(ranking=mixed.ranking)
        .order_by("player")
        .values_list("bids", flat=True)
    )
    alone = counted_season([bluff_record(1)])
    assert list(styles) == list(
        Style.objects.filter(ranking=alone.ranking)
        .order_by("player")
        .values_list("bids", flat=True)
    )
    styles_read(ranking_id=season.ranking_id)
    assert list(club_differences(season.club_id)) == []


def test_lists_and_rows_say_of_which_games_only_the_end_is_known() -> None:
    season = counted_season([bluff_record(1), outcome_of(bluff_record(2, seats=("anna", "dora")))])
    marks = {"game-1": False, "game-2": True}
    assert {
        game.external_id: game.only_end for game in game_page([season.ranking_id], 9).games
    } == marks
    latest = latest_games([season.ranking_id], 9)
    assert {game.external_id: game.only_end for game in latest} == marks
    assert {game.external_id: bool(game.bids) for game in latest} == {
        "game-1": True,
        "game-2": False,
    }
    rows = {row.handle: row for row in table_rows(season.ranking)}
    assert {handle: row.only_end for handle, row in rows.items()} == {
        "anna": True,
        "dora": True,
        "ben": False,
        "cleo": False,
    }
    assert row_of(season.ranking, rows["anna"].player).only_end
    shares = shares_of(season.ranking, rows["anna"].player)
    assert {share.game.external_id: share.game.only_end for share in shares} == marks


def test_all_time_counts_it_by_placement() -> None:
    season = counted_season([outcome_of(bluff_record(1))])
    ranking = all_time_create(club=season.club, actor=Actor()).ranking
    season.ranking = ranking
    count(season)
    assert sorted(row.points for row in table_rows(ranking)) == [0, 1, 2]
