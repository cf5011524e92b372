"""The page on which an arbiter rules: the decision, what it would change, then the finding."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.text import capfirst
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from engine.illegal import Refused
from games.models import Game
from games.queries.game import sealed_record
from games.queries.void import game_void
from league.core.frame.saying import redirect_saying
from league.core.log.services import Actor
from league.core.viewer.web.confirmation import done
from league.core.viewer.web.viewer import club_page, page_of, signed_in, viewer_of
from league.disputes.appeal.models import Appeal
from league.disputes.appeal.queries import earlier_rulers
from league.disputes.appeal.services import appeal_draft
from league.disputes.arbiter.queries import bar_to_ruling, game_for_ruling
from league.disputes.correction.web.correction import case_crumbs, effects_by_name
from league.disputes.ruling.queries import OpenDispute, open_dispute
from league.disputes.ruling.services.ruling import ruling_make, ruling_preview
from league.disputes.ruling.services.verb import VERBS, RulingPreview, VerbRules
from league.disputes.ruling.web.form import DecisionForm, FindingForm, rounds_in_words
from league.stages.adjustment.queries import ranks_counting
from league.standings.ranked_game.queries.game import SeatAtTable, seats_of
from league.standings.ranking.queries.change import COUNTED
from league.standings.season.queries.access import sees_game


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@page_of(game_for_ruling)
def ruling_page(request: HttpRequest, game: Game, verb: str) -> HttpResponse:
    """Rule on a game: enter the decision, see the changes that it would make, enter the finding and
    confirm. Confirming twice rules once. If an appeal is open, confirming makes a draft for a
    second arbiter."""
    rules = VERBS.get(verb)
    if rules is None:
        raise Http404
    seats = seats_of(game)
    dispute = open_dispute(game)
    decision_form = _decision_form(request, game, rules, seats)
    is_confirmed = "confirm" in request.POST
    finding_form = FindingForm(game, seats, request.POST if is_confirmed else None)
    preview = None
    if decision_form.is_valid():
        appeal = dispute.appeal if dispute else None
        is_complete = is_confirmed and finding_form.is_valid()
        if is_complete and _is_ruled(request, game, appeal, decision_form, finding_form):
            message = gettext("You have ruled. All players will be told.")
            if appeal is not None:
                message = gettext("A second arbiter will find your draft on the case’s page.")
            return redirect_saying(request, message, *page_after_ruling(request, game))
        preview = _preview_or_error(game, decision_form)
    return club_page(
        request,
        game.season_game.season.club,
        "league/disputes/ruling/ruling_page.html",
        game=game,
        rules=rules,
        decision_form=decision_form,
        finding_form=finding_form,
        dispute=dispute,
        bar=_bar_in_words(request, game, dispute),
        crumbs=case_crumbs(viewer_of(request), game),
        **preview_context(game, preview),
    )


def _decision_form(
    request: HttpRequest, game: Game, rules: VerbRules, seats: Sequence[SeatAtTable]
) -> DecisionForm:
    rounds: list[tuple[int, str]] = []
    if "round_number" in rules.asks:
        record, _ = sealed_record(game)
        rounds = rounds_in_words(record, seats)
    ranks = ranks_counting(game) if "ranks" in rules.asks else ()
    sent = request.POST if request.method == "POST" else request.GET
    # For a verb without fields, the empty form is complete, so it counts as sent.
    is_sent = sent or not rules.asks
    return DecisionForm(rules, seats, ranks, rounds, sent=sent if is_sent else None)


def _is_ruled(
    request: HttpRequest,
    game: Game,
    appeal: Appeal | None,
    decision_form: DecisionForm,
    finding_form: FindingForm,
) -> bool:
    """Make the ruling, or draft it if it decides an appeal. Return False, with the reason in the
    form's errors, if the service refuses it."""
    decision = decision_form.decision()
    finding = finding_form.finding()
    key = finding_form.ruling_key()

    def rule(cleaned: dict[str, Any], actor: Actor) -> object:
        return ruling_make(game=game, decision=decision, finding=finding, actor=actor, key=key)

    def draft(cleaned: dict[str, Any], actor: Actor) -> object:
        assert appeal is not None
        author_id = signed_in(request).pk
        return appeal_draft(
            appeal=appeal, decision=decision, finding=finding, author_id=author_id, key=key
        )

    return done(request, finding_form, draft if appeal else rule)


def _preview_or_error(game: Game, decision_form: DecisionForm) -> RulingPreview | None:
    try:
        return ruling_preview(game=game, decision=decision_form.decision())
    except Refused as refused:
        decision_form.add_error(None, f"{capfirst(refused.illegal.message.translated(gettext))}.")
        return None


def _bar_in_words(request: HttpRequest, game: Game, dispute: OpenDispute | None) -> str:
    appeal = dispute.appeal if dispute else None
    ruled_by = earlier_rulers(appeal.ruling) if appeal else ()
    bar = bar_to_ruling(game, signed_in(request).pk, ruled_by)
    return bar.message.translated(gettext) if bar else ""


def preview_context(game: Game, preview: RulingPreview | None) -> dict[str, object]:
    """Return the context of the template that shows a preview."""
    season = game.season_game.season
    return {
        "preview": preview,
        "effects": effects_by_name(season, preview.effects) if preview else [],
        "counted": COUNTED,
        "is_counted": game_void(game) is None,
    }


def page_after_ruling(request: HttpRequest, game: Game) -> tuple[str, ...]:
    """Return the page to show after a ruling, as the arguments of `redirect`. The right of an
    arbiter from outside ends with the dispute, so perhaps they can't see the case any more."""
    if request.user.has_perm("league.rule_on_game", game):
        return ("game-case", game.public_id)
    if sees_game(viewer_of(request), game):
        return ("game", game.public_id)
    return ("home",)
