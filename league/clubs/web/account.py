"""The way in which accounts come to be and change their address, and which one a login tries."""

from collections.abc import Mapping
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.models import EmailAddress
from allauth.account.views import EmailView
from django.contrib import messages
from django.db import IntegrityError, transaction
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.translation import gettext

from league.clubs.models import User
from league.clubs.services.account import account_address_vouch
from league.frame.address import client_address


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    """Accounts come with an invitation; nobody signs up by themselves."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Nobody signs up here: an invitation leads to a page of its own."""
        return False

    def get_client_ip(self, request: HttpRequest) -> str:
        """The address that allauth's own limits count."""
        return client_address(request)

    def confirm_email(self, request: HttpRequest, email_address: EmailAddress) -> bool:
        """Let an account sign in with an address that its owner has confirmed; False if another account has it."""
        try:
            with transaction.atomic():
                confirmed: bool = super().confirm_email(request, email_address)
                return confirmed
        except IntegrityError:
            messages.error(request, gettext("Another account signs in with this address. Yours stays as it was."))
            return False


class AccountPage(EmailView):  # type: ignore[misc]
    """The page of one's own account, where its address is changed."""

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Vouch for the address of today first, so that the page offers to confirm only another one."""
        user = request.user
        assert isinstance(user, User)
        account_address_vouch(user=user)
        page: HttpResponseBase = super().dispatch(request, *args, **kwargs)
        return page


def account_tried(request: HttpRequest, credentials: Mapping[str, str] | None) -> str:
    """The account that a login tries, by address or name: what is locked after too many wrong passwords.

    The service's own form asks for `login` and hands it on as `email`; the administration has `username`.
    """
    fields: Mapping[str, str] = credentials or request.POST
    return (fields.get("email") or fields.get("login") or fields.get("username") or "").strip().lower()
