"""What is stored of an event is what its facts give: step by step, computed anew, and after somebody has forged it."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from threading import Event as Signal
from threading import Thread
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.core.management import CommandError, call_command
from django.db import connection, transaction
from django.db.models import F
from django.test.utils import CaptureQueriesContext
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from engine.record.write import write
from games.models import Game
from games.queries.game import sealed_record
from league.events.queries.derived import CACHES, TABLE
from league.events.services.challenge import table_challenge
from league.events.services.entry import entries_check_in, entry_withdraw
from league.events.services.event import event_move
from league.events.services.hall import place_change, places_add, slots_add
from league.events.services.rebuild import NotRebuilt, Rebuilt, event_rebuild
from league.events.services.result import NoResult, outcome_line, table_game_enter
from league.events.services.round import round_change, round_take_back
from league.events.services.stage import stage_change, stage_finish, stage_resume, stage_start
from league.events.services.timetable import timetable_ask, timetable_make, timetable_publish, timetable_take_back
from league.events.services.verification import event_differences
from league.locks import Busy
from league.models import (
    Action,
    Audit,
    Draw,
    Entry,
    Event,
    FinalRank,
    Format,
    HallPlace,
    LogEntry,
    LogHead,
    Participant,
    Player,
    Season,
    Stage,
    StageRound,
    StageScoring,
    Table,
    TableScore,
    Timetable,
)
from league.rankings.services.player import player_merge, player_part
from league.rulings.services import NoCorrection, game_correct
from tests.factories import events
from tests.factories.counted import count
from tests.factories.league import SeasonFactory

ACTOR = events.ACTOR


def differences(event: Event) -> list[str]:
    return [str(difference) for difference in event_differences(event.pk)]


def correct(game: Game, ranks: list[int]) -> None:
    """Say that a game of which only the end is known ended otherwise."""
    value = json.loads(write(sealed_record(game)[0]))
    value["outcome"]["rank"] = ranks
    game_correct(game=game, line=json.dumps(value).encode(), reason="read upside down")


def newest_games(event: Event) -> list[Game]:
    found = Game.objects.filter(table_game__table__stage_round__stage__event=event, corrections=None)
    return list(found.order_by("table_game__table", "table_game__number"))


def placing_season(**more: Any) -> Season:
    season = SeasonFactory.create(**more)
    season.ranking.scoring = "placement"
    season.ranking.save()
    return season


def cup(season: Season, slug: str = "cup", count: int = 8, **settings: Any) -> Event:
    """A finished event of two stages: groups, and a stage for the best of each into which their points count on."""
    made = events.event(season, slug, status=Event.Status.RUNNING)
    entries = events.enter(made, events.players(season.club, count, slug))
    groups = events.stage(made, groups=2, rounds=2, **settings)
    for _ in range(2):
        events.play(events.drawn(groups), best=[entry.public_id for entry in entries])
    stage_finish(stage=groups, actor=ACTOR)
    final = events.stage(made, name="Final", rounds=1, takes=2, carry=True, seeding="stage")
    events.play(events.drawn(final))
    stage_finish(stage=final, actor=ACTOR)
    event_move(event=made, status=Event.Status.FINISHED, actor=ACTOR)
    return made


class Walk:
    """A random night: whatever can happen at an event, one thing after the other; what is refused doesn't happen."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.season = placing_season()
        self.event = events.event(self.season, status=Event.Status.RUNNING)
        self.entries = events.enter(self.event, events.players(self.season.club, self.chance.choice([6, 8])))
        plans: list[dict[str, Any]] = [
            {"format": Format.SWISS, "groups": self.chance.choice([1, 2]), "sizes": [4, 3, 2]},
            {"format": Format.SINGLE, "sizes": [2], "rounds": None, "third": True},
            {"format": Format.LADDER, "sizes": [2], "rounds": None},
        ]
        plan = plans[self.chance.choice([0, 0, 1, 2])]
        best_of: dict[str, Any] = {"games": 3, "scoring": StageScoring.BEST_OF} if self.chance.random() < 0.4 else {}
        self.stage = events.stage(self.event, **{"rounds": 2, **plan, **best_of})

    @property
    def current(self) -> StageRound | None:
        rounds = StageRound.objects.filter(stage=self.stage).exclude(status__in=["taken_back", "failed"])
        return rounds.order_by("-number").first()

    def step(self) -> None:
        moves: list[tuple[int, Callable[[], None]]] = [
            (8, self.result), (4, self.draw), (3, self.correct), (1, self.withdraw), (1, self.take_back),
            (1, self.change), (1, self.late), (2, self.finish), (1, self.next_stage), (1, self.tie_breaks),
        ]  # fmt: skip
        weights = [weight for weight, _ in moves]
        (move,) = self.chance.choices([move for _, move in moves], weights)
        try:
            with transaction.atomic():
                move()
        except (ValidationError, NoResult, NoCorrection):
            pass

    def draw(self) -> None:
        if self.stage.format == Format.LADDER:
            ids = [entry.public_id for entry in self.chance.sample(self.entries, 2)]
            table_challenge(stage=self.stage, players=ids, actor=ACTOR)
        else:
            events.drawn(self.stage)

    def result(self) -> None:
        open_tables = Table.objects.filter(stage_round__stage=self.stage, finished=False).order_by("pk")
        if open_tables:
            table = self.chance.choice(list(open_tables))
            ids = list(Entry.objects.filter(seats__table=table).values_list("public_id", flat=True))
            events.finish(table.public_id, self.chance.sample(ids, len(ids)))

    def correct(self) -> None:
        games = newest_games(self.event)
        if games:
            game = self.chance.choice(games)
            ranks = list(range(1, game.seats.count() + 1))
            self.chance.shuffle(ranks)
            correct(game, ranks)

    def withdraw(self) -> None:
        entry_withdraw(entry=self.chance.choice(self.entries), actor=ACTOR, no_show=self.chance.random() < 0.5)

    def take_back(self) -> None:
        if self.current:
            round_take_back(stage_round=self.current, actor=ACTOR, with_results=True)

    def change(self) -> None:
        if self.current:
            facts = events.facts(self.stage)
            rows = [table for table in facts.tables if table.round == self.current.number]
            tables = [self.chance.sample(facts.ids(row), len(row.entries)) for row in rows]
            known = list(Draw.objects.filter(stage_round=self.current).values_list("public_id", flat=True))
            round_change(stage_round=self.current, tables=tables, known=known, actor=ACTOR)

    def late(self) -> None:
        (player,) = events.players(self.season.club, 1, f"late{self.chance.random()}")
        (entry,) = events.enter(self.event, [player], check_in=False)
        entries_check_in(event=self.event, entries=[entry], actor=ACTOR)
        self.entries.append(entry)

    def finish(self) -> None:
        stage = Stage.objects.get(pk=self.stage.pk)
        if stage.status == Stage.Status.RUNNING:
            stage_finish(stage=stage, actor=ACTOR)
        elif self.chance.random() < 0.5:
            event_move(event=self.event, status=Event.Status.FINISHED, actor=ACTOR)
        elif Event.objects.get(pk=self.event.pk).status == Event.Status.FINISHED:
            event_move(event=self.event, status=Event.Status.RUNNING, actor=ACTOR)
        else:
            stage_resume(stage=stage, actor=ACTOR)

    def next_stage(self) -> None:
        if self.stage.number == 1 and Stage.objects.get(pk=self.stage.pk).status == Stage.Status.FINISHED:
            planned = events.stage(
                self.event, start=False, name="Next", rounds=1, takes=3, carry=True, seeding="stage", sizes=[4, 3, 2]
            )
            stage_start(stage=planned, actor=ACTOR)
            self.stage = planned

    def tie_breaks(self) -> None:
        order = self.chance.sample(["wins", "head_to_head", "opponents_score", "lots"], 2)
        stage_change(stage=self.stage, actor=ACTOR, tie_breaks=order)


