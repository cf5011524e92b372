"""Since when a game is no longer disputed: statements are kept by that."""

from __future__ import annotations

from typing import Any

from django.db.models import (
    Case,
    DateTimeField,
    Exists,
    F,
    Model,
    OuterRef,
    QuerySet,
    Subquery,
    Value,
    When,
)
from django.db.models.functions import Coalesce, Greatest

from games.models import Game
from league.disputes.appeal.models import Appeal
from league.disputes.objection.models import Objection
from league.disputes.ruling.models import Ruling
from league.standings.ranked_game.queries.provisional import is_provisional


def with_dispute_end(rows: QuerySet[Any], made_at: str = "made_at") -> QuerySet[Any]:
    """Annotate rows that have a `game` with `dispute_ended_at`: the time of the last end of an
    objection or appeal, or of the last ruling, about any revision of the game.

    Statements are deleted some time after it. It is None while a dispute is open, which makes the
    game provisional. If there never was a dispute, it is the column named by `made_at`."""
    same_game = {"source": OuterRef("game__source"), "external_id": OuterRef("game__external_id")}
    open_games = Game.objects.filter(is_provisional(), **same_game)
    # PostgreSQL's GREATEST passes over those that are NULL.
    last_ends = [
        _last_time(Objection, "end__ended_at", "game"),
        _last_time(Ruling, "ruled_at", "game"),
        _last_time(Appeal, "end__ended_at", "ruling__game"),
    ]
    with_end: QuerySet[Any] = rows.annotate(
        dispute_ended_at=Case(
            When(Exists(open_games), then=Value(None)),
            default=Coalesce(Greatest(*last_ends), F(made_at)),
            output_field=DateTimeField(),
        )
    )
    return with_end


def _last_time(model: type[Model], at: str, game: str) -> Subquery:
    rows = model._default_manager.filter(
        **{
            f"{game}__source": OuterRef("game__source"),
            f"{game}__external_id": OuterRef("game__external_id"),
        },
        **{f"{at}__isnull": False},
    )
    return Subquery(rows.order_by(f"-{at}").values(at)[:1])
