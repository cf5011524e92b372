"""Where an account is signed in, and signing out elsewhere."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from league.core.account.domain.browser import browser_name
from league.core.account.queries.account import own_sessions
from league.core.account.services import sessions_end
from league.core.frame.saying import redirect_saying
from league.core.viewer.web.viewer import signed_in


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def sessions_page(request: HttpRequest) -> HttpResponse:
    """List the account's sessions; a button ends one of them, or all others."""
    current_key = request.session.session_key
    user = signed_in(request)
    if request.method == "POST":
        number = _sign_out(request)
        message = ngettext(
            "Signed out in %(number)d place.", "Signed out in %(number)d places.", number
        )
        return redirect_saying(request, message % {"number": number}, "account-sessions")
    sessions = [
        (session, browser_name(session.user_agent), session.session_key == current_key)
        for session in own_sessions(user)
    ]
    return render(request, "account/sessions.html", {"sessions": sessions})


def _sign_out(request: HttpRequest) -> int:
    """End the session that the form names, or all but the current one; return how many ended."""
    user = signed_in(request)
    session_id = request.POST.get("session", "")
    current_key = request.session.session_key
    # Longer ones don't fit the database's integers.
    if session_id.isdecimal() and len(session_id) < 19:
        return sessions_end(user=user, kept_session_key=current_key, session=int(session_id))
    return sessions_end(user=user, kept_session_key=current_key)
