"""Addresses within the page of a game of Bluff: `?round=3&move=2&view=seat-1&light=belief`."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from django.http import QueryDict

from engine.analysis.belief import FITTED, PLAIN
from engine.analysis.moment import Perspective

LIGHTS: Final = {"": PLAIN, "belief": FITTED}
"""The lights by their names: the weight of the bids."""
VIEWERS: Final[dict[str, Perspective]] = {"table": None, "all": "all"}
"""Who looks, by name, besides the seats: `seat-1` is the first. Without a name it is the seat to
act."""


@dataclass(frozen=True, slots=True)
class Address:
    """A round, the move that comes next in it (None: the round at its end), who looks, and in which
    light.

    Rounds, moves and seats count from 1. What isn't chosen doesn't stand in the address.
    """

    round_number: int
    move: int | None = None
    view: str = ""
    light: str = ""

    @classmethod
    def read(cls, query: QueryDict, round_number: int, moves: int, seats: int) -> Address:
        """Return what the reader asked for within a round of so many moves; what there isn't is
        passed over."""
        move, light, view = query.get("move", ""), query.get("light", ""), query.get("view", "")
        return cls(
            round_number,
            next((number for number in range(1, moves + 1) if str(number) == move), None),
            view if view in {*VIEWERS, *(f"seat-{seat}" for seat in range(1, seats + 1))} else "",
            light if light in LIGHTS else "",
        )

    def viewer(self, turn: int) -> Perspective:
        """Tell who looks, as the engine names it; `turn` is the seat to act, from 0."""
        if not self.view:
            return turn
        return VIEWERS[self.view] if self.view in VIEWERS else int(self.view[5:]) - 1

    def at(self, round_number: int, move: int | None = None) -> Address:
        """Another place, seen by the same viewer in the same light."""
        return Address(round_number, move, self.view, self.light)

    def seen_by(self, view: str) -> Address:
        """The same place, seen by another viewer."""
        return replace(self, view=view)

    def lit(self, light: str) -> Address:
        """The same place in another light."""
        return replace(self, light=light)

    @property
    def place(self) -> str:
        """The round and the move in short: `3`, or `3.2` before its second move."""
        return f"{self.round_number}.{self.move}" if self.move else str(self.round_number)

    @property
    def keep(self) -> str:
        """The viewer and the light, for links that name their place themselves."""
        return "".join(
            f"&{key}={value}"
            for key, value in (("view", self.view), ("light", self.light))
            if value
        )

    @property
    def query(self) -> str:
        """The address as a link of the page."""
        return (
            f"?round={self.round_number}" + (f"&move={self.move}" if self.move else "") + self.keep
        )

    @property
    def stage(self) -> str:
        """The link that brings the stage into view."""
        return f"{self.query}#stage"
