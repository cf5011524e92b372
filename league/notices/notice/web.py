"""The page of an account's notices, and the page that stops the emails of an event."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from league.core.viewer.web.viewer import or_404, signed_in
from league.notices.notice.queries.notice import (
    entry_by_letters_token,
    notices_in_words,
    notices_of_account,
)
from league.notices.notice.services.notice import event_letters_stop, notices_see

NOTICES_PER_PAGE = 30


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def my_notices(request: HttpRequest) -> HttpResponse:
    """Show the account's notices, the latest first. A POST marks one of them as seen, named by
    `notice`, or all of them."""
    user = signed_in(request)
    if request.method == "POST":
        public_id = request.POST.get("notice")
        notices_see(user=user, notices=None if public_id is None else [public_id])
        return redirect("my-notices")
    page = Paginator(notices_of_account(user), NOTICES_PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "page": page,
        "notices": notices_in_words(list(page.object_list)),
        "unseen": user.unseen,
    }
    return render(request, "league/notices/notice/my_notices.html", context)


# A mail program posts this for its reader (RFC 8058): it has no CSRF token, and needs none, since
# the address is signed.
@csrf_exempt
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def event_letters_stop_page(request: HttpRequest, token: str) -> HttpResponse:
    """Stop an event's emails to an address, for whoever opens the link in such an email. Only the
    POST changes anything."""
    entry = or_404(entry_by_letters_token, token)
    stopped = request.method == "POST"
    if stopped:
        event_letters_stop(entry=entry)
    return render(
        request, "account/notices_stop.html", {"topic": entry.event.name, "stopped": stopped}
    )
