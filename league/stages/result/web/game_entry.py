"""Entering a game outside of events: first the players, then the form of a result."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final
from urllib.parse import urlencode

from django import forms
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.http import require_http_methods

from engine.record.canonical import canonical_json
from engine.record.shape import TEXT_LENGTH
from games.models.public_id import new_public_id
from league.core.account.models import User
from league.core.frame.forms import offer
from league.core.frame.names import all_seen, name_tidied
from league.core.frame.saying import redirect_saying
from league.core.player.models import Player
from league.core.player.queries.player import listed_players, players_of_handles, players_typed
from league.core.viewer.web.viewer import PageContext, club_page, page_of
from league.records.file.services import Imported, record_import
from league.records.game.services import read_for
from league.stages.result.domain.end import GameHead, game_rules, kind_of, known_end, record_value
from league.stages.result.web.result import sealing_notes
from league.stages.result.web.result_form import ResultForm, Sitter
from league.stages.table.domain.table import season_points_asked, uncounted_words
from league.standings.ranking.web.ranking import season_crumbs
from league.standings.season.models import Season
from league.standings.season.queries.access import season_for_scorer

LISTED: Final = 200
"""The number of players that are offered to be ticked; others are typed."""


class PlayersForm(forms.Form):
    """The players of a game: players of the club, and others by name. `token` makes a game that is
    sent twice one game."""

    token = forms.RegexField(r"^[a-z0-9]{10}$", widget=forms.HiddenInput)
    player = forms.MultipleChoiceField(
        label=gettext_lazy("Who played?"), required=False, widget=forms.CheckboxSelectMultiple
    )
    names = forms.CharField(
        label=gettext_lazy("Others"),
        help_text=gettext_lazy("Names separated by commas. New names become players of the club."),
        required=False,
        max_length=500,
    )

    def __init__(self, season: Season, data: Any) -> None:
        self.season = season
        super().__init__(data, initial={"token": new_public_id()})
        self.listed = {player.public_id: player for player in listed_players(season.club)[:LISTED]}
        offer(
            self, "player", [(player_id, player.name) for player_id, player in self.listed.items()]
        )
        self.sitters: list[Sitter] = []

    def clean(self) -> dict[str, Any]:
        """Store the players as `sitters`: the ticked ones, then those typed."""
        cleaned = super().clean() or {}
        typed = re.split("[,;]", cleaned.get("names") or "")
        tidied = [name_tidied(" ".join(name.split())) for name in typed]
        names = [name for name in tidied if name]
        for name in names:
            _refuse_bad_name(name)
        ticked = [self.listed[player_id] for player_id in cleaned.get("player", ())]
        people = [(player.handle, player.name) for player in ticked]
        people += self._handles_and_names(names)
        self.sitters = [
            Sitter(f"s{seat}", handle, name) for seat, (handle, name) in enumerate(people, start=1)
        ]

        seats = kind_of(self.season).seats
        if len(people) not in seats:
            raise forms.ValidationError(
                gettext("Choose from %(least)d to %(most)d players.")
                % {"least": seats[0], "most": seats[-1]}
            )
        if len({handle.casefold() for handle, _ in people}) < len(people):
            raise forms.ValidationError(gettext("Name everybody once."))
        return cleaned

    def _handles_and_names(self, names: Sequence[str]) -> list[tuple[str, str]]:
        by_name = players_typed(self.season.club_id, names)
        ids = players_of_handles(self.season.club_id, names)
        by_id = Player.objects.in_bulk([pk for pk in ids if pk])
        people = []
        for name, pk in zip(names, ids, strict=True):
            player = by_id.get(pk or 0) or by_name.get(name)
            people.append((player.handle, player.name) if player else (name, name))
        return people


def _refuse_bad_name(name: str) -> None:
    all_seen(name)
    if len(name) > TEXT_LENGTH:
        raise forms.ValidationError(
            gettext("A name can have at most %(most)d characters. Put commas between the names.")
            % {"most": TEXT_LENGTH}
        )


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@page_of(season_for_scorer)
def game_entry_page(request: HttpRequest, season: Season) -> HttpResponse:
    """Enter a game that was played outside of events: choose the players (in the address), then the
    result as at a table."""
    players = PlayersForm(season, request.GET if request.GET else None)
    context: PageContext = {"season": season, "players": players, "crumbs": season_crumbs(season)}
    if not players.is_bound or not players.is_valid():
        return club_page(request, season.club, "league/stages/result/game_players.html", **context)
    form = ResultForm(
        players.sitters,
        request.POST or None,
        season=season,
        number=1,
        with_points=season_points_asked(season),
        played_at=timezone.now().replace(second=0, microsecond=0),
    )
    if request.method == "POST" and form.is_valid() and "change" not in request.POST:
        response = _seal_if_confirmed(request, season, players, form)
        if response is not None:
            return response
        if not form.errors:
            uncounted_notes = uncounted_words(season, form.cleaned_data["points"])
            context["sealing"] = True
            context["notes"] = sealing_notes(form, uncounted_notes)
    query = {name: players.cleaned_data[name] for name in ("token", "player", "names")}
    context["form"] = form
    context["again"] = f"{request.path}?{urlencode(query, doseq=True)}"
    return club_page(request, season.club, "league/stages/result/game_entry.html", **context)


def _seal_if_confirmed(
    request: HttpRequest, season: Season, players: PlayersForm, form: ResultForm
) -> HttpResponse | None:
    """Return None if the game wasn't confirmed, or if it was refused; then the form has an
    error."""
    line = _record_line(season, players, form)
    fault = read_for(season, line, places_alone=True)[-1]
    if fault is not None:
        form.refuse(fault)
        return None
    if "sure" not in request.POST:
        return None

    assert isinstance(request.user, User)
    imported: Imported = record_import(
        season=season,
        line=line,
        entered_by=request.user,
        places_alone=True,
    )
    if imported.error is not None:
        form.refuse(imported.error)
        return None
    assert imported.game is not None
    return redirect_saying(
        request,
        gettext("The game is in. Tables and ratings will update in a moment."),
        "game",
        imported.game.public_id,
    )


def _record_line(season: Season, players: PlayersForm, form: ResultForm) -> bytes:
    cleaned = form.cleaned_data
    ranks = cleaned["ranks"]
    points = cleaned["points"]
    playing = [sitter for sitter in form.sitters if sitter.key in ranks]
    end = known_end([sitter.key for sitter in playing], ranks, points, cleaned["broken_off"])
    head = GameHead(
        record_id=f"hand-{players.cleaned_data['token']}",
        seats=[sitter.handle for sitter in playing],
        event="",
        table="",
        played_at=cleaned["played_at"] or timezone.now(),
    )
    rules = game_rules(season, with_points=points is not None)
    return canonical_json(record_value(season, head, rules, end))
