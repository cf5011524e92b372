"""When a game is disputed, and since when it no longer is: statements are taken and kept by that."""

from __future__ import annotations

from typing import Any

from django.db.models import Case, DateTimeField, Exists, F, OuterRef, QuerySet, Subquery, Value, When
from django.db.models.functions import Coalesce

from games.models import Game
from league.disputes.objection.models import Objection


def takes_statements(game: Game) -> bool:
    """Return True while people can say something about this revision of a game: while a seat objects to it. One
    query."""
    return Objection.objects.filter(game=game, end=None).exists()


def with_dispute_end(rows: QuerySet[Any], made_at: str = "made_at") -> QuerySet[Any]:
    """Return rows about a game with `dispute_ended_at`: when the last dispute about any of its revisions ended.

    It is None while one goes on. Where there never was one, it is `made_at`, so that nothing is kept for ever.
    """
    objections = Objection.objects.filter(
        game__source=OuterRef("game__source"),
        game__external_id=OuterRef("game__external_id"),
    )
    last_end = objections.order_by("-end__ended_at").values("end__ended_at")[:1]
    with_end: QuerySet[Any] = rows.annotate(
        dispute_ended_at=Case(
            When(Exists(objections.filter(end=None)), then=Value(None)),
            default=Coalesce(Subquery(last_end), F(made_at)),
            output_field=DateTimeField(),
        )
    )
    return with_end
