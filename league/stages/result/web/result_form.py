"""The form of a result: who finished where, points, dice left when time was up, who left, and
when."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final, NamedTuple
from zoneinfo import ZoneInfo

from django import forms
from django.utils.translation import gettext, gettext_lazy

from engine.illegal import Illegal
from engine.messages import Message
from engine.record.outcome import KnownEnd
from games.models.game import Kind
from league.events.event.desk.event_form import ClubTimeField
from league.stages.result.domain.end import (
    PLAYED_OUT,
    BrokenOff,
    completed,
    game_rules,
    kind_of,
    known_end,
)
from league.stages.result.domain.score import score_words
from league.standings.season.models import Season

AWAY: Final = ""
"""The choice for a player who didn't play."""
LEFT: Final = "left"
"""The prefix of the place of a player who left during the game."""
MOST_POINTS: Final = 9999


class Sitter(NamedTuple):
    """A player whom a result can name; `key` is part of the names of their fields."""

    key: str
    handle: str
    name: str


class ResultRow(NamedTuple):
    """A player's fields; points and dice are None if the form doesn't ask for them."""

    sitter: Sitter
    place: forms.BoundField
    points: forms.BoundField | None
    dice: forms.BoundField | None


class SealingRow(NamedTuple):
    """How a player finished, before it is sealed; `score` is the points in words."""

    rank: int
    sitter: Sitter
    score: str
    dice: int | None
    left: bool


