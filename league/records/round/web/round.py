"""The rounds of a game of Bluff on its page: the one on the stage, move by move, and who bled
when."""

from __future__ import annotations

from collections.abc import Sequence

from django.http import HttpRequest
from django.utils.translation import gettext

from engine.clock import CLOCK
from engine.record.record import Record
from games.domain.analysis import analysis_of
from games.domain.position import Position, position_of
from games.domain.round import PlayedRound, rounds_of
from games.templatetags.table import bid_label
from league.core.viewer.web.viewer import PageContext
from league.records.analysis.web import analysis_shown, judgement
from league.records.game.web.address import LIGHTS, Address
from league.records.game.web.section import sections
from league.standings.ranked_game.queries.game import SeatAtTable


def rounds_shown(
    request: HttpRequest, record: Record, seats: Sequence[SeatAtTable], head: bytes | None
) -> PageContext:
    """The rounds, the one on the stage (the last, unless the address names one), and what the
    analysis tells of them.

    `?round=3&move=2` is the position before the second move of the third round, `view=` says who
    looks (`table`, `all`, `seat-1`; else the seat to act), `light=belief` lets the bids tell of the
    dice. `head`: as for `analysis_of`. Of a game in several sections only that of the round on the
    stage is shown, and the analysis is of that round alone."""
    rounds = rounds_of(record)
    if not rounds:
        return {"rounds": rounds}
    number_asked = request.GET.get("round", "")
    chosen_round = next(
        (played for played in rounds if str(played.number) == number_asked), rounds[-1]
    )
    address = Address.read(request.GET, chosen_round.number, len(chosen_round.moves), len(seats))
    position = (
        position_of(record, address.round_number, address.move, address.viewer)
        if address.move
        else None
    )
    parts = list(sections(rounds))
    section = next(part for part in parts if chosen_round in part)
    only = chosen_round.number - 1 if len(parts) > 1 else None
    analysis = analysis_of(record, LIGHTS[address.light], head, only)
    return {
        "rounds": section,
        "sections": [
            (
                f"{part[0].number}–{part[-1].number}",
                address.at(part[0].number).stage,
                chosen_round in part,
            )
            for part in parts
        ],
        "chosen": chosen_round,
        "said": _step_in_words(chosen_round, seats, address),
        "steps": [_step(played, chosen_round, address) for played in section],
        "labels": [played.number for played in section],
        "here": address,
        "end": address.at(address.round_number).stage,
        "bids": [
            move.bid
            for move in chosen_round.moves[: address.move - 1 if address.move else None]
            if move.bid
        ],
        "position": position,
        "moves": [
            (address.at(address.round_number, number), move)
            for number, move in enumerate(chosen_round.moves, start=1)
        ],
        "around": _around(rounds, address),
        "views": _views(seats, position, address) if position else [],
        "judged": judgement(analysis, address) if position else None,
        "analysis": analysis_shown(
            analysis, rounds if only is None else [chosen_round], seats, address
        ),
    }


def _step(played: PlayedRound, chosen_round: PlayedRound, address: Address) -> PageContext:
    """A round in the stepper."""
    return {
        "label": played.number,
        "state": "now" if played is chosen_round else "next",
        "url": address.at(played.number).stage,
    }


def _step_in_words(
    chosen_round: PlayedRound, seats: Sequence[SeatAtTable], address: Address
) -> str:
    """The step in words, for those who hear the page: what is done next, or what came of the
    round."""
    words: dict[str, object] = {"round": address.round_number, "move": address.move}
    if address.move:
        move = chosen_round.moves[address.move - 1]
        words["name"] = seats[move.seat].name
        if not move.bid:
            return gettext("Round %(round)s, move %(move)s: %(name)s calls “Cups up!”") % words
        return gettext("Round %(round)s, move %(move)s: %(name)s bids %(bid)s") % (
            words | {"bid": bid_label(move.bid)}
        )
    if chosen_round.level == CLOCK:
        return gettext("Round %(round)s: time was up") % words
    if chosen_round.bid is None or chosen_round.count is None:
        return gettext("Round %(round)s") % words
    bid = {"bid": bid_label(chosen_round.bid), "count": chosen_round.count}
    return gettext("Round %(round)s: bid %(bid)s, counted %(count)s") % (words | bid)


def _around(rounds: Sequence[PlayedRound], address: Address) -> dict[str, str]:
    """The links to the position before this one and after it, through all rounds; empty at the
    game's ends."""
    way = [
        address.at(played.number, move)
        for played in rounds
        for move in (*range(1, len(played.moves) + 1), None)
    ]
    position = way.index(address)
    return {
        "back": way[position - 1].stage if position else "",
        "next": way[position + 1].stage if position + 1 < len(way) else "",
    }


def _views(
    seats: Sequence[SeatAtTable], position: Position, address: Address
) -> list[tuple[str, str, bool]]:
    """Tell who can look at a position: label, link, and whether it is the one who does."""
    views = [
        ("", gettext("Who acts")),
        *((f"seat-{cup.seat + 1}", seats[cup.seat].name) for cup in position.cups),
        ("table", gettext("A spectator")),
        ("all", gettext("All cups")),
    ]
    return [(label, address.seen_by(view).stage, view == address.view) for view, label in views]
