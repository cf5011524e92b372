"""Correcting a game in the browser: change its text, see what that changes, confirm it with a
reason."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from django import forms
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy, pgettext
from django.views.decorators.http import require_http_methods, require_safe

from engine.illegal import Refused
from engine.notation.text import render
from engine.record.write import write
from games.domain.correction import game_changes
from games.domain.text import Fault, PastedGame, fault_in
from games.models import Game
from games.queries.game import sealed_record
from games.queries.open_game import branch_record, branch_waiting
from league.core.frame.saying import redirect_saying
from league.core.log.services import Actor
from league.core.viewer.queries.access import Viewer
from league.core.viewer.queries.author import authors_of
from league.core.viewer.web.viewer import PageContext, club_page, or_404, page_of, viewer_of
from league.disputes.agreement.queries import game_for_proposal
from league.disputes.agreement.services import correction_propose
from league.disputes.arbiter.queries import game_for_ruling
from league.disputes.correction.queries.game import newest_revision
from league.disputes.correction.queries.ranking import RankingEffect
from league.disputes.correction.services import CorrectionPreview, correction_preview, game_correct
from league.disputes.correction.web.tapped import CorrectionReason, tapped_form, tapped_line
from league.disputes.ruling.queries import is_ruled_by_arbiter
from league.records.game.web.text_form import GameTextForm
from league.stages.result.web.result import sealing_notes
from league.stages.result.web.result_form import ResultForm
from league.stages.table.domain.table import uncounted_words
from league.standings.ranking.queries.change import COUNTED
from league.standings.ranking.web.ranking import season_crumbs
from league.standings.season.models import Season
from league.standings.season.queries.access import game_for, sees_game

QUOTED: Final = 200
"""Characters that are shown of a line at fault."""
MORE_THAN_ONE: Final = gettext_lazy(
    "The text holds several games. Leave the one that you want to correct."
)


class ProposalForm(GameTextForm):
    """The game as it was played, as text."""

    def clean(self) -> dict[str, object]:
        """As for any game as text, which has to be one alone."""
        cleaned = super().clean()
        pasted = cleaned["pasted"]
        if isinstance(pasted, PastedGame) and pasted.more:
            raise forms.ValidationError(MORE_THAN_ONE)
        return cleaned


class CorrectionForm(CorrectionReason, ProposalForm):
    """The corrected game as text, and why it is corrected."""


class RuledForm(ProposalForm):
    """The corrected game as text; the ruling that corrects it says why."""


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def correction_page(request: HttpRequest, game_id: str, *, proposing: bool = False) -> HttpResponse:
    """Correct a game: first its result or its text, then what that would change, which is done when
    it is confirmed; or propose that, as somebody who sat there.

    Where only the end is known, it is tapped in as it was entered; any game can be corrected as
    text. Confirmed twice it is done once. Who comes too late is told so, and goes on with the
    newest revision. What is disputed isn't corrected here: the preview leads on to the ruling."""
    game = or_404(game_for_proposal if proposing else game_for_ruling, viewer_of(request), game_id)
    text_form = ProposalForm if proposing else _text_form(game)
    if request.method == "POST" and "text" not in request.POST:
        return _tapped(request, game, text_form)
    if request.method == "POST":
        form = text_form(request.POST, request.FILES)
    else:
        form = _form_of(game, text_form, request.GET.get("branch", ""))
    fault: Fault | None = None
    preview: CorrectionPreview | None = None
    if form.is_bound and form.is_valid():
        pasted: PastedGame = form.cleaned_data["pasted"]
        if pasted.record is None or pasted.fault:
            fault = pasted.fault
        else:
            line = write(pasted.record).encode()
            try:
                if "confirm" in request.POST and text_form is not RuledForm:
                    return _confirmed(request, game, line, form)
                preview = correction_preview(game=game, line=line)
            except Refused as refused:
                fault = fault_in(pasted.text, refused.illegal)
    return _page(request, game, form, fault, preview)


def _text_form(game: Game) -> type[ProposalForm]:
    return RuledForm if is_ruled_by_arbiter(game) else CorrectionForm


def _tapped(request: HttpRequest, game: Game, text_form: type[ProposalForm]) -> HttpResponse:
    """Show what a result would change that was tapped in; it is confirmed as the record that it
    makes."""
    record = sealed_record(game)[0]
    tapped = tapped_form(game, record, request.POST, with_reason=text_form is CorrectionForm)
    if tapped is None or not tapped.is_valid():
        return _page(request, game, _form_of(game, text_form), None, None, tapped)
    line = tapped_line(game, record, tapped)
    try:
        preview = correction_preview(game=game, line=line)
    except Refused as refused:
        tapped.refuse(refused.illegal)
        return _page(request, game, _form_of(game, text_form), None, None, tapped)
    sent = text_form({"text": line.decode(), "reason": tapped.cleaned_data.get("reason", "")})
    return _page(request, game, sent, None, preview, tapped)


