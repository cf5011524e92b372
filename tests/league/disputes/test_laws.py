"""Laws of rulings, over random evenings with groups, brackets and points that count on: what a
preview says is what happens, to the last cell; a void that is undone is nothing; the same ruling
twice is one; and a corrected game counts as if it had been played so."""

from __future__ import annotations

import json
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some
from hypothesis.extra.django import TestCase

from engine.illegal import Refused
from engine.record.write import write
from engine.scoring.wording import written
from games.models import Game
from games.queries.game import sealed_record
from league.counting.event_counting.queries import counting_of, events_ranking
from league.counting.event_counting.services import counting_change
from league.counting.event_rebuild.domain import CACHES
from league.counting.event_rebuild.queries.event import stored_rows
from league.counting.event_rebuild.queries.verification import event_differences
from league.disputes.correction.queries.event import EventEffect, StandingChange
from league.disputes.correction.queries.ranking import RankingEffect
from league.disputes.correction.services import correction_preview, game_correct
from league.disputes.otherwise.domain.stage import StageOtherwise, event_otherwise
from league.disputes.void.queries import void_preview
from league.models import Event, FinalRank, Ranking, Season
from league.stages.bracket.domain.bracket import bracket
from league.stages.course.services.event import event_move
from league.stages.result.services.void import game_restore, game_void_add
from league.stages.stage.queries.facts import started_stages
from league.standings.standing.queries.standing import table_rows
from tests.factories import events
from tests.factories.counted import bring, count
from tests.factories.derived import derived, ranking_differences
from tests.factories.league import SeasonFactory
from tests.league.disputes.otherwise.test_stage import SHAPES, planned, play, turned_round

Place = tuple[int | None, str]
POINTS = 840
"""A point of a stage, as final ranks are stored."""


class Night(NamedTuple):
    """An evening that was played at random, in a season that counts by its events, too."""

    season: Season
    event: Event


def played_night(shape: str, luck: int, *, over: bool) -> Night:
    season: Season = SeasonFactory.create(scoring="placement")
    counting_change(season=season, actor=events.ACTOR, per="event", best=3)
    event = planned(season, SHAPES[shape])
    play(event, str(luck))
    if over:
        event_move(event=event, status=Event.Status.FINISHED, actor=events.ACTOR)
    event.refresh_from_db()
    count(season)
    return Night(season, event)


def newest(night: Night, number: int) -> Game:
    """One of the games of the evening, as it counts."""
    games = Game.objects.filter(season_game__season=night.season, corrections=None).order_by("pk")
    games = games.select_related("season_game__season__club", "season_game__season__ranking")
    return games[number % games.count()]


def everything(night: Night) -> dict[str, Any]:
    """All that follows from the games of an evening: ranking, ratings, tables, brackets, final
    ranks, the season."""
    count(night.season)
    stages = started_stages(night.event)
    return {
        "ranking": derived(night.season.ranking),
        "event": {cache.name: stored_rows(cache, night.event) for cache in CACHES},
        "brackets": [bracket(facts) for facts in stages if facts.stage.knock_out],
        "otherwise": otherwise(event_otherwise(stages)),
        "finals": finals(night.event),
        "season": by_events(night.season),
    }


def standing(ranking: Ranking) -> dict[str, tuple[int, int, int]]:
    """Rank, points and games of all rows of a ranking, by public id."""
    return {row.player: (row.rank, row.points, row.games) for row in table_rows(ranking)}


def otherwise(stages: Sequence[StageOtherwise]) -> list[Any]:
    """What would be otherwise in the stages of an event, without their rows."""
    return [(stage.stage.pk, stage.made, stage.in_names, stage.after) for stage in stages]


def finals(event: Event) -> dict[str, Place]:
    rows = FinalRank.objects.filter(event=event).select_related("entry__player")
    return {row.entry.player.name: (row.rank, written_points(row.points)) for row in rows}


def written_points(points: int) -> str:
    return written(Fraction(points, POINTS))


def by_events(season: Season) -> dict[str, Place]:
    counting = counting_of(season)
    assert counting
    rows, people = events_ranking(season, counting)
    return {people[row.player].name: (row.rank, written(row.points)) for row in rows}


def changed(before: dict[str, Place], changes: Sequence[StandingChange]) -> dict[str, Place]:
    """What stood before, with the changes that a preview tells of."""
    places = dict(before)
    for change in changes:
        assert places.get(change.name) == (tuple(change.before) if change.before else None)
        places.pop(change.name)
        if change.after is not None:
            places[change.name] = (change.after.rank, change.after.points)
    return places


