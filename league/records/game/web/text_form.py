"""A form for a game as text."""

from __future__ import annotations

from typing import Final

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.template.defaultfilters import filesizeformat
from django.utils.translation import gettext, gettext_lazy

from games.domain.text import read_pasted

MAX_BYTES: Final = 1 << 18
"""The most bytes of a text; a game with the most rounds and moves and all dice has half of that."""


class GameTextForm(forms.Form):
    """A game as text, typed or in a file."""

    text = forms.CharField(
        label=gettext_lazy("The game"),
        help_text=gettext_lazy("A record as JSON, on one line or several, or in text notation."),
        required=False,
        strip=False,
        max_length=MAX_BYTES,
        widget=forms.Textarea(
            attrs={"rows": 12, "spellcheck": "false", "autocapitalize": "off", "class": "code"}
        ),
    )
    file = forms.FileField(
        label=gettext_lazy("or a file"),
        required=False,
        allow_empty_file=True,
        widget=forms.FileInput(
            attrs={"accept": ".json,.jsonl,.cups,.txt,application/json,text/plain"}
        ),
    )

    def clean(self) -> dict[str, object]:
        """Return the cleaned data with the first game of the text, or of the file if there is one,
        in `pasted`."""
        cleaned = super().clean() or {}
        file: UploadedFile[bytes] | None = cleaned.get("file")
        text = cleaned.get("text") or ""
        if file:
            size = file.size or 0
            if size > MAX_BYTES:
                message = gettext("The file is %(size)s, but a game can be at most %(limit)s.")
                sizes = {"size": filesizeformat(size), "limit": filesizeformat(MAX_BYTES)}
                raise forms.ValidationError(message % sizes)
            try:
                text = file.read().decode()
            except UnicodeDecodeError as error:
                raise forms.ValidationError(
                    gettext("The file isn’t text in UTF-8. Save it as UTF-8.")
                ) from error
        if not text.strip():
            raise forms.ValidationError(gettext("Paste a game, or choose a file."))
        return {**cleaned, "pasted": read_pasted(text)}
