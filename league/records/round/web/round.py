"""The rounds of a game of Bluff on its page: the one on the stage, move by move, and the dice
left."""

from __future__ import annotations

from collections.abc import Sequence

from django.http import HttpRequest
from django.utils.translation import gettext

from engine.analysis.game import Analysis
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
    """Return the context of the rounds and their analysis; the chosen round, which the page shows
    in full, is the one that the address names, or the last.

    `?round=3&move=2` is the position before the second move of the third round. `view=` is the
    perspective (`table`, `all`, `seat-1`; by default the seat to act). With `light=belief` the
    analysis also infers dice from bids. `head`: the digest under which the game is sealed, None for
    an unsealed game. A game in several sections shows only the section with the chosen round, and
    analyses this round alone."""
    rounds = rounds_of(record)
    if not rounds:
        return {"rounds": rounds}
    requested_number = request.GET.get("round", "")
    chosen_round = next(
        (played for played in rounds if str(played.number) == requested_number), rounds[-1]
    )
    address = Address.read(request.GET, chosen_round.number, len(chosen_round.moves), len(seats))
    parts = list(sections(rounds))
    section = next(part for part in parts if chosen_round in part)
    only_round = None
    analysed_rounds = rounds
    if len(parts) > 1:
        only_round = chosen_round.number - 1  # the engine counts from 0
        analysed_rounds = [chosen_round]
    analysis = analysis_of(record, LIGHTS[address.light], head, only_round)
    return {
        "rounds": section,
        "sections": [_section(part, chosen_round, address) for part in parts],
        "chosen": chosen_round,
        "said": _step_in_words(chosen_round, seats, address),
        "steps": [_step(played, chosen_round, address) for played in section],
        "labels": [played.number for played in section],
        "here": address,
        "end": address.at(address.round_number).stage,
        "bids": _bids_before(chosen_round, address),
        "moves": [
            (address.at(address.round_number, number), move)
            for number, move in enumerate(chosen_round.moves, start=1)
        ],
        "around": _links_around(rounds, address),
        **_position_context(record, seats, analysis, address),
        "analysis": analysis_shown(analysis, analysed_rounds, seats, address),
    }


def _section(
    part: Sequence[PlayedRound], chosen_round: PlayedRound, address: Address
) -> tuple[str, str, bool]:
    label = f"{part[0].number}–{part[-1].number}"
    link = address.at(part[0].number).stage
    return label, link, chosen_round in part


def _bids_before(chosen_round: PlayedRound, address: Address) -> list[str]:
    moves = chosen_round.moves
    if address.move:
        moves = moves[: address.move - 1]
    return [move.bid for move in moves if move.bid]


def _position_context(
    record: Record, seats: Sequence[SeatAtTable], analysis: Analysis, address: Address
) -> PageContext:
    if not address.move:
        return {"position": None, "views": [], "judged": None}
    position = position_of(record, address.round_number, address.move, address.viewer)
    return {
        "position": position,
        "views": _views(seats, position, address),
        "judged": judgement(analysis, address),
    }


def _step(played: PlayedRound, chosen_round: PlayedRound, address: Address) -> PageContext:
    return {
        "label": played.number,
        "state": "now" if played is chosen_round else "next",
        "url": address.at(played.number).stage,
    }


def _step_in_words(
    chosen_round: PlayedRound, seats: Sequence[SeatAtTable], address: Address
) -> str:
    values: dict[str, object] = {"round": address.round_number, "move": address.move}
    if address.move:
        move = chosen_round.moves[address.move - 1]
        values["name"] = seats[move.seat].name
        if not move.bid:
            return gettext("Round %(round)s, move %(move)s: %(name)s calls “Cups up!”") % values
        values["bid"] = bid_label(move.bid)
        return gettext("Round %(round)s, move %(move)s: %(name)s bids %(bid)s") % values
    if chosen_round.level == CLOCK:
        return gettext("Round %(round)s: time was up") % values
    if chosen_round.bid is None or chosen_round.count is None:
        return gettext("Round %(round)s") % values
    values["bid"] = bid_label(chosen_round.bid)
    values["count"] = chosen_round.count
    return gettext("Round %(round)s: bid %(bid)s, counted %(count)s") % values


def _links_around(rounds: Sequence[PlayedRound], address: Address) -> dict[str, str]:
    positions = []
    for played in rounds:
        for number in range(1, len(played.moves) + 1):
            positions.append(address.at(played.number, number))
        positions.append(address.at(played.number))
    place = positions.index(address)
    back = positions[place - 1].stage if place else ""
    is_last = place + 1 == len(positions)
    return {"back": back, "next": "" if is_last else positions[place + 1].stage}


def _views(
    seats: Sequence[SeatAtTable], position: Position, address: Address
) -> list[tuple[str, str, bool]]:
    views = [("", gettext("Player to act"))]
    views += [(f"seat-{cup.seat + 1}", seats[cup.seat].name) for cup in position.cups]
    views += [("table", gettext("A spectator")), ("all", gettext("All cups"))]
    return [(label, address.seen_by(view).stage, view == address.view) for view, label in views]