def check_event(effect: EventEffect | None, before: dict[str, Any], after: dict[str, Any]) -> None:
    assert effect is not None
    assert otherwise(effect.stages) == after["otherwise"]
    assert changed(before["finals"], effect.finals) == after["finals"]
    assert changed(before["season"], effect.season) == after["season"]


def check_rankings(
    effects: Sequence[RankingEffect],
    before: dict[str, tuple[int, int, int]],
    after: dict[str, tuple[int, int, int]],
) -> None:
    (effect,) = effects
    shown = {row.player: row for row in effect.rows}
    for player, row in shown.items():
        assert player is not None
        assert (row.rank_before, row.points_before, row.games_before) == before.get(
            player, (None, None, 0)
        )
        assert (row.rank_after, row.points_after, row.games_after) == after.get(
            player, (None, None, 0)
        )
    others = (before.keys() | after.keys()) - shown.keys()
    assert {player: before[player][1:] for player in others} == {
        player: after[player][1:] for player in others
    }


EVENINGS = {
    "shape": some.sampled_from(list(SHAPES)),
    "luck": some.integers(0, 999),
    "number": some.integers(0, 99),
}


class Laws(TestCase):
    """Whatever was played, whichever game it is about, during the evening and after it."""

    @settings(max_examples=4, deadline=None, suppress_health_check=[HealthCheck.too_slow])
    @given(**EVENINGS, over=some.booleans())
    def test_a_void_is_as_its_preview_says_counts_once_and_is_nothing_once_undone(
        self, shape: str, luck: int, number: int, over: bool
    ) -> None:
        night = played_night(shape, luck, over=over)
        game, ranking = newest(night, number), night.season.ranking
        stood, rows = everything(night), standing(ranking)
        preview = void_preview(game=game, stands=True)
        assert everything(night) == stood, "a preview writes nothing"

        game_void_add(game=game, actor=events.ACTOR)
        voided, rows_voided = everything(night), standing(ranking)
        check_event(preview.event, stood, voided)
        check_rankings(preview.effects, rows, rows_voided)
        with pytest.raises(Refused, match="void"):
            game_void_add(game=game, actor=events.ACTOR)
        assert everything(night) == voided, "the same ruling twice is one"

        back = void_preview(game=game, stands=False)
        game_restore(game=game, actor=events.ACTOR)
        check_event(back.event, voided, everything(night))
        check_rankings(back.effects, rows_voided, standing(ranking))
        with pytest.raises(Refused):
            game_restore(game=game, actor=events.ACTOR)
        assert everything(night) == stood
        self.check_rebuild(night)

    @settings(max_examples=4, deadline=None, suppress_health_check=[HealthCheck.too_slow])
    @given(**EVENINGS, over=some.booleans())
    def test_a_correction_is_as_its_preview_says_and_as_having_played_it_so(
        self, shape: str, luck: int, number: int, over: bool
    ) -> None:
        night = played_night(shape, luck, over=over)
        game, ranking = newest(night, number), night.season.ranking
        stood, rows = everything(night), standing(ranking)
        line = turned_round(game)
        preview = correction_preview(game=game, line=line)
        assert everything(night) == stood, "a preview writes nothing"

        game_correct(game=game, line=line, reason="Mixed up.")
        corrected = everything(night)
        check_event(preview.event, stood, corrected)
        check_rankings(preview.effects, rows, standing(ranking))
        with pytest.raises(Refused):
            game_correct(game=game, line=line, reason="Mixed up.")
        assert everything(night) == corrected, "the same ruling twice is one"
        assert counted(corrected) == counted({"ranking": derived(played_so(night).ranking)})
        self.check_rebuild(night)

    def check_rebuild(self, night: Night) -> None:
        """What was counted on is what all facts give."""
        assert list(ranking_differences(night.season.ranking_id)) == []
        assert list(event_differences(night.event.pk)) == []


def played_so(night: Night) -> Season:
    """Another season, into which the games come as they count by now, as if they had been played
    so."""
    other: Season = SeasonFactory.create(scoring="placement")
    games = Game.objects.filter(season_game__season=night.season, corrections=None).order_by(
        "external_id"
    )
    records = []
    for game in games:
        record = json.loads(write(sealed_record(game)[0]))
        for proof in ("digests", "names", "seal", "reason", "season"):
            record.pop(proof, None)
        records.append(record)
    bring(other, *records)
    count(other)
    return other


def counted(found: dict[str, Any]) -> dict[str, Any]:
    """What a ranking and its ratings come to."""
    return {
        name: found["ranking"][name]
        for name in ("Standing", "Rating", "RatingChange", "Appearance", "ranking")
    }
