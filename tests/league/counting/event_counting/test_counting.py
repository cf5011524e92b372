"""What events count for in their season: final ranks, the ranking by events, divisions and the
close."""

from datetime import date

import pytest
from django.core.exceptions import ValidationError

from games.models import Game
from league.counting.event_counting.queries import counting_of, divisions_of, events_ranking
from league.counting.event_counting.services import counting_change, divisions_set
from league.counting.event_rebuild.queries.verification import event_differences
from league.counting.promotion.actions import PromotionAction
from league.counting.promotion.services import season_close
from league.disputes.correction.services import game_correct
from league.events.entry.services.entry import entry_change
from league.models import Division, DivisionPlayer, Event, Format, LogEntry, Player, Season
from league.site.erasure.services.merge import person_merge
from league.stages.course.services.event import event_move
from league.stages.course.services.stage import stage_finish
from league.stages.placing.models import FinalRank
from league.standings.season.services.season import season_change
from tests.factories import events
from tests.factories.counted import count
from tests.factories.league import SeasonFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def season(season: Season) -> Season:
    season_change(season=season, actor=events.ACTOR, scoring="placement")
    return season


@pytest.fixture
def four(season: Season) -> list[Player]:
    return events.players(season.club, 4)


def night(
    season: Season, slug: str, order: list[Player], guests: list[Player] | None = None
) -> Event:
    """A finished night of one table, at which they finished in this order."""
    made = events.event(season, slug, status=Event.Status.RUNNING)
    entries = events.enter(made, order)
    for entry in entries:
        if entry.player in (guests or []):
            entry_change(entry=entry, actor=events.ACTOR, guest=True)
    stage = events.stage(made, rounds=1)
    events.play(events.drawn(stage), best=[entry.public_id for entry in entries])
    stage_finish(stage=stage, actor=events.ACTOR)
    event_move(event=made, status=Event.Status.FINISHED, actor=events.ACTOR)
    return made


def ranking(season: Season) -> list[tuple[str, int, list[str]]]:
    """Handle, points, and the events that don't count, from the best down."""
    counting = counting_of(season)
    assert counting is not None
    rows, people = events_ranking(season, counting)
    return [
        (people[row.player].handle, int(row.points), [event.event for event in row.dropped])
        for row in rows
    ]


def test_the_best_events_of_each_player_count_and_the_others_are_named(
    season: Season, four: list[Player]
) -> None:
    a, b, c, d = four
    night(season, "one", [a, b, c, d])
    night(season, "two", [b, a, c, d])
    night(season, "three", [b, c, d, a])
    counting_change(season=season, actor=events.ACTOR, per="event", best=2)
    season.refresh_from_db()
    assert ranking(season) == [
        ("p2", 6, ["one"]),
        ("p1", 5, ["three"]),
        ("p3", 3, ["two"]),
        ("p4", 1, ["two"]),
    ]


def test_guests_are_left_out_and_others_take_their_ranks(
    season: Season, four: list[Player]
) -> None:
    a, b, _, _ = four
    night(season, "one", four, guests=[a])
    counting_change(season=season, actor=events.ACTOR, per="event", points_table=[10, 5])
    season.refresh_from_db()
    assert ranking(season)[:2] == [("p2", 10, []), ("p3", 5, [])]
    assert b.handle == "p2"


def test_a_substitute_plays_for_somebody_else(season: Season, four: list[Player]) -> None:
    absent = events.players(season.club, 1, "absent")[0]
    made = events.event(season, "one", status=Event.Status.RUNNING)
    entries = events.enter(made, four)
    entry_change(entry=entries[0], actor=events.ACTOR, substitutes=absent)
    stage = events.stage(made, rounds=1)
    events.play(events.drawn(stage), best=[entries[0].public_id])
    stage_finish(stage=stage, actor=events.ACTOR)
    event_move(event=made, status=Event.Status.FINISHED, actor=events.ACTOR)
    counting_change(season=season, actor=events.ACTOR, per="event")
    season.refresh_from_db()
    assert ranking(season)[0][:2] == ("absent1", 3)


