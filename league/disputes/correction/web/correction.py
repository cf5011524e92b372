"""The pages that correct a game: change its result or its text, see what that changes, and confirm
it with a reason."""

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
from games.queries.open_game import branch_record, waiting_branch
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
"""The characters of a faulty line that the page shows."""
MORE_THAN_ONE: Final = gettext_lazy(
    "The text contains several games. Leave only the one you want to correct."
)


class ProposalForm(GameTextForm):
    """The game as it was played, as text."""

    def clean(self) -> dict[str, object]:
        """Check the text, and refuse a text with several games."""
        cleaned = super().clean()
        pasted = cleaned["pasted"]
        if isinstance(pasted, PastedGame) and pasted.more:
            raise forms.ValidationError(MORE_THAN_ONE)
        return cleaned


class CorrectionForm(CorrectionReason, ProposalForm):
    """The corrected game as text, and the reason."""


class RuledForm(ProposalForm):
    """The corrected game as text, for a ruling, which has a reason of its own."""


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def correction_page(request: HttpRequest, game_id: str, *, proposing: bool = False) -> HttpResponse:
    """Correct a game: enter its result or its text, see the changes that would follow, and confirm
    them. If `proposing`, propose the correction as one of the players.

    If only the result is known, it can be tapped in; every game can be corrected as text.
    Confirming twice corrects once. A reader who comes too late is led to the newest revision. A
    disputed game isn't corrected here: the preview leads to the ruling."""
    load_game = game_for_proposal if proposing else game_for_ruling
    game = or_404(load_game, viewer_of(request), game_id)
    text_form = ProposalForm if proposing else _text_form(game)
    if request.method != "POST":
        form = _form_of(game, text_form, request.GET.get("branch", ""))
        return _page(request, game, form)
    if "text" not in request.POST:
        return _preview_result(request, game, text_form)

    form = text_form(request.POST, request.FILES)
    if not form.is_valid():
        return _page(request, game, form)
    pasted: PastedGame = form.cleaned_data["pasted"]
    if pasted.record is None or pasted.fault:
        return _page(request, game, form, fault=pasted.fault)
    line = write(pasted.record).encode()
    try:
        if "confirm" in request.POST and text_form is not RuledForm:
            return _confirmed(request, game, line, form)
        preview = correction_preview(game=game, line=line)
    except Refused as refused:
        return _page(request, game, form, fault=fault_in(pasted.text, refused.illegal))
    return _page(request, game, form, preview=preview)


def _text_form(game: Game) -> type[ProposalForm]:
    return RuledForm if is_ruled_by_arbiter(game) else CorrectionForm


def _preview_result(
    request: HttpRequest, game: Game, text_form: type[ProposalForm]
) -> HttpResponse:
    record, _ = sealed_record(game)
    tapped = tapped_form(game, record, request.POST, with_reason=text_form is CorrectionForm)
    if tapped is None or not tapped.is_valid():
        return _page(request, game, _form_of(game, text_form), tapped=tapped)
    line = tapped_line(game, record, tapped)
    try:
        preview = correction_preview(game=game, line=line)
    except Refused as refused:
        tapped.refuse(refused.illegal)
        return _page(request, game, _form_of(game, text_form), tapped=tapped)
    sent = text_form({"text": line.decode(), "reason": tapped.cleaned_data.get("reason", "")})
    return _page(request, game, sent, preview=preview, tapped=tapped)


def _form_of(game: Game, text_form: type[ProposalForm], branch_id: str = "") -> ProposalForm:
    """Return the form with the game's text, or with that of a late branch of its sheet. The text
    has no result, which follows from the rounds."""
    branch = waiting_branch(game, branch_id, timezone.now()) if branch_id else None
    if branch is not None:
        record = branch_record(branch)
    else:
        record, _ = sealed_record(game)
    return text_form(initial={"text": render(replace(record, result=None))})


def _confirmed(request: HttpRequest, game: Game, line: bytes, form: ProposalForm) -> HttpResponse:
    """Propose the correction, or correct the game, and redirect to the result. If the game has this
    content already, change nothing. Raise `Refused`."""
    if not isinstance(form, CorrectionForm):
        proposal = correction_propose(game=game, line=line, actor=Actor(request.user.pk))
        message = gettext(
            "The other players have been asked. Once they all agree, the game is corrected."
        )
        return redirect_saying(request, message, "proposal", proposal.public_id)
    try:
        corrected = game_correct(
            game=game, line=line, reason=form.cleaned_data["reason"], entered_by_id=request.user.pk
        )
    except Refused as refused:
        newest = newest_revision(game)
        if refused.illegal.code != "unchanged" or newest == game:
            raise
        corrected = newest
    message = gettext("The game is corrected. Tables and ratings will update in a moment.")
    return redirect_saying(request, message, "game", corrected.public_id)


