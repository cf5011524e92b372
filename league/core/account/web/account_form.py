"""Forms of accounts: creating one, signing in, passwords and addresses."""

from __future__ import annotations

from typing import Any, Final

from allauth.account import forms as allauth_forms
from allauth.account.adapter import get_adapter
from django import forms
from django.contrib.auth.password_validation import (
    password_validators_help_texts,
    validate_password,
)
from django.core.exceptions import ValidationError
from django.utils.translation import gettext, gettext_lazy

from league.core.account.models import User
from league.core.account.web.sign_in import letter_use
from league.core.frame.forms import in_our_words, model_field
from league.core.frame.names import name_tidied

DIFFER: Final = gettext_lazy("The two passwords don’t match.")


class AccountForm(forms.Form):
    """Name and password of a new account. A rejected form keeps everything that was typed."""

    username = model_field(
        User,
        "username",
        label=gettext_lazy("Your name"),
        help_text=gettext_lazy("The name the club knows you by, such as Renate Becker."),
        widget=forms.TextInput({"autocomplete": "name"}),
    )
    password = forms.CharField(
        label=gettext_lazy("Password"),
        strip=False,
        widget=forms.PasswordInput({"autocomplete": "new-password"}, render_value=True),
    )
    password_again = forms.CharField(
        label=gettext_lazy("Repeat the password"),
        strip=False,
        widget=forms.PasswordInput({"autocomplete": "new-password"}, render_value=True),
    )

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        in_our_words(self)
        self.fields["password"].help_text = " ".join(password_validators_help_texts())

    def clean_username(self) -> str:
        """Return the name as it is stored."""
        return name_tidied(self.cleaned_data["username"])

    def clean(self) -> dict[str, Any]:
        """Reject two different passwords, and one that is easy to guess."""
        cleaned = super().clean() or {}
        password = cleaned.get("password")
        if not password:
            return cleaned
        if cleaned.get("password_again") and password != cleaned["password_again"]:
            self.add_error("password_again", str(DIFFER))
        user = User(username=cleaned.get("username", ""), email=cleaned.get("email", ""))
        try:
            validate_password(password, user)
        except ValidationError as refused:
            self.add_error("password", refused)
        return cleaned


class TwoPasswords(forms.BaseForm):
    """A new password, typed twice."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        in_our_words(
            self, password1=gettext("New password"), password2=gettext("Repeat the new password")
        )
        self.fields["password1"].help_text = " ".join(password_validators_help_texts())

    def clean(self) -> dict[str, Any]:
        """Reject two different passwords."""
        cleaned = forms.Form.clean(self) or {}
        password = cleaned.get("password1")
        repeated = cleaned.get("password2")
        if password and repeated and password != repeated:
            self.add_error("password2", str(DIFFER))
        return cleaned


class SignInForm(allauth_forms.LoginForm):  # type: ignore[misc]
    """Address and password."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        in_our_words(self, login=gettext("Email address"), remember=gettext("Stay signed in"))


class ChangePasswordForm(TwoPasswords, allauth_forms.ChangePasswordForm):  # type: ignore[misc]
    """The current password, and a new one."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        in_our_words(self, oldpassword=gettext("Your current password"))


class NewPasswordForm(TwoPasswords, allauth_forms.ResetPasswordKeyForm):  # type: ignore[misc]
    """The new password of somebody who has forgotten the old one."""


class ForgottenPasswordForm(allauth_forms.ResetPasswordForm):  # type: ignore[misc]
    """The address of the account whose password was forgotten."""

    email = model_field(User, "email", label=gettext_lazy("Email address"))

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        in_our_words(self)

    def clean_email(self) -> str:
        """Return the address. Raise `ValidationError` if too many emails to it were requested
        today."""
        email: str = super().clean_email()
        usage = letter_use(get_adapter().request, email)
        if usage and usage.exceeded:
            raise ValidationError(
                gettext(
                    "Too many emails were sent to this address today. Check your inbox, or try "
                    "again tomorrow."
                )
            )
        return email


class PasswordAgainForm(allauth_forms.ReauthenticateForm):  # type: ignore[misc]
    """The password, asked again before a critical step."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        in_our_words(self)


class NewAddressForm(allauth_forms.AddEmailForm):  # type: ignore[misc]
    """A new address of an account."""

    email = model_field(User, "email", label=gettext_lazy("New email address"))

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        in_our_words(self)
