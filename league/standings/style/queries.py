"""How the players of a ranking bluff and challenge, side by side."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from django.db.models import F, FloatField, Func, IntegerField, QuerySet
from django.db.models.expressions import Combinable
from django.db.models.functions import Cast, NullIf

from engine.interval import Interval, of_share
from league.standings.ranking.models import Ranking
from league.standings.style.models import Style

SORTS: Final = ("name", "bids", "bluffed", "caught", "challenges", "right")
"""The columns by which a table of styles can be sorted; `bluffed`, `caught` and `right` by the
share."""


@dataclass(frozen=True, slots=True)
class ComparedStyle:
    """A player's bids and challenges in a ranking. `answered`: bluffs that the next seat raised or
    challenged."""

    player: str
    handle: str
    name: str
    bids: int
    bluffs: int
    answered: int
    caught: int
    challenges: int
    right: int

    @property
    def bluffed_share(self) -> Interval | None:
        """Return the share of bids that were bluffs, with its 95 % interval; None without bids."""
        return _share(self.bluffs, self.bids)

    @property
    def caught_share(self) -> Interval | None:
        """Return the share of answered bluffs that were caught; None without any."""
        return _share(self.caught, self.answered)

    @property
    def right_share(self) -> Interval | None:
        """Return the share of challenges that were right; None without any."""
        return _share(self.right, self.challenges)


def _share(hits: int, trials: int) -> Interval | None:
    return of_share(hits, trials) if trials else None


class BinsSum(Func):
    """The sum of an array of whole numbers."""

    template = "(SELECT sum(number)::integer FROM unnest(%(expressions)s) number)"
    output_field = IntegerField()


def style_rows(ranking: Ranking, sort: str, *, down: bool) -> QuerySet[Style, tuple[Any, ...]]:
    """Return the styles of a ranking as rows for `ComparedStyle`, sorted by one of `SORTS`,
    descending if `down`. Players without the share come last."""
    rows = Style.objects.filter(ranking=ranking).annotate(
        answered=F("stood") + F("lucky") + F("caught"),
        challenge_count=BinsSum("challenges"),
        right_count=BinsSum("right"),
    )
    keys: dict[str, Any] = {
        "name": F("player__name_key"),
        "bids": F("bids"),
        "bluffed": _rate("bluffs", "bids"),
        "caught": _rate("caught", "answered"),
        "challenges": F("challenge_count"),
        "right": _rate("right_count", "challenge_count"),
    }
    key = keys[sort]
    order = key.desc(nulls_last=True) if down else key.asc(nulls_last=True)
    names = ("player__public_id", "player__handle", "player__name")
    return rows.order_by(order, "player").values_list(
        *names, "bids", "bluffs", "answered", "caught", "challenge_count", "right_count"
    )


def _rate(hits: str, trials: str) -> Combinable:
    return Cast(F(hits), FloatField()) / Cast(NullIf(F(trials), 0), FloatField())