def _page(
    request: HttpRequest,
    game: Game,
    form: ProposalForm,
    *,
    fault: Fault | None = None,
    preview: CorrectionPreview | None = None,
    tapped: ResultForm | None = None,
) -> HttpResponse:
    season = game.season_game.season
    newest = newest_revision(game)
    ruling = isinstance(form, RuledForm)
    correcting = isinstance(form, CorrectionForm)
    proposing = not ruling and not correcting

    notes = []
    sealing = tapped if preview is not None else None
    if sealing:
        notes = sealing_notes(sealing, uncounted_words(season, sealing.cleaned_data["points"]))
    if tapped is None:
        record, _ = sealed_record(game)
        tapped = tapped_form(game, record, None, with_reason=correcting)

    cleaned = form.cleaned_data if form.is_valid() else {}
    text = cleaned["pasted"].text if cleaned else None
    reason = cleaned.get("reason", "")
    if text is not None:
        # a file was sent, perhaps: its text is shown in the field
        form = type(form)(initial={"text": text, "reason": reason})
    quoted = _line_at_fault(text, fault.line) if text and fault and fault.line else ""
    return club_page(
        request,
        season.club,
        "league/disputes/correction/correction.html",
        game=game,
        season=season,
        form=form,
        proposing=proposing,
        ruling=ruling,
        line=_record_line(cleaned) if ruling and preview else "",
        page="game-propose" if proposing else "game-correct",
        tapped=tapped,
        sealing=sealing,
        notes=notes,
        text=text,
        reason=reason,
        fault=fault,
        quoted=quoted,
        preview=preview,
        effects=effects_by_name(season, preview.effects) if preview else [],
        counted=COUNTED,
        newest=newest,
        late=newest != game,
        authors=authors_of(request.user, season.club, [newest.entered_by]),
        crumbs=case_crumbs(viewer_of(request), game) if ruling else game_crumbs(game),
    )


def _record_line(cleaned: dict[str, Any]) -> str:
    record = cleaned["pasted"].record
    return write(record) if record else ""


def _line_at_fault(text: str, line: int) -> str:
    return "".join(io.StringIO(text).readlines()[line - 1 : line]).strip()[:QUOTED]


def effects_by_name(season: Season, effects: Sequence[RankingEffect]) -> list[PageContext]:
    """Return the changes in the rankings of a season's games, each with the ranking's name."""
    rows: list[PageContext] = []
    for effect in effects:
        is_season = effect.ranking_id == season.ranking_id
        name = season.name if is_season else gettext("All-time ranking")
        rows.append({"name": name, "effect": effect})
    return rows


@require_safe
@page_of(game_for)
def difference_page(request: HttpRequest, game: Game) -> HttpResponse:
    """Show what a correction changed in a game, who made it, when and why; 404 for a game that
    replaces none."""
    if game.replaces is None:
        raise Http404
    season = game.season_game.season
    before, _ = sealed_record(game.replaces)
    after, _ = sealed_record(game)
    return club_page(
        request,
        season.club,
        "league/disputes/correction/difference.html",
        game=game,
        season=season,
        changes=game_changes(before, after),
        authors=authors_of(request.user, season.club, [game.entered_by]),
        crumbs=game_crumbs(game),
    )


def game_crumbs(game: Game) -> list[tuple[str, str]]:
    """Return the breadcrumbs of pages below a game's page."""
    name = game.external_id
    if game.table:
        name = gettext("Table %(number)s") % {"number": game.table}
    return [*season_crumbs(game.season_game.season), (name, reverse("game", args=[game.public_id]))]


def case_crumbs(viewer: Viewer, game: Game) -> list[tuple[str, str]]:
    """Return the breadcrumbs of pages below a case. An arbiter from outside sees no page above the
    case."""
    crumbs = game_crumbs(game) if sees_game(viewer, game) else []
    crumbs.append((pgettext("a dispute", "Case"), reverse("game-case", args=[game.public_id])))
    return crumbs
