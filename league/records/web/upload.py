"""Importing a file in the browser: upload, preview, confirm or drop."""

from __future__ import annotations

from typing import Any

from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.files.uploadedfile import UploadedFile
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.defaultfilters import filesizeformat
from django.urls import reverse
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from engine.illegal import Illegal
from engine.notation.files import record_lines
from engine.record.lines import GZIP, Limits
from engine.record.record import parse
from league.clubs.web.viewer import club_page, or_404, signed_in, viewer_of
from league.records.models import ImportJob
from league.records.queries.access import import_job_for, season_for_import
from league.records.queries.upload import latest_jobs
from league.records.services.upload import import_job_confirm, import_job_create, import_job_drop
from league.seasons.models import Season

HEAD = Limits(unpacked=1 << 20, lines=1000, blank=1000)  # what a form looks at; all that follows is the preview's
BAD_PER_PAGE = 50
WAITING = (ImportJob.State.UPLOADED, ImportJob.State.CONFIRMED)
DROPPABLE = (ImportJob.State.UPLOADED, ImportJob.State.PREVIEWED, ImportJob.State.FAILED)


class UploadForm(forms.Form):
    """A file of game records, and how strict to be with it."""

    file = forms.FileField(
        label=gettext_lazy("File"),
        help_text=gettext_lazy("Game records as JSON Lines, plain or packed with gzip."),
        error_messages={
            "required": gettext_lazy("Choose a file first."),
            "empty": gettext_lazy("The file is empty."),
        },
        widget=forms.FileInput(attrs={"accept": ".jsonl,.json,.ndjson,.gz,application/gzip,application/json"}),
    )

    create_players = forms.BooleanField(
        label=gettext_lazy("Create unknown players"),
        help_text=gettext_lazy("Otherwise a game with a handle that the club doesn’t know is bad."),
        required=False,
        initial=True,
    )
    all_or_nothing = forms.BooleanField(
        label=gettext_lazy("Refuse the file if one game is bad"),
        help_text=gettext_lazy("Otherwise the good games go in, and the bad ones are listed."),
        required=False,
    )

    def clean_file(self) -> UploadedFile[bytes]:
        """Refuse at once what can't hold a game; what is wrong with single games is the preview's to say."""
        file: UploadedFile[bytes] = self.cleaned_data["file"]
        size, limit = file.size or 0, settings.IMPORT_MAX_BYTES
        if size > limit:
            words = gettext(
                "The file has %(size)s, and at most %(limit)s can be uploaded. Pack it with gzip, or cut it."
            )
            raise forms.ValidationError(words % {"size": filesizeformat(size), "limit": filesizeformat(limit)})
        fault = file_fault(file)
        if fault:
            raise forms.ValidationError(fault)
        file.seek(0)
        return file


def file_fault(file: UploadedFile[bytes]) -> str:
    """Why a file as a whole can't be one of game records, in words for the uploader; empty if it can."""
    objects, last = 0, None
    for last in record_lines(file, HEAD):
        if not objects:
            objects += _may_be_a_game(last.content)
    if last is None:
        return gettext("The file holds no line with a game.")
    file.seek(0)
    if isinstance(last.content, Illegal) and last.content.code != "file_too_large" and file.read(2) == GZIP:
        return gettext("The packed file is damaged or was cut off on the way: %(reason)s. Upload it once more.") % {
            "reason": last.content.message.translated(gettext)
        }
    if not objects:
        return gettext("This isn’t a file of game records: none of its lines is a JSON object.")
    return ""


def _may_be_a_game(content: bytes | Illegal) -> bool:
    if isinstance(content, Illegal):
        return content.code == "bad_notation"
    return isinstance(parse(content), dict)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def import_upload(request: HttpRequest, club: str, season: str) -> HttpResponse:
    """Upload a file for a season, and the files uploaded before."""
    found = or_404(season_for_import, viewer_of(request), club, season)
    form = UploadForm(request.POST, request.FILES) if request.method == "POST" else UploadForm()
    if request.method == "POST" and form.is_valid():
        return redirect("import-job", _upload(request, found, form.cleaned_data).public_id)
    context = {
        "season": found,
        "form": form,
        "jobs": latest_jobs(found),
        "max_bytes": settings.IMPORT_MAX_BYTES,
        "crumbs": _crumbs(found),
    }
    return club_page(request, found.club, "league/records/upload/upload.html", context)


def _upload(request: HttpRequest, season: Season, cleaned: dict[str, Any]) -> ImportJob:
    file: UploadedFile[bytes] = cleaned["file"]
    return import_job_create(
        season=season,
        uploaded_by=signed_in(request),
        file_name=file.name or "",
        content=file.read(),
        create_players=cleaned["create_players"],
        all_or_nothing=cleaned["all_or_nothing"],
    )


@login_required
@require_safe
def import_job_page(request: HttpRequest, job: str) -> HttpResponse:
    """Where an uploaded file stands: progress, then the preview, then the result."""
    found = or_404(import_job_for, viewer_of(request), job)
    season = found.season
    context = {
        "job": found,
        "season": season,
        "waiting": found.state in WAITING,
        "droppable": found.state in DROPPABLE,
        "bad": Paginator(found.report.get("bad_games", []), BAD_PER_PAGE).get_page(request.GET.get("page")),
        "crumbs": [*_crumbs(season), (gettext("Import"), reverse("import", args=[season.club.slug, season.slug]))],
    }
    return club_page(request, season.club, "league/records/upload/job.html", context)


@login_required
@require_POST
def import_confirm(request: HttpRequest, job: str) -> HttpResponse:
    """Let a previewed file in; a second click finds it confirmed and changes nothing."""
    found = or_404(import_job_for, viewer_of(request), job)
    if not import_job_confirm(job=found, confirmed_by=signed_in(request)):
        messages.info(request, gettext("Nothing to do: this file was confirmed or dropped before."))
    return redirect("import-job", found.public_id)


@login_required
@require_POST
def import_drop(request: HttpRequest, job: str) -> HttpResponse:
    """Drop a file that hasn't been imported."""
    found = or_404(import_job_for, viewer_of(request), job)
    if import_job_drop(job=found, dropped_by=signed_in(request)):
        messages.success(request, gettext("The file was dropped. Nothing of it was imported."))
    else:
        messages.info(request, gettext("It is too late to drop this file."))
    return redirect("import", found.season.club.slug, found.season.slug)


def _crumbs(season: Season) -> list[tuple[str, str]]:
    return [
        (season.club.name, reverse("club", args=[season.club.slug])),
        (season.name, reverse("season", args=[season.club.slug, season.slug])),
    ]
