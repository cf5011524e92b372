"""The form that corrects a game of which only the end is known, not its rounds."""

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
    """The reason for a correction."""

    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        help_text=gettext_lazy("Everybody who sees the game can read it, so don’t name anybody."),
        max_length=LENGTH,
        error_messages={"required": gettext_lazy("Say why the game is corrected.")},
    )


class TappedForm(CorrectionReason, ResultForm):
    """The corrected result, and the reason."""


class TappedSeats(NamedTuple):
    """The players whom a corrected game can name, each with the handle for its record. `keys`: of
    the game's seats."""

    sitters: tuple[Sitter, ...]
    keys: tuple[str, ...]
    number: int
    with_points: bool


def tapped_form(game: Game, record: Record, data: Any, *, with_reason: bool) -> ResultForm | None:
    """Return the form, filled with the game's result; None if the game's rounds are known. `data`:
    of the request, None for an unsent form. `with_reason`: ask for the reason of the correction,
    too."""
    if record.outcome is None:
        return None
    season = game.season_game.season
    seats = _seats_at_table(game, record, season) or _seats_of_record(record, season)
    form_class = TappedForm if with_reason else ResultForm
    return form_class(
        seats.sitters,
        data,
        season=season,
        number=seats.number,
        with_points=seats.with_points or record.outcome.points is not None,
        played_at=record.instant,
        initial=end_initial(seats.keys, record.outcome),
    )


def tapped_line(game: Game, record: Record, form: ResultForm) -> bytes:
    """Return the corrected record of the game, as the valid form gives it."""
    cleaned = form.cleaned_data
    playing = [sitter for sitter in form.sitters if sitter.key in cleaned["ranks"]]
    keys = [sitter.key for sitter in playing]
    end = known_end(keys, cleaned["ranks"], cleaned["points"], cleaned["broken_off"])
    handles = [sitter.handle for sitter in playing]
    season = game.season_game.season
    return canonical_json(corrected_value(season, record, handles, end, cleaned["played_at"]))


def _seats_at_table(game: Game, record: Record, season: Season) -> TappedSeats | None:
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
    sitters = []
    for entry in facts.tables[0].entries:
        member = facts.members[entry]
        handle = handles.get(member.entry, member.handle)
        sitters.append(Sitter(member.entry_id, handle, member.name))
    return TappedSeats(
        sitters=tuple(sitters),
        keys=tuple(facts.members[entry].entry_id for entry in entries),
        number=table_game.number,
        with_points=points_asked(table_game.table),
    )


def _seats_of_record(record: Record, season: Season) -> TappedSeats:
    players = players_of_handles(season.club_id, record.seats)
    player_rows = Player.objects.filter(pk__in=[player for player in players if player])
    names = dict(player_rows.values_list("pk", "name"))
    sitters = []
    for seat, (handle, player) in enumerate(zip(record.seats, players, strict=True), start=1):
        name = names.get(player, handle) if player else handle
        sitters.append(Sitter(f"s{seat}", handle, name))
    return TappedSeats(
        sitters=tuple(sitters),
        keys=tuple(sitter.key for sitter in sitters),
        number=1,
        with_points=season_points_asked(season),
    )