class TestWhateverHappens(TestCase):
    @settings(max_examples=15)
    @given(seed=st.integers(0, 2**32))
    def test_step_by_step_and_computed_anew_give_the_same(self, seed: int) -> None:
        walk = Walk(seed)
        for _ in range(5):
            for _ in range(6):
                walk.step()
            assert differences(walk.event) == []
        stored = [cache.stored(walk.event) for cache in CACHES]
        for cache in CACHES:
            if cache is not TABLE:
                cache.model._default_manager.filter(**{cache.event: walk.event}).delete()
        Table.objects.update(finished=False, label="forged", number=F("number") + 100)
        event_rebuild(event_id=walk.event.pk, actor=ACTOR)
        assert [cache.stored(walk.event) for cache in CACHES] == stored


OTHER_GROUP = "(SELECT max(other.id) FROM league_group other WHERE other.id <> {table}.group_id)"
CELLS = {
    "league_participant": {
        "group_id": OTHER_GROUP.format(table="league_participant"), "seed": "seed + 100", "carried": "carried + 840",
    },
    "league_table": {
        "number": "number + 100", "group_id": OTHER_GROUP.format(table="league_table"), "label": "'other'",
        "place": "'elsewhere'", "starts_at": "now()", "finished": "NOT finished",
    },
    "league_tableseat": {"entry_id": "(SELECT max(id) FROM league_entry WHERE id <> entry_id)"},
    "league_tablescore": {
        "game_id": "(SELECT max(id) FROM games_game WHERE id <> game_id)", "entries": "entries[2:]",
        "ranks": "ranks[2:] || ranks[1]", "points": "ARRAY[9, 9, 9, 9]",
    },
    "league_finalrank": {"rank": "rank + 1", "points": "points - 1"},
}  # fmt: skip
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
            row = cache.model._default_manager.filter(**{cache.event: event}).order_by(*cache.key).values(*cache.key)[0]
            execute(
                f"UPDATE {table} SET {column} = {value} WHERE " + " AND ".join(f"{k} = {v}" for k, v in row.items())
            )
            code = f"{cache.name}.{column.removesuffix('_id')}".replace(" ", "_")
            assert any(name.startswith(f"{code} {event.slug} ") for name in differences(event)), code
            assert event_rebuild(event_id=event.pk, actor=ACTOR).wrong
            assert differences(event) == [], code


