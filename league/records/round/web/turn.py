"""The turns of a game of Lügen-Kniffel on its page."""

from __future__ import annotations

from collections.abc import Sequence

from django.http import HttpRequest
from django.utils.translation import gettext, gettext_lazy

from engine.analysis.kniffel import analyse
from engine.record.record import Record
from games.domain.turn import PlayedTurn, sheets_after, turns_of
from games.templatetags.kniffel import announcement
from league.core.viewer.web.viewer import PageContext
from league.records.analysis.web import COSTLIEST
from league.standings.ranked_game.queries.game import SeatAtTable

OUTCOMES = {
    "K6": gettext_lazy("believed"),
    "K7": gettext_lazy("doubted, and true"),
    "K8": gettext_lazy("doubted, and a lie"),
}
"""The outcome of a turn, by the ruling that decided it."""

INCOMPLETE = {
    "void": gettext_lazy("void"),
    "forfeit": gettext_lazy("forfeit"),
    "clock": gettext_lazy("time was up"),
}
"""Labels of entries that aren't whole turns, by level."""


def turns_shown(
    request: HttpRequest, record: Record, seats: Sequence[SeatAtTable], head: bytes | None
) -> PageContext:
    """Return the context of the turns: the chosen one (`?turn=3`, or the last), the sheets after
    it, and the value of a doubt. `Play.shown` gives `head`, which isn't needed."""
    turns = turns_of(record)
    requested_number = request.GET.get("turn", "")
    last_turn = turns[-1] if turns else None
    chosen_turn = next((turn for turn in turns if str(turn.number) == requested_number), last_turn)
    analysis = analyse(record)
    said = ""
    doubt = None
    turns_so_far: Sequence[PlayedTurn] = []
    judged_turns = {turn.number + 1: turn for turn in analysis.turns}
    if chosen_turn is not None:
        said = _step_in_words(chosen_turn, seats)
        doubt = judged_turns.get(chosen_turn.number)
        turns_so_far = turns[: chosen_turn.number]
    laps = [[turn for turn in turns if turn.whole and turn.seat == seat.number] for seat in seats]
    return {
        "turns": turns,
        "chosen": chosen_turn,
        "said": said,
        "steps": [_step(turn, chosen_turn) for turn in turns],
        "strip": list(zip(seats, laps, strict=True)),
        "laps": range(1, max(map(len, laps)) + 1),
        "doubts": doubt,
        "costliest": [(turn + 1, doubt) for turn, doubt in analysis.costliest()[:COSTLIEST]],
        "view": sheets_after(record, turns_so_far),
    }


def _step_in_words(turn: PlayedTurn, seats: Sequence[SeatAtTable]) -> str:
    if not turn.whole:
        return gettext("Turn %(turn)s: %(end)s") % {
            "turn": turn.number,
            "end": INCOMPLETE[turn.level],
        }
    return gettext("Turn %(turn)s: %(name)s says %(announcement)s, %(end)s") % {
        "turn": turn.number,
        "name": seats[turn.seat].name,
        "announcement": announcement(turn.combination, turn.points),
        "end": OUTCOMES[turn.ruling],
    }


def _step(turn: PlayedTurn, chosen_turn: PlayedTurn | None) -> PageContext:
    return {
        "label": turn.number,
        "state": "now" if turn is chosen_turn else "next",
        "url": f"?turn={turn.number}#stage",
    }
