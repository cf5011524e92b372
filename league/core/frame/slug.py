"""Slugs: a form field for one, and slugs made from names."""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain, count
from typing import Any

from django import forms
from django.utils.text import slugify
from django.utils.translation import gettext_lazy


def slug_from(name: str, slug: str, rows: Any, *, nameless: str) -> str:
    """Return the chosen slug, or one made from the name that none of the `rows` (a query set) has.

    A name without any Latin letter or figure gives the slug `nameless`."""
    if slug:
        return slug
    proposal = slugify(name.replace("ß", "ss"))[:50] or nameless
    return free_slug(proposal, lambda candidate: rows.filter(slug=candidate).exists())


def free_slug(slug: str, is_taken: Callable[[str], bool]) -> str:
    """Return the slug, or if it is taken the first one numbered from 2 that isn't."""
    numbered = (f"{slug}-{number}" for number in count(2))
    return next(candidate for candidate in chain([slug], numbered) if not is_taken(candidate))


def slug_field(longest: int = 64) -> forms.SlugField:
    """Return a form field for a slug; if it is left empty, `slug_from` makes one."""
    return forms.SlugField(
        label=gettext_lazy("Address"),
        help_text=gettext_lazy(
            "The last part of its pages’ address: lowercase letters, digits and hyphens."
        ),
        max_length=longest,
        required=False,
    )
