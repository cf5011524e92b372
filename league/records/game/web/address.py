"""Addresses within the page of a game of Bluff: `?round=3&move=2&view=seat-1&light=belief`."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from django.http import QueryDict

from engine.analysis.belief import FITTED, PLAIN
from engine.analysis.moment import Perspective

LIGHTS: Final = {"": PLAIN, "belief": FITTED}
"""The lights of the analysis, by name: how much the bids of a player reveal about their dice. In the
plain light they reveal nothing; in that of belief, as much as predicts challenges best."""
VIEWERS: Final[dict[str, Perspective]] = {"table": None, "all": "all"}
"""The perspectives by name, besides those of the seats (`seat-1` is the first). Without a name, the
perspective is that of the seat to act."""


@dataclass(frozen=True, slots=True)
class Address:
    """A position in a game and how it is shown: a round, the next move in it (None: the end of the
    round), the perspective `view` (one of `VIEWERS` or a seat), and the `light` (one of `LIGHTS`).

    Rounds, moves and seats count from 1. Defaults are left out of the address."""

    round_number: int
    move: int | None = None
    view: str = ""
    light: str = ""

    @classmethod
    def read(cls, query: QueryDict, round_number: int, moves: int, seats: int) -> Address:
        """Return the requested address within a round. Ignore a move that isn't one of the round's
        `moves`, and an unknown view or light. `moves` and `seats`: how many there are."""
        requested_move = query.get("move", "")
        move_numbers = range(1, moves + 1)
        move = next((number for number in move_numbers if str(number) == requested_move), None)
        view = query.get("view", "")
        seat_views = [f"seat-{seat}" for seat in range(1, seats + 1)]
        if view not in VIEWERS and view not in seat_views:
            view = ""
        light = query.get("light", "")
        if light not in LIGHTS:
            light = ""
        return cls(round_number, move, view, light)

    def viewer(self, turn: int) -> Perspective:
        """Return the perspective in the engine's terms; `turn` is the seat to act, from 0."""
        if not self.view:
            return turn
        if self.view in VIEWERS:
            return VIEWERS[self.view]
        return int(self.view.removeprefix("seat-")) - 1

    def at(self, round_number: int, move: int | None = None) -> Address:
        """Return the address of another position, with the same perspective and light."""
        return Address(round_number, move, self.view, self.light)

    def seen_by(self, view: str) -> Address:
        """Return the address of the same position from another perspective."""
        return replace(self, view=view)

    def lit(self, light: str) -> Address:
        """Return the address of the same position in another light."""
        return replace(self, light=light)

    @property
    def place(self) -> str:
        """Return round and move in short: `3`, or `3.2` before its second move."""
        if self.move is None:
            return str(self.round_number)
        return f"{self.round_number}.{self.move}"

    @property
    def view_parameters(self) -> str:
        """Return the parameters with which a link to another position keeps the perspective and the
        light: `&view=seat-1&light=belief`."""
        parameters = f"&view={self.view}" if self.view else ""
        if self.light:
            parameters += f"&light={self.light}"
        return parameters

    @property
    def query(self) -> str:
        """Return the address as a link of the page."""
        move = f"&move={self.move}" if self.move else ""
        return f"?round={self.round_number}{move}{self.view_parameters}"

    @property
    def stage(self) -> str:
        """Return the link that scrolls to the part of the page that shows one round."""
        return f"{self.query}#stage"
