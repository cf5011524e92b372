"""All that the analysis of a game of Bluff tells on its page: the course of the chances, costly
decisions, luck."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext

from engine.analysis.decisions import Decision
from engine.analysis.game import Analysis
from engine.analysis.luck import lucks
from engine.analysis.outlook import Known, Option
from engine.bluff.move import CHALLENGE, LayOut
from engine.bluff.track import COUNT, TEXT
from games.domain.round import PlayedRound
from league.core.viewer.web.viewer import PageContext
from league.records.game.web.address import LIGHTS, Address
from league.standings.ranked_game.queries.game import SeatAtTable

COSTLIEST = 5
LEAST_COST = 0.005  # dice; less would be shown as nothing


@dataclass(frozen=True, slots=True)
class ShownOption:
    """A move that a seat made or could have made: a bid, perhaps with dice laid out, or the
    challenge (no bid).

    `chance`: that the bid of the bet holds. `value`: dice to expect when the cups go up at once;
    `worth`: what of that the move can be relied on for."""

    bid: str | None
    show: str
    chance: float
    value: float
    worth: float

    @classmethod
    def of(cls, option: Option) -> ShownOption:
        """The choice that the engine's option is."""
        move = option.move
        bid, show = (move.bid, move.show) if isinstance(move, LayOut) else (move, "")
        return cls(
            None if bid == CHALLENGE else TEXT[bid], show, option.chance, option.value, option.worth
        )


@dataclass(frozen=True, slots=True)
class Judgement:
    """A decision in its place: what was done, what would have been best, what it cost.

    `table`: the challenge that was possible, which tells the chance of the bid on the table.
    `best`: None where the made move was the best, or the best isn't known. `cost`: in dice, None
    where it isn't known. `bid`: that of the bet; `said` how many dice it says there are and `count`
    how many there were, None where that isn't recorded."""

    here: Address
    seat: int
    known: Known
    made: ShownOption
    table: ShownOption | None
    best: ShownOption | None
    cost: float | None
    bid: str
    said: int
    count: int | None

    @property
    def options(self) -> list[tuple[str, ShownOption]]:
        """Return what was done, what would have been best, and the challenge, each once and
        named."""
        options = [(gettext("chosen"), self.made)]
        if self.best:
            options.append((gettext("best"), self.best))
        if self.table and all(choice.bid for _, choice in options):
            options.append((gettext("possible"), self.table))
        return options

    @classmethod
    def of(cls, decision: Decision, address: Address) -> Judgement:
        """The judgement on a decision of the engine's analysis; `address` is its place."""
        best, settled = decision.best, decision.cost is not None and decision.cost < LEAST_COST
        return cls(
            here=address,
            seat=decision.seat,
            known=decision.known,
            made=ShownOption.of(decision.made),
            table=None if decision.challenge is None else ShownOption.of(decision.challenge),
            best=None
            if best is None or best.move == decision.made.move or settled
            else ShownOption.of(best),
            cost=decision.cost,
            bid=TEXT[decision.bid],
            said=COUNT[decision.bid],
            count=decision.count,
        )


@dataclass(frozen=True, slots=True)
class Fortune:
    """The luck of a seat at the rolls of a game, and what fair dice stay within above and below 0;
    in dice of lead."""

    seat: SeatAtTable
    rolls: int
    luck: float
    half: float


def judgement(analysis: Analysis, address: Address) -> Judgement | None:
    """The judgement on the move of an address that names one; None for a move of a void round,
    which isn't judged."""
    assert address.move is not None
    decisions = analysis.rounds[address.round_number - 1].decisions
    return Judgement.of(decisions[address.move - 1], address) if decisions else None


def analysis_shown(
    analysis: Analysis,
    rounds: Sequence[PlayedRound],
    seats: Sequence[SeatAtTable],
    address: Address,
) -> PageContext:
    """Return what the section of the analysis needs: every decision in order, the costliest, luck,
    and what isn't known."""
    course = [
        Judgement.of(decision, address.at(number, decision.move + 1))
        for number, played in enumerate(analysis.rounds, start=1)
        for decision in played.decisions
    ]
    costly = [judged for judged in course if (judged.cost or 0) >= LEAST_COST]
    lights = {"": gettext("Dice alone"), "belief": gettext("Dice and bids")}
    return {
        "course": course,
        "rounds": rounds,
        "costliest": sorted(costly, key=lambda judged: -(judged.cost or 0))[:COSTLIEST],
        "fortunes": _fortunes(analysis, seats),
        "untold": [played.number for played in rounds if played.level == "result"],
        "public": sorted(
            {judged.here.round_number for judged in course if judged.known == "public"}
        ),
        "lights": [
            (lights[light], f"{address.lit(light).query}#analysis", light == address.light)
            for light in LIGHTS
        ],
    }


def _fortunes(analysis: Analysis, seats: Sequence[SeatAtTable]) -> list[Fortune]:
    """The luck of each seat; empty where it can't be told."""
    rolls = analysis.rolls()
    return [
        Fortune(seat, len(lucks(rolls, seat.number)), luck.luck, luck.half)
        for seat, luck in zip(seats, analysis.luck() or (), strict=False)
    ]
