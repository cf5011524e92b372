"""A link for setting a new password, which operators hand on."""

from __future__ import annotations

from typing import Any

import structlog
from allauth.account.adapter import get_adapter
from allauth.account.forms import default_token_generator
from allauth.account.utils import user_pk_to_url_str
from django import forms
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from league.core.account.models import User
from league.core.player.queries.player import account_named
from league.core.viewer.web.viewer import signed_in

log = structlog.get_logger(__name__)


class AccountNameForm(forms.Form):
    """The account whose password is to be set."""

    who = forms.CharField(
        label=gettext_lazy("Account"),
        help_text=gettext_lazy("The account’s name or email address."),
        max_length=254,
    )

    def clean_who(self) -> User:
        """Return the account with that name or address, if it can sign in."""
        try:
            account = account_named(self.cleaned_data["who"].strip())
        except User.DoesNotExist:
            account = None
        if account is None or not account.is_active:
            raise ValidationError(gettext("There’s no such account."))
        return account


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def password_link_page(request: HttpRequest) -> HttpResponse:
    """Let operators make a link for setting an account's new password, and show it. The link works
    once, and for as long as one that is sent by mail."""
    operator = signed_in(request)
    if not operator.is_superuser:
        raise Http404
    form = AccountNameForm(request.POST or None)
    context: dict[str, Any] = {"form": form}
    if request.method == "POST" and form.is_valid():
        account: User = form.cleaned_data["who"]
        log.info("password.link_made", account=account.public_id, by=operator.public_id)
        context |= {"account": account, "link": password_link(account)}
    return render(request, "league/core/account/password_link.html", context)


def password_link(account: User) -> str:
    """Return the full address for setting a new password, as in an email to the account."""
    key = f"{user_pk_to_url_str(account)}-{default_token_generator.make_token(account)}"
    link: str = get_adapter().get_reset_password_from_key_url(key)
    return link
