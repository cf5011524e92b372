"""The pages on which a seat objects to the result of a game, and withdraws the objection."""

from __future__ import annotations

from collections.abc import Sequence

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST

from engine.illegal import Refused
from games.models import Game
from league.core.frame.forms import model_field
from league.core.log.services import Actor
from league.core.viewer.web.confirmation import Confirmation, posted, take
from league.core.viewer.web.viewer import page_of
from league.disputes.agreement.web import SeatField
from league.disputes.correction.web.correction import game_crumbs
from league.disputes.objection.models import Objection
from league.disputes.objection.queries.objection import (
    may_withdraw,
    objection_for,
    own_seat_of,
)
from league.disputes.objection.services import objection_raise, objection_withdraw
from league.standings.ranked_game.queries.game import seats_of
from league.standings.season.queries.access import game_for


class ObjectionForm(forms.Form):
    """What is wrong with a result, and for which seat: one of these `seats`, by number and name."""

    word = model_field(
        Objection,
        "word",
        label=gettext_lazy("What is wrong?"),
        help_text=gettext_lazy(
            "A few words. The players and those who rule on it will read them, so don’t name "
            "anybody."
        ),
    )

    def __init__(self, seats: Sequence[tuple[int, str]], sent: QueryDict | None = None) -> None:
        super().__init__(sent)
        self.fields["seat"] = SeatField(seats)
        self.order_fields(("seat", "word"))


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@page_of(game_for)
def objection_page(request: HttpRequest, game: Game) -> HttpResponse:
    """Object to a game's result for the reader's own seat; or for any seat, for those who rule on
    the game."""
    own_seat = own_seat_of(game, request.user.pk)
    may_rule = request.user.has_perm("league.correct_game", game)
    seats = [
        (seat.number, seat.name) for seat in seats_of(game) if may_rule or seat.number == own_seat
    ]
    if not seats:
        raise Http404
    step = Confirmation(
        title=gettext("Object to this result"),
        effects=[
            gettext("The result is marked as provisional. It still counts."),
            gettext("Arbiters and organisers see it under “Organise” and rule on it."),
            gettext("Until then you can withdraw the objection."),
        ],
        button=gettext("Object"),
        form=ObjectionForm(seats, posted(request)),
        do=lambda cleaned, actor: objection_raise(game=game, actor=actor, **cleaned),
        done=gettext("The result is provisional now."),
    )
    return _take(request, game, step)


@login_required
@require_POST
@page_of(objection_for)
def objection_withdraw_button(request: HttpRequest, objection: Objection) -> HttpResponse:
    """Withdraw an objection, by one tap."""
    if not may_withdraw(request.user, objection):
        raise Http404
    try:
        objection_withdraw(objection=objection, actor=Actor(request.user.pk))
        messages.success(request, gettext("The objection is withdrawn."))
    except Refused as refused:
        messages.info(request, refused.illegal.message.translated(gettext))
    return redirect("game", objection.game.public_id)


def _take(request: HttpRequest, game: Game, step: Confirmation) -> HttpResponse:
    club = game.season_game.season.club
    back = reverse("game", args=[game.public_id])
    return take(request, club, step, section="objections", back=back, crumbs=game_crumbs(game))
