"""The forms of accounts: making one, signing in, passwords and addresses."""

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

DIFFER: Final = gettext_lazy("The two passwords differ.")


class AccountForm(forms.Form):
    """Name and password of a new account. A form that is refused shows again all that was typed."""

    username = model_field(
        User,
        "username",
        label=gettext_lazy("Your name"),
        help_text=gettext_lazy("As others in the club know you, such as Renate Becker."),
        widget=forms.TextInput({"autocomplete": "name"}),
    )
    password = forms.CharField(
        label=gettext_lazy("Password"),
        strip=False,
        widget=forms.PasswordInput({"autocomplete": "new-password"}, render_value=True),
    )
    password_again = forms.CharField(
        label=gettext_lazy("The password again"),
        strip=False,
        widget=forms.PasswordInput({"autocomplete": "new-password"}, render_value=True),
    )

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        in_our_words(self)
        self.fields["password"].help_text = " ".join(password_validators_help_texts())

    def clean_username(self) -> str:
        """The name as it is stored."""
        return name_tidied(self.cleaned_data["username"])

    def clean(self) -> dict[str, Any]:
        """Refuse two unlike passwords, and one that is easily guessed."""
        cleaned = super().clean() or {}
        word = cleaned.get("password")
        if word and cleaned.get("password_again") and word != cleaned["password_again"]:
            self.add_error("password_again", str(DIFFER))
        if word:
            try:
                validate_password(
                    word, User(username=cleaned.get("username", ""), email=cleaned.get("email", ""))
                )
            except ValidationError as refused:
                self.add_error("password", refused)
        return cleaned


class TwoPasswords(forms.BaseForm):
    """A new password that is typed twice."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        in_our_words(
            self, password1=gettext("New password"), password2=gettext("The new password again")
        )
        self.fields["password1"].help_text = " ".join(password_validators_help_texts())

    def clean(self) -> dict[str, Any]:
        """Refuse two unlike passwords."""
        cleaned = forms.Form.clean(self) or {}
        if (
            cleaned.get("password1")
            and cleaned.get("password2")
            and cleaned["password1"] != cleaned["password2"]
        ):
            self.add_error("password2", str(DIFFER))
        return cleaned


class SignInForm(allauth_forms.LoginForm):  # type: ignore[misc]
    """Address and password."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        in_our_words(self, login=gettext("Email address"), remember=gettext("Stay signed in"))


class ChangePasswordForm(TwoPasswords, allauth_forms.ChangePasswordForm):  # type: ignore[misc]
    """The password of today, and another one."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        in_our_words(self, oldpassword=gettext("Your current password"))


class NewPasswordForm(TwoPasswords, allauth_forms.ResetPasswordKeyForm):  # type: ignore[misc]
    """A new password of somebody who has forgotten the old one."""


class ForgottenPasswordForm(allauth_forms.ResetPasswordForm):  # type: ignore[misc]
    """Whose password it is."""

    email = model_field(User, "email", label=gettext_lazy("Email address"))

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        in_our_words(self)

    def clean_email(self) -> str:
        """Return the address. Raises `ValidationError` if too many letters to it were asked for
        today."""
        email: str = super().clean_email()
        usage = letter_use(get_adapter().request, email)
        if usage and usage.exceeded:
            raise ValidationError(
                gettext(
                    "Many letters went to this address today. Look for one there, or come tomorrow."
                )
            )
        return email


class PasswordAgainForm(allauth_forms.ReauthenticateForm):  # type: ignore[misc]
    """The password, asked for once more before something weighty is done."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        in_our_words(self)


class NewAddressForm(allauth_forms.AddEmailForm):  # type: ignore[misc]
    """Another address of an account."""

    email = model_field(User, "email", label=gettext_lazy("New email address"))

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        in_our_words(self)
