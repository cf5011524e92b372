"""How accounts are made and change their address."""

from typing import Any, Final
from urllib.parse import urlsplit

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.models import EmailAddress, EmailConfirmation
from allauth.account.views import EmailView
from django.conf import settings
from django.contrib import messages
from django.db import IntegrityError, transaction
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.translation import gettext, gettext_lazy

from league.core.account.models import User
from league.core.account.services import account_address_vouch
from league.core.frame.client_address import client_address
from league.core.frame.letter_link import public_address

PROOFS: Final = {
    "reauthenticate": gettext_lazy("With your password"),
    "mfa_reauthenticate": gettext_lazy("With a code"),
    "mfa_reauthenticate:webauthn": gettext_lazy("With a passkey"),
}
"""The names of allauth’s ways to reauthenticate."""


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    """Accounts come with an invitation; nobody signs up by themselves."""

    error_messages = {
        **DefaultAccountAdapter.error_messages,
        "duplicate_email": gettext_lazy("You already sign in with this address."),
        "email_password_mismatch": gettext_lazy(
            "Email address and password don’t match. Check them both."
        ),
        "enter_current_password": gettext_lazy("This isn’t your current password."),
        "incorrect_password": gettext_lazy("This isn’t your password."),
        "rate_limited": gettext_lazy("Too many attempts. Wait a minute, then try again."),
        "too_many_login_attempts": gettext_lazy(
            "Too many attempts. Wait a minute, then try again."
        ),
    }

    def get_reauthentication_methods(self, user: Any) -> list[dict[str, Any]]:
        """Return the ways to reauthenticate, the password first."""
        methods: list[dict[str, Any]] = super().get_reauthentication_methods(user)
        return [{**method, "description": PROOFS[method["id"]]} for method in methods]

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Return False: people sign up only on the page of an invitation."""
        return False

    def get_client_ip(self, request: HttpRequest) -> str:
        """Return the client's address, by which allauth counts its own limits."""
        return client_address(request)

    def get_reset_password_from_key_url(self, key: str) -> str:
        """Return the link for an email to somebody who forgot a password."""
        return public_address(urlsplit(super().get_reset_password_from_key_url(key)).path)

    def get_email_confirmation_url(
        self, request: HttpRequest, emailconfirmation: EmailConfirmation
    ) -> str:
        """Return the link for an email to a new address."""
        return public_address(
            urlsplit(super().get_email_confirmation_url(request, emailconfirmation)).path
        )

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Send an email that names the service's own host, whatever host the request has named."""
        super().send_mail(
            template_prefix, email, {**context, "host": urlsplit(settings.PUBLIC_ORIGIN).netloc}
        )

    def confirm_email(self, request: HttpRequest, email_address: EmailAddress) -> bool:
        """Let an account sign in with an address that its owner has confirmed; return False if
        another account has it."""
        try:
            with transaction.atomic():
                confirmed: bool = super().confirm_email(request, email_address)
                return confirmed
        except IntegrityError:
            messages.error(
                request,
                gettext("Another account uses this address, so yours hasn’t changed."),
            )
            return False


class AccountPage(EmailView):  # type: ignore[misc]
    """The page of the user's account, where its address is changed."""

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Mark the current address as confirmed first, so that the page only offers to confirm a
        new one."""
        user = request.user
        assert isinstance(user, User)
        account_address_vouch(user=user)
        page: HttpResponseBase = super().dispatch(request, *args, **kwargs)
        return page