def test_a_correction_changes_the_final_ranks_as_if_it_had_been_played_so(
    season: Season, four: list[Player]
) -> None:
    made = night(season, "one", four)
    game = Game.objects.get()
    record = (
        '{"event":"one","game":"bluff","id":"%s","opener":0,"outcome":{"rank":[4,3,2,1]},"played_at":"%s","rules":{},'
        '"season":"autumn","seats":["p1","p2","p3","p4"],"table":"1","v":1}'
    )
    game_correct(
        game=game,
        line=(record % (game.external_id, "2026-12-03T20:00:00+00:00")).encode(),
        reason="read upside down",
    )
    ranks = dict(FinalRank.objects.filter(event=made).values_list("entry__player__handle", "rank"))
    assert ranks == {"p4": 1, "p3": 2, "p2": 3, "p1": 4}
    assert list(event_differences(made.pk)) == []


def test_an_event_that_goes_on_has_no_final_ranks(season: Season, four: list[Player]) -> None:
    made = night(season, "one", four)
    assert FinalRank.objects.filter(event=made).count() == 4
    event_move(event=made, status=Event.Status.RUNNING, actor=events.ACTOR)
    assert not FinalRank.objects.filter(event=made).exists()


def test_who_reached_the_final_stands_before_all_others(season: Season) -> None:
    made = events.event(season, "cup", status=Event.Status.RUNNING)
    entries = events.enter(made, events.players(season.club, 8))
    groups = events.stage(made, groups=2, rounds=1)
    events.play(events.drawn(groups), best=[entry.public_id for entry in entries])
    stage_finish(stage=groups, actor=events.ACTOR)
    final = events.stage(
        made, format=Format.FINAL, sizes=[4], rounds=1, takes=2, seeding="stage", name="Final"
    )
    events.play(events.drawn(final))
    stage_finish(stage=final, actor=events.ACTOR)
    event_move(event=made, status=Event.Status.FINISHED, actor=events.ACTOR)
    ranks = dict(FinalRank.objects.values_list("entry__public_id", "rank"))
    finalists = {member.entry_id for member in events.facts(final).members.values()}
    assert sorted(ranks[id] for id in finalists) == [1, 2, 3, 4]
    assert sorted(rank for id, rank in ranks.items() if id not in finalists) == [5, 5, 7, 7]


def test_points_that_rise_with_the_rank_are_refused(season: Season) -> None:
    with pytest.raises(ValidationError, match="fewer"):
        counting_change(season=season, actor=events.ACTOR, per="event", points_table=[3, 5])


def test_closing_a_season_moves_the_best_up_and_the_last_down_once(
    season: Season, four: list[Player]
) -> None:
    a, b, c, d = four
    night(season, "one", [a, b, c, d])
    count(season)
    divisions_set(
        season=season,
        actor=events.ACTOR,
        divisions=[("Stars", 0, 1), ("Cups", 1, 0)],
        players={a.public_id: 1, d.public_id: 1, b.public_id: 2, c.public_id: 2},
    )
    assert [[name for _, name, _ in it.players] for it in divisions_of(season)] == [
        ["p1", "p4"],
        ["p2", "p3"],
    ]
    made = season_close(
        season=season, actor=events.ACTOR, slug="winter", name="Winter", starts_on=date(2027, 1, 7)
    )
    held = dict(
        DivisionPlayer.objects.filter(season=made).values_list("player__handle", "division__name")
    )
    assert held == {"p1": "Stars", "p2": "Stars", "p4": "Cups", "p3": "Cups"}
    again = season_close(
        season=season, actor=events.ACTOR, slug="winter", name="Winter", starts_on=date(2027, 1, 7)
    )
    assert again == made
    assert Division.objects.filter(season=made).count() == 2


