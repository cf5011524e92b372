"""Arbiters' adjustments of a game: penalty points of a seat, and the order of its seats. The dice
stay as they fell."""

from __future__ import annotations

from typing import Final

import pgtrigger
from django.contrib.postgres.fields import ArrayField
from django.db import models

from engine.scoring.points import MOST_PENALTY
from games.models import Game
from games.models.fact import Fact, Guard
from games.models.public_id import PublicModel
from league.core.account.models import User
from league.core.log.columns import column
from league.core.log.nouns import Noun
from league.standings.season.models import CLUB_OF_GAME

NEXT_PENALTY: Final = Guard(
    name="next_penalty",
    operation=pgtrigger.Insert,
    func=f"""
        IF NEW.number <> 1 + (SELECT count(*) FROM league_penalty WHERE game_id = NEW.game_id) THEN
            RAISE EXCEPTION 'penalty % of game % comes out of turn', NEW.number, NEW.game_id;
        END IF;
        IF NOT EXISTS (SELECT FROM games_seat WHERE game_id = NEW.game_id AND number = NEW.seat) THEN
            RAISE EXCEPTION 'game % has no seat %', NEW.game_id, NEW.seat;
        END IF;
        IF EXISTS (SELECT FROM games_game WHERE replaces_id = NEW.game_id) THEN
            RAISE EXCEPTION 'game % is corrected: its newest revision counts', NEW.game_id;
        END IF;
        IF NEW.lifts_id IS NULL AND NEW.points <= 0 OR NEW.lifts_id IS NOT NULL AND NOT EXISTS (
            SELECT FROM league_penalty WHERE id = NEW.lifts_id AND lifts_id IS NULL
            AND game_id = NEW.game_id AND seat = NEW.seat AND points = -NEW.points
        ) THEN
            RAISE EXCEPTION 'penalty % of game % takes off % points', NEW.number, NEW.game_id, NEW.points;
        END IF;
        IF NEW.points + (
            SELECT COALESCE(sum(points), 0) FROM league_penalty WHERE game_id = NEW.game_id AND seat = NEW.seat
        ) > {MOST_PENALTY} THEN
            RAISE EXCEPTION 'the penalties of seat % of game % are too many points', NEW.seat, NEW.game_id;
        END IF;
        RETURN NEW;
    """,
)
"""The penalties of a game are numbered from 1, each for a seat that exists; one that lifts another
gives back exactly its points."""
NEXT_ORDER: Final = Guard(
    name="next_order",
    operation=pgtrigger.Insert,
    declare=[
        ("orders", "INTEGER := (SELECT count(*) FROM league_setorder WHERE game_id = NEW.game_id)")
    ],
    func="""
        IF NEW.number <> orders + 1 OR (NEW.ranks IS NULL AND COALESCE((
            SELECT ranks IS NULL FROM league_setorder WHERE game_id = NEW.game_id ORDER BY number DESC LIMIT 1
        ), true)) THEN
            RAISE EXCEPTION 'order % of game % comes out of turn', NEW.number, NEW.game_id;
        END IF;
        IF cardinality(NEW.ranks) <> (SELECT count(*) FROM games_seat WHERE game_id = NEW.game_id) THEN
            RAISE EXCEPTION 'order % of game % ranks not each seat', NEW.number, NEW.game_id;
        END IF;
        IF EXISTS (SELECT FROM games_game WHERE replaces_id = NEW.game_id) THEN
            RAISE EXCEPTION 'game % is corrected: its newest revision counts', NEW.game_id;
        END IF;
        RETURN NEW;
    """,
)
"""The orders of a game are numbered from 1, each ranks all of its seats, and only the current one
can be lifted."""


class Penalty(PublicModel, Fact):
    """Points taken off a seat of a game, wherever the game counts. A penalty that `lifts` an
    earlier one gives them back: its `points` are negative, so that all of a seat's add up to what
    it loses.

    `follows`: the penalty that it carries over from before a correction of the game. `role`: that
    of the person who decided it."""

    game: models.ForeignKey[Game, Game] = column(
        models.ForeignKey(Game, on_delete=models.PROTECT, related_name="penalties", db_index=False)
    )
    number = column(models.PositiveSmallIntegerField())
    seat = column(models.PositiveSmallIntegerField())
    points = column(models.SmallIntegerField())
    lifts: models.OneToOneField[Penalty | None, Penalty | None] = column(
        models.OneToOneField("self", on_delete=models.PROTECT, null=True, related_name="lift")
    )
    follows: models.ForeignKey[Penalty | None, Penalty | None] = column(
        models.ForeignKey(
            "self", on_delete=models.PROTECT, null=True, related_name="+", db_index=False
        )
    )
    role = column(models.CharField(max_length=16))
    made_at = column(models.DateTimeField())
    made_by: models.ForeignKey[User | None, User | None] = column(
        models.ForeignKey(
            User, on_delete=models.PROTECT, null=True, related_name="+", db_index=False
        ),
        name="by",
    )

    class Meta:
        ordering = ["game", "number"]
        triggers = [NEXT_PENALTY]
        constraints = [models.UniqueConstraint(fields=["game", "number"], name="penalty_once")]

    def __str__(self) -> str:
        return f"penalty {self.number} of game {self.game_id}"


class SetOrder(Fact):
    """Another order for the seats of a game than the one in which they finished: `ranks` by seat,
    equal ones shared; None: as they finished, after all. The newest `number` holds.

    `follows`: the revision before a correction, whose order it carries over. `role`: that of the
    person who decided it."""

    game = models.ForeignKey(
        Game, on_delete=models.PROTECT, related_name="set_orders", db_index=False
    )
    number = models.PositiveSmallIntegerField()
    ranks = column(ArrayField(models.PositiveSmallIntegerField(), null=True))
    follows: models.ForeignKey[Game | None, Game | None] = column(
        models.ForeignKey(
            Game, on_delete=models.PROTECT, null=True, related_name="+", db_index=False
        )
    )
    role = column(models.CharField(max_length=16))
    made_at = column(models.DateTimeField())
    made_by: models.ForeignKey[User | None, User | None] = column(
        models.ForeignKey(
            User, on_delete=models.PROTECT, null=True, related_name="+", db_index=False
        ),
        name="by",
    )

    class Meta:
        ordering = ["game", "number"]
        triggers = [NEXT_ORDER]
        constraints = [models.UniqueConstraint(fields=["game", "number"], name="set_order_once")]

    def __str__(self) -> str:
        return f"order {self.number} of game {self.game_id}"


PENALTY: Final = Noun("penalty", Penalty, club=f"game__{CLUB_OF_GAME}")


SET_ORDER: Final = Noun(
    "set order", SetOrder, club=f"game__{CLUB_OF_GAME}", named=("game__public_id", "number")
)