def _form_of(game: Game, text_form: type[ProposalForm], branch_id: str = "") -> ProposalForm:
    """The form with the game's text, which leaves the result to the rounds; or as a branch of its
    sheet tells it that waits for an arbiter, given by its public id."""
    branch = branch_waiting(game, branch_id, timezone.now()) if branch_id else None
    record = sealed_record(game)[0] if branch is None else branch_record(branch)
    return text_form(initial={"text": render(replace(record, result=None))})


def _confirmed(request: HttpRequest, game: Game, line: bytes, form: ProposalForm) -> HttpResponse:
    """Propose the correction, or correct the game, or find it corrected just so. Raises
    `Refused`."""
    if not isinstance(form, CorrectionForm):
        proposal = correction_propose(game=game, line=line, actor=Actor(request.user.pk))
        return redirect_saying(
            request,
            gettext("The others who sat there are told. Once all agree, the game is corrected."),
            "proposal",
            proposal.public_id,
        )
    try:
        corrected = game_correct(
            game=game, line=line, reason=form.cleaned_data["reason"], entered_by_id=request.user.pk
        )
    except Refused as refused:
        newest = newest_revision(game)
        if refused.illegal.code != "unchanged" or newest == game:
            raise
        corrected = newest
    return redirect_saying(
        request,
        gettext("The game is corrected. Tables and ratings follow in a moment."),
        "game",
        corrected.public_id,
    )


def _page(
    request: HttpRequest,
    game: Game,
    form: ProposalForm,
    fault: Fault | None,
    preview: CorrectionPreview | None,
    tapped: ResultForm | None = None,
) -> HttpResponse:
    season = game.season_game.season
    newest = newest_revision(game)
    sealing = tapped if preview is not None else None
    ruling = isinstance(form, RuledForm)
    proposing = not ruling and not isinstance(form, CorrectionForm)
    if tapped is None:
        tapped = tapped_form(
            game, sealed_record(game)[0], None, with_reason=isinstance(form, CorrectionForm)
        )
    cleaned = form.cleaned_data if form.is_valid() else {}
    text, reason = cleaned["pasted"].text if cleaned else None, cleaned.get("reason", "")
    return club_page(
        request,
        season.club,
        "league/disputes/correction/correction.html",
        game=game,
        season=season,
        form=form if text is None else type(form)(initial={"text": text, "reason": reason}),
        proposing=proposing,
        ruling=ruling,
        line=_line(cleaned) if ruling and preview else "",
        page="game-propose" if proposing else "game-correct",
        tapped=tapped,
        sealing=sealing,
        notes=sealing_notes(sealing, uncounted_words(season, sealing.cleaned_data["points"]))
        if sealing
        else [],
        text=text,
        reason=reason,
        fault=fault,
        quoted=_quoted(text, fault.line) if text and fault and fault.line else "",
        preview=preview,
        effects=effects_by_name(season, preview.effects) if preview else [],
        counted=COUNTED,
        newest=newest,
        late=newest != game,
        authors=authors_of(request.user, season.club, [newest.entered_by]),
        crumbs=case_crumbs(viewer_of(request), game) if ruling else game_crumbs(game),
    )


def _line(cleaned: dict[str, Any]) -> str:
    """Return the record that the form has, in one line."""
    record = cleaned["pasted"].record
    return write(record) if record else ""


def _quoted(text: str, line: int) -> str:
    """The line of a text at which a fault is, cut where it is too long to be shown."""
    return "".join(io.StringIO(text).readlines()[line - 1 : line]).strip()[:QUOTED]


def effects_by_name(season: Season, effects: Sequence[RankingEffect]) -> list[PageContext]:
    """Return what would change in each ranking of a season's games, with what the ranking is
    called."""
    return [
        {
            "name": season.name if effect.ranking_id == season.ranking_id else gettext("All time"),
            "effect": effect,
        }
        for effect in effects
    ]


@require_safe
@page_of(game_for)
def difference_page(request: HttpRequest, game: Game) -> HttpResponse:
    """Show what a correction has changed in a game, by whom, when and why; 404 for a game that
    corrects none."""
    if game.replaces is None:
        raise Http404
    season = game.season_game.season
    return club_page(
        request,
        season.club,
        "league/disputes/correction/difference.html",
        game=game,
        season=season,
        changes=game_changes(sealed_record(game.replaces)[0], sealed_record(game)[0]),
        authors=authors_of(request.user, season.club, [game.entered_by]),
        crumbs=game_crumbs(game),
    )


def game_crumbs(game: Game) -> list[tuple[str, str]]:
    """The way to a game, for the pages below its own."""
    name = gettext("Table %(number)s") % {"number": game.table} if game.table else game.external_id
    return [*season_crumbs(game.season_game.season), (name, reverse("game", args=[game.public_id]))]


def case_crumbs(viewer: Viewer, game: Game) -> list[tuple[str, str]]:
    """The way to a page below the case of a game. An arbiter from outside sees no page above the
    case."""
    above = game_crumbs(game) if sees_game(viewer, game) else []
    return [*above, (pgettext("a dispute", "Case"), reverse("game-case", args=[game.public_id]))]