def in_divisions(season: Season, four: list[Player]) -> None:
    """Two divisions of which the line between is clear."""
    night(season, "one", four)
    count(season)
    players = {player.public_id: 1 + number // 2 for number, player in enumerate(four)}
    divisions_set(
        season=season,
        actor=events.ACTOR,
        divisions=[("Stars", 0, 1), ("Cups", 1, 0)],
        players=players,
    )


def test_a_season_isnt_closed_into_one_that_didnt_come_of_it(
    season: Season, four: list[Player]
) -> None:
    in_divisions(season, four)
    other = SeasonFactory.create(club=season.club, slug="winter")
    divisions_set(season=other, actor=events.ACTOR, divisions=[("Alone", 0, 0)], players={})
    with pytest.raises(ValidationError) as refused:
        season_close(
            season=season,
            actor=events.ACTOR,
            slug="winter",
            name="Winter",
            starts_on=date(2027, 1, 7),
        )
    assert [error.code for error in refused.value.error_dict["slug"]] == ["slug_taken"]
    assert not LogEntry.objects.filter(action=PromotionAction.SEASON_CLOSED).exists()


def test_a_closed_season_isnt_closed_into_yet_another_one(
    season: Season, four: list[Player]
) -> None:
    in_divisions(season, four)
    made = season_close(
        season=season, actor=events.ACTOR, slug="winter", name="Winter", starts_on=date(2027, 1, 7)
    )
    again = season_close(
        season=season,
        actor=events.ACTOR,
        slug="winter-2",
        name="Winter",
        starts_on=date(2027, 1, 7),
    )
    assert again == made
    with pytest.raises(ValidationError, match="continues as “Winter”") as refused:
        season_close(
            season=season,
            actor=events.ACTOR,
            slug="spring",
            name="Spring",
            starts_on=date(2027, 1, 7),
        )
    assert refused.value.code == "season_closed"
    assert LogEntry.objects.filter(action=PromotionAction.SEASON_CLOSED).count() == 1


def test_who_shares_a_place_in_a_division_shares_the_rank(
    season: Season, four: list[Player]
) -> None:
    players = {player.public_id: 1 for player in four}
    night(season, "one", four[:3])
    count(season)
    for standing in season.ranking.standings.filter(player__in=four[1:3]):
        season.ranking.standings.filter(pk=standing.pk).update(key=[1, 1, 1])
    divisions_set(season=season, actor=events.ACTOR, divisions=[("All", 0, 0)], players=players)
    assert [rank for _, _, rank in divisions_of(season)[0].players] == [1, 2, 2, 4]


def test_a_tie_at_a_line_is_for_the_organiser_to_decide(season: Season, four: list[Player]) -> None:
    a, b, c, d = four
    divisions_set(
        season=season,
        actor=events.ACTOR,
        divisions=[("Stars", 0, 1), ("Cups", 1, 0)],
        players={a.public_id: 1, d.public_id: 1, b.public_id: 2, c.public_id: 2},
    )
    with pytest.raises(ValidationError, match="share the rank"):
        season_close(
            season=season,
            actor=events.ACTOR,
            slug="winter",
            name="Winter",
            starts_on=date(2027, 1, 7),
        )
    stars, cups = (
        Division.objects.filter(season=season)
        .order_by("number")
        .values_list("public_id", flat=True)
    )
    made = season_close(
        season=season,
        actor=events.ACTOR,
        slug="winter",
        name="Winter",
        starts_on=date(2027, 1, 7),
        chosen={a.public_id: cups, c.public_id: stars},
    )
    held = dict(
        DivisionPlayer.objects.filter(season=made).values_list("player__handle", "division__name")
    )
    assert held == {"p3": "Stars", "p4": "Stars", "p1": "Cups", "p2": "Cups"}


def test_who_was_stood_in_for_counts_under_who_they_are_merged_into(
    season: Season, four: list[Player]
) -> None:
    absent, kept = events.players(season.club, 2, "q")
    made = events.event(season, "night-1", status=Event.Status.RUNNING)
    first, *_ = events.enter(made, four)
    entry_change(entry=first, actor=events.ACTOR, substitutes=absent)
    stage = events.stage(made, rounds=1)
    events.play(events.drawn(stage))
    stage_finish(stage=stage, actor=events.ACTOR)
    event_move(event=made, status=Event.Status.FINISHED, actor=events.ACTOR)
    counting_change(season=season, actor=events.ACTOR, per="event")
    person_merge(kept_player=kept, merged=absent, actor=events.ACTOR)
    counting = counting_of(season)
    assert counting
    rows, people = events_ranking(season, counting)
    assert {people[row.player].handle for row in rows} == {
        kept.handle,
        *(player.handle for player in four[1:]),
    }