class ResultForm(forms.Form):
    """The result of a game: fields `place_<key>`, `points_<key>`, `dice_<key>` for each player.

    Equal places are shared; players with dice left need no place. `number` is the number of the
    game at the table: a result that is sent twice is one game. `with_points`: the form asks for
    points; those that follow from the places can be left out.
    """

    number = forms.IntegerField(widget=forms.HiddenInput, min_value=1)
    clock = forms.BooleanField(
        label=gettext_lazy("Time was up before the game had ended"),
        required=False,
    )

    def __init__(
        self,
        sitters: Sequence[Sitter],
        data: Any,
        *,
        season: Season,
        number: int,
        with_points: bool,
        played_at: datetime | None,
        initial: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(
            data, initial={"number": number, "played_at": played_at, **(initial or {})}
        )
        self.sitters = sitters
        self.season = season
        self.with_points = with_points
        self.with_dice = season.kind == Kind.BLUFF
        self.dice = int(season.rules.get("dice", 5)) if self.with_dice else 0
        for sitter in sitters:
            self._add_fields(sitter)
        self.fields["played_at"] = ClubTimeField(
            ZoneInfo(season.club.timezone),
            played_at,
            label=gettext("Played on"),
            help_text=gettext("Day and time at the club. Ratings are calculated in this order."),
            required=False,
        )

    def _add_fields(self, sitter: Sitter) -> None:
        self.fields[f"place_{sitter.key}"] = forms.ChoiceField(
            label=sitter.name, choices=place_choices(len(self.sitters)), required=False
        )
        if self.with_points:
            self.fields[f"points_{sitter.key}"] = _number_field(
                gettext("Points of %(name)s") % {"name": sitter.name},
                least=-MOST_POINTS,
                most=MOST_POINTS,
            )
        if self.with_dice:
            self.fields[f"dice_{sitter.key}"] = _number_field(
                gettext("Dice that %(name)s had left") % {"name": sitter.name},
                least=0,
                most=self.dice,
            )

    @property
    def rows(self) -> list[ResultRow]:
        """Return each player's fields."""
        return [
            ResultRow(
                sitter,
                place=self[f"place_{sitter.key}"],
                points=self[f"points_{sitter.key}"] if self.with_points else None,
                dice=self[f"dice_{sitter.key}"] if self.with_dice else None,
            )
            for sitter in self.sitters
        ]

    @property
    def names(self) -> dict[str, str]:
        """Return the players' names, by key."""
        return {sitter.key: sitter.name for sitter in self.sitters}

    def refuse(self, fault: Illegal) -> None:
        """Add a fault of the result to the valid form, with the name of the player at the seat that
        it is about."""
        ranks = self.cleaned_data["ranks"]
        playing = [sitter.name for sitter in self.sitters if sitter.key in ranks]
        values = dict(fault.message.values)
        seat = values.get("seat")
        if isinstance(seat, int) and seat < len(playing):
            values["seat"] = f"{seat + 1} ({playing[seat]})"
        self.add_error(None, Message.of(fault.message.template, values).translated(gettext))

    @property
    def all_dice(self) -> int:
        """Return the number of dice in a game of all these players, which are the winner's
        points."""
        return self.dice * len(self.sitters)

    @property
    def time_was_up(self) -> bool:
        """Return True if time was up or dice were left, so that the folded fields are shown."""
        if not self.is_bound:
            return bool(self.initial.get("clock"))
        names = [name for name in self.data if name == "clock" or name.startswith("dice_")]
        return any(self.data.get(name) for name in names)

    def clean(self) -> dict[str, Any]:
        """Add `ranks` and `points` by key (None: not known for all), how the game was `broken_off`,
        and `incomplete`: the names of players whose points are missing while others have theirs."""
        cleaned = super().clean() or {}
        places, leavers = self._places_and_leavers(cleaned)
        dice: dict[str, int] = {}
        if self.with_dice:
            dice = {sitter.key: cleaned.get(f"dice_{sitter.key}") or 0 for sitter in self.sitters}
        keys = [
            sitter.key for sitter in self.sitters if sitter.key in places or dice.get(sitter.key)
        ]
        if len(keys) < 2:
            raise forms.ValidationError(gettext("Say where at least two players finished."))

        leavers.sort(key=lambda key: -places[key])
        end = self._end(keys, places, dice, leavers, by_clock=bool(cleaned.get("clock")))
        points, incomplete = self._points(cleaned, keys, end)
        if points is not None and self.with_dice and end.ended is not None and end.dice is None:
            raise forms.ValidationError(
                gettext("Enter how many dice everybody still had. The points follow from them.")
            )
        return {
            **cleaned,
            "ranks": dict(zip(keys, end.rank, strict=True)),
            "points": points,
            "broken_off": _broken_off(keys, end, leavers),
            "incomplete": incomplete,
        }

    def _places_and_leavers(self, cleaned: Mapping[str, Any]) -> tuple[dict[str, int], list[str]]:
        places: dict[str, int] = {}
        leavers: list[str] = []
        for sitter in self.sitters:
            choice = cleaned.get(f"place_{sitter.key}") or AWAY
            if choice != AWAY:
                places[sitter.key] = int(choice.removeprefix(LEFT))
            if choice.startswith(LEFT):
                leavers.append(sitter.key)
        return places, leavers

    def _end(
        self,
        keys: Sequence[str],
        places: Mapping[str, int],
        dice: Mapping[str, int],
        leavers: Sequence[str],
        *,
        by_clock: bool,
    ) -> KnownEnd:
        """Return the end by the places, or by the dice if any were left. Rulings B12 (a shared
        challenge shares the rank), B17 and K15 (leaving), B20 and K17 (time is up)."""
        if any(dice.values()):
            return self._end_by_dice(keys, places, dice, leavers)
        ranks = {key: 1 + sum(places[rival] < places[key] for rival in keys) for key in keys}
        if self.with_dice and not by_clock and list(ranks.values()).count(1) > 1:
            raise forms.ValidationError(
                gettext(
                    "Nobody can share first place unless time was up. If it was, say so, and "
                    "enter who still had dice."
                )
            )
        return known_end(
            keys,
            ranks,
            points=None,
            broken_off=BrokenOff(dice=None, forfeit=leavers, by_clock=by_clock),
        )

    def _end_by_dice(
        self,
        keys: Sequence[str],
        places: Mapping[str, int],
        dice: Mapping[str, int],
        leavers: Sequence[str],
    ) -> KnownEnd:
        """Return the end of a game that the clock ended: players with dice are ranked by them, the
        others by their places."""
        without_dice = [key for key in keys if not dice[key]]
        if len(without_dice) == len(keys) - 1:
            words = gettext(
                "Only %(name)s still had dice, so the game ended before time was up. Enter just "
                "the places."
            )
            (winner,) = set(keys) - set(without_dice)
            raise forms.ValidationError(words % {"name": self.names[winner]})

        out_by_place: dict[int, list[int]] = {}
        for key in without_dice:
            out_by_place.setdefault(places[key], []).append(keys.index(key))
        groups = [out_by_place[place] for place in sorted(out_by_place, reverse=True)]
        forfeit = [keys.index(key) for key in leavers if not dice[key]]
        dice_left = [dice[key] for key in keys]
        kind = kind_of(self.season)
        rules = kind.read_rules(game_rules(self.season, with_points=self.with_points), "rules")
        return kind.clock_end(rules, dice_left, groups, forfeit)._replace(points=None)

    def _points(
        self, cleaned: Mapping[str, Any], keys: Sequence[str], end: KnownEnd
    ) -> tuple[dict[str, int] | None, list[str]]:
        """Return the points by key, None if they aren't known for all; and the names of the players
        whose points are missing while others have theirs."""
        if not self.with_points:
            return None, []
        entered = [cleaned.get(f"points_{key}") for key in keys]
        kind = kind_of(self.season)
        rules = kind.read_rules(game_rules(self.season, with_points=True), "rules")
        if not isinstance(kind.known_end(rules, end), Illegal):
            points = completed(self.season, end, entered)
            if points is not None:
                return dict(zip(keys, points, strict=True)), []

        points_by_key = {
            key: score for key, score in zip(keys, entered, strict=True) if score is not None
        }
        if len(points_by_key) == len(keys):
            return points_by_key, []
        if not points_by_key:
            return None, []
        return None, [self.names[key] for key in keys if key not in points_by_key]

    @property
    def sealing(self) -> list[SealingRow]:
        """Return how the players of the valid form finished, the best first."""
        points = self.cleaned_data["points"] or {}
        broken_off = self.cleaned_data["broken_off"]
        dice = broken_off.dice or {}
        rows = []
        for sitter in self.sitters:
            rank = self.cleaned_data["ranks"].get(sitter.key)
            if rank is None:
                continue
            score = score_words(self.season.kind, points.get(sitter.key))
            left = sitter.key in broken_off.forfeit
            rows.append(SealingRow(rank, sitter, score, dice.get(sitter.key), left))
        return sorted(rows, key=lambda row: row.rank)

    @property
    def away(self) -> list[Sitter]:
        """Return the players of the valid form who didn't play."""
        return [sitter for sitter in self.sitters if sitter.key not in self.cleaned_data["ranks"]]


def _broken_off(keys: Sequence[str], end: KnownEnd, leavers: Sequence[str]) -> BrokenOff:
    if not leavers and end.ended is None:
        return PLAYED_OUT
    dice = None if end.dice is None else dict(zip(keys, end.dice, strict=True))
    return BrokenOff(dice, forfeit=tuple(leavers), by_clock=end.ended is not None)


def place_choices(count: int) -> list[Any]:
    """Return the choices for a place among `count` players. Those for players who left begin with
    the second place: nobody who left is first."""
    left = [
        (f"{LEFT}{place}", gettext("%(place)d – left") % {"place": place})
        for place in range(2, count + 1)
    ]
    places = [(str(place), str(place)) for place in range(1, count + 1)]
    return [(AWAY, gettext("did not play")), *places, (gettext("left during the game"), left)]


def end_initial(keys: Sequence[str], end: KnownEnd) -> dict[str, Any]:
    """Return a known end as values of the form's fields; `keys` are the keys of the seats."""
    initial: dict[str, Any] = {"clock": end.ended is not None}
    for seat, key in enumerate(keys):
        left = LEFT if seat in end.forfeit else ""
        initial[f"place_{key}"] = f"{left}{end.rank[seat]}"
        if end.points is not None:
            initial[f"points_{key}"] = end.points[seat]
        if end.dice is not None and end.dice[seat]:
            initial[f"dice_{key}"] = end.dice[seat]
    return initial


def _number_field(label: str, least: int, most: int) -> forms.IntegerField:
    return forms.IntegerField(
        label=label,
        required=False,
        min_value=least,
        max_value=most,
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
    )
