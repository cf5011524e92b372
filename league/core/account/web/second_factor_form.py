"""Forms of second factors, in our words, and the limit for wrong codes."""

from __future__ import annotations

import struct
from collections.abc import Callable
from math import ceil
from typing import Any, Final

from allauth.mfa.adapter import get_adapter
from allauth.mfa.base.forms import AuthenticateForm, BaseAuthenticateForm, ReauthenticateForm
from allauth.mfa.totp.forms import ActivateTOTPForm
from allauth.mfa.webauthn.forms import (
    AddWebAuthnForm,
    AuthenticateWebAuthnForm,
    EditWebAuthnForm,
    LoginWebAuthnForm,
    ReauthenticateWebAuthnForm,
)
from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext, gettext_lazy

from league.core.account.models import User
from league.core.frame.forms import in_our_words
from league.core.frame.limits import limit_state, limit_use

LIMIT: Final = "second_factor"
MALFORMED: Final = (
    ArithmeticError,
    AttributeError,
    LookupError,
    TypeError,
    ValueError,
    struct.error,
)
"""The exceptions of reading data that isn't a passkey's."""
NAME_LENGTH: Final = 60


class GuardedCode(BaseAuthenticateForm):  # type: ignore[misc]
    """A code with a limited number of tries: wrong ones are counted by account, from any
    address."""

    user: User

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["code"].help_text = gettext(
            "The six digits from your app, or one of your recovery codes."
        )
        in_our_words(self)

    def clean_code(self) -> str:
        """Return the code. Raise `ValidationError` if it is wrong, or too many codes were."""
        return code_checked(self.user, super().clean_code)


class FactorCodeForm(GuardedCode, AuthenticateForm):  # type: ignore[misc]
    """The code that signing in asks for after the password."""


class CodeAgainForm(GuardedCode, ReauthenticateForm):  # type: ignore[misc]
    """The code, asked again before a critical step."""


class AppForm(ActivateTOTPForm):  # type: ignore[misc]
    """The first code of an app, which proves that it has the secret."""

    user: User

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["code"].label = gettext("Code from your app")
        in_our_words(self)

    def clean_code(self) -> str:
        """Return the code. Raise `ValidationError` if it is wrong, or too many codes were."""
        return code_checked(self.user, super().clean_code)


class WellFormed(forms.Form):
    """A form with data signed by a passkey. Malformed data is wrong, and doesn't break the page."""

    def clean_credential(self) -> Any:
        """Return the passkey that was used. Raise `ValidationError` if it doesn't fit."""
        return passkey_checked(super().clean_credential)  # type: ignore[misc]


class PasskeySignInForm(WellFormed, LoginWebAuthnForm):  # type: ignore[misc]
    """A passkey that signs in without a password."""


class PasskeyCodeForm(WellFormed, AuthenticateWebAuthnForm):  # type: ignore[misc]
    """A passkey after the password."""


class PasskeyAgainForm(WellFormed, ReauthenticateWebAuthnForm):  # type: ignore[misc]
    """A passkey, asked again before a critical step."""


class PasskeyForm(AddWebAuthnForm):  # type: ignore[misc]
    """A new passkey: with a PIN or fingerprint it signs in alone; a plain security key comes after
    the password."""

    name = forms.CharField(
        label=gettext_lazy("Name of this passkey"), max_length=NAME_LENGTH, required=False
    )
    passwordless = forms.BooleanField(
        label=gettext_lazy("Sign in with this passkey alone, without a password"),
        help_text=gettext_lazy("Your device will ask for its PIN, your fingerprint or your face."),
        required=False,
        initial=True,
    )

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        in_our_words(self)

    def clean(self) -> dict[str, Any]:
        """Return the data of the new passkey. Raise `ValidationError`."""
        cleaned: dict[str, Any] = passkey_checked(super().clean)
        return cleaned


class PasskeyNameForm(EditWebAuthnForm):  # type: ignore[misc]
    """A new name for a passkey."""

    name = forms.CharField(label=gettext_lazy("Name of this passkey"), max_length=NAME_LENGTH)

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        in_our_words(self)


def code_checked(user: User, check_code: Callable[[], str]) -> str:
    """Return the result of `check_code`. Raise `ValidationError` if it fails, or if too many codes
    of the account were wrong."""
    usage = limit_state(LIMIT, str(user.pk))
    if usage and usage.full:
        message = gettext("Too many wrong codes. Try again in %(minutes)d minutes.")
        raise ValidationError(message % {"minutes": ceil(usage.ends / 60)})
    try:
        return check_code()
    except ValidationError:
        limit_use(LIMIT, str(user.pk))
        raise


def passkey_checked(check_passkey: Callable[[], Any]) -> Any:
    """Return the result of `check_passkey`. Raise `ValidationError` if the data is malformed."""
    try:
        return check_passkey()
    except MALFORMED:
        raise get_adapter().validation_error("incorrect_passkey") from None
