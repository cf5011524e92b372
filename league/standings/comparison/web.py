"""The part “Compared” of a player's page: figures next to the season's average and another
player's."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Final, TypeVar

from django.utils.translation import gettext_lazy

from engine.interval import Interval, of_share
from league.core.player.models import Player
from league.core.viewer.web.viewer import PageContext
from league.standings.comparison.queries import (
    Results,
    head_to_head,
    results_and_sums,
    styles_and_sums,
)
from league.standings.player.queries.rivals import RatingDay, history_of
from league.standings.ranking.queries.ranking import players_found
from league.standings.rating.web import DAYS, rating_mark
from league.standings.style.domain import PlayerStyle
from league.templatetags.charts import LEAST_MARKS, PairChart
from league.templatetags.figures import NONE, figure, percent, signed

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise
Source = TypeVar("Source")
CHOICES: Final = 12
"""The most players offered for a search."""
LONGEST: Final = 100
"""The most characters of a name to look for; no name has more."""


def _share_with_interval(hits: int, trials: int) -> str:
    return _interval(of_share(hits, trials)) if trials else NONE


def _interval(share: Interval) -> str:
    return f"{percent(share.value)} ({percent(share.low)}–{percent(share.high)})"


def _luck_of_a_roll(style: PlayerStyle) -> str:
    if style.luck is None:
        return NONE
    return signed(style.luck / style.sums.rolls, 3)


RESULT_LABELS: Final = (
    gettext_lazy("Games won"),
    gettext_lazy("Points per game"),
    gettext_lazy("Average rank"),
)
STYLE_LABELS: Final = (
    gettext_lazy("Bids that were bluffs"),
    gettext_lazy("Bluffs that worked"),
    gettext_lazy("Challenges that were right"),
    gettext_lazy("Cost of a decision, in dice"),
    gettext_lazy("Luck of a roll, in dice"),
)


def _result_figures(results: Results) -> list[str]:
    """Return the figures in the order of `RESULT_LABELS`."""
    return [
        _interval(results.win_share),
        figure(results.per_game, 1),
        figure(results.average_rank, 2),
    ]


def _style_figures(style: PlayerStyle) -> list[str]:
    """Return the figures in the order of `STYLE_LABELS`."""
    return [
        _share_with_interval(style.sums.bluffs, style.sums.bids),
        _share_with_interval(style.uncaught, style.answered),
        _share_with_interval(style.right, style.challenges),
        figure(style.cost, 3),
        _luck_of_a_roll(style),
    ]


@dataclass(frozen=True, slots=True)
class Compared:
    """One figure as text: the player's, the other player's (empty without one), and the season's
    average."""

    label: StrOrPromise
    own: str
    other: str
    average: str


def comparison(
    player: Player, ranking_id: int, search: str, history: list[RatingDay]
) -> PageContext:
    """Return the context that compares a player with a ranking's average and, if `search` finds
    exactly one, with another player.

    `history`: the player's rating on the last `DAYS` of play. The context includes the player's own
    `style`, None if no game says anything of it."""
    search = search.strip()[:LONGEST]
    candidates: Sequence[Player] = []
    if search and search.isprintable():
        candidates = players_found(ranking_id, search, CHOICES, but=player)
    other = candidates[0] if len(candidates) == 1 else None
    players = [player, other] if other else [player]
    results = results_and_sums(ranking_id, players)
    styles = styles_and_sums(ranking_id, players)
    context: PageContext = {
        "style": styles.get(player.pk),
        "compared": [
            *_compared_figures(RESULT_LABELS, _result_figures, results, player, other),
            *_compared_figures(STYLE_LABELS, _style_figures, styles, player, other),
        ],
        "asked": search,
        "called": candidates,
        "other": other,
    }
    if other:
        other_history, _ = history_of(other, ranking_id, DAYS)
        context["pair"] = head_to_head(ranking_id, player, other)
        context["pair_chart"] = _chart(player, history, other, other_history)
        context["days_shown"] = DAYS
    return context


def _compared_figures(
    labels: Sequence[StrOrPromise],
    figures_of: Callable[[Source], list[str]],
    sources: Mapping[int | None, Source],
    player: Player,
    other: Player | None,
) -> list[Compared]:
    """Return the labelled figures of both players and of all players; none if the ranking has none.
    `sources`: by player id; under None, those of all players."""
    if None not in sources:
        return []

    def figures(player_id: int | None) -> list[str]:
        if player_id not in sources:
            return [NONE] * len(labels)
        return figures_of(sources[player_id])

    other_figures = figures(other.pk) if other else [""] * len(labels)
    columns = zip(labels, figures(player.pk), other_figures, figures(None), strict=True)
    return [Compared(*line) for line in columns]


def _chart(
    player: Player, days: list[RatingDay], other: Player, other_days: list[RatingDay]
) -> PairChart | None:
    """Chart both ratings over the last `DAYS` on which one of the players played; games without a
    time come last. Return None if there are too few days."""
    marks = {_place(day): rating_mark(day) for day in days}
    other_marks = {_place(day): rating_mark(day) for day in other_days}
    places = sorted(marks.keys() | other_marks.keys())[-DAYS:]
    if len(places) < LEAST_MARKS:
        return None
    pairs = [(marks.get(place), other_marks.get(place)) for place in places]
    return PairChart(player.name, other.name, pairs)


def _place(played: RatingDay) -> tuple[date, str]:
    return played.day or date.max, played.event
