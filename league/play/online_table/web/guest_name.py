"""Erasing the name of a guest, on request of the guest or an organiser of the club."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from league.core.account.models import User
from league.core.log.services import Actor
from league.core.viewer.web.viewer import page_of
from league.play.online_table.models import OnlineTable
from league.play.online_table.queries import online_table_for, seats_of
from league.play.online_table.services.guest import guest_erase
from league.play.online_table.web.seat import seat_of_browser, table_saying


@never_cache
@require_POST
@page_of(online_table_for)
def guest_name_erase(request: HttpRequest, table: OnlineTable) -> HttpResponse:
    """Replace a guest's name by a pseudonym. Only the guest and organisers may; others get a
    404.
    """
    seats = seats_of(table)
    own = seat_of_browser(request, table, seats)
    number = request.POST.get("seat", "")
    seat = next((each for each in seats if str(each.number) == number), None)
    if seat is None:
        raise Http404
    if seat != own and not request.user.has_perm("league.manage_club", table.club):
        raise Http404
    actor = Actor(request.user.pk if isinstance(request.user, User) else None)
    if not guest_erase(table=table, seat=seat, actor=actor):
        raise Http404
    return table_saying(request, table, gettext("Name erased."))
