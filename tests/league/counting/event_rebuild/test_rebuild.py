"""What is stored of an event is what its facts give, also after somebody has forged it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from league.counting.event_rebuild.domain import CACHES, TABLE
from league.counting.event_rebuild.services import NotRebuilt, event_rebuild
from league.floor.hall.services import place_change, places_add, slots_add
from league.floor.timetable.services import (
    timetable_ask,
    timetable_make,
    timetable_publish,
    timetable_take_back,
)
from league.models import (
    Audit,
    Event,
    FinalRank,
    Format,
    HallPlace,
    LogHead,
    Participant,
    Player,
    Season,
    Stage,
    Table,
    TableScore,
    Timetable,
)
from league.stages.course.services.stage import stage_set_back, stage_start
from league.stages.result.services.result import outcome_line, table_game_enter
from league.stages.round.services import round_change
from league.stages.stage.services.stage import stage_change
from league.stages.table.queries.table import sitting_at
from league.stages.table.services.table import table_set_up
from league.standings.player.services import player_merge, player_part
from tests.factories import events
from tests.factories.counted import count
from tests.league.counting.event_rebuild.rebuilt import (
    ACTOR,
    correct,
    cup,
    differences,
    newest_games,
    placing_season,
)

OTHER_GROUP = "(SELECT max(other.id) FROM league_group other WHERE other.id <> {table}.group_id)"
CELLS = {
    "league_participant": {
        "group_id": OTHER_GROUP.format(table="league_participant"),
        "seed": "seed + 100",
        "carried": "carried + 840",
    },
    "league_table": {
        "number": "number + 100",
        "group_id": OTHER_GROUP.format(table="league_table"),
        "label": "'other'",
        "place": "'elsewhere'",
        "starts_at": "now()",
        "finished": "NOT finished",
    },
    "league_tableseat": {"entry_id": "(SELECT max(id) FROM league_entry WHERE id <> entry_id)"},
    "league_tablescore": {
        "game_id": "(SELECT max(id) FROM games_game WHERE id <> game_id)",
        "entries": "entries[2:]",
        "ranks": "ranks[2:] || ranks[1]",
        "points": "ARRAY[9, 9, 9, 9]",
        "order": "ARRAY[4, 3, 2, 1]",
        "penalties": "ARRAY[9, 9, 9, 9]",
    },
    "league_finalrank": {"rank": "rank + 1", "points": "points - 1"},
}
"""Every derived column, and a change of it in one row."""


def execute(statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement)
        assert cursor.rowcount == 1, statement


@pytest.mark.django_db
def test_every_forged_cell_is_named_and_mended() -> None:
    made = cup(placing_season())
    running = events.event(made.season, "late", status=Event.Status.RUNNING)
    events.enter(running, events.players(made.club, 4, "late"))
    events.drawn(events.stage(running))
    assert {cache.model._meta.db_table: set(cache.columns) for cache in CACHES} == {
        table: set(columns) for table, columns in CELLS.items()
    }
    for cache in CACHES:
        table = cache.model._meta.db_table
        for column, value in CELLS[table].items():
            event = running if column in ("place", "starts_at") else made
            row = (
                cache.model._default_manager.filter(**{cache.event: event})
                .order_by(*cache.key)
                .values(*cache.key)[0]
            )
            execute(
                f'UPDATE {table} SET "{column}" = {value} WHERE '
                + " AND ".join(f"{k} = {v}" for k, v in row.items())
            )
            code = f"{cache.name}.{column.removesuffix('_id')}".replace(" ", "_")
            assert any(name.startswith(f"{code} {event.slug} ") for name in differences(event)), (
                code
            )
            assert event_rebuild(event_id=event.pk, actor=ACTOR).wrong
            assert differences(event) == [], code


@pytest.mark.django_db
def test_a_row_that_is_gone_comes_back_and_one_too_many_goes() -> None:
    made = cup(placing_season())
    for cache in CACHES:
        if cache is not TABLE:
            table = cache.model._meta.db_table
            execute(f"DELETE FROM {table} WHERE ctid = (SELECT min(ctid) FROM {table})")
            assert any(
                name.startswith(f"{cache.name.replace(' ', '_')}.row cup ")
                for name in differences(made)
            )
            event_rebuild(event_id=made.pk, actor=ACTOR)
            assert differences(made) == [], cache.name
    table_row = Table.objects.filter(stage_round__stage__event=made).first()
    assert table_row is not None
    Table.objects.create(stage_round=table_row.stage_round, group=table_row.group, number=50)
    assert len(differences(made)) == 1
    event_rebuild(event_id=made.pk, actor=ACTOR)
    assert differences(made) == []


@pytest.mark.django_db
def test_a_table_that_is_gone_is_made_again_as_it_was_drawn() -> None:
    season = placing_season()
    made = events.event(season, status=Event.Status.RUNNING)
    events.enter(made, events.players(season.club, 8))
    stage = events.stage(made)
    events.drawn(stage)
    before = [
        (table.number, events.facts(stage).ids(table)) for table in events.facts(stage).tables
    ]
    Table.objects.get(number=1).delete()
    assert differences(made) == [
        "round.tables night-1 stage 1 round 1: is '1 fewer', would be 'as drawn'"
    ]
    event_rebuild(event_id=made.pk, actor=ACTOR)
    assert differences(made) == []
    assert [
        (table.number, events.facts(stage).ids(table)) for table in events.facts(stage).tables
    ] == before


@pytest.mark.django_db
def test_a_cell_is_named_by_what_people_know() -> None:
    made = cup(placing_season())
    score = (
        TableScore.objects.filter(table__stage_round__stage__event=made).order_by("table").first()
    )
    assert score is not None
    TableScore.objects.filter(pk=score.pk).update(points=[7])
    (found,) = [name for name in differences(made) if name.startswith("score")]
    assert (
        found == f"score.points cup stage 1 round 1 table 1 game 1: is [7], would be {score.points}"
    )


@pytest.mark.django_db
def test_a_rebuild_asks_the_same_number_of_queries_for_2_and_for_10_tables() -> None:
    season = placing_season()
    asked = []
    for slug, players in (("small", 8), ("large", 40)):
        made = events.event(season, slug, status=Event.Status.RUNNING)
        events.enter(made, events.players(season.club, players, slug))
        events.play(events.drawn(events.stage(made)))
        here = TableScore.objects.filter(table__stage_round__stage__event=made)
        for forge in (None, here.delete):
            if forge:
                forge()
            with CaptureQueriesContext(connection) as queries:
                event_rebuild(event_id=made.pk, actor=ACTOR)
            asked.append(len(queries))
    assert asked[:2] == asked[2:]
    assert max(asked) < 45


@pytest.mark.django_db
def test_points_that_count_on_follow_a_correction_of_the_stage_before() -> None:
    made = cup(placing_season())
    before = dict(Participant.objects.filter(stage__number=2).values_list("entry", "carried"))
    ranks = dict(FinalRank.objects.values_list("entry", "points"))
    correct(newest_games(made)[0], [4, 3, 2, 1])
    assert (
        dict(Participant.objects.filter(stage__number=2).values_list("entry", "carried")) != before
    )
    assert dict(FinalRank.objects.values_list("entry", "points")) != ranks
    assert differences(made) == []


@pytest.mark.django_db
def test_another_order_of_tie_breaks_changes_the_final_ranks_of_a_finished_event() -> None:
    made = cup(placing_season())
    for order in (["lots"], ["wins", "lots"]):
        stage_change(stage=Stage.objects.get(event=made, number=1), actor=ACTOR, tie_breaks=order)
        assert differences(made) == []


def timed(season: Season, **settings: Any) -> Stage:
    """A stage of an event with places and times."""
    made = events.event(season, status=Event.Status.RUNNING)
    events.enter(made, events.players(season.club, 8))
    places_add(event=made, first=7, last=9, size=4, room="Hall", actor=ACTOR)
    slots_add(
        event=made,
        starts_at=datetime(2026, 12, 3, 19, tzinfo=UTC),
        minutes=45,
        pause=0,
        count=3,
        actor=ACTOR,
    )
    return events.stage(made, **settings)


def publish_timetable(made: Event) -> Timetable:
    asked = timetable_ask(event=made, first=None, ahead=False, actor=ACTOR)
    timetable_make(timetable_id=asked.pk)
    asked.refresh_from_db()
    timetable_publish(timetable=asked, actor=ACTOR)
    return asked


@pytest.mark.django_db
def test_open_tables_follow_the_published_timetable_and_finished_ones_stay() -> None:
    stage = timed(placing_season())
    events.drawn(stage)
    timetable = publish_timetable(stage.event)
    first, second = Table.objects.order_by("number")
    events.finish(first.public_id, events.facts(stage).ids(events.facts(stage).tables[0]))
    for place in HallPlace.objects.all():
        place_change(place=place, room="Cellar", size=4, closed=[], actor=ACTOR)
    first.refresh_from_db()
    second.refresh_from_db()
    assert ("Hall" in first.place, "Cellar" in second.place) == (True, True)
    assert differences(stage.event) == []
    correct(newest_games(stage.event)[0], [2, 1, 3, 4])
    timetable_take_back(timetable=timetable, actor=ACTOR)
    second.refresh_from_db()
    assert (second.place, second.starts_at) == ("2", None)
    assert differences(stage.event) == []


@pytest.mark.django_db
def test_a_table_of_a_ladder_has_the_number_of_its_round_when_its_timetable_is_taken_back() -> None:
    stage = timed(placing_season(), format=Format.LADDER, sizes=[2], rounds=None)
    ids = [member.entry_id for member in events.facts(stage).members.values()]
    events.finish(table_set_up(stage=stage, players=ids[:2], actor=ACTOR).public_id, ids[:2])
    table = table_set_up(stage=stage, players=ids[2:4], actor=ACTOR)
    timetable = publish_timetable(stage.event)
    assert differences(stage.event) == []
    timetable_take_back(timetable=timetable, actor=ACTOR)
    table.refresh_from_db()
    assert table.place == "2"
    assert differences(stage.event) == []


@pytest.mark.django_db
def test_a_challenge_isnt_reseated_as_if_it_were_a_draw() -> None:
    stage = timed(placing_season(), format=Format.LADDER, sizes=[2], rounds=None)
    ids = [member.entry_id for member in events.facts(stage).members.values()][:2]
    stage_round = table_set_up(stage=stage, players=ids, actor=ACTOR).stage_round
    with pytest.raises(ValidationError, match="no draw"):
        round_change(stage_round=stage_round, tables=[ids[::-1]], draws_seen=[], actor=ACTOR)
    assert differences(stage.event) == []


@pytest.mark.django_db
def test_a_game_whose_players_part_is_named_and_nothing_is_guessed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    season = placing_season()
    made = events.event(season, status=Event.Status.RUNNING)
    seated = events.players(season.club, 2)
    (kept,) = events.players(season.club, 1, "kept")
    entries = events.enter(made, seated)
    events.drawn(events.stage(made, sizes=[2], rounds=1))
    player_merge(kept_player=kept, merged=seated[0], actor=ACTOR)
    table = Table.objects.select_related("stage_round__stage__event__season__club").get()
    line = outcome_line(
        table,
        sitting_at(table),
        {entry.public_id: place for place, entry in enumerate(entries, start=1)},
    )
    game = table_game_enter(table=table, line=line.replace(b'"p1"', b'"kept1"'), actor=ACTOR)
    assert differences(made) == []
    player_part(merged=Player.objects.get(pk=seated[0].pk), actor=ACTOR)
    (found,) = differences(made)
    assert found.startswith(f"table_game.wrong_table night-1 {game.external_id}: ")
    with pytest.raises(NotRebuilt):
        event_rebuild(event_id=made.pk, actor=ACTOR)
    with pytest.raises(CommandError, match="Not rebuilt: Night-1"):
        call_command("rebuild", "--club", season.club.slug)
    assert game.external_id in capsys.readouterr().err


@pytest.mark.django_db
def test_the_commands_find_and_mend_what_is_wrong_with_events(
    capsys: pytest.CaptureFixture[str],
) -> None:
    made = cup(placing_season())
    count(made.season)
    call_command("verify", "--club", made.club.slug)
    FinalRank.objects.update(points=-1)
    with pytest.raises(CommandError):
        call_command("verify", "--club", made.club.slug)
    assert "final_rank.points cup entry " in capsys.readouterr().out
    audit = Audit.objects.latest("pk")
    assert (audit.found, audit.differences[0]["code"]) == (8, "final_rank.points")
    call_command("rebuild", "--club", made.club.slug, "--season", made.season.slug)
    position = LogHead.objects.get(club=made.club_id).position
    said = capsys.readouterr().out.splitlines()[-1]
    assert said == (
        "Cup is rebuilt: 5 tables, 5 games, 8 rows were wrong; read up to entry "
        f"{position - 1} of the log."
    )
    call_command("verify", "--club", made.club.slug)


@pytest.mark.django_db
def test_a_stage_that_begins_anew_with_fewer_groups_forgets_who_joined_the_others() -> None:
    made = events.event(placing_season(), status=Event.Status.RUNNING)
    events.crowd(made, 8)
    stage = events.stage(made, groups=2, sizes=[4, 3, 2])
    events.play(events.drawn(stage))
    events.crowd(made, 2, "late")
    events.drawn(stage)
    assert {
        row.group.number
        for row in stage.participants.filter(entry__player__handle__startswith="late")
    } == {1, 2}
    stage_set_back(stage=stage, actor=ACTOR)
    stage_change(stage=stage, actor=ACTOR, groups=1)
    stage_start(stage=stage, actor=ACTOR)
    assert differences(made) == []
