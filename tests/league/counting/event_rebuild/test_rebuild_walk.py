"""What is stored of an event, step by step and computed anew: whatever happens, it is the same."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import F
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from engine.illegal import Refused
from league.counting.event_rebuild.domain import CACHES, TABLE
from league.counting.event_rebuild.queries.event import stored_rows
from league.counting.event_rebuild.services import event_rebuild
from league.events.entry.services.entry import entries_check_in, entry_withdraw
from league.models import (
    Draw,
    Entry,
    Event,
    Format,
    Stage,
    StageRound,
    StageScoring,
    Table,
)
from league.stages.course.services.event import event_move
from league.stages.course.services.stage import stage_finish, stage_resume, stage_start
from league.stages.round.services import round_change, round_take_back
from league.stages.stage.services.stage import stage_change
from league.stages.table.services.table import table_set_up
from league.stages.table.services.walkover import walkover_give
from tests.factories import events
from tests.league.counting.event_rebuild.rebuilt import (
    ACTOR,
    correct,
    differences,
    newest_games,
    placing_season,
)


class Walk:
    """A random night: whatever can happen at an event, one thing after the other; what is refused
    doesn't happen."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.season = placing_season()
        self.event = events.event(self.season, status=Event.Status.RUNNING)
        self.entries = events.enter(
            self.event, events.players(self.season.club, self.chance.choice([6, 8]))
        )
        plans: list[dict[str, Any]] = [
            {"format": Format.SWISS, "groups": self.chance.choice([1, 2]), "sizes": [4, 3, 2]},
            {"format": Format.SINGLE, "sizes": [2], "rounds": None, "third": True},
            {"format": Format.LADDER, "sizes": [2], "rounds": None},
            {"format": Format.FREE, "sizes": [4], "rounds": None},
            {
                "format": Format.STRIKES,
                "sizes": [4, 3, 2],
                "rounds": None,
                "scoring": StageScoring.STRIKES,
            },
        ]
        plan = plans[self.chance.choice([0, 0, 1, 2, 3, 4])]
        best_of: dict[str, Any] = (
            {"games": 3, "scoring": StageScoring.BEST_OF} if self.chance.random() < 0.4 else {}
        )
        if plan["format"] == Format.STRIKES:
            best_of = {}
        self.stage = events.stage(self.event, **{"rounds": 2, **plan, **best_of})

    @property
    def current(self) -> StageRound | None:
        rounds = StageRound.objects.filter(stage=self.stage).exclude(
            status__in=["taken_back", "failed"]
        )
        return rounds.order_by("-number").first()

    def step(self) -> None:
        moves: list[tuple[int, Callable[[], None]]] = [
            (8, self.result),
            (4, self.draw),
            (3, self.correct),
            (1, self.withdraw),
            (1, self.take_back),
            (1, self.change),
            (1, self.late),
            (2, self.finish),
            (1, self.next_stage),
            (1, self.tie_breaks),
            (1, self.give),
        ]
        weights = [weight for weight, _ in moves]
        (move,) = self.chance.choices([move for _, move in moves], weights)
        try:
            with transaction.atomic():
                move()
        except (ValidationError, Refused):
            pass

    def draw(self) -> None:
        if self.stage.format_rules.undrawn:
            ids = [entry.public_id for entry in self.chance.sample(self.entries, 2)]
            table_set_up(stage=self.stage, players=ids, actor=ACTOR)
        else:
            events.drawn(self.stage)

    def result(self) -> None:
        open_tables = Table.objects.filter(stage_round__stage=self.stage, finished=False).order_by(
            "pk"
        )
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
        entry_withdraw(
            entry=self.chance.choice(self.entries), actor=ACTOR, no_show=self.chance.random() < 0.5
        )

    def take_back(self) -> None:
        if self.current:
            round_take_back(stage_round=self.current, actor=ACTOR, with_results=True)

    def give(self) -> None:
        tables = Table.objects.filter(stage_round__stage=self.stage).order_by("pk")
        if tables:
            walkover_give(table=self.chance.choice(list(tables)), actor=ACTOR)

    def change(self) -> None:
        if self.current:
            facts = events.facts(self.stage)
            rows = [table for table in facts.tables if table.round_number == self.current.number]
            tables = [self.chance.sample(facts.ids(row), len(row.entries)) for row in rows]
            known = list(
                Draw.objects.filter(stage_round=self.current).values_list("public_id", flat=True)
            )
            round_change(stage_round=self.current, tables=tables, draws_seen=known, actor=ACTOR)

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
        if (
            self.stage.number == 1
            and Stage.objects.get(pk=self.stage.pk).status == Stage.Status.FINISHED
        ):
            planned = events.stage(
                self.event,
                start=False,
                name="Next",
                rounds=1,
                takes=3,
                carry=True,
                seeding="stage",
                sizes=[4, 3, 2],
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
        stored = [stored_rows(cache, walk.event) for cache in CACHES]
        for cache in CACHES:
            if cache is not TABLE:
                cache.model._default_manager.filter(**{cache.event: walk.event}).delete()
        Table.objects.update(finished=False, label="forged", number=F("number") + 100)
        event_rebuild(event_id=walk.event.pk, actor=ACTOR)
        assert [stored_rows(cache, walk.event) for cache in CACHES] == stored
