"""Slugs: a form field for one, and slugs made from names."""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain, count
from typing import Any

from django import forms
from django.utils.text import slugify
from django.utils.translation import gettext_lazy


def slug_from(name: str, slug: str, rows: Any, *, nameless: str) -> str:
    """Return the chosen `slug`; if it is empty, one made from the name that none of the `rows` (a
    query set) has.

    A name without any Latin letter or digit gives the slug `nameless`.
    """
    if slug:
        return slug
    proposal = slugify(name.replace("ß", "ss"))[:50] or nameless
    return free_slug(proposal, lambda candidate: rows.filter(slug=candidate).exists())


def free_slug(slug: str, is_taken: Callable[[str], bool]) -> str:
    """Return the slug if it is free, otherwise with the first number from 2 on that makes it free:
    `cup`, `cup-2`, `cup-3`."""
    numbered = (f"{slug}-{number}" for number in count(2))
    return next(candidate for candidate in chain([slug], numbered) if not is_taken(candidate))


def slug_field(max_length: int = 64) -> forms.SlugField:
    """Return an optional form field for a slug; if it is left empty, `slug_from` makes one from the
    name."""
    return forms.SlugField(
        label=gettext_lazy("Address"),
        help_text=gettext_lazy(
            "The last part of its pages’ address: lowercase letters, digits and hyphens."
        ),
        max_length=max_length,
        required=False,
    )
