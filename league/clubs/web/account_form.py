"""All that somebody tells who makes an account."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.auth.password_validation import password_validators_help_texts, validate_password
from django.core.exceptions import ValidationError
from django.utils.translation import gettext, gettext_lazy

from league.clubs.models import User
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