@pytest.mark.django_db
def test_a_row_that_is_gone_comes_back_and_one_too_many_goes() -> None:
    made = cup(placing_season())
    for cache in CACHES:
        if cache is not TABLE:
            table = cache.model._meta.db_table
            execute(f"DELETE FROM {table} WHERE ctid = (SELECT min(ctid) FROM {table})")
            assert any(name.startswith(f"{cache.name.replace(' ', '_')}.row cup ") for name in differences(made))
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
    before = [(table.number, events.facts(stage).ids(table)) for table in events.facts(stage).tables]
    Table.objects.get(number=1).delete()
    assert differences(made) == ["round.tables night-1 stage 1 round 1: is '1 fewer', would be 'as drawn'"]
    event_rebuild(event_id=made.pk, actor=ACTOR)
    assert differences(made) == []
    assert [(table.number, events.facts(stage).ids(table)) for table in events.facts(stage).tables] == before


@pytest.mark.django_db
def test_a_cell_is_named_by_what_people_know() -> None:
    made = cup(placing_season())
    score = TableScore.objects.filter(table__stage_round__stage__event=made).order_by("table").first()
    assert score is not None
    TableScore.objects.filter(pk=score.pk).update(points=[7])
    (found,) = [name for name in differences(made) if name.startswith("score")]
    assert found == f"score.points cup stage 1 round 1 table 1 game 1: is [7], would be {score.points}"


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


def in_thread(work: Callable[[], object], came: list[Any]) -> Thread:
    """Work on a connection of its own; what it gives or raises is kept."""

    def run() -> None:
        try:
            came.append(work())
        except BaseException as error:
            came.append(error)
        finally:
            connection.close()

    thread = Thread(target=run)
    thread.start()
    return thread


def until_somebody_waits() -> None:
    """Go on once another connection waits for a lock."""
    waiting = False
    while not waiting:
        with connection.cursor() as cursor:
            cursor.execute("SELECT EXISTS (SELECT 1 FROM pg_locks WHERE NOT granted)")
            (waiting,) = cursor.fetchone()


@pytest.mark.django_db(transaction=True)
def test_a_rebuild_in_a_loop_loses_no_result_and_has_read_what_it_says() -> None:
    season = placing_season()
    made = events.event(season, status=Event.Status.RUNNING)
    events.enter(made, events.players(season.club, 24))
    stage = events.stage(made)
    events.drawn(stage)
    done = Signal()

    def rebuilds() -> list[Rebuilt]:
        found = []
        while not done.is_set():
            with suppress(Busy):
                found.append(event_rebuild(event_id=made.pk, actor=ACTOR))
        return found

    def plays(numbers: range) -> Callable[[], None]:
        def run() -> None:
            for table in events.facts(stage).tables:
                if table.number in numbers:
                    events.finish(table.id, events.facts(stage).ids(table))
                    correct(Game.objects.get(table_game__table=table.pk), [4, 3, 2, 1])

        return run

    came: list[Any] = []
    played: list[Any] = []
    rebuilder = in_thread(rebuilds, came)
    players = [in_thread(plays(numbers), played) for numbers in (range(1, 4), range(4, 7))]
    for thread in players:
        thread.join()
    done.set()
    rebuilder.join()
    assert played == [None, None]
    assert TableScore.objects.filter(ranks=[4, 3, 2, 1], table__finished=True).count() == 6
    assert differences(made) == []
    (rebuilt,) = came
    for one in rebuilt:
        sealed = LogEntry.objects.filter(action=Action.GAME_SEALED, position__lte=one.position)
        assert (one.games, one.wrong) == (sealed.count(), 0)


