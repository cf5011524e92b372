"""The file with everything that is stored about an account, and deleting the account."""

from __future__ import annotations

from allauth.account.decorators import reauthentication_required
from django import forms
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from league.core.frame.name_key import NameKey
from league.core.frame.saying import redirect_saying
from league.core.member.models.member import Membership
from league.core.player.models import Player
from league.core.viewer.web.confirmation import posted, run_action
from league.core.viewer.web.viewer import signed_in
from league.site.own_data.queries import own_data
from league.site.own_data.services import account_delete


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@reauthentication_required  # type: ignore[untyped-decorator]
def account_delete_page(request: HttpRequest) -> HttpResponse:
    """Show what will happen to roles and players, and delete the account once the form is sent."""
    user = signed_in(request)
    form = forms.Form(posted(request))
    if form.is_valid() and run_action(request, form, lambda _, actor: account_delete(user=user)):
        logout(request)
        return redirect_saying(request, gettext("Your account has been deleted."), "home")
    context = {
        "form": form,
        "memberships": Membership.objects.filter(user=user)
        .select_related("club")
        .order_by(NameKey("club__name"), "role"),
        "players": Player.objects.filter(user=user, merged_into=None)
        .select_related("club")
        .order_by(NameKey("club__name")),
    }
    return render(request, "account/delete.html", context)


@never_cache
@require_safe
@login_required
@reauthentication_required  # type: ignore[untyped-decorator]
def own_data_file(request: HttpRequest) -> HttpResponse:
    """Send an account's own data as JSON, after its owner has authenticated again."""
    answer = JsonResponse(
        own_data(signed_in(request)), json_dumps_params={"indent": 2, "ensure_ascii": False}
    )
    answer["Content-Disposition"] = 'attachment; filename="cups-up-account.json"'
    return answer
