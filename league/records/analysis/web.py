"""The analysis of a game of Bluff on its page: the chances move by move, costly decisions, luck."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext

from engine.analysis.decisions import Decision
from engine.analysis.game import Analysis
from engine.analysis.luck import luck_per_roll
from engine.analysis.outlook import Known, Option
from engine.bluff.move import CHALLENGE, LayOut
from engine.bluff.track import TEXT
from games.domain.round import PlayedRound
from league.core.viewer.web.viewer import PageContext
from league.records.game.web.address import LIGHTS, Address
from league.standings.ranked_game.queries.game import SeatAtTable

COSTLIEST = 5
LEAST_COST = 0.005  # dice; less would be shown as nothing


@dataclass(frozen=True, slots=True)
class ShownOption:
    """A move that a seat made or could have made: a bid, perhaps with dice laid out (`show`), or
    the challenge, whose `bid` is None.

    `chance`: the probability that the bid in question holds. `value`: the dice that the seat can
    expect to gain if the cups go up at once; `worth`: the part of it that the move can rely on."""

    bid: str | None
    show: str
    chance: float
    value: float
    worth: float

    @classmethod
    def of(cls, option: Option) -> ShownOption:
        """Return the engine's option as it is shown."""
        move = option.move
        bid = move.bid if isinstance(move, LayOut) else move
        show = move.show if isinstance(move, LayOut) else ""
        return cls(
            bid=None if bid == CHALLENGE else TEXT[bid],
            show=show,
            chance=option.chance,
            value=option.value,
            worth=option.worth,
        )


@dataclass(frozen=True, slots=True)
class Judgement:
    """A decision at its place in the game: the move made, the best move, and what the choice cost.

    `known`: whether the figures rest on all that the seat saw, or on public information only.
    `challenge`: the challenge that was possible, with the chance of the bid on the table; None if
    there was no bid, or it isn't recorded. `best`: None if the made move was the best, or the best
    isn't known. `cost`: in dice, None if unknown. `bid`: the bid in question; `count`: how many
    dice matched it, None if not recorded."""

    address: Address
    seat: int
    known: Known
    made: ShownOption
    challenge: ShownOption | None
    best: ShownOption | None
    cost: float | None
    bid: str
    count: int | None

    @property
    def options(self) -> list[tuple[str, ShownOption]]:
        """Return the labelled options: the move made, the best one, and the challenge, each
        once."""
        options = [(gettext("chosen"), self.made)]
        if self.best:
            options.append((gettext("best"), self.best))
        has_challenge = not all(choice.bid for _, choice in options)
        if self.challenge and not has_challenge:
            options.append((gettext("possible"), self.challenge))
        return options

    @classmethod
    def of(cls, decision: Decision, address: Address) -> Judgement:
        """Return the judgement on a decision of the engine's analysis; `address` leads to the
        position before the decision."""
        best = None
        costs_nothing = decision.cost is not None and decision.cost < LEAST_COST
        if decision.best is not None and decision.best.move != decision.made.move:
            # a difference too small to be shown doesn't make another move the better one
            best = None if costs_nothing else ShownOption.of(decision.best)
        challenge = decision.challenge
        return cls(
            address=address,
            seat=decision.seat,
            known=decision.known,
            made=ShownOption.of(decision.made),
            challenge=None if challenge is None else ShownOption.of(challenge),
            best=best,
            cost=decision.cost,
            bid=TEXT[decision.bid],
            count=decision.count,
        )


@dataclass(frozen=True, slots=True)
class Fortune:
    """The luck of a seat's rolls in a game, as a lead in dice. `half`: half the width of the 95 %
    interval in which fair dice would keep it."""

    seat: SeatAtTable
    rolls: int
    luck: float
    half: float


def judgement(analysis: Analysis, address: Address) -> Judgement | None:
    """Return the judgement on the move at this address; None in a void round, whose moves aren't
    judged."""
    assert address.move is not None
    decisions = analysis.rounds[address.round_number - 1].decisions
    if not decisions:
        return None
    return Judgement.of(decisions[address.move - 1], address)


def analysis_shown(
    analysis: Analysis,
    rounds: Sequence[PlayedRound],
    seats: Sequence[SeatAtTable],
    address: Address,
) -> PageContext:
    """Return the context of the analysis: all decisions in order, the costliest, luck, and the
    rounds with missing information."""
    course = []
    for number, played_round in enumerate(analysis.rounds, start=1):
        for decision in played_round.decisions:
            course.append(Judgement.of(decision, address.at(number, decision.move + 1)))
    public_rounds = {judged.address.round_number for judged in course if judged.known == "public"}
    costly = [judged for judged in course if (judged.cost or 0) >= LEAST_COST]
    lights = {"": gettext("Dice alone"), "belief": gettext("Dice and bids")}
    return {
        "course": course,
        "rounds": rounds,
        "costliest": sorted(costly, key=lambda judged: -(judged.cost or 0))[:COSTLIEST],
        "fortunes": _fortunes(analysis, seats),
        "untold": [played.number for played in rounds if played.level == "result"],
        "public": sorted(public_rounds),
        "lights": [
            (lights[light], f"{address.lit(light).query}#analysis", light == address.light)
            for light in LIGHTS
        ],
    }


def _fortunes(analysis: Analysis, seats: Sequence[SeatAtTable]) -> list[Fortune]:
    rolls = analysis.rolls()
    return [
        Fortune(seat, len(luck_per_roll(rolls, seat.number)), luck.luck, luck.half)
        for seat, luck in zip(seats, analysis.luck() or (), strict=False)
    ]
