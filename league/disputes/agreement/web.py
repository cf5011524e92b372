"""The page of a proposed correction: what would change, which seats agree, and the button to
agree."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.http import require_http_methods

from engine.illegal import Refused
from league.core.frame.saying import redirect_saying
from league.core.log.services import Actor
from league.core.viewer.web.confirmation import done, posted
from league.core.viewer.web.viewer import club_page, page_of
from league.disputes.agreement.models import Proposal
from league.disputes.agreement.queries import (
    proposal_for,
    proposal_line,
    proposal_of,
    seats_to_agree,
)
from league.disputes.agreement.services import proposal_agree
from league.disputes.correction.queries.game import newest_revision
from league.disputes.correction.services import CorrectionPreview, correction_preview
from league.disputes.correction.web.correction import effects_by_name, game_crumbs
from league.standings.ranked_game.queries.game import seats_of
from league.standings.ranking.queries.change import COUNTED


class SeatField(forms.TypedChoiceField):
    """The choice of a seat, by number and name. The field is hidden if there is only one."""

    def __init__(self, seats: Sequence[tuple[int, str]]) -> None:
        super().__init__(
            label=gettext_lazy("On whose behalf?"),
            coerce=int,
            choices=list(seats),
            initial=seats[0][0],
            widget=forms.Select if len(seats) > 1 else forms.HiddenInput,
        )


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@page_of(proposal_for)
def proposal_page(request: HttpRequest, proposal: Proposal) -> HttpResponse:
    """Show a proposed correction to the players of the game and those who rule on it, and let the
    missing seats agree. The last seat to agree corrects the game."""
    game = proposal.game
    seats = seats_of(game)
    seats_to_answer = seats_to_agree(proposal, request.user)
    form = forms.Form(posted(request))
    if seats_to_answer:
        choices = [(seat.number, seat.name) for seat in seats if seat.number in seats_to_answer]
        form.fields["seat"] = SeatField(choices)

    def agree(cleaned: dict[str, Any], actor: Actor) -> object:
        return proposal_agree(proposal=proposal, actor=actor, **cleaned)

    if seats_to_answer and form.is_valid() and done(request, form, agree):
        return _after_agreement(request, proposal)
    preview = _preview(proposal)
    season = game.season_game.season
    agreements = {agreement.seat: agreement for agreement in proposal.agreements.all()}
    return club_page(
        request,
        season.club,
        "league/disputes/agreement/proposal.html",
        game=game,
        proposal=proposal,
        seats=[(seat, agreements.get(seat.number)) for seat in seats],
        form=form if seats_to_answer else None,
        preview=preview,
        effects=effects_by_name(season, preview.effects) if preview else [],
        counted=COUNTED,
        newest=newest_revision(game),
        standing=proposal_of(game),
        crumbs=game_crumbs(game),
    )


def _after_agreement(request: HttpRequest, proposal: Proposal) -> HttpResponse:
    newest = newest_revision(proposal.game)
    if newest != proposal.game:
        message = gettext(
            "Everybody agrees, so the game is corrected. Tables and ratings will follow."
        )
        return redirect_saying(request, message, "game", newest.public_id)
    message = gettext("Noted. The game is corrected once everybody agrees.")
    return redirect_saying(request, message, "proposal", proposal.public_id)


def _preview(proposal: Proposal) -> CorrectionPreview | None:
    try:
        return correction_preview(game=proposal.game, line=proposal_line(proposal))
    except Refused:
        return None