@pytest.mark.django_db(transaction=True)
def test_a_rebuild_waits_for_a_result_that_is_going_in() -> None:
    season = placing_season()
    made = events.event(season, status=Event.Status.RUNNING)
    events.enter(made, events.players(season.club, 4))
    stage_round = events.drawn(events.stage(made))
    came: list[Any] = []
    with transaction.atomic():
        events.play(stage_round)
        rebuilder = in_thread(lambda: event_rebuild(event_id=made.pk, actor=ACTOR), came)
        until_somebody_waits()
        ends = LogHead.objects.get(club=made.club_id).position
    rebuilder.join()
    assert came == [Rebuilt(position=ends, tables=1, games=1, wrong=0)]


@pytest.mark.django_db(transaction=True)
def test_a_correction_counts_also_if_the_event_is_finished_at_this_moment() -> None:
    made = cup(placing_season(), count=6)
    event_move(event=made, status=Event.Status.RUNNING, actor=ACTOR)
    came: list[Any] = []
    with transaction.atomic():
        correct(newest_games(made)[-1], [4, 3, 2, 1])
        finisher = in_thread(lambda: event_move(event=made, status=Event.Status.FINISHED, actor=ACTOR), came)
        until_somebody_waits()
    finisher.join()
    assert came == [True]
    assert FinalRank.objects.filter(event=made).count() == 6
    assert differences(made) == []


@pytest.mark.django_db
def test_points_that_count_on_follow_a_correction_of_the_stage_before() -> None:
    made = cup(placing_season())
    before = dict(Participant.objects.filter(stage__number=2).values_list("entry", "carried"))
    ranks = dict(FinalRank.objects.values_list("entry", "points"))
    correct(newest_games(made)[0], [4, 3, 2, 1])
    assert dict(Participant.objects.filter(stage__number=2).values_list("entry", "carried")) != before
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
    slots_add(event=made, starts_at=datetime(2026, 12, 3, 19, tzinfo=UTC), minutes=45, pause=0, count=3, actor=ACTOR)
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
    ids = [member.id for member in events.facts(stage).members.values()]
    events.finish(table_challenge(stage=stage, players=ids[:2], actor=ACTOR).public_id, ids[:2])
    table = table_challenge(stage=stage, players=ids[2:4], actor=ACTOR)
    timetable = publish_timetable(stage.event)
    assert differences(stage.event) == []
    timetable_take_back(timetable=timetable, actor=ACTOR)
    table.refresh_from_db()
    assert table.place == "2"
    assert differences(stage.event) == []


@pytest.mark.django_db
def test_a_challenge_isnt_reseated_as_if_it_were_a_draw() -> None:
    stage = timed(placing_season(), format=Format.LADDER, sizes=[2], rounds=None)
    ids = [member.id for member in events.facts(stage).members.values()][:2]
    stage_round = table_challenge(stage=stage, players=ids, actor=ACTOR).stage_round
    with pytest.raises(ValidationError, match="no draw"):
        round_change(stage_round=stage_round, tables=[ids[::-1]], known=[], actor=ACTOR)
    assert differences(stage.event) == []


@pytest.mark.django_db
def test_a_game_whose_players_part_is_named_and_nothing_is_guessed(capsys: pytest.CaptureFixture[str]) -> None:
    season = placing_season()
    made = events.event(season, status=Event.Status.RUNNING)
    seated = events.players(season.club, 2)
    (kept,) = events.players(season.club, 1, "kept")
    entries = events.enter(made, seated)
    events.drawn(events.stage(made, sizes=[2], rounds=1))
    player_merge(kept=kept, merged=seated[0], actor=ACTOR)
    table = Table.objects.select_related("stage_round__stage__event__season__club").get()
    line = outcome_line(table, {entry.public_id: place for place, entry in enumerate(entries, start=1)})
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
def test_the_commands_find_and_mend_what_is_wrong_with_events(capsys: pytest.CaptureFixture[str]) -> None:
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
    assert said == f"Cup is rebuilt: 5 tables, 5 games, 8 rows were wrong; read up to entry {position - 1} of the log."
    call_command("verify", "--club", made.club.slug)
