"""The groups of a stage: about equally strong, or the divisions of the season."""

import pytest
from django.core.exceptions import ValidationError

from league.core.log.ledger import ledger_differences
from league.counting.event_counting.services import divisions_set
from league.events.entry.services.entry import entry_change, entry_withdraw
from league.models import Event, Group, Player, Season, Stage, StageRound
from league.site.erasure.services.merge import person_merge
from league.stages.course.services.stage import stage_start, stage_start_undo
from league.stages.stage.domain.group import (
    GroupPlan,
    NumberedName,
    division_groups,
    equal_groups,
    group_title,
)
from league.stages.stage.queries.group import entry_divisions, played_in_divisions
from league.stages.stage.queries.latecomer import late_plan
from league.stages.stage.services.stage import stage_change, stage_create
from tests.factories import events

pytestmark = pytest.mark.django_db
ACTOR = events.ACTOR


def divide(
    season: Season, *players: list[Player], names: tuple[str, ...] = ("First", "Second", "Third")
) -> None:
    """Let these players play in the divisions of a season, the highest first."""
    numbers = {
        player.public_id: number
        for number, those in enumerate(players, start=1)
        for player in those
    }
    divisions = [(name, 0, 0) for name in names[: len(players)]]
    divisions_set(season=season, actor=ACTOR, divisions=divisions, players=numbers)


def night(season: Season, *sizes: int) -> Event:
    """A night at which so many of each division are there, in turn so that the order of entries
    mixes them."""
    players = [
        events.players(season.club, size, name)
        for size, name in zip(sizes, ("a", "b", "c"), strict=False)
    ]
    divide(season, *players)
    made = events.event(season, status=Event.Status.RUNNING)
    events.enter(
        made,
        sorted(
            (player for those in players for player in those), key=lambda player: player.handle[1:]
        ),
    )
    return made


def groups_of(stage: Stage) -> dict[str, list[str]]:
    """The handles in each group, by its name."""
    facts = events.facts(stage)
    return {
        group.name: sorted(member.handle for member in facts.group_members(group.pk))
        for group in facts.groups
    }


def test_each_division_is_a_group_with_its_name_and_its_players(season: Season) -> None:
    stage = events.stage(night(season, 4, 3), by_division=True)
    assert groups_of(stage) == {"First": ["a1", "a2", "a3", "a4"], "Second": ["b1", "b2", "b3"]}
    stage.refresh_from_db()
    assert stage.groups == 2


def test_once_it_has_started_it_stays_in_divisions(season: Season) -> None:
    stage = events.stage(night(season, 4, 3), by_division=True)
    with pytest.raises(ValidationError) as refused:
        stage_change(stage=stage, actor=ACTOR, by_division=False)
    assert list(refused.value.message_dict) == ["by_division"]


def test_a_division_of_which_nobody_is_there_has_no_group(season: Season) -> None:
    made = night(season, 4, 3, 3)
    for entry in made.entries.filter(player__handle__startswith="b"):
        entry_withdraw(entry=entry, actor=ACTOR)
    assert list(groups_of(events.stage(made, by_division=True))) == ["First", "Third"]


def test_who_is_in_no_division_plays_in_the_lowest(season: Season) -> None:
    made = night(season, 4, 3)
    events.crowd(made, 1, "new")
    assert groups_of(events.stage(made, by_division=True))["Second"] == ["b1", "b2", "b3", "new1"]


def test_a_substitute_plays_in_the_division_of_the_player_for_whom_it_counts(
    season: Season,
) -> None:
    made = night(season, 3, 3)
    (substitute,) = events.crowd(made, 1, "new")
    absent = events.players(season.club, 1, "absent")[0]
    first = [entry.player for entry in made.entries.filter(player__handle__startswith="a")]
    second = [entry.player for entry in made.entries.filter(player__handle__startswith="b")]
    divide(season, [*first, absent], second)
    entry_change(entry=substitute, actor=ACTOR, substitutes=absent)
    assert groups_of(events.stage(made, by_division=True))["First"] == ["a1", "a2", "a3", "new1"]


def test_who_was_merged_into_another_player_brings_the_division_along(season: Season) -> None:
    made = night(season, 3, 3)
    (entry,) = events.crowd(made, 1, "new")
    merged = events.players(season.club, 1, "twin")[0]
    divide(
        season,
        [*[row.player for row in made.entries.filter(player__handle__startswith="a")], merged],
        [],
    )
    person_merge(kept_player=entry.player, merged=merged, actor=ACTOR)
    assert entry_divisions(made, [entry]) == {entry.pk: NumberedName(1, "First")}


def test_divisions_that_no_table_seats_are_named(season: Season) -> None:
    made = night(season, 4, 5)
    with pytest.raises(ValidationError, match="can’t seat everybody in “Second”"):
        events.stage(made, by_division=True)
    stage = made.stages.get()
    assert (stage.status, Group.objects.count()) == (Stage.Status.PLANNED, 0)


