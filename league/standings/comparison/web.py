"""A player beside the season's average and beside anybody else: the part “Compared” of a player's
page."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Final, TypeVar

from django.utils.translation import gettext_lazy

from engine.interval import Interval, of_share
from league.core.player.models import Player
from league.core.viewer.web.viewer import PageContext
from league.standings.comparison.queries import (
    HeadToHead,
    Results,
    head_to_head,
    results_beside,
    styles_beside,
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
"""Players that a word offers at most."""
LONGEST: Final = 100
"""Characters of a name that are looked for; no name has more."""
Shown = Callable[[Source], str]


def _share(hits: int, trials: int) -> str:
    """A share with the ends of its 95 % interval; a dash without trials."""
    return _interval(of_share(hits, trials)) if trials else NONE


def _interval(share: Interval) -> str:
    return f"{percent(share.value)} ({percent(share.low)}–{percent(share.high)})"


def _luck_of_a_roll(style: PlayerStyle) -> str:
    """Mean luck of the rolls that count; a dash where no game tells all its rolls."""
    return NONE if style.luck is None else signed(style.luck / style.sums.rolls, 3)


RESULTS: Final[dict[StrOrPromise, Shown[Results]]] = {
    gettext_lazy("Games won"): lambda results: _interval(results.win_share),
    gettext_lazy("Points per game"): lambda results: figure(results.per_game, 1),
    gettext_lazy("Average rank"): lambda results: figure(results.average_rank, 2),
}
STYLE: Final[dict[StrOrPromise, Shown[PlayerStyle]]] = {
    gettext_lazy("Bids that were bluffs"): lambda style: _share(style.sums.bluffs, style.sums.bids),
    gettext_lazy("Bluffs that worked"): lambda style: _share(style.uncaught, style.answered),
    gettext_lazy("Challenges that were right"): lambda style: _share(style.right, style.challenges),
    gettext_lazy("Cost of a decision, in dice"): lambda style: figure(style.cost, 3),
    gettext_lazy("Luck of a roll, in dice"): _luck_of_a_roll,
}


@dataclass(frozen=True, slots=True)
class Compared:
    """One figure, ready to show: the player's, the other's (empty without one), and the average of
    the season."""

    label: StrOrPromise
    own: str
    other: str
    average: str


def compared(player: Player, ranking_id: int, word: str, history: list[RatingDay]) -> PageContext:
    """A player's figures in a ranking beside its average and, if `word` names one, beside another
    player.

    `history`: the player's own last `DAYS`. The context has `style`, too: the player's own, None if
    nothing is known of it."""
    word = word.strip()[:LONGEST]
    candidates = (
        players_found(ranking_id, word, CHOICES, but=player) if word and word.isprintable() else []
    )
    second_player = candidates[0] if len(candidates) == 1 else None
    players = [player, second_player] if second_player else [player]
    results, styles = results_beside(ranking_id, players), styles_beside(ranking_id, players)
    context: PageContext = {
        "style": styles.get(player.pk),
        "compared": [
            *_lines(RESULTS, results, player, second_player),
            *_lines(STYLE, styles, player, second_player),
        ],
        "asked": word,
        "called": candidates,
        "other": second_player,
    }
    if second_player:
        pair: HeadToHead = head_to_head(ranking_id, player, second_player)
        its, _ = history_of(second_player, ranking_id, DAYS)
        context |= {
            "pair": pair,
            "pair_chart": _chart(player, history, second_player, its),
            "days_shown": DAYS,
        }
    return context


def _lines(
    formats: Mapping[StrOrPromise, Shown[Source]],
    sources: Mapping[int | None, Source],
    player: Player,
    second_player: Player | None,
) -> list[Compared]:
    """The figures that these sources give; none where nobody has any."""
    if None not in sources:
        return []

    def words(show: Shown[Source], whose: int | None) -> str:
        return show(sources[whose]) if whose in sources else NONE

    return [
        Compared(
            label,
            words(show, player.pk),
            words(show, second_player.pk) if second_player else "",
            words(show, None),
        )
        for label, show in formats.items()
    ]


def _chart(
    player: Player, days: list[RatingDay], second_player: Player, its: list[RatingDay]
) -> PairChart | None:
    """Both ratings over the last `DAYS` on which one of them played, games without a time last;
    None for fewer days than make a chart."""
    histories = [{_place(day): rating_mark(day) for day in history} for history in (days, its)]
    places = sorted(histories[0].keys() | histories[1].keys())[-DAYS:]
    if len(places) < LEAST_MARKS:
        return None
    return PairChart(
        player.name,
        second_player.name,
        [(histories[0].get(at), histories[1].get(at)) for at in places],
    )


def _place(played: RatingDay) -> tuple[date, str]:
    """Tell where a day of play stands in the order of play."""
    return played.day or date.max, played.event
