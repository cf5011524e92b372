"""Second factors: their names, how their secrets are stored, and that operators need one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.deprecation import MiddlewareMixin
from django.utils.translation import gettext, gettext_lazy

from league.core.account.domain.secret_box import secret_box
from league.core.account.models import User
from league.core.account.queries.account import has_second_factor, is_operator
from league.core.frame.saying import redirect_saying

FOR_OPERATORS: Final = ("admin:index", "service")
"""The pages below which an operator needs a second factor."""


class OperatorMiddleware(MiddlewareMixin):
    """Redirects operators without a second factor from operators' pages to the page where they set
    one up."""

    def process_view(
        self, request: HttpRequest, view: Callable[..., HttpResponse], args: Any, kwargs: Any
    ) -> HttpResponse | None:
        """Return the redirect, or None if the request may go on."""
        if not request.path.startswith(tuple(reverse(name) for name in FOR_OPERATORS)):
            return None
        user = request.user
        if not isinstance(user, User) or not is_operator(user) or has_second_factor(user):
            return None
        message = gettext(
            "Everybody who runs the service needs a second factor to sign in. Set one up to "
            "continue."
        )
        return redirect_saying(request, message, "mfa_index", level=messages.WARNING)


class SecondFactorAdapter(DefaultMFAAdapter):  # type: ignore[misc]
    """Second factors whose secrets can't be read in the database or in a backup of it."""

    error_messages = {
        **DefaultMFAAdapter.error_messages,
        "incorrect_code": gettext_lazy(
            "This code is wrong or has already been used. Try the next one."
        ),
        "incorrect_passkey": gettext_lazy(
            "This passkey wasn’t accepted. Try again, or choose another way."
        ),
        "cannot_generate_recovery_codes": gettext_lazy("Set up an app or a passkey first."),
    }

    def encrypt(self, text: str) -> str:
        """Encrypt a secret with a key derived from the service's."""
        return secret_box().encrypt(text.encode()).decode()

    def decrypt(self, encrypted_text: str) -> str:
        """Decrypt a secret. If none of the known keys fits, return a random one, which matches no
        code."""
        from allauth.mfa.totp.internal.auth import generate_totp_secret
        from cryptography.fernet import InvalidToken

        try:
            return secret_box().decrypt(encrypted_text).decode()
        except InvalidToken:
            return str(generate_totp_secret())

    def build_totp_svg(self, url: str) -> str:
        """Return nothing: the page draws the QR code as all our pages do."""
        return ""

    def generate_authenticator_name(self, user: User, kind: Authenticator.Type) -> str:
        """Return the default name of a new passkey."""
        number = Authenticator.objects.filter(user=user, type=kind).count() + 1
        return gettext("Passkey %(number)d") % {"number": number}
