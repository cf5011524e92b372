"""The rounds of a game of Bluff on its page: the one on the stage, move by move, and who bled when."""

from __future__ import annotations

from collections.abc import Sequence

from django.http import HttpRequest
from django.utils.translation import gettext

from engine.record.record import Record
from games.domain.analysis import analysis_of
from games.domain.position import Position, position_of
from games.domain.round import PlayedRound, rounds_of
from games.templatetags.table import bid_label
from league.clubs.web.viewer import PageContext
from league.rankings.queries.game import SeatAtTable
from league.records.web.address import LIGHTS, Address
from league.records.web.analysis import analysis_shown, judgement
from league.records.web.section import sections


def rounds_shown(request: HttpRequest, record: Record, seats: Sequence[SeatAtTable], head: bytes | None) -> PageContext:
    """The rounds, the one on the stage (the last, unless the address names one), and what the analysis tells of them.

    `?round=3&move=2` is the position before the second move of the third round, `view=` says who looks (`table`, `all`,
    `seat-1`; else the seat to act), `light=belief` lets the bids tell of the dice. `head`: as for `analysis_of`. Of a
    game in several sections only that of the round on the stage is shown, and the analysis is of that round alone.
    """
    rounds = rounds_of(record)
    if not rounds:
        return {"rounds": rounds}
    asked = request.GET.get("round", "")
    chosen = next((played for played in rounds if str(played.number) == asked), rounds[-1])
    here = Address.read(request.GET, chosen.number, len(chosen.moves), len(seats))
    position = position_of(record, here.round, here.move, here.viewer) if here.move else None
    parts = list(sections(rounds))
    shown = next(part for part in parts if chosen in part)
    only = chosen.number - 1 if len(parts) > 1 else None
    analysis = analysis_of(record, LIGHTS[here.light], head, only)
    return {
        "rounds": shown,
        "sections": [_section(part, chosen, here) for part in parts],
        "chosen": chosen,
        "said": _said(chosen, seats, here),
        "steps": [_step(played, chosen, here) for played in shown],
        "labels": [played.number for played in shown],
        "here": here,
        "end": here.at(here.round).stage,
        "bids": [move.bid for move in chosen.moves[: here.move - 1 if here.move else None] if move.bid],
        "position": position,
        "moves": [(here.at(here.round, number), move) for number, move in enumerate(chosen.moves, start=1)],
        "around": _around(rounds, here),
        "views": _views(seats, position, here) if position else [],
        "judged": judgement(analysis, here) if position else None,
        "analysis": analysis_shown(analysis, rounds if only is None else [chosen], seats, here),
    }


def _section(part: Sequence[PlayedRound], chosen: PlayedRound, here: Address) -> tuple[str, str, bool]:
    """A section of the game: label, link, and whether it is the one on the page."""
    label = f"{part[0].number}–{part[-1].number}"
    return label, here.at(part[0].number).stage, chosen in part


def _step(played: PlayedRound, chosen: PlayedRound, here: Address) -> PageContext:
    """A round in the stepper."""
    return {"label": played.number, "state": "now" if played is chosen else "next", "url": here.at(played.number).stage}


def _said(chosen: PlayedRound, seats: Sequence[SeatAtTable], here: Address) -> str:
    """The step in words, for those who hear the page: what is done next, or what came of the round."""
    words: dict[str, object] = {"round": here.round, "move": here.move}
    if here.move:
        move = chosen.moves[here.move - 1]
        words["name"] = seats[move.seat].name
        if not move.bid:
            return gettext("Round %(round)s, move %(move)s: %(name)s calls “Cups up!”") % words
        return gettext("Round %(round)s, move %(move)s: %(name)s bids %(bid)s") % (words | {"bid": bid_label(move.bid)})
    if chosen.bid is None or chosen.count is None:
        return gettext("Round %(round)s") % words
    bid = {"bid": bid_label(chosen.bid), "count": chosen.count}
    return gettext("Round %(round)s: bid %(bid)s, counted %(count)s") % (words | bid)


def _around(rounds: Sequence[PlayedRound], here: Address) -> dict[str, str]:
    """The links to the position before this one and after it, through all rounds; empty at the game's ends."""
    way = [here.at(played.number, move) for played in rounds for move in (*range(1, len(played.moves) + 1), None)]
    now = way.index(here)
    return {
        "back": way[now - 1].stage if now else "",
        "next": way[now + 1].stage if now + 1 < len(way) else "",
    }


def _views(seats: Sequence[SeatAtTable], position: Position, here: Address) -> list[tuple[str, str, bool]]:
    """Who can look at a position: label, link, and whether it is the one who does."""
    views = [
        ("", gettext("Who acts")),
        *((f"seat-{cup.seat + 1}", seats[cup.seat].name) for cup in position.cups),
        ("table", gettext("A spectator")),
        ("all", gettext("All cups")),
    ]
    return [(label, here.seen_by(view).stage, view == here.view) for view, label in views]
