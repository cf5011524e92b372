"""The rounds of a game of Bluff on its page: the one on the stage, move by move, and who bled when."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.http import HttpRequest, QueryDict
from django.utils.translation import gettext

from engine.analysis.belief import FITTED, PLAIN
from engine.analysis.moment import Viewer
from engine.record.record import Record
from games.queries.analysis import analysis_of
from games.queries.position import Position, position_of
from games.queries.round import PlayedRound, rounds_of
from league.queries.game import SeatAtTable
from league.web.analysis import analysis_shown, judged

Context = dict[str, object]

LIGHTS: Final = {"": PLAIN, "belief": FITTED}
"""The lights by their name in the address: the weight of the bids."""
VIEWERS: Final[dict[str, Viewer]] = {"table": None, "all": "all"}
"""Who looks, by the name in the address, besides the seats: `seat-1` is the first. Without a name: the seat to act."""


@dataclass(frozen=True, slots=True)
class Address:
    """What the address of a game's page chooses, checked; only what it names stands in links."""

    view: str
    light: str

    @classmethod
    def read(cls, asked: QueryDict, seats: int) -> Address:
        """The light and the viewer that the address names; what it can't name is passed over."""
        light, view = asked.get("light", ""), asked.get("view", "")
        known = {*VIEWERS, *(f"seat-{seat}" for seat in range(1, seats + 1))}
        return cls(view if view in known else "", light if light in LIGHTS else "")

    @property
    def keep(self) -> str:
        """What every link within the page carries on."""
        return self.ending(self.view, self.light)

    @staticmethod
    def ending(view: str, light: str) -> str:
        """The part of an address that names viewer and light."""
        return "".join(f"&{key}={value}" for key, value in (("view", view), ("light", light)) if value)

    @property
    def viewer(self) -> Viewer:
        """Who looks, as the engine names it; nothing to rely on without a name."""
        return int(self.view[5:]) - 1 if self.view.startswith("seat-") else VIEWERS.get(self.view)


def rounds_shown(request: HttpRequest, record: Record, seats: Sequence[SeatAtTable], head: bytes | None) -> Context:
    """The rounds, the one on the stage (the last, unless the address names one), and what the analysis tells of them.

    `?round=3&move=2` is the position before the second move of the third round. `head`: as for `analysis_of`.
    """
    rounds = rounds_of(record)
    if not rounds:
        return {"rounds": rounds}
    asked = request.GET.get("round", "")
    chosen = next((told for told in rounds if str(told.number) == asked), rounds[-1])
    address = Address.read(request.GET, len(seats))
    position = _position(record, chosen, request.GET.get("move", ""), address)
    analysis = analysis_of(record, LIGHTS[address.light], head)
    return {
        "rounds": rounds,
        "chosen": chosen,
        "steps": [_step(told, chosen, address) for told in rounds],
        "labels": [told.number for told in rounds],
        "strip": [_bleeding(seat, rounds, address) for seat in seats],
        "keep": address.keep,
        "position": position,
        "decision": position and judged(analysis, position.round, position.move, address.keep),
        "way": _way(rounds, chosen, position, address),
        "views": _views(seats, chosen, position, address),
        "analysis": analysis_shown(analysis, rounds, seats, place_of(chosen, position), address),
    }


def place_of(chosen: PlayedRound, position: Position | None) -> str:
    """The part of an address that names a round, or a position in it."""
    return f"?round={chosen.number}" + (f"&move={position.move}" if position else "")
