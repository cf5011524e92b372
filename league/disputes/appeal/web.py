"""The pages of appeals: raising one, withdrawing it, and agreeing with a draft as the second
arbiter."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from engine.illegal import Refused
from league.core.frame.forms import model_field
from league.core.frame.saying import redirect_saying
from league.core.log.services import Actor
from league.core.viewer.queries.author import authors_of
from league.core.viewer.web.confirmation import Confirmation, posted, run_action, take
from league.core.viewer.web.viewer import club_page, page_of, signed_in, viewer_of
from league.disputes.agreement.web import SeatField
from league.disputes.appeal.domain import draft_read
from league.disputes.appeal.models import Appeal, AppealDraft
from league.disputes.appeal.queries import appeal_for, draft_for, earlier_rulers, may_withdraw
from league.disputes.appeal.services import (
    appeal_decide,
    appeal_draft_discard,
    appeal_raise,
    appeal_withdraw,
)
from league.disputes.arbiter.permissions import agreed_on
from league.disputes.arbiter.queries import bar_to_ruling
from league.disputes.correction.web.correction import case_crumbs, game_crumbs
from league.disputes.objection.queries.objection import own_seat_of
from league.disputes.ruling.models import Ruling
from league.disputes.ruling.queries import ruling_for
from league.disputes.ruling.services.ruling import ruling_preview
from league.disputes.ruling.services.verb import VERBS
from league.disputes.ruling.web.ruling import page_after_ruling, preview_context
from league.standings.ranked_game.queries.game import seats_of


class AppealForm(forms.Form):
    """What is wrong with a ruling, and for which seat: one of these `seats`, by number and name."""

    word = model_field(
        Appeal,
        "word",
        label=gettext_lazy("What is wrong with the ruling?"),
        help_text=gettext_lazy(
            "A few words. The players and those who rule will read them, so don’t name anybody."
        ),
    )

    def __init__(self, seats: Sequence[tuple[int, str]], sent: QueryDict | None = None) -> None:
        super().__init__(sent)
        self.fields["seat"] = SeatField(seats)
        self.order_fields(("seat", "word"))


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@page_of(ruling_for)
def appeal_page(request: HttpRequest, ruling: Ruling) -> HttpResponse:
    """Appeal against a ruling for the reader's own seat; or for any seat, for those who may rule on
    the game."""
    game = ruling.outcome
    own_seat = own_seat_of(game, request.user.pk)
    may_rule = request.user.has_perm("league.rule_on_game", game)
    seats = [
        (seat.number, seat.name) for seat in seats_of(game) if may_rule or seat.number == own_seat
    ]
    if not seats:
        raise Http404
    step = Confirmation(
        title=gettext("Appeal against ruling %(number)s") % {"number": ruling.number},
        effects=[
            gettext("The result becomes provisional again. It still counts."),
            gettext(
                "Two arbiters who didn’t make this ruling decide, or somebody all players agree on."
            ),
            gettext("Their decision is final. Until they make it, you can withdraw the appeal."),
        ],
        button=gettext("Appeal"),
        form=AppealForm(seats, posted(request)),
        do=lambda cleaned, actor: appeal_raise(ruling=ruling, actor=actor, **cleaned),
        done=gettext("Your appeal is in. Others will decide it."),
    )
    crumbs = case_crumbs(viewer_of(request), game) if may_rule else game_crumbs(game)
    back = reverse("ruling", args=[ruling.public_id])
    return take(request, ruling.club, step, section="objections", back=back, crumbs=crumbs)


@login_required
@require_POST
@page_of(appeal_for)
def appeal_withdraw_button(request: HttpRequest, appeal: Appeal) -> HttpResponse:
    """Withdraw an appeal, by one tap."""
    if not may_withdraw(request.user, appeal):
        raise Http404
    try:
        appeal_withdraw(appeal=appeal, actor=Actor(request.user.pk))
        messages.success(request, gettext("The appeal is withdrawn."))
    except Refused as refused:
        messages.info(request, refused.illegal.message.translated(gettext))
    return redirect("ruling", appeal.ruling.public_id)


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@page_of(draft_for)
def draft_page(request: HttpRequest, draft: AppealDraft) -> HttpResponse:
    """Show an arbiter's draft of the decision of an appeal, and what it would change; the second
    arbiter agrees."""
    ruling = draft.appeal.ruling
    game = ruling.outcome
    decision, finding = draft_read(draft.body)
    rules = VERBS[decision.verb.value]

    def decide(cleaned: dict[str, Any], actor: Actor) -> object:
        return appeal_decide(draft=draft, actor=actor)

    form = forms.Form(posted(request))
    if form.is_valid() and run_action(request, form, decide):
        message = gettext("The appeal is decided. All players will be told.")
        return redirect_saying(request, message, *page_after_ruling(request, game))
    bar = bar_to_ruling(game, signed_in(request).pk, earlier_rulers(ruling))
    is_mine = draft.author == request.user
    preview = None
    try:
        preview = ruling_preview(game=game, decision=decision)
    except Refused as refused:
        messages.error(request, refused.illegal.message.translated(gettext))
    return club_page(
        request,
        game.season_game.season.club,
        "league/disputes/appeal/draft.html",
        draft=draft,
        game=game,
        rules=rules,
        finding=finding,
        form=form,
        bar=bar.message.translated(gettext) if bar else "",
        is_mine=is_mine,
        is_alone=is_mine and agreed_on(request.user, game),
        authors=authors_of(request.user, game.season_game.season.club, [draft.author]),
        crumbs=case_crumbs(viewer_of(request), game),
        **preview_context(game, preview),
    )


@login_required
@require_POST
@page_of(draft_for)
def draft_discard_button(request: HttpRequest, draft: AppealDraft) -> HttpResponse:
    """Delete the reader's own draft, by one tap."""
    if draft.author != request.user:
        raise Http404
    appeal_draft_discard(draft=draft)
    game = draft.appeal.ruling.outcome
    return redirect_saying(request, gettext("The draft is discarded."), "game-case", game.public_id)
