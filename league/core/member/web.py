"""The page of an invitation's link: somebody accepts a role, with their account or a new one."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from league.core.account.models import User
from league.core.account.web.account_form import AccountForm
from league.core.account.web.sign_in import sign_in_new
from league.core.frame.saying import redirect_saying
from league.core.member.models.invitation import Invitation, RoleInvitation
from league.core.member.services.invitation import invitation_accept, invitation_join
from league.core.viewer.queries.access import invitation_for_bearer
from league.core.viewer.web.confirmation import add_errors
from league.core.viewer.web.viewer import or_404


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def invitation_page(request: HttpRequest, token: str) -> HttpResponse:
    """Let an account accept the role; visitors sign in first, or create an account."""
    invitation = or_404(invitation_for_bearer, token)
    form = AccountForm(request.POST or None)
    accept = partial(invitation_accept, invitation=invitation)
    join = partial(invitation_join, invitation=invitation)
    try:
        if request.method == "POST" and is_accepted(request, form, accept, join):
            return redirect_saying(
                request,
                gettext("Welcome to %(club)s.") % {"club": invitation.club.name},
                "desk",
                invitation.club.slug,
            )
    except Invitation.DoesNotExist:
        raise Http404 from None
    return render(
        request,
        "league/core/member/desk/invitation.html",
        invitation_context(request, invitation, form),
    )


def invitation_context(
    request: HttpRequest, invitation: RoleInvitation, form: AccountForm
) -> dict[str, Any]:
    """Return the context of `invitation_accept.html`: the address that the invitation is for, and
    the ways to accept it."""
    return {
        "invitation": invitation,
        "form": form,
        "sign_in": f"{reverse('account_login')}?next={request.path}",
        "is_for": isinstance(request.user, User) and invitation.is_for(request.user),
        "known": User.objects.filter(email__iexact=invitation.email).exists(),
    }


def is_accepted(
    request: HttpRequest,
    form: AccountForm,
    accept: Callable[..., object],
    join: Callable[..., User],
) -> bool:
    """Return True if somebody has accepted: the signed-in `user` by `accept`, or a new account with
    this `name` and `password` by `join`. The errors of `join` become errors of the form."""
    if isinstance(request.user, User):
        with suppress(ValidationError):  # the page says whom the invitation is for
            accept(user=request.user)
            return True
        return False
    if not form.is_valid():
        return False
    cleaned = form.cleaned_data
    try:
        user = join(name=cleaned["username"], password=cleaned["password"])
    except ValidationError as refused:
        add_errors(form, refused)
        return False
    sign_in_new(request, user)
    return True
