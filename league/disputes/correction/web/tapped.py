"""The form of a result with which a game is corrected of which only the end is known."""

from __future__ import annotations

from typing import Any, NamedTuple

from django import forms
from django.utils.translation import gettext_lazy

from engine.illegal import Refused
from engine.record.canonical import canonical_json
from engine.record.reason import LENGTH
from engine.record.record import Record
from games.models import Game
from league.core.player.models import Player
from league.core.player.queries.player import players_of_handles
from league.stages.result.domain.end import corrected_value, known_end
from league.stages.result.services.result import seats_at
from league.stages.result.web.result_form import ResultForm, Sitter, end_initial
from league.stages.stage.queries.facts import table_facts
from league.stages.table.domain.table import points_asked, season_points_asked
from league.stages.table.queries.table import table_game_of
from league.standings.season.models import Season


class CorrectionReason(forms.Form):
    """Why a game is corrected."""

    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        help_text=gettext_lazy("Whoever sees the game reads it: leave names out of it."),
        max_length=LENGTH,
        error_messages={"required": gettext_lazy("Say why the game is corrected.")},
    )


class TappedForm(CorrectionReason, ResultForm):
    """A result that takes the place of another one, and why."""


class TappedSeats(NamedTuple):
    """Whom a corrected game can name, each with the handle that its record uses; `keys` are those
    of its seats."""

    sitters: tuple[Sitter, ...]
    keys: tuple[str, ...]
    number: int
    with_points: bool


def tapped_form(game: Game, record: Record, data: Any, *, with_reason: bool) -> ResultForm | None:
    """The form, filled with the game as it is; None for a game of which more than the end is known.
    `with_reason`: it asks why, too."""
    if record.outcome is None:
        return None
    season = game.season_game.season
    seats = _seats_at_table(game, record, season) or _seats_alone(record, season)
    return (TappedForm if with_reason else ResultForm)(
        seats.sitters,
        data,
        season=season,
        number=seats.number,
        with_points=seats.with_points or record.outcome.points is not None,
        played_at=record.instant,
        initial=end_initial(seats.keys, record.outcome),
    )


def tapped_line(game: Game, record: Record, form: ResultForm) -> bytes:
    """The record of the game as the form, which is valid, has it."""
    cleaned = form.cleaned_data
    playing = [sitter for sitter in form.sitters if sitter.key in cleaned["ranks"]]
    end = known_end(
        [sitter.key for sitter in playing],
        cleaned["ranks"],
        cleaned["points"],
        cleaned["broken_off"],
    )
    seats = [sitter.handle for sitter in playing]
    return canonical_json(
        corrected_value(game.season_game.season, record, seats, end, cleaned["played_at"])
    )


def _seats_at_table(game: Game, record: Record, season: Season) -> TappedSeats | None:
    """Everybody who sits at the table where the game was played, in the order of seats."""
    table_game = table_game_of(game)
    if table_game is None:
        return None
    facts = table_facts(table_game.table)
    try:
        entries = seats_at(table_game.table, players_of_handles(season.club_id, record.seats))
    except Refused:
        return None
    if any(entry not in facts.members for entry in (*facts.tables[0].entries, *entries)):
        return None
    handles = dict(zip(entries, record.seats, strict=True))
    members = [facts.members[entry] for entry in facts.tables[0].entries]
    return TappedSeats(
        tuple(
            Sitter(member.entry_id, handles.get(member.entry, member.handle), member.name)
            for member in members
        ),
        tuple(facts.members[entry].entry_id for entry in entries),
        table_game.number,
        points_asked(table_game.table),
    )


def _seats_alone(record: Record, season: Season) -> TappedSeats:
    """Those who are in the record of a game that was played at no table of an event."""
    players = players_of_handles(season.club_id, record.seats)
    names = dict(
        Player.objects.filter(pk__in=[pk for pk in players if pk]).values_list("pk", "name")
    )
    sitters = tuple(
        Sitter(f"s{seat}", handle, names.get(player, handle) if player else handle)
        for seat, (handle, player) in enumerate(zip(record.seats, players, strict=True), start=1)
    )
    return TappedSeats(
        sitters, tuple(sitter.key for sitter in sitters), 1, season_points_asked(season)
    )
