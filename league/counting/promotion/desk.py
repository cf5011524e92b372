"""The page that closes a season."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, QueryDict
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.http import require_http_methods

from engine.scoring.divisions import (
    DivisionMove,
    DivisionPlan,
    TieAtLine,
    explain_division_move,
    explain_tie,
)
from league.core.frame.forms import model_field
from league.core.frame.saying import redirect_saying
from league.core.log.services import Actor
from league.core.viewer.web.confirmation import run_action
from league.core.viewer.web.viewer import club_page, page_of
from league.counting.event_counting.queries import divisions_of
from league.counting.promotion.domain import MOST_NAMED, division_plan
from league.counting.promotion.queries import disputed_games
from league.counting.promotion.services import season_close
from league.standings.season.desk.season import desk_season_crumbs
from league.standings.season.desk.season_form import NextSeasonForm
from league.standings.season.models import Season
from league.standings.season.queries.access import season_for_organiser
from league.templatetags.messages import said


class CloseForm(NextSeasonForm):
    """The next season, and which of the players tied at a line move."""

    name = model_field(Season, "name", label=gettext_lazy("Name of the next season"))

    def __init__(
        self,
        season: Season,
        ties: Sequence[TieAtLine],
        divisions: Mapping[str, str],
        names: Mapping[str, str],
        data: QueryDict | None,
    ) -> None:
        super().__init__(season, data)
        self.ties = ties
        for number, tie in enumerate(ties, start=1):
            self.fields[f"tie{number}"] = forms.MultipleChoiceField(
                label=said(explain_tie(tie, divisions, names)),
                choices=[(player, names[player]) for player in tie.players],
                widget=forms.CheckboxSelectMultiple,
                required=True,
            )

    def settings(self) -> dict[str, Any]:
        """Return the settings for `season_close`."""
        choices = {}
        for number, tie in enumerate(self.ties, start=1):
            for player in self.cleaned_data.get(f"tie{number}", ()):
                choices[player] = tie.after
        return {**super().settings(), "chosen": choices}


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@page_of(season_for_organiser)
def close_page(request: HttpRequest, season: Season) -> HttpResponse:
    """Show who would go up and down, decide ties, and start the next season."""
    season_divisions = divisions_of(season)
    names = {}
    for division in season_divisions:
        names.update({player_id: name for player_id, name, _ in division.players})
    divisions = {division.public_id: division.name for division in season_divisions}
    plan = division_plan(season_divisions, {})
    moves: tuple[DivisionMove, ...] = ()
    open_ties: tuple[TieAtLine, ...] = ()
    fault = None
    if isinstance(plan, DivisionPlan):
        moves = plan.moves
        open_ties = plan.open_ties
    else:
        fault = plan.message.translated(gettext)
    form = CloseForm(season, open_ties, divisions, names, request.POST or None)
    next_seasons: list[Season] = []

    def close(_: object, actor: Actor) -> None:
        next_seasons.append(season_close(season=season, actor=actor, **form.settings()))

    if request.method == "POST" and form.is_valid() and run_action(request, form, close):
        return redirect_saying(
            request,
            gettext("The next season is ready, with everybody in the right division."),
            "desk-season-divisions",
            season.club.slug,
            next_seasons[0].slug,
        )
    disputed = disputed_games(season)
    return club_page(
        request,
        season.club,
        "league/counting/promotion/desk/close.html",
        season=season,
        form=form,
        fault=fault,
        moves=[explain_division_move(move, divisions, names) for move in moves],
        has_divisions=bool(divisions),
        disputed=disputed[:MOST_NAMED],
        disputed_count=len(disputed),
        title=gettext("Close the season"),
        here="seasons",
        crumbs=desk_season_crumbs(season.club, season),
    )