def test_one_alone_in_a_division_cannot_play_there(season: Season) -> None:
    with pytest.raises(ValidationError, match="a table of 2 needs 2 players, not 1"):
        events.stage(night(season, 4, 1), by_division=True, sizes=[2])


def test_a_season_without_divisions_says_so(season: Season) -> None:
    made = events.event(season, status=Event.Status.RUNNING)
    events.crowd(made, 4)
    with pytest.raises(ValidationError, match="The season has no divisions yet"):
        events.stage(made, by_division=True)


def test_a_format_without_groups_has_no_divisions(season: Season) -> None:
    made = events.event(season)
    with pytest.raises(ValidationError) as refused:
        stage_create(
            event=made, actor=ACTOR, name="Cup", format="single", sizes=[2], by_division=True
        )
    assert list(refused.value.message_dict) == ["by_division"]


def test_clubs_and_towns_are_not_ranked_in_divisions(season: Season) -> None:
    with pytest.raises(ValidationError, match="without groups"):
        events.stage(events.event(season), start=False, by_division=True, label_best=3)


def test_who_comes_late_joins_the_own_division_or_waits_for_a_table_there(season: Season) -> None:
    made = night(season, 4, 3)
    stage = events.stage(made, by_division=True)
    events.play(events.drawn(stage))
    more = events.players(season.club, 1, "late-a")
    firsts = [entry.player for entry in made.entries.filter(player__handle__startswith="a")]
    divide(
        season,
        [*firsts, *more],
        [entry.player for entry in made.entries.filter(player__handle__startswith="b")],
    )
    events.enter(made, [*more, *events.players(season.club, 1, "late-b")])
    assert events.drawn(stage).status == StageRound.Status.PUBLISHED
    assert groups_of(stage) == {
        "First": ["a1", "a2", "a3", "a4"],
        "Second": ["b1", "b2", "b3", "late-b1"],
    }
    plan = late_plan(made)
    assert plan is not None
    assert (plan.placed, plan.without_table) == ([], 1), (
        "tables of four and of three don't seat five"
    )
    assert list(ledger_differences(season.club_id)) == []


def test_whose_division_is_not_played_joins_the_lowest_that_is(season: Season) -> None:
    made = night(season, 3, 3)
    stage = events.stage(made, by_division=True)
    events.play(events.drawn(stage))
    divide(season, events.players(season.club, 1, "late"), names=("Third",))
    events.enter(made, [Player.objects.get(handle="late1")])
    events.drawn(stage)
    assert groups_of(stage)["Second"] == ["b1", "b2", "b3", "late1"]


def test_a_season_without_divisions_any_more_takes_latecomers_in_all_the_same(
    season: Season,
) -> None:
    stage = events.stage(night(season, 3, 3), by_division=True)
    divide(season)
    events.enter(stage.event, events.players(season.club, 1, "late"))
    events.drawn(stage)
    assert groups_of(stage)["Second"] == ["b1", "b2", "b3", "late1"]


def test_a_start_that_is_undone_takes_the_divisions_as_they_are_then(season: Season) -> None:
    made = night(season, 4, 3)
    stage = events.stage(made, by_division=True)
    stage_start_undo(stage=stage, actor=ACTOR)
    assert list(ledger_differences(season.club_id)) == []
    divide(season, [entry.player for entry in made.entries.all()], names=("All together",))
    stage_start(stage=stage, actor=ACTOR)
    assert list(groups_of(stage)) == ["All together"]
    assert list(ledger_differences(season.club_id)) == []


def test_the_name_of_a_division_on_an_event_s_pages_is_what_the_log_says(season: Season) -> None:
    stage = events.stage(night(season, 4, 3), by_division=True)
    Group.objects.filter(stage=stage, number=2).update(name="First")
    (difference,) = ledger_differences(season.club_id)
    assert (difference.table, difference.column) == ("group", "name")


def test_an_event_is_played_in_divisions_if_all_its_stages_are(season: Season) -> None:
    made = night(season, 4, 3)
    events.stage(made, by_division=True)
    assert set(played_in_divisions(made).values()) == {"First", "Second"}
    Stage.objects.filter(event=made).update(by_division=False)
    assert played_in_divisions(made) == {}


def test_groups_of_equal_strength_go_back_and_forth() -> None:
    assert equal_groups(2, 5) == GroupPlan(["A", "B"], [1, 2, 2, 1, 1])
    assert equal_groups(1, 2) == GroupPlan([""], [1, 1])


def test_divisions_stand_in_their_order_whoever_is_seeded_first() -> None:
    plan = division_groups([NumberedName(3, "C"), NumberedName(1, "A"), NumberedName(3, "C")])
    assert (plan, plan.sizes) == (GroupPlan(["A", "C"], [2, 1, 2]), [1, 2])


@pytest.mark.parametrize(
    ("name", "title"), [("A", "Group A"), ("Second division", "Second division"), ("", "")]
)
def test_a_group_has_a_title(name: str, title: str) -> None:
    assert group_title(name) == title
