"""Addresses: a field for one, and one made from a name."""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain, count
from typing import Any

from django import forms
from django.utils.text import slugify
from django.utils.translation import gettext_lazy


def slug_from(name: str, slug: str, rows: Any, *, nameless: str) -> str:
    """The slug that was asked for, or one made from the name that isn't among those `rows` (a query
    set).

    A name without any Latin letter or figure makes the slug `nameless`.
    """
    if slug:
        return slug
    proposal = slugify(name.replace("ß", "ss"))[:50] or nameless
    return free_slug(proposal, lambda candidate: rows.filter(slug=candidate).exists())


def free_slug(slug: str, is_taken: Callable[[str], bool]) -> str:
    """The slug, or the first of it with a number from 2 on that isn't taken."""
    numbered = (f"{slug}-{number}" for number in count(2))
    return next(candidate for candidate in chain([slug], numbered) if not is_taken(candidate))


def slug_field(longest: int = 64) -> forms.SlugField:
    """Tell where an address can be chosen; left empty, `slug_from` makes one."""
    return forms.SlugField(
        label=gettext_lazy("Address"),
        help_text=gettext_lazy(
            "The end of the address of its pages: small letters, figures and hyphens."
        ),
        max_length=longest,
        required=False,
    )
