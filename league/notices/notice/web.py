"""The page of one's own notices, and the one that stops the letters of an event."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from league.core.viewer.web.viewer import or_404, signed_in
from league.notices.notice.queries.notice import asked_by_letter, notices_of_account, read_notices
from league.notices.notice.services.notice import event_letters_stop, notices_see

NOTICES_PER_PAGE = 30


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def my_notices(request: HttpRequest) -> HttpResponse:
    """Show what the account was told, the latest first; the button notes that all is seen, or one
    notice (`notice`)."""
    user = signed_in(request)
    if request.method == "POST":
        one = request.POST.get("notice")
        notices_see(user=user, notices=None if one is None else [one])
        return redirect("my-notices")
    page = Paginator(notices_of_account(user), NOTICES_PER_PAGE).get_page(request.GET.get("page"))
    context = {"page": page, "notices": read_notices(list(page.object_list)), "unseen": user.unseen}
    return render(request, "league/notices/notice/my_notices.html", context)


# a mail program sends it for its reader (RFC 8058), and the address holds all that is needed
@csrf_exempt
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def event_letters_stop_page(request: HttpRequest, token: str) -> HttpResponse:
    """Stop the letters of an event, for whoever has the address of one of them; opening it alone
    changes nothing."""
    asked = or_404(asked_by_letter, token)
    if request.method == "POST":
        event_letters_stop(asked=asked)
    return render(
        request,
        "account/notices_stop.html",
        {"topic": asked.event.name, "stopped": request.method == "POST"},
    )
