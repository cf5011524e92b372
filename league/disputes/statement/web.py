"""The pages of statements about a disputed game: read, made, and removed if they name somebody."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from django import forms
from django.contrib.auth.decorators import login_required
from django.core.files.uploadedfile import UploadedFile
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from engine.illegal import Refused
from games.models import Game
from league.core.frame.forms import model_field
from league.core.frame.saying import redirect_saying
from league.core.viewer.queries.author import authors_of
from league.core.viewer.web.confirmation import Confirmation, ReasonForm, posted, take
from league.core.viewer.web.viewer import club_page, page_of, signed_in, viewer_of
from league.disputes.correction.web.correction import case_crumbs, game_crumbs
from league.disputes.statement.domain.limits import FILES_OF_SPEAKER, KEPT_FOR
from league.disputes.statement.models import Evidence, Statement
from league.disputes.statement.queries.statement import (
    Speaker,
    evidence_for,
    evidence_for_ruler,
    game_for_statements,
    may_read_statements,
    may_remove_statements,
    speaker_of,
    statement_for_ruler,
    statements_of,
)
from league.disputes.statement.services.evidence import SentFile
from league.disputes.statement.services.removal import evidence_remove, statement_words_remove
from league.disputes.statement.services.statement import statement_add
from league.standings.ranked_game.queries.game import seats_of
from league.standings.ranked_game.queries.provisional import result_is_provisional
from league.standings.season.queries.access import sees_game

ACCEPTED: Final = "image/jpeg,image/png,image/webp,application/pdf,.txt,text/plain"
"""The media types that the file button offers: photos of the camera, pictures, PDFs and texts."""
WITNESS: Final = "witness"
"""The choice to speak as a witness."""
SAFE: Final = {
    "Cache-Control": "private, no-store",
    "Content-Security-Policy": "sandbox; default-src 'none'",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
}
"""Headers by which a browser neither runs a file, nor guesses its type, nor caches it."""
ENDINGS: Final = {
    Evidence.MediaType.PICTURE: "jpg",
    Evidence.MediaType.PDF: "pdf",
    Evidence.MediaType.TEXT: "txt",
}


class SeveralFilesInput(forms.FileInput):
    """The button that takes photos or chooses files."""

    allow_multiple_selected = True


class SeveralFilesField(forms.FileField):
    """Any number of files, or none. The service checks what they are."""

    widget = SeveralFilesInput

    def clean(self, data: Any, initial: Any = None) -> list[UploadedFile[bytes]]:
        """Return the files in the order in which they were chosen."""
        return list(data or ())


class StatementForm(forms.Form):
    """A statement: for whom, the words, and the files.

    `seats`: the seats without an account for which a witness can speak, by number and name; empty
    for players of the game."""

    word = model_field(
        Statement,
        "word",
        label=gettext_lazy("What happened?"),
        help_text=gettext_lazy(
            "Say what you saw yourself, round by round. Leave out what isn’t about this game."
        ),
        error_messages={
            "required": gettext_lazy("Say in a few words what happened, or what the files show.")
        },
        widget=forms.Textarea(attrs={"rows": 6}),
    )
    evidence = SeveralFilesField(
        label=gettext_lazy("Photos or files"),
        required=False,
        help_text=gettext_lazy(
            "JPEG, PNG, WebP, PDF, or a text named .txt. We remove the place and time that the "
            "camera stored in pictures, and keep only the pages of a PDF."
        ),
        widget=SeveralFilesInput(attrs={"accept": ACCEPTED}),
    )

    def __init__(
        self, seats: Sequence[tuple[int, str]], request: HttpRequest | None = None
    ) -> None:
        if request is None:
            super().__init__()
        else:
            super().__init__(request.POST, request.FILES)
        if seats:
            choices = [(WITNESS, gettext("Myself, as a witness"))]
            choices += [(str(number), name) for number, name in seats]
            self.fields["seat"] = forms.TypedChoiceField(
                label=gettext("Who are you speaking for?"),
                choices=choices,
                coerce=_chosen_seat,
            )
            self.order_fields(("seat", "word", "evidence"))

    def sent_files(self) -> list[SentFile]:
        """Return the files as they were sent."""
        return [
            SentFile(name=str(file.name), content=file.read())
            for file in self.cleaned_data["evidence"]
        ]


def _chosen_seat(choice: str) -> int | None:
    return None if choice == WITNESS else int(choice)


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@page_of(game_for_statements)
def statements_page(request: HttpRequest, game: Game) -> HttpResponse:
    """Show the statements about a game, and let the reader make one while the game is disputed. An
    arbiter from outside can only read."""
    speaker = speaker_of(request.user, game)
    is_sent = request.method == "POST"
    if is_sent and not speaker.has_a_say:
        raise Http404
    seats = seats_of(game)
    is_open = speaker.has_a_say and result_is_provisional(game)
    seat_choices: list[tuple[int, str]] = []
    if speaker.is_witness:
        seat_choices = [(seat.number, seat.name) for seat in seats if seat.number in speaker.seats]
    form = StatementForm(seat_choices, request if is_sent else None)
    if is_sent and form.is_valid():
        confirmation = _add_statement(request, game, speaker, form)
        if confirmation:
            return redirect_saying(request, confirmation, "game-statements", game.public_id)
    club = game.season_game.season.club
    viewer = viewer_of(request)
    may_rule = request.user.has_perm("league.rule_on_game", game)
    statements = statements_of(request.user, game)
    return club_page(
        request,
        club,
        "league/disputes/statement/statements.html",
        game=game,
        statements=statements,
        seats=seats,
        authors=authors_of(request.user, club, [statement.made_by for statement in statements]),
        form=form if is_open or form.errors else None,
        has_a_say=speaker.has_a_say,
        is_guest=not sees_game(viewer, game),
        may_rule=may_rule,
        reads_all=may_read_statements(request.user, game),
        may_remove=may_remove_statements(request.user, game),
        kept_days=KEPT_FOR.days,
        most_files=FILES_OF_SPEAKER,
        crumbs=case_crumbs(viewer, game) if may_rule else game_crumbs(game),
    )


def _add_statement(request: HttpRequest, game: Game, speaker: Speaker, form: StatementForm) -> str:
    try:
        _, is_new = statement_add(
            game=game,
            seat=form.cleaned_data.get("seat", speaker.own_seat),
            word=form.cleaned_data["word"],
            files=form.sent_files(),
            account=signed_in(request),
        )
    except Refused as refused:
        form.add_error(None, refused.illegal.message.translated(gettext))
        return ""
    if is_new:
        return gettext("Sent. The table and those who rule can read it now.")
    return gettext("You have already said this.")


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@page_of(statement_for_ruler)
def statement_remove_page(request: HttpRequest, statement: Statement) -> HttpResponse:
    """Remove the words of a statement, as an arbiter of the game."""
    step = Confirmation(
        title=gettext("Remove this text"),
        effects=[
            gettext("The statement says: %(word)s") % {"word": statement.word},
            gettext(
                "Its text will be gone for good, here and in the log. The fact that the "
                "statement was made, by whom and when, stays."
            ),
            gettext("The files that came with it stay. Remove them separately."),
        ],
        button=gettext("Remove the text"),
        form=ReasonForm(posted(request)),
        do=lambda _, actor: statement_words_remove(statement=statement, actor=actor),
        done=gettext("The text is removed."),
        danger=True,
    )
    return _take(request, statement.game, step)


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@page_of(evidence_for_ruler)
def evidence_remove_page(request: HttpRequest, evidence: Evidence) -> HttpResponse:
    """Remove a file, as an arbiter of the game."""
    step = Confirmation(
        title=gettext("Remove this file"),
        effects=[
            gettext("The file will be gone for good. Its digest stays in the log."),
            gettext("The text that came with it stays."),
        ],
        button=gettext("Remove the file"),
        form=ReasonForm(posted(request)),
        do=lambda _, actor: evidence_remove(evidence=evidence, actor=actor),
        done=gettext("The file is removed. Its digest stays in the log."),
        danger=True,
    )
    return _take(request, evidence.statement.game, step)


@login_required
@require_safe
@page_of(evidence_for)
def evidence_file(request: HttpRequest, evidence: Evidence) -> HttpResponse:
    """Send a file to those who may read it."""
    return evidence_answer(evidence)


def evidence_answer(evidence: Evidence) -> HttpResponse:
    """Return the response with a file, in such a form that nothing in the file can run. Only
    pictures are shown inline: the service itself encoded them."""
    kind = Evidence.MediaType(evidence.kind)
    media_type = "text/plain; charset=utf-8" if kind == Evidence.MediaType.TEXT else kind.value
    disposition = "inline" if kind == Evidence.MediaType.PICTURE else "attachment"
    name = f"evidence-{evidence.public_id}.{ENDINGS[kind]}"
    headers = {**SAFE, "Content-Disposition": f'{disposition}; filename="{name}"'}
    return HttpResponse(bytes(evidence.content), content_type=media_type, headers=headers)


def _take(request: HttpRequest, game: Game, step: Confirmation) -> HttpResponse:
    back = reverse("game-statements", args=[game.public_id])
    crumbs = [*game_crumbs(game), (gettext("Statements"), back)]
    return take(
        request, game.season_game.season.club, step, section="objections", back=back, crumbs=crumbs
    )
