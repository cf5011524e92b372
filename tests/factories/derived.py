"""All that is derived of a ranking, by the names that people know, to be compared with what it was
or should be."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from games.domain.difference import Checkpoint, Difference
from league.models import Appearance, RankedGame, Ranking, Rating, RatingChange, Standing, Style
from league.site.audit.queries.ranking import verify_ranking

GAME = ("played_at", "natural_id", "event", "over", "only_end", "voided")
HIDDEN = ("pk", "ranking", "player", "public_id", "counts_for", "game")


def derived(ranking: Ranking) -> dict[str, list[dict[str, Any]]]:
    """The rows of a ranking, without the ids of rows, which may be others in another ranking of the
    same games."""
    ranking.refresh_from_db()
    rows: dict[str, list[dict[str, Any]]] = {
        "ranking": [
            {
                "last_day": ranking.last_day,
                "last": (ranking.last_at, ranking.last_id),
                "game_count": ranking.game_count,
            }
        ],
        "games": [dict(row) for row in RankedGame.objects.filter(ranking=ranking).values(*GAME)],
    }
    for model in (Standing, Rating, Style):
        rows[model.__name__] = list(_rows(model, ranking, "player__handle"))
    rows["RatingChange"] = list(_rows(RatingChange, ranking, "game__external_id"))
    rows["Appearance"] = list(
        _rows(Appearance, ranking, "game__external_id", "player__handle", "counts_for__handle")
    )
    return {name: sorted(found, key=repr) for name, found in rows.items()}


def ranking_differences(ranking_id: int) -> Iterator[Difference]:
    """Every cell of a ranking that a rebuild would change."""
    checkpoint: Checkpoint | None = {}
    while checkpoint is not None:
        differences, checkpoint = verify_ranking(ranking_id, checkpoint)
        yield from differences


def _rows(model: type[Any], ranking: Ranking, *names: str) -> Any:
    columns = [field.name for field in model._meta.concrete_fields if field.name not in HIDDEN]
    return model.objects.filter(ranking=ranking).values(*names, *columns)
