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
from league.core.viewer.web.viewer import club_page, page_of, signed_in
from league.records.upload.models import DROPPABLE, WORKING, ImportJob
from league.records.upload.queries import import_job_for, latest_jobs, season_for_import
from league.records.upload.services import import_job_confirm, import_job_create, import_job_drop
from league.standings.ranking.web.ranking import season_crumbs
from league.standings.season.models import Season

# the part of a file that the form checks; the preview checks the rest
HEAD = Limits(unpacked=1 << 20, lines=1000, blank=1000)
BAD_PER_PAGE = 50


class UploadForm(forms.Form):
    """A file of game records, and how strict to be with it."""

    file = forms.FileField(
        label=gettext_lazy("File"),
        help_text=gettext_lazy("Game records as JSON Lines, plain or compressed with gzip."),
        error_messages={
            "required": gettext_lazy("Choose a file first."),
            "empty": gettext_lazy("The file is empty."),
        },
        widget=forms.FileInput(
            attrs={"accept": ".jsonl,.json,.ndjson,.gz,application/gzip,application/json"}
        ),
    )

    create_players = forms.BooleanField(
        label=gettext_lazy("Create unknown players"),
        help_text=gettext_lazy("Otherwise games with a handle unknown to the club count as bad."),
        required=False,
        initial=True,
    )
    all_or_nothing = forms.BooleanField(
        label=gettext_lazy("Refuse the file if one game is bad"),
        help_text=gettext_lazy(
            "Otherwise the good games are imported, and the bad ones are listed."
        ),
        required=False,
    )

    def clean_file(self) -> UploadedFile[bytes]:
        """Refuse a file that can't contain a game; the preview reports bad games."""
        file: UploadedFile[bytes] = self.cleaned_data["file"]
        size = file.size or 0
        limit = settings.IMPORT_MAX_BYTES
        if size > limit:
            raise forms.ValidationError(
                gettext(
                    "The file is %(size)s, but the limit is %(limit)s. Compress it with gzip, or "
                    "split it."
                )
                % {"size": filesizeformat(size), "limit": filesizeformat(limit)}
            )
        fault = file_fault(file)
        if fault:
            raise forms.ValidationError(fault)
        file.seek(0)
        return file


def file_fault(file: UploadedFile[bytes]) -> str:
    """Return why a file as a whole can't contain game records, in words for the uploader; an empty
    text if it can."""
    has_game = False
    last_line = None
    for last_line in record_lines(file, HEAD):
        has_game = has_game or _may_be_a_game(last_line.content)
    if last_line is None:
        return gettext("The file contains no games.")
    file.seek(0)
    end = last_line.content
    # reading ends with an error where the file is damaged, but also at the limit of `HEAD`
    if isinstance(end, Illegal) and end.code != "file_too_large" and file.read(2) == GZIP:
        return gettext(
            "The compressed file is damaged or incomplete: %(reason)s. Upload it again."
        ) % {"reason": end.message.translated(gettext)}
    if not has_game:
        return gettext("This isn’t a file of game records: none of its lines is a JSON object.")
    return ""


def _may_be_a_game(content: bytes | Illegal) -> bool:
    if isinstance(content, Illegal):
        return content.code == "bad_notation"
    return isinstance(parse(content), dict)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@page_of(season_for_import)
def import_upload(request: HttpRequest, season: Season) -> HttpResponse:
    """Upload a file for a season; list the files uploaded before."""
    form = UploadForm()
    if request.method == "POST":
        form = UploadForm(request.POST, request.FILES)
    if request.method == "POST" and form.is_valid():
        return redirect("import-job", _upload(request, season, form.cleaned_data).public_id)
    return club_page(
        request,
        season.club,
        "league/records/upload/upload.html",
        season=season,
        form=form,
        jobs=latest_jobs(season),
        max_bytes=settings.IMPORT_MAX_BYTES,
        crumbs=season_crumbs(season),
    )


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
@page_of(import_job_for)
def import_job_page(request: HttpRequest, job: ImportJob) -> HttpResponse:
    """Show the state of an uploaded file: progress, then the preview, then the result."""
    season = job.season
    return club_page(
        request,
        season.club,
        "league/records/upload/job.html",
        job=job,
        season=season,
        waiting=job.state in WORKING,
        droppable=job.state in DROPPABLE,
        bad=Paginator(job.report.get("bad_games", []), BAD_PER_PAGE).get_page(
            request.GET.get("page")
        ),
        crumbs=[
            *season_crumbs(season),
            (gettext("Import"), reverse("import", args=[season.club.slug, season.slug])),
        ],
    )


@login_required
@require_POST
@page_of(import_job_for)
def import_confirm(request: HttpRequest, job: ImportJob) -> HttpResponse:
    """Confirm a previewed file for import; a second click changes nothing."""
    if not import_job_confirm(job=job, confirmed_by=signed_in(request)):
        messages.info(
            request, gettext("Nothing to do: this file has already been confirmed or discarded.")
        )
    return redirect("import-job", job.public_id)


@login_required
@require_POST
@page_of(import_job_for)
def import_drop(request: HttpRequest, job: ImportJob) -> HttpResponse:
    """Drop a file that hasn't been imported."""
    if import_job_drop(job=job, dropped_by=signed_in(request)):
        messages.success(request, gettext("The file was discarded. Nothing was imported from it."))
    else:
        messages.info(request, gettext("It’s too late to discard this file."))
    return redirect("import", job.season.club.slug, job.season.slug)
