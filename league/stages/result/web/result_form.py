"""The form of a result: who finished where, the points, who still had dice when time was up, who
left, and when."""

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
"""Chosen for somebody who didn't play."""
LEFT: Final = "left"
"""What stands before the place of somebody who left during the game."""
MOST_POINTS: Final = 9999


class Sitter(NamedTuple):
    """Somebody whom a result can name; `key` is theirs in the fields of the form."""

    key: str
    handle: str
    name: str


class ResultRow(NamedTuple):
    """Somebody with their fields; those of points and dice are None where they aren't asked for."""

    sitter: Sitter
    place: forms.BoundField
    points: forms.BoundField | None
    dice: forms.BoundField | None


class SealingRow(NamedTuple):
    """The way in which somebody finished, before it is sealed; `score` tells the points in
    words."""

    rank: int
    sitter: Sitter
    score: str
    dice: int | None
    left: bool


class ResultForm(forms.Form):
    """The place of everybody who played, and what else is told: fields `place_<key>`,
    `points_<key>`, `dice_<key>`.

    Equal places are shared; who has dice left needs no place. `number` is that of the game at the
    table: the same twice is one game. `with_points`: points are asked for, and those that follow
    from the places needn't be typed."""

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
        self.sitters, self.season, self.with_points = sitters, season, with_points
        self.with_dice = season.kind == Kind.BLUFF
        self.dice = int(season.rules.get("dice", 5)) if self.with_dice else 0
        for sitter in sitters:
            self.fields[f"place_{sitter.key}"] = forms.ChoiceField(
                label=sitter.name, choices=place_choices(len(sitters)), required=False
            )
            if with_points:
                self.fields[f"points_{sitter.key}"] = _figure(
                    gettext("Points of %(name)s") % {"name": sitter.name}, -MOST_POINTS, MOST_POINTS
                )
            if self.with_dice:
                self.fields[f"dice_{sitter.key}"] = _figure(
                    gettext("Dice that %(name)s had left") % {"name": sitter.name}, 0, self.dice
                )
        zone = ZoneInfo(season.club.timezone)
        self.fields["played_at"] = ClubTimeField(
            zone,
            played_at,
            label=gettext("Played on"),
            help_text=gettext("Day and time at the club. The order of ratings goes by it."),
            required=False,
        )

    @property
    def rows(self) -> list[ResultRow]:
        """Everybody with the fields of place, points and dice."""
        return [
            ResultRow(
                sitter,
                self[f"place_{sitter.key}"],
                self[f"points_{sitter.key}"] if self.with_points else None,
                self[f"dice_{sitter.key}"] if self.with_dice else None,
            )
            for sitter in self.sitters
        ]

    @property
    def names(self) -> dict[str, str]:
        """The name of everybody, by the key."""
        return {sitter.key: sitter.name for sitter in self.sitters}

    def refuse(self, fault: Illegal) -> None:
        """Add what can't be of the result, with the name of who sits at the seat that it is about;
        the form is valid."""
        playing = [
            sitter.name for sitter in self.sitters if sitter.key in self.cleaned_data["ranks"]
        ]
        seat = fault.message.values.get("seat")
        values = dict(fault.message.values)
        if isinstance(seat, int) and seat < len(playing):
            values["seat"] = f"{seat + 1} ({playing[seat]})"
        self.add_error(None, Message.of(fault.message.template, values).translated(gettext))

    @property
    def all_dice(self) -> int:
        """The dice of a game that all of them play: what its winner has by dice."""
        return self.dice * len(self.sitters)

    @property
    def time_was_up(self) -> bool:
        """True if it is told that time was up, or who left: what is folded else stands open."""
        if not self.is_bound:
            return bool(self.initial.get("clock"))
        return any(
            self.data.get(name) for name in self.data if name == "clock" or name.startswith("dice_")
        )

    def clean(self) -> dict[str, Any]:
        """The `ranks` by key, the `points` (None: not told for all), the `broken_off` of the game,
        `incomplete`: those whose points are missing where others have theirs."""
        cleaned = super().clean() or {}
        places: dict[str, int] = {}
        leavers: list[str] = []
        for sitter in self.sitters:
            choice = cleaned.get(f"place_{sitter.key}") or AWAY
            if choice != AWAY:
                places[sitter.key] = int(choice.removeprefix(LEFT))
            if choice.startswith(LEFT):
                leavers.append(sitter.key)
        dice = {
            sitter.key: cleaned.get(f"dice_{sitter.key}") or 0
            for sitter in self.sitters
            if self.with_dice
        }
        keys = [
            sitter.key for sitter in self.sitters if sitter.key in places or dice.get(sitter.key)
        ]
        if len(keys) < 2:
            raise forms.ValidationError(
                gettext("Say for at least two players where they finished.")
            )
        leavers.sort(key=lambda key: -places[key])
        end = self._end(keys, places, dice, leavers, by_clock=bool(cleaned.get("clock")))
        ranks = dict(zip(keys, end.rank, strict=True))
        broken_off = PLAYED_OUT
        if leavers or end.ended is not None:
            by_key = dict(zip(keys, end.dice, strict=True)) if end.dice is not None else None
            broken_off = BrokenOff(by_key, tuple(leavers), end.ended is not None)
        points, incomplete = self._points(cleaned, keys, end)
        if points is not None and self.with_dice and end.ended is not None and end.dice is None:
            raise forms.ValidationError(
                gettext("Say how many dice everybody still had: the points follow from them.")
            )
        return {
            **cleaned,
            "ranks": ranks,
            "points": points,
            "broken_off": broken_off,
            "incomplete": incomplete,
        }

    def _end(
        self,
        keys: Sequence[str],
        places: Mapping[str, int],
        dice: Mapping[str, int],
        leavers: Sequence[str],
        *,
        by_clock: bool,
    ) -> KnownEnd:
        """The end as the places tell it, or where dice were left, these. Rulings B12, B17, B20,
        K15, K17."""
        if any(dice.values()):
            out = [key for key in keys if not dice[key]]
            groups = [
                [keys.index(key) for key in out if places[key] == place]
                for place in sorted({places[key] for key in out}, reverse=True)
            ]
            if len(out) == len(keys) - 1:
                words = gettext(
                    "Only %(name)s still had dice: that ended the game, not the clock. Give "
                    "the places alone."
                )
                (last,) = set(keys) - set(out)
                raise forms.ValidationError(words % {"name": self.names[last]})
            kind = kind_of(self.season)
            forfeit = [keys.index(key) for key in leavers if not dice[key]]
            left = [dice[key] for key in keys]
            rules = kind.read_rules(game_rules(self.season, with_points=self.with_points), "rules")
            return kind.clock_end(rules, left, groups, forfeit)._replace(points=None)
        ranks = {key: 1 + sum(places[rival] < places[key] for rival in keys) for key in keys}
        if self.with_dice and not by_clock and list(ranks.values()).count(1) > 1:
            raise forms.ValidationError(
                gettext(
                    "Nobody shares the first place, unless time was up: then say so, and who "
                    "still had dice."
                )
            )
        return known_end(keys, ranks, None, BrokenOff(None, leavers, by_clock))

    def _points(
        self, cleaned: Mapping[str, Any], keys: Sequence[str], end: KnownEnd
    ) -> tuple[dict[str, int] | None, list[str]]:
        """The points by key, None where they aren't told; and the names of those whose points are
        missing beside the others'."""
        if not self.with_points:
            return None, []
        kind = kind_of(self.season)
        entries = [cleaned.get(f"points_{key}") for key in keys]
        rules = kind.read_rules(game_rules(self.season, with_points=True), "rules")
        whole = (
            None
            if isinstance(kind.known_end(rules, end), Illegal)
            else completed(self.season, end, entries)
        )
        if whole is not None:
            return dict(zip(keys, whole, strict=True)), []
        scores = [score for score in entries if score is not None]
        if len(scores) == len(keys):
            return dict(zip(keys, scores, strict=True)), []
        missing = [
            self.names[key] for key, score in zip(keys, entries, strict=True) if score is None
        ]
        return None, missing if len(missing) < len(keys) else []

    @property
    def sealing(self) -> list[SealingRow]:
        """How everybody who played finished, the best first; the form is valid."""
        cleaned = self.cleaned_data
        ranks, points, broken_off = cleaned["ranks"], cleaned["points"] or {}, cleaned["broken_off"]
        rows = [
            SealingRow(
                ranks[sitter.key],
                sitter,
                score_words(self.season.kind, points.get(sitter.key)),
                (broken_off.dice or {}).get(sitter.key),
                sitter.key in broken_off.forfeit,
            )
            for sitter in self.sitters
            if sitter.key in ranks
        ]
        return sorted(rows, key=lambda row: row.rank)

    @property
    def away(self) -> list[Sitter]:
        """Those who didn't play; the form is valid."""
        return [sitter for sitter in self.sitters if sitter.key not in self.cleaned_data["ranks"]]


def place_choices(count: int) -> list[Any]:
    """The places that can be chosen among so many, and those of who left: nobody who left is
    first."""
    left = [
        (f"{LEFT}{place}", gettext("%(place)d. – left") % {"place": place})
        for place in range(2, count + 1)
    ]
    places = [(str(place), str(place)) for place in range(1, count + 1)]
    return [(AWAY, gettext("did not play")), *places, (gettext("left during the game"), left)]


def end_initial(keys: Sequence[str], end: KnownEnd) -> dict[str, Any]:
    """A known end as the fields of the form show it; `keys` name the seats."""
    initial: dict[str, Any] = {"clock": end.ended is not None}
    for seat, key in enumerate(keys):
        left = LEFT if seat in end.forfeit else ""
        initial[f"place_{key}"] = f"{left}{end.rank[seat]}"
        if end.points is not None:
            initial[f"points_{key}"] = end.points[seat]
        if end.dice is not None and end.dice[seat]:
            initial[f"dice_{key}"] = end.dice[seat]
    return initial


def _figure(label: str, least: int, most: int) -> forms.IntegerField:
    return forms.IntegerField(
        label=label,
        required=False,
        min_value=least,
        max_value=most,
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
    )
