"""The forms of accounts: making one, and setting a new password."""

from __future__ import annotations

from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.forms import ResetPasswordForm
from django import forms
from django.contrib.auth.password_validation import password_validators_help_texts, validate_password
from django.core.exceptions import ValidationError
from django.utils.translation import gettext, gettext_lazy

from league.clubs.models import User
from league.clubs.web.sign_in import letter_use
from league.frame.forms import model_field


class AccountForm(forms.Form):
    """Name and password of a new account."""

    username = model_field(
        User,
        "username",
        label=gettext_lazy("Your name"),
        help_text=gettext_lazy("Others in the club see it. Letters, figures and @/./+/-/_, without spaces."),
        validators=[User.username_validator],
        widget=forms.TextInput({"autocomplete": "username"}),
    )
    password = forms.CharField(
        label=gettext_lazy("Password"),
        strip=False,
        widget=forms.PasswordInput({"autocomplete": "new-password"}),
    )
    password_again = forms.CharField(
        label=gettext_lazy("The password again"),
        strip=False,
        widget=forms.PasswordInput({"autocomplete": "new-password"}),
    )

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["password"].help_text = " ".join(password_validators_help_texts())

    def clean(self) -> dict[str, Any]:
        """Refuse two unlike passwords, and one that is easily guessed."""
        cleaned = super().clean() or {}
        word = cleaned.get("password")
        if word and cleaned.get("password_again") and word != cleaned["password_again"]:
            self.add_error("password_again", gettext("The two passwords differ."))
        if word:
            try:
                validate_password(word, User(username=cleaned.get("username", ""), email=cleaned.get("email", "")))
            except ValidationError as refused:
                self.add_error("password", refused)
        return cleaned


class PasswordLetterForm(ResetPasswordForm):  # type: ignore[misc]
    """The address to which a letter goes that lets its owner set a new password."""

    def clean_email(self) -> str:
        """The address. Raises `ValidationError` for who has asked for many letters to it today."""
        email: str = super().clean_email()
        usage = letter_use(get_adapter().request, email)
        if usage and usage.exceeded:
            raise ValidationError(
                gettext("Many letters went to this address today. Look for one there, or come tomorrow.")
            )
        return email
