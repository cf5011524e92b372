"""The reported chat lines, for the organisers of a club."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from league.core.club.models import Club
from league.core.frame.saying import redirect_saying
from league.core.viewer.queries.access import club_for_organiser
from league.core.viewer.web.crumbs import desk_crumbs
from league.core.viewer.web.viewer import club_page, page_of
from league.play.chat.models import ChatLine
from league.play.chat.queries import reported_line_for, reported_lines
from league.play.chat.services import line_remove, reports_dismiss


@never_cache
@login_required
@require_safe
@page_of(club_for_organiser)
def chat_reports(request: HttpRequest, club: Club) -> HttpResponse:
    """List the reported lines, each with the lines around it."""
    context = {"here": "chat", "crumbs": desk_crumbs(club), "reported": reported_lines(club)}
    return club_page(request, club, "league/play/chat/desk/reports.html", **context)


@never_cache
@login_required
@require_POST
@page_of(reported_line_for)
def chat_report_end(request: HttpRequest, line: ChatLine) -> HttpResponse:
    """Remove a reported line, or keep it and dismiss its reports."""
    club = line.table.club
    if request.POST.get("do") == "remove":
        line_remove(line=line)
        return redirect_saying(
            request, gettext("The message was removed."), "desk-chat-reports", club.slug
        )
    reports_dismiss(line=line)
    return redirect_saying(request, gettext("The message stays."), "desk-chat-reports", club.slug)
