"""The pages for writing down a season's game without a table: who plays, and who has a key."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from engine.record.shape import TEXT_LENGTH
from games.models.public_id import new_public_id
from games.services.open_game import Writer
from league.core.account.models import User
from league.core.log.services import Actor
from league.core.member.models.member import Membership, Role
from league.core.player.models import Player
from league.core.player.queries.player import listed_players, player_called
from league.core.viewer.web.confirmation import done, posted
from league.core.viewer.web.viewer import club_page, or_404, page_of, signed_in, viewer_of
from league.sheets.sheet.models import SeasonOpenGame
from league.sheets.sheet.queries.access import (
    game_device_for_scorer,
    season_game_for_scorer,
    season_games_open,
)
from league.sheets.sheet.queries.open_game import sheets_shown
from league.sheets.sheet.queries.season_game import faces_of
from league.sheets.sheet.services.season_game import season_game_open
from league.sheets.sheet.web.write import key_end, keys_page
from league.stages.result.domain.end import kind_of
from league.stages.result.web.game_entry import LISTED
from league.standings.ranking.web.ranking import season_crumbs
from league.standings.season.models import Season
from league.standings.season.queries.access import season_for_scorer
from league.standings.season.queries.season import open_seasons

LATEST = 50
"""The most open games that the page lists."""
WRITERS = (Role.SCORER, Role.ORGANISER)
"""The roles of members who may write down games of a club."""


class SeatsForm(forms.Form):
    """The players of a game, one field a seat, by name or handle. `token`: a form that is sent
    twice opens one game."""

    token = forms.RegexField(r"^[a-z0-9]{10}$", widget=forms.HiddenInput)

    def __init__(self, season: Season, data: Any, names: Sequence[str]) -> None:
        super().__init__(data)
        self.season = season
        self.handles: list[str] = []
        seats = kind_of(season).seats
        for number in range(1, seats[-1] + 1):
            self.fields[f"seat{number}"] = forms.CharField(
                label=gettext("Seat %(number)d") % {"number": number},
                initial=names[number - 1] if number <= len(names) else "",
                max_length=TEXT_LENGTH,
                required=number <= seats[0],
                widget=forms.TextInput(attrs={"list": "people", "autocomplete": "off"}),
            )

    @property
    def first_seats(self) -> list[forms.BoundField]:
        """The fields of the seats that every game has."""
        least_seats = kind_of(self.season).seats[0]
        return self.visible_fields()[:least_seats]

    @property
    def further_seats(self) -> list[forms.BoundField]:
        """The fields of the seats that a game may have besides."""
        least_seats = kind_of(self.season).seats[0]
        return self.visible_fields()[least_seats:]

    def clean(self) -> dict[str, Any]:
        """Look up the players, and fill `handles`. Names of nobody or of several get an error at
        their field."""
        cleaned = super().clean() or {}
        for field, name in [*cleaned.items()]:
            try:
                if name and field != "token":
                    self.handles.append(player_called(self.season.club_id, name).handle)
            except Player.DoesNotExist:
                self.add_error(
                    field,
                    gettext("No player in the club is called %(handles)s.") % {"handles": name},
                )
            except Player.MultipleObjectsReturned:
                self.add_error(
                    field,
                    gettext("Several people in the club have that name. Enter the handle instead."),
                )
        return cleaned


@never_cache
@require_safe
def write_where_page(request: HttpRequest) -> HttpResponse:
    """List the seasons in which the reader may write down games without a table; redirect to the
    only one. Readers who may not are told what they need."""
    seasons = []
    if isinstance(request.user, User):
        clubs = Membership.objects.filter(user=request.user, role__in=WRITERS).values_list(
            "club", flat=True
        )
        seasons = list(open_seasons(list(clubs))[:LATEST])
    if len(seasons) == 1:
        return redirect("season-write", seasons[0].club.slug, seasons[0].slug)
    return render(request, "league/sheets/sheet/write_where.html", {"seasons": seasons})


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@page_of(season_for_scorer)
def season_write_page(request: HttpRequest, season: Season) -> HttpResponse:
    """Show the form for the players of a season's game without a table, and the season's open
    games. A POST opens the game and, as the page of its keys does, makes the first key."""
    account = signed_in(request)
    form = SeatsForm(season, posted(request), request.GET.getlist("seat"))
    opener = Writer(account=(account.pk, account.public_id))
    rows: list[SeasonOpenGame] = []

    def open_game(cleaned: dict[str, Any], _actor: Actor) -> None:
        row = season_game_open(
            season=season, handles=form.handles, opener=opener, key=cleaned["token"]
        )
        rows.append(row)

    if form.is_valid() and done(request, form, open_game):
        return _keys_page(request, rows[0])
    return club_page(
        request,
        season.club,
        "league/sheets/sheet/season_write.html",
        season=season,
        form=form,
        token=new_public_id(),
        people=listed_players(season.club)[:LISTED],
        faces=faces_of(season),
        games=sheets_shown(season_games_open(season)[:LATEST]),
        crumbs=season_crumbs(season),
    )


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@page_of(season_game_for_scorer)
def game_write_page(request: HttpRequest, row: SeasonOpenGame) -> HttpResponse:
    """Show the keys of a game without a table, and the form to make one; a POST makes it. A sealed
    game has no such page."""
    if hasattr(row.open_game.sheet, "sealed"):
        return redirect("open-game", row.open_game.public_id)
    return _keys_page(request, row)


def _keys_page(request: HttpRequest, row: SeasonOpenGame) -> HttpResponse:
    public_id = row.open_game.public_id
    sheet_crumb = (gettext("Sheet"), reverse("open-game", args=[public_id]))
    return keys_page(
        request,
        row.club,
        row,
        open_game=public_id,
        place=row.season.name,
        crumbs=[*season_crumbs(row.season), sheet_crumb],
    )


@login_required
@require_POST
def game_device_end(request: HttpRequest, open_game: str, device_id: str) -> HttpResponse:
    """Revoke a key of a game without a table, and go back to the page of its keys."""
    key_end(request, or_404(game_device_for_scorer, viewer_of(request), open_game, device_id))
    return redirect("game-write", open_game)
