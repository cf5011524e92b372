"""Addresses: a field for one, and one made from a name."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.text import slugify
from django.utils.translation import gettext_lazy


def slug_from(name: str, slug: str, rows: Any, *, nameless: str) -> str:
    """The slug that was asked for, or one made from the name that isn't among those `rows` (a query set).

    A name without any Latin letter or figure makes the slug `nameless`.
    """
    if slug:
        return slug
    proposal = slugify(name.replace("ß", "ss"))[:50] or nameless
    number = 1
    while rows.filter(slug=proposal if number == 1 else f"{proposal}-{number}").exists():
        number += 1
    return proposal if number == 1 else f"{proposal}-{number}"


def slug_field(longest: int = 64) -> forms.SlugField:
    """Tell where an address can be chosen; left empty, `slug_from` makes one."""
    return forms.SlugField(
        label=gettext_lazy("Address"),
        help_text=gettext_lazy("The end of the address of its pages: small letters, figures and hyphens."),
        max_length=longest,
        required=False,
    )
